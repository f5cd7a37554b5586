"""The policy: the role of every column, and the options of each quasi-identifier."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from ppdt_db.arguments import list_faults, name_faults
from ppdt_db.errors import RequestError
from ppdt_db.policy.bins import MDL, Bins, BinsSpec, as_bins
from ppdt_db.policy.hierarchy_specs import HierarchySpec
from ppdt_db.recodings import RECODINGS, Recoding, RecodingKind
from ppdt_db.sqltext.column_types import ORDERED, family_of
from ppdt_db.sqltext.quoting import (
    by_normal_name,
    is_reserved,
    normalize_name,
    shorten_faults,
    unknown_column,
)


@dataclass(frozen=True)
class Attribute:
    """A quasi-identifier with options of its own.

    >>> Attribute("education", order=("School", "Bachelor", "Master")).order
    ('School', 'Bachelor', 'Master')
    >>> Attribute("age", bins="quantiles:4").bins
    'quantiles:4'
    """

    name: str
    recode: Recoding | None = None
    order: Sequence[str] | None = None
    hierarchy: HierarchySpec | None = None
    bins: BinsSpec | None = None

    @property
    def rule(self) -> Bins:
        """The rule by which it is cut into bins."""
        return as_bins(self.bins if self.bins is not None else "mdl")

    @cached_property
    def recoding(self) -> RecodingKind | None:
        """The recoding that was asked for, if there is one of that name."""
        return RECODINGS.get(self.recode or "")


@dataclass(frozen=True, kw_only=True)
class Policy:
    """The roles of the columns of one source."""

    quasi: Sequence[Attribute]
    sensitive: Sequence[str] = ()
    target: str | None = None
    identifiers: Sequence[str] | Literal["rest"] = ()
    pseudonymize: Sequence[str] = ()
    entity: str | None = None
    keep: Sequence[str] | Literal["rest"] = ()
    hierarchies: Mapping[str, HierarchySpec] = field(default_factory=dict)
    """The hierarchies of sensitive columns, for the distances of t-closeness."""
    bins: Bins | None = None
    """The rule for numbers and dates that have no recoding of their own."""

    @classmethod
    def of(
        cls,
        *,
        quasi: Iterable[str | Attribute],
        sensitive: Iterable[str | Attribute] = (),
        target: str | None = None,
        identifiers: Sequence[str] | Literal["rest"] = (),
        pseudonymize: Sequence[str] = (),
        entity: str | None = None,
        keep: Sequence[str] | Literal["rest"] = (),
        bins: BinsSpec | None = None,
        more_faults: Sequence[str] = (),
    ) -> "Policy":
        """Return a policy from names or attributes; report `more_faults` together with its own.

        >>> Policy.of(quasi=["age"], keep="rest").quasi[0].name
        'age'
        """
        # An iterator can be read only once.
        quasi, sensitive = _listed(quasi), _listed(sensitive)
        raise_all(
            [
                *list_faults((str, Attribute), quasi=quasi, sensitive=sensitive),
                *list_faults(pseudonymize=pseudonymize),
                *(list_faults(identifiers=identifiers) if identifiers != "rest" else []),
                *(list_faults(keep=keep) if keep != "rest" else []),
                *name_faults(target=target, entity=entity),
                *more_faults,
            ]
        )
        names, hierarchies = _sensitive_hierarchies(sensitive)
        return cls(
            quasi=tuple(map(_attribute, quasi)),
            sensitive=names,
            target=target,
            identifiers=identifiers,
            pseudonymize=pseudonymize,
            entity=entity,
            keep=keep,
            hierarchies=hierarchies,
            bins=None if bins is None else as_bins(bins),
        )


@dataclass(frozen=True, kw_only=True)
class Roles:
    """A policy resolved against a source: every column with its role, by its name there."""

    quasi: Sequence[Attribute]
    sensitive: Sequence[str]
    target: str | None
    dropped: Sequence[str]
    pseudonymized: Sequence[str]
    entity: str | None
    kept: Sequence[str]
    hierarchies: Mapping[str, HierarchySpec] = field(default_factory=dict)

    @cached_property
    def shown(self) -> frozenset[str]:
        """The columns, other than quasi-identifiers, that a release shows."""
        target = [self.target] if self.target else []
        return frozenset([*self.sensitive, *target, *self.pseudonymized, *self.kept])


@dataclass
class _Naming:
    """Looks up the columns that a policy names, and collects the faults."""

    columns: Sequence[str]
    faults: list[str] = field(default_factory=list)
    role_of: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_fold = by_normal_name(self.columns)

    def take(self, names: Iterable[str], role: str) -> list[str]:
        found: dict[str, None] = {}
        unknown: list[str] = []
        twice: list[str] = []
        for name in names:
            column = self._by_fold.get(normalize_name(name))
            if column is None:
                unknown.append(name)
            elif column in found:
                twice.append(name)
            else:
                found[column] = None
                self.role_of.setdefault(column, []).append(role)
        self.faults += shorten_faults(
            unknown,
            lambda name: unknown_column(role, name, self.columns),
            f"names given as {role} that are not columns of the source",
        )
        self.faults += shorten_faults(
            twice,
            lambda name: f'{role} "{name}": named twice. Name it once.',
            f"names given twice as {role}",
        )
        return list(found)

    def check_overlaps(self) -> None:
        self.faults += shorten_faults(
            [
                column
                for column, roles in self.role_of.items()
                if len(roles) > 1 and set(roles) != {"sensitive", "target"}
            ],
            lambda column: (
                f'"{column}": given as {" and ".join(self.role_of[column])}. Give it one role '
                "(only sensitive and target can be combined)."
            ),
            "columns with several roles",
        )


def resolve(policy: Policy, columns: Mapping[str, str]) -> tuple[Roles, list[str], list[str]]:
    """Resolve a policy against columns: return the roles, the faults, and columns without role.

    Columns without a role are a fault too, but its message needs counts, so the caller adds it.
    """
    naming = _Naming(list(columns))
    quasi_names = naming.take([a.name for a in policy.quasi], "quasi-identifier")
    attributes = {normalize_name(attribute.name): attribute for attribute in policy.quasi}
    sensitive = naming.take(policy.sensitive, "sensitive")
    target = naming.take([policy.target] if policy.target else [], "target")
    drops_rest, keeps_rest = policy.identifiers == "rest", policy.keep == "rest"
    dropped = [] if drops_rest else naming.take(policy.identifiers, "identifier")
    pseudonymized = naming.take(policy.pseudonymize, "pseudonymized")
    entity = naming.take([policy.entity] if policy.entity else [], "entity")
    kept = [] if keeps_rest else naming.take(policy.keep, "kept")
    naming.check_overlaps()
    faults = naming.faults
    if not policy.quasi:
        faults.append("no quasi-identifiers: name the columns that an attacker may know (--qi).")
    faults += shorten_faults(
        [column for column in columns if is_reserved(column)],
        lambda column: (
            f'"{column}": names that start with ppdt_ are reserved. Rename it in a view.'
        ),
        "columns with reserved names",
    )
    open_columns = [column for column in columns if column not in naming.role_of]
    if drops_rest and keeps_rest:
        faults.append(
            "--id rest and --keep rest: the remaining columns can be dropped or kept, not both. "
            "Remove one of the two."
        )
    elif drops_rest:
        dropped, open_columns = open_columns, []
    elif keeps_rest:
        kept, open_columns = open_columns, []
    by_name = {normalize_name(name): hierarchy for name, hierarchy in policy.hierarchies.items()}
    hierarchies = {
        name: by_name[normalize_name(name)] for name in sensitive if normalize_name(name) in by_name
    }
    roles = Roles(
        quasi=[
            binned(replace(attributes[normalize_name(name)], name=name), policy.bins, columns[name])
            for name in quasi_names
        ],
        sensitive=sensitive,
        target=target[0] if target else None,
        dropped=dropped,
        pseudonymized=pseudonymized,
        entity=entity[0] if entity else None,
        kept=kept,
        hierarchies=hierarchies,
    )
    return roles, faults, open_columns


def binned(attribute: Attribute, bins: Bins | None, type_name: str) -> Attribute:
    """Return an attribute with its own rule for bins, or with that of the whole request.

    The rule of a request concerns numbers, dates and times that have no recoding of their own;
    edges, the columns that they name.
    """
    own = as_bins(attribute.bins) if attribute.bins is not None else None
    if attribute.recode == "bins" or (own is not None and attribute.recode is None):
        return replace(attribute, recode="bins", bins=own or bins or MDL)
    if bins is None or attribute.recode is not None or attribute.hierarchy is not None:
        return attribute
    is_meant = bins.rule != "edges" or bins.edges_of(attribute.name) is not None
    if not is_meant or family_of(type_name) not in ORDERED:
        return attribute
    return replace(attribute, recode="bins", bins=bins)


def _listed(items: Iterable[str | Attribute]) -> Iterable[str | Attribute]:
    return tuple(items) if isinstance(items, Iterator) else items


def _attribute(item: str | Attribute) -> Attribute:
    return item if isinstance(item, Attribute) else Attribute(item)


def _sensitive_hierarchies(
    sensitive: Iterable[str | Attribute],
) -> tuple[tuple[str, ...], dict[str, HierarchySpec]]:
    """Return the names of sensitive columns, and the hierarchies of those that have one."""
    attributes = [*map(_attribute, sensitive)]
    raise_all(
        [
            f'sensitive "{s.name}": it is released unchanged, so it can only have a hierarchy. '
            "Remove recode and order."
            for s in attributes
            if s.recode is not None or s.order is not None
        ]
    )
    hierarchies = {s.name: s.hierarchy for s in attributes if s.hierarchy is not None}
    return tuple(s.name for s in attributes), hierarchies


def raise_all(faults: Sequence[str]) -> None:
    """Raise one error that lists all faults, if there are any."""
    if faults:
        raise RequestError(*faults)
