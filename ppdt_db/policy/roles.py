"""What is asked: the role of every column, and how each quasi-identifier may be shown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, get_args

from ppdt_db.errors import RequestError
from ppdt_db.given import list_faults, name_faults
from ppdt_db.hierarchies import Wish
from ppdt_db.names import fold, is_reserved, nearest, told_of

Recoding = Literal["range", "set", "bounds", "mean", "mode", "node"]
RECODINGS: tuple[str, ...] = get_args(Recoding)


@dataclass(frozen=True)
class Attribute:
    """A quasi-identifier with wishes of its own.

    >>> Attribute("education", order=("School", "Bachelor", "Master"))
    Attribute(name='education', recode=None, order=('School', 'Bachelor', 'Master'), hierarchy=None)
    """

    name: str
    recode: Recoding | None = None
    order: Sequence[str] | None = None
    hierarchy: Wish | None = None


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
    hierarchies: Mapping[str, Wish] = field(default_factory=dict)
    """Of the sensitive columns: what t-closeness takes for near."""

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
        more_faults: Sequence[str] = (),
    ) -> "Policy":
        """A policy from names, or from attributes with wishes; `more_faults` are told with its own.

        >>> Policy.of(quasi=["age"], keep="rest").quasi[0].name
        'age'
        """
        # What can be read once only is read here.
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
        names, hierarchies = _sensitive_wishes(sensitive)
        return cls(
            quasi=tuple(map(_attribute, quasi)),
            sensitive=names,
            target=target,
            identifiers=identifiers,
            pseudonymize=pseudonymize,
            entity=entity,
            keep=keep,
            hierarchies=hierarchies,
        )


@dataclass(frozen=True, kw_only=True)
class Roles:
    """A policy met by a source: names as the source spells them, nothing left open."""

    quasi: Sequence[Attribute]
    sensitive: Sequence[str]
    target: str | None
    dropped: Sequence[str]
    pseudonymized: Sequence[str]
    entity: str | None
    kept: Sequence[str]
    hierarchies: Mapping[str, Wish] = field(default_factory=dict)

    @cached_property
    def shown(self) -> frozenset[str]:
        """The columns, other than quasi-identifiers, that a release shows."""
        target = [self.target] if self.target else []
        return frozenset([*self.sensitive, *target, *self.pseudonymized, *self.kept])


@dataclass
class _Naming:
    """Finds the columns that a policy names, and notes every fault on the way."""

    columns: Sequence[str]
    faults: list[str] = field(default_factory=list)
    role_of: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_fold = {fold(column): column for column in self.columns}

    def take(self, names: Iterable[str], role: str) -> list[str]:
        found: dict[str, None] = {}
        unknown: list[str] = []
        twice: list[str] = []
        for name in names:
            column = self._by_fold.get(fold(name))
            if column is None:
                unknown.append(name)
            elif column in found:
                twice.append(name)
            else:
                found[column] = None
                self.role_of.setdefault(column, []).append(role)
        self.faults += told_of(
            unknown,
            lambda name: (
                f'{role} "{name}": the source has no such column.{nearest(name, self.columns)}'
            ),
            f"names given as {role} that are no column of the source",
        )
        self.faults += told_of(
            twice,
            lambda name: f'{role} "{name}": named twice. Name it once.',
            f"names given twice as {role}",
        )
        return list(found)

    def check_overlaps(self) -> None:
        self.faults += told_of(
            [
                column
                for column, roles in self.role_of.items()
                if len(roles) > 1 and set(roles) != {"sensitive", "target"}
            ],
            lambda column: (
                f'"{column}": given as {" and ".join(self.role_of[column])}. Give it one role '
                "(only sensitive and target may coincide)."
            ),
            "columns with several roles",
        )


def resolve(policy: Policy, columns: Mapping[str, str]) -> tuple[Roles, list[str], list[str]]:
    """Meet a policy with the columns of a source: the roles, the faults, the columns without role.

    The columns without a role are a fault too, but its message needs counts, so the caller adds it.
    """
    naming = _Naming(list(columns))
    quasi_names = naming.take([a.name for a in policy.quasi], "quasi-identifier")
    wishes = {fold(attribute.name): attribute for attribute in policy.quasi}
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
        faults.append("no quasi-identifier: name the columns that an outsider may know (--qi).")
    faults += told_of(
        [column for column in columns if is_reserved(column)],
        lambda column: (
            f'"{column}": names that start with ppdt_ are reserved. Rename it in a view.'
        ),
        "columns with reserved names",
    )
    open_columns = [column for column in columns if column not in naming.role_of]
    if drops_rest and keeps_rest:
        faults.append(
            "the rest of the columns cannot be dropped (--id rest) and kept (--keep rest)."
        )
    elif drops_rest:
        dropped, open_columns = open_columns, []
    elif keeps_rest:
        kept, open_columns = open_columns, []
    wished = {fold(name): hierarchy for name, hierarchy in policy.hierarchies.items()}
    trees = {name: wished[fold(name)] for name in sensitive if fold(name) in wished}
    roles = Roles(
        quasi=[replace(wishes[fold(name)], name=name) for name in quasi_names],
        sensitive=sensitive,
        target=target[0] if target else None,
        dropped=dropped,
        pseudonymized=pseudonymized,
        entity=entity[0] if entity else None,
        kept=kept,
        hierarchies=trees,
    )
    return roles, faults, open_columns


def _listed(given: Iterable[str | Attribute]) -> Iterable[str | Attribute]:
    return tuple(given) if isinstance(given, Iterator) else given


def _attribute(given: str | Attribute) -> Attribute:
    return given if isinstance(given, Attribute) else Attribute(given)


def _sensitive_wishes(
    sensitive: Iterable[str | Attribute],
) -> tuple[tuple[str, ...], dict[str, Wish]]:
    """The names of sensitive columns, and the hierarchies of those that have one."""
    given = [*map(_attribute, sensitive)]
    raise_all(
        [
            f'sensitive "{s.name}": it is shown as it is, so only a hierarchy can be wished for.'
            for s in given
            if s.recode is not None or s.order is not None
        ]
    )
    trees = {s.name: s.hierarchy for s in given if s.hierarchy is not None}
    return tuple(s.name for s in given), trees


def raise_all(faults: Sequence[str]) -> None:
    """Raise one error that lists all faults, if there are any."""
    if faults:
        raise RequestError(*faults)
