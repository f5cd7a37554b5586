"""Send the released rows down a tree by what they show, and count who shares their path.

The attributes that a path tests are its virtual quasi-identifier. Two rows share it if they come to
the same leaf and show the same values of these attributes. Of a method only the tree is taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ppdt_db.audit.released import AuditedRelation, ReleasedColumn, ShownColumn
from ppdt_db.engine import Engine
from ppdt_db.sqltext.column_types import NUMBERS, ORDERED, display_type, family_of
from ppdt_db.sqltext.quoting import Sql, normalize_name
from ppdt_db.tree.tree import Tested, Tree

# Categories may look like ranges; these have no single value in any case.
UNPLAIN = ("bounds", "set", "node")


@dataclass(frozen=True, kw_only=True)
class WalkedColumn:
    """A released column that the tree tests."""

    number: int
    tested: Tested
    released: ReleasedColumn

    @property
    def rank(self) -> str:
        """The number of a shown value."""
        return f"rank_{self.number}"

    @property
    def value(self) -> str:
        """The shown value."""
        return f"value_{self.number}"

    @property
    def is_ordered(self) -> bool:
        """Return whether the tree tests it by thresholds."""
        return self.tested.is_ordered

    @property
    def as_type(self) -> Sql:
        """The type in which thresholds are compared with what the column shows."""
        shown = self.released.type_name
        if shown.startswith("DECIMAL"):
            return Sql(shown)
        return Sql("DOUBLE" if family_of(shown) == "float" else self.tested.type_name)

    @property
    def is_number(self) -> bool:
        """Return whether a threshold beyond the reach of its type can be compared as a DOUBLE."""
        return self.is_ordered and self.tested.family in NUMBERS


def of_paths(engine: Engine, released: AuditedRelation, tree: Tree) -> dict[str, object]:
    """Return the least number of people in a leaf, and of people who share a path's values.

    A row whose value has no branch stays in that node, and shares the value that it shows there.
    """
    columns = _walked(released, tree)
    names = {
        "release": released.entities if released.entity is not None else released.relation,
        "columns": columns,
        "entity": released.entity,
    }
    engine.make("audit/path_unit", names=names)
    engine.make("audit/path_test", _tests(tree, columns))
    engine.make("audit/path_start", to="ppdt_on_path")
    for _ in range(max(tree.depths)):
        engine.make("audit/path_step", names=names)
        engine.rename("ppdt_path_step", "ppdt_on_path")
    leaf, path = engine.row("audit/path_size", names=names)
    engine.drop("ppdt_path_unit", "ppdt_path_test", "ppdt_on_path")
    return {"leaf": leaf or 0, "path": path or 0}


def path_faults(released: AuditedRelation, tree: Tree) -> list[str]:
    """Return a fault for every column that the tree tests and the release does not show plainly."""
    faults: list[str] = []
    for tested in _asked(tree):
        shown = _shown(released.shown, tested)
        if tested.is_set:
            faults.append(
                f'tree: it tests "{tested.name}" by whole sets ({display_type(tested.type_name)}). '
                "Only single values can be sent down a tree: give the one whose paths the release "
                "keeps."
            )
            continue
        start = f'tree: it tests "{tested.name}", '
        if shown is None:
            faults.append(
                f"{start}which is not a quasi-identifier of this audit. Add it with --qi."
            )
        elif shown.shape in UNPLAIN or (shown.shape == "range" and tested.is_ordered):
            faults.append(
                f"{start}which the release shows as ranges, sets or nodes. Only single values can "
                "be sent down a tree."
            )
        elif not _compares(tested, released.columns[shown.columns[0]]):
            faults.append(
                f"{start}as {tested.type_name}, but the column is "
                f"{released.columns[shown.columns[0]]}. Cast it in a view."
            )
    return faults


def _walked(released: AuditedRelation, tree: Tree) -> list[WalkedColumn]:
    by_name = {column.name: column for column in released.quasi}
    found = []
    for number, tested in enumerate(_asked(tree)):
        shown = _shown(released.shown, tested)
        assert shown is not None
        found.append(WalkedColumn(number=number, tested=tested, released=by_name[shown.columns[0]]))
    return found


def _asked(tree: Tree) -> list[Tested]:
    """Return the attributes that occur in a test."""
    asked = {node.attribute for node in tree.nodes}
    return [tested for tested in tree.attributes if tested.name in asked]


def _shown(shown: Sequence[ShownColumn], tested: Tested) -> ShownColumn | None:
    name = normalize_name(tested.name)
    return next((column for column in shown if normalize_name(column.name) == name), None)


def _compares(tested: Tested, type_name: str) -> bool:
    """Return whether what a column shows can be compared with the tree's thresholds."""
    family = family_of(type_name)
    if not tested.is_ordered:
        return True
    return family in ORDERED and (family in NUMBERS) == (tested.family in NUMBERS)


def _tests(tree: Tree, columns: Sequence[WalkedColumn]) -> dict[str, object]:
    number_of = {column.tested.name: column.number for column in columns}
    tests = [
        (number, number_of[node.attribute], branch.test, branch.value, branch.child)
        for number, node in enumerate(tree.nodes)
        if node.attribute is not None
        for branch in node.branches
    ]
    names = ("node_ids", "attribute_ids", "tests", "tested_values", "child_ids")
    return {name: [test[place] for test in tests] for place, name in enumerate(names)}
