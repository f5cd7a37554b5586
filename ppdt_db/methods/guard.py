"""The guard: the conditions that every class must keep, whatever the method."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite

from ppdt_db.encode.columns import EncodedTable, ProtectedKey
from ppdt_db.engine import Engine
from ppdt_db.errors import GuaranteeError
from ppdt_db.methods.options import option
from ppdt_db.policy.roles import Roles

NAMES = {
    "entropy": "entropy l-diversity",
    "recursive": "recursive (c, l)-diversity",
    "t": "t-closeness",
    "alpha": "(alpha, k)-anonymity",
    "beta": "basic beta-likeness",
    "enhanced_beta": "enhanced beta-likeness",
    "delta": "delta-disclosure privacy",
}


@dataclass(frozen=True, kw_only=True)
class GuardTerms:
    """The conditions on every class: its size, and what it reveals about sensitive columns.

    `k` counts rows or entities, `l` distinct values; `recursive` is (c, l); `t` uses the order of
    ordered columns, and the variational distance otherwise; `beta` is the basic form, `delta` the
    strict one.
    """

    k: int = field(
        default=10,
        metadata=option(help="Minimum rows (or entities) in each class. Default: 10.", kind="int"),
    )
    l: int = field(  # noqa: E741
        default=1,
        metadata=option(
            help="Diversity: 2 | distinct=2 | entropy=1.5 | recursive=2:3.", kind="int | str"
        ),
    )
    entropy: float | None = None
    recursive: tuple[float, int] | None = None
    t: float | None = field(
        default=None,
        metadata=option(help="t-closeness: maximum distance of a class to the whole table."),
    )
    alpha: float | None = field(
        default=None, metadata=option(help="Maximum share of one sensitive value in a class.")
    )
    beta: float | None = field(default=None, metadata=option(help="Basic beta-likeness."))
    enhanced_beta: float | None = field(
        default=None, metadata=option(help="Enhanced beta-likeness.")
    )
    delta: float | None = field(
        default=None, metadata=option(help="Delta-disclosure privacy (strict).")
    )


@dataclass(frozen=True, kw_only=True)
class Guard(GuardTerms):
    """The conditions that every class must keep, with their names.

    >>> Guard(k=10, l=2, t=0.2).guarantee
    'k-anonymity, distinct l-diversity and t-closeness'
    """

    @property
    def models(self) -> Mapping[str, object]:
        """The privacy models requested beyond k and distinct l."""
        return {name: getattr(self, name) for name in NAMES if getattr(self, name) is not None}

    @property
    def has_models(self) -> bool:
        """Return whether the guard depends on how often each sensitive value occurs."""
        return bool(self.models)

    @property
    def is_relative(self) -> bool:
        """Return whether the guard compares classes with the whole release."""
        return not {"t", "beta", "enhanced_beta", "delta"}.isdisjoint(self.models)

    @property
    def asks_of_sensitive(self) -> bool:
        """Return whether the guard has a condition on sensitive columns."""
        return self.l > 1 or self.has_models

    @property
    def guarantee(self) -> str:
        """The exact name of the guarantee."""
        names = ["k-anonymity", *(["distinct l-diversity"] if self.l > 1 else [])]
        names += [NAMES[name] for name in self.models]
        *most, last = names
        return f"{', '.join(most)} and {last}" if most else last

    @property
    def parameters(self) -> Mapping[str, object]:
        """The conditions, for the certificate."""
        return {"k": self.k, "l": self.l, **self.models}

    @property
    def params(self) -> Mapping[str, object]:
        """The parameters of the guard's templates."""
        c = self.recursive[0] if self.recursive else None
        return {"k": self.k, "l": self.l, **dict.fromkeys(NAMES), **self.models, "recursive_c": c}

    @property
    def required(self) -> Mapping[str, float | str]:
        """The findings that the audit of a release requires, with their bounds."""
        required: dict[str, float | str] = {"k": self.k}
        if self.l > 1:
            required["l"] = self.l
        for name, bound in self.models.items():
            required[name] = ":".join(map(str, bound)) if isinstance(bound, tuple) else str(bound)
        return required

    def names(self, protected_keys: Sequence[ProtectedKey]) -> dict[str, object]:
        """Return the names that the guard's templates use: whom to count, and what to measure."""
        counted = [
            protected_key
            for protected_key in protected_keys
            if protected_key.is_entity or self.l > 1
        ]
        ordered = [
            protected_key.kind
            for protected_key in protected_keys
            if protected_key.is_ordered and self.t is not None
        ]
        trees = [
            protected_key.kind
            for protected_key in protected_keys
            if protected_key.hierarchy and self.t is not None
        ]
        return {
            "guard": self,
            "protected_keys": counted,
            "ordered_kinds": ordered,
            "tree_kinds": trees,
            "far_kinds": [*ordered, *trees],
        }

    def faults(self, roles: Roles, n_rows: int) -> list[str]:
        """Return the faults that follow from the request and a row count."""
        faults: list[str] = []
        if self.k < 2:
            faults.append(
                f"k={self.k}: a class of one row protects nobody. Choose k of at least 2."
            )
        if self.l < 1:
            faults.append(f"l={self.l}: must be at least 1.")
        if self.recursive is not None and self.recursive[1] < 2:
            faults.append("recursive=C:L: L must be at least 2.")
        if self.alpha is not None and not 0 < self.alpha <= 1:
            faults.append(f"alpha={self.alpha:g}: must be above 0 and at most 1.")
        faults += [
            f"{name}={bound}: must be a finite number above 0."
            for name, bound in self._bounds.items()
            if not isfinite(bound) or bound < 0 or (bound == 0 and name in ("recursive", "delta"))
        ]
        if not roles.sensitive:
            conditions = [*([f"l={self.l}"] if self.l > 1 else []), *self.models]
            faults += [f"{name} needs a sensitive column (--sensitive)." for name in conditions]
        if n_rows and self.k > n_rows:
            faults.append(f"k={self.k} but the source has {n_rows:,} rows. Lower k.")
        return faults

    @property
    def _bounds(self) -> dict[str, float]:
        found = {name: getattr(self, name) for name in self.models if name != "recursive"}
        return found | ({"recursive": self.recursive[0]} if self.recursive else {})


