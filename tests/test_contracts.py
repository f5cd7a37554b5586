"""Every SQL file keeps its contract: the header says what the statement is."""

import re
from functools import cache
from itertools import pairwise

import sqlglot
from samples import sample, variants
from sqlglot import exp
from support import for_each

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.learn.feature_types import Feature
from ppdt_db.methods.algorithms.distance import DistanceColumn
from ppdt_db.sqltext.numbered import names_in
from ppdt_db.sqltext.templates import folder, header_field, steps

STEPS = [step for step in steps() if not step.startswith(("lib/engine/", "lib/fragments/"))]
STANDS_FOR = {
    "<i>": ["0", "1"], "<o>": ["0"], "<c>": ["1"], "<j>": ["0", "1"], "<w>": ["0"],
    "<r>": ["0"], "<h>": ["0", "1"],
}  # fmt: skip
WHOLE = {"<other>": ["c0"], "<label>": ["q0", "q1"], "<unit>": ["cell_id"]}


def source(step: str) -> str:
    return (folder("sql") / f"{step}.sql").read_text("utf-8")


def with_forms(text: str) -> str:
    """A template with the forms that it includes, without comments."""
    for form in re.findall(r'include "(lib/fragments/\w+)\.sql"', text):
        text += with_forms(source(form))
    return re.sub(r"\{#.*?#\}|^--[^\n]*$", "", text, flags=re.DOTALL | re.MULTILINE)


def out_columns(step: str) -> list[str] | None:
    """The columns that the header promises, spelled out; None where it says them in words."""
    found = re.search(r"\(([^)]*)\)", header_field(sample(step).header, "out"))
    assert found, "`out` names the relation and, in brackets, its columns"
    names: list[str] = []
    for name in found.group(1).split(","):
        name = name.strip()
        if " " in name:
            return None
        sign = re.search(r"<\w>", name)
        if sign:
            names += [name.replace(sign.group(), each) for each in STANDS_FOR[sign.group()]]
        else:
            names += WHOLE.get(name, [name])
    return names


@cache
def parsed(text: str) -> exp.Query:
    trees = sqlglot.parse(text, read="duckdb")
    assert len(trees) == 1, "one statement in one file"
    assert isinstance(trees[0], exp.Query), "a SELECT"
    return trees[0]


@cache
def trees(step: str) -> list[exp.Query]:
    """A step in all of its forms, parsed."""
    return [parsed(text) for text in dict.fromkeys(v.text for v in variants(step))]


@for_each(STEPS)
def test_header_is_complete(step: str) -> None:
    header = sample(step).header
    first = header.splitlines()[0]
    assert re.fullmatch(rf"-- {step}\.sql: .+", first), "the first line names file and purpose"
    for name in ("in", "out"):
        assert header_field(header, name), f"`{name}` is missing"
    assert re.search(r"\b(rows?|column)\b", header_field(header, "out")), "the grain is missing"
    assert source(step).startswith(header)


@for_each(STEPS)
def test_one_select_in_both_dialects(step: str) -> None:
    for tree in trees(step):
        assert tree.sql(dialect="duckdb")
        assert tree.sql(dialect="spark")


@for_each(STEPS)
def test_layout_is_that_of_a_person(step: str) -> None:
    """No litter of templates: spaces at line ends or doubled, lines left empty, a comma alone."""
    for statement in variants(step):
        lines = re.sub(r"'(?:[^']|'')*'", "''", statement.text).split("\n")
        for before, line in pairwise(lines):
            assert line == line.rstrip()
            assert "  " not in line.strip()
            assert line.strip() != ","
            assert line or before.strip() in (")", "),"), "an empty line stands between CTEs alone"


@for_each(STEPS)
def test_columns_are_those_of_the_header(step: str) -> None:
    promised = out_columns(step)
    if promised is not None:
        assert parsed(sample(step).text).named_selects == promised


@for_each(STEPS)
def test_rows_are_filtered_first_in_unions(step: str) -> None:
    """DuckDB 1.5 binds the wrong column where a branch of a UNION filters what it joined before.

    `FROM a INNER JOIN b SEMI JOIN c`, or the same by a subquery, ends in an internal error when
    a column of the branch is cast to the type of the other's.
    """
    for tree in trees(step):
        for select in tree.find_all(exp.Select):
            kinds = [join.kind for join in select.args.get("joins") or ()]
            filters = [place for place, kind in enumerate(kinds) if kind in ("SEMI", "ANTI")]
            if select.find_ancestor(exp.SetOperation) and filters:
                assert filters[-1] == len(filters) - 1, "SEMI and ANTI JOIN stand first"
                filtered = select.args["from_"].this
                assert not list(filtered.find_all(exp.Join)), "what they filter was joined before"