def check_feasible(engine: Engine, encoded: EncodedTable, guard: Guard, roles: Roles) -> None:
    """Raise if the whole table does not keep the guard, since then no class can.

    Leave behind what classes are compared with: `ppdt_whole_share` and `ppdt_protected_level`. They
    belong to the run: methods read them and do not drop them.
    """
    if not encoded.protected_keys:
        return
    of_kind = {row[0]: row[1] for row in engine.rows("guard/whole")}
    faults: list[str] = []
    for protected_key in encoded.protected_keys:
        n_distinct = of_kind[protected_key.kind]
        assert isinstance(n_distinct, int)
        if protected_key.is_entity and n_distinct < guard.k:
            faults.append(
                f'k={guard.k}, but the column "{roles.entity}" has {n_distinct:,} distinct '
                "entities. Lower k."
            )
        if not protected_key.is_entity and n_distinct < guard.l:
            faults.append(
                f'l={guard.l}, but the column "{roles.sensitive[protected_key.kind - 1]}" has '
                f"{n_distinct:,} distinct values. Lower l."
            )
    if guard.has_models:
        engine.make("guard/whole_share")
        if any(protected_key.hierarchy for protected_key in encoded.protected_keys):
            engine.make("guard/protected_level", names={"protected_keys": encoded.protected_keys})
        faults += _model_faults(engine, guard, roles)
    if faults:
        raise GuaranteeError("\n".join(faults))


def judge_far(engine: Engine, params: Mapping[str, object], names: Mapping[str, object]) -> None:
    """Store in `ppdt_far` the sides that exceed t by order or by a hierarchy."""
    if names["ordered_kinds"]:
        engine.make("guard/far", params, names)
    if names["tree_kinds"] and names["ordered_kinds"]:
        engine.append("guard/remote", "ppdt_far", params, names)
    elif names["tree_kinds"]:
        engine.make("guard/remote", params, names, to="ppdt_far")


def broken_groups(engine: Engine, encoded: EncodedTable, guard: Guard) -> set[int]:
    """Return the groups that do not keep the guarantee (`ppdt_group`, `ppdt_group_protected`)."""
    names = _judge(engine, encoded, guard)
    found = engine.rows("guard/broken", names=names)
    engine.drop(*JUDGED)
    return {int(str(row[0])) for row in found}


def judge_groups(engine: Engine, encoded: EncodedTable, guard: Guard) -> None:
    """Store in `ppdt_broken` the groups that do not keep the guarantee."""
    names = _judge(engine, encoded, guard)
    engine.make("guard/broken", names=names)
    engine.drop(*JUDGED)


JUDGED = ("ppdt_scarce", "ppdt_share", "ppdt_side_share", "ppdt_unfit", "ppdt_far")


def _judge(engine: Engine, encoded: EncodedTable, guard: Guard) -> dict[str, object]:
    """Store the groups that break each condition; return the names for putting them together."""
    names = guard.names(encoded.protected_keys)
    engine.make("guard/scarce", guard.params, names)
    if guard.has_models:
        engine.make("guard/group_share", to="ppdt_share")
        engine.make("guard/side_share")
        engine.make("guard/unfit", guard.params, names)
        judge_far(engine, guard.params, names)
    return names


def _model_faults(engine: Engine, guard: Guard, roles: Roles) -> list[str]:
    """Return the faults of models that the whole table breaks; t, beta and delta never do."""
    c, level = guard.recursive or (0.0, 2)
    faults: list[str] = []
    for kind, entropy, alpha, whole_c in engine.rows(
        "guard/whole_model", names={"n_top": level - 1}
    ):
        assert isinstance(kind, int) and isinstance(entropy, float) and isinstance(alpha, float)
        column = f'the whole column "{roles.sensitive[kind - 1]}"'
        if guard.entropy is not None and entropy < round(guard.entropy, 12):
            faults.append(f"entropy={guard.entropy:g}, but {column} has {entropy:.4g}. Lower it.")
        if guard.alpha is not None and alpha > round(guard.alpha, 12):
            faults.append(f"alpha={guard.alpha:g}, but {column} has {alpha:.4g}. Raise it.")
        if guard.recursive and not (isinstance(whole_c, float) and whole_c < round(c, 12)):
            offers = f"needs c above {whole_c:.4g}" if whole_c else f"has fewer than {level} values"
            faults.append(f"recursive={c:g}:{level}, but {column} {offers}. Choose another C:L.")
    return faults