@for_each(STEPS)
def test_no_star(step: str) -> None:
    for tree in trees(step):
        stars = [star for star in tree.find_all(exp.Star) if not isinstance(star.parent, exp.Count)]
        assert not stars


@for_each(STEPS)
def test_declared_parameters_are_the_used_ones(step: str) -> None:
    declared = re.findall(r"\$([a-z_]+)", header_field(sample(step).header, "params"))
    assert set(declared) == set(re.findall(r"\$([a-z_]+)", with_forms(source(step))))


@for_each(STEPS)
def test_relations_that_are_read_are_declared(step: str) -> None:
    declared = header_field(sample(step).header, "in")
    for tree in trees(step):
        for table in tree.find_all(exp.Table):
            if table.name.startswith("ppdt_"):
                name = re.sub(r"_\d+$", "_<i>", table.name)
                is_told = name in declared or "dictionary (" in declared
                assert is_told, f"{name} is read but not declared"
    for name in re.findall(r"\bppdt_[a-z_]+\b(?!<)", declared):
        if not name.endswith("_"):
            assert name in source(step) or step in VARIABLE, f"{name} is declared but not read"


# The relations of these come by a name that the caller passes in.
VARIABLE = (
    "encode/dictionary", "encode/domain", "encode/missing", "methods/microaggregate/point",
    "methods/microaggregate/farthest", "methods/microaggregate/class_size",
    "methods/microaggregate/class_protected", "methods/specialize/recoded",
    "methods/univariate/goal", "methods/univariate/boundary", "methods/univariate/path",
)  # fmt: skip


@for_each(STEPS)
def test_rankings_are_ordered(step: str) -> None:
    ranks = (exp.RowNumber, exp.DenseRank, exp.Rank)
    for tree in trees(step):
        for window in tree.find_all(exp.Window):
            if isinstance(window.this, ranks):
                assert window.args.get("order") is not None


@for_each(steps())
def test_files_are_short_and_plain(step: str) -> None:
    text = source(step)
    assert len(text.splitlines()) <= 65
    assert "\t" not in text
    body = with_forms(text).lower()
    for banned in ("random(", "setseed", "hash(", "current_date", "uuid("):
        # sha256 is the one source of chance: the others differ between engines, and hash() is no
        # identity: in DuckDB, 0 and -1 share theirs as HUGEINT, and all lists without elements.
        assert banned not in body.replace("sha256(", "")
    # An unset variable is silently NULL: it may stand only where that is an error.
    if "getvariable(" in body:
        assert body.count("getvariable(") == body.count("error(")


@for_each(steps())
def test_nothing_reaches_a_statement_but_through_the_doors(step: str) -> None:
    for hole in re.findall(r"\{\{-?\s*(.*?)\s*-?\}\}", with_forms(source(step))):
        is_filtered = re.search(r"\|\s*(ident|literal|parameter|indented)$", hole)
        assert is_filtered or hole in SQL_ALREADY | NUMBERED or MADE_BY_A_DOOR.fullmatch(hole), hole


MADE_BY_A_DOOR = re.compile(r'[\w.]+\.code_type|comma\(loop\)|nth\("\w+", loop\)|xlog\(.+\)')
OWNERS = {"attribute": EncodedColumn, "feature": Feature, "axis": DistanceColumn}
NUMBERED = {f"{variable}.{name}" for variable, owner in OWNERS.items() for name in names_in(owner)}

# Names whose values are made by the doors themselves (names.Sql); the environment refuses the rest.
SQL_ALREADY = {
    "source", "release", "original", "relation", "body", "text", "word.type", "attribute.code_type",
    "attribute.held_type", "people", "hierarchy", "form_type", "held_type",
    "weight", "key_type", "type_name", "part.indent", "part.sign", "part.value",
    "axis.type_name", "number_type", "part.as_type", "part.own_type", "low", "high",
    "part.step", "part.text", "label.type_name", "column.type_sql", "level.expression",
    "column.as_type",
    "number", "tested_type", "origin.base", "column.type", "least", "most",
}  # fmt: skip
