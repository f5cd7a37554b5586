"""The guard: what every class must keep, whatever the method that forms the classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from math import isfinite

from ppdt_db.coded import Encoded, Thing
from ppdt_db.engine import Engine
from ppdt_db.errors import GuaranteeError
from ppdt_db.policy import Roles

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
class Terms:
    """What may be asked of every class: of its rows, and of what it tells of sensitive columns.

    `k` counts rows or entities, `l` distinct values; `recursive` is (c, l); `t` goes by order in
    ordered columns and else by the variational distance; `beta` is the basic form, `delta` the
    strict one.
    """

    k: int = 10
    l: int = 1  # noqa: E741
    entropy: float | None = None
    recursive: tuple[float, int] | None = None
    t: float | None = None
    alpha: float | None = None
    beta: float | None = None
    enhanced_beta: float | None = None
    delta: float | None = None


@dataclass(frozen=True, kw_only=True)
class Guard(Terms):
    """What every class must keep, and how that is said.

    >>> Guard(k=10, l=2, t=0.2).guarantee
    'k-anonymity, distinct l-diversity and t-closeness'
    """

    @property
    def models(self) -> Mapping[str, object]:
        """The models beyond k and distinct l that are asked for."""
        return {name: getattr(self, name) for name in NAMES if getattr(self, name) is not None}

    @property
    def has_models(self) -> bool:
        """Whether it matters how often each sensitive value occurs."""
        return bool(self.models)

    @property
    def is_relative(self) -> bool:
        """Whether classes are compared with the whole release, which dropped rows would change."""
        return not {"t", "beta", "enhanced_beta", "delta"}.isdisjoint(self.models)

    @property
    def asks_of_sensitive(self) -> bool:
        """Whether anything is asked of sensitive columns."""
        return self.l > 1 or self.has_models

    @property
    def guarantee(self) -> str:
        """The exact name of what is kept."""
        names = ["k-anonymity", *(["distinct l-diversity"] if self.l > 1 else [])]
        names += [NAMES[name] for name in self.models]
        *most, last = names
        return f"{', '.join(most)} and {last}" if most else last

    @property
    def parameters(self) -> Mapping[str, object]:
        """What is asked, for the certificate."""
        return {"k": self.k, "l": self.l, **self.models}

    @property
    def params(self) -> Mapping[str, object]:
        """The parameters of the guard's room."""
        c = self.recursive[0] if self.recursive else None
        return {"k": self.k, "l": self.l, **dict.fromkeys(NAMES), **self.models, "recursive_c": c}

    @property
    def required(self) -> Mapping[str, float | str]:
        """What the audit of a release must find."""
        required: dict[str, float | str] = {"k": self.k}
        if self.l > 1:
            required["l"] = self.l
        for name, bound in self.models.items():
            required[name] = ":".join(map(str, bound)) if isinstance(bound, tuple) else str(bound)
        return required

    def names(self, things: Sequence[Thing]) -> dict[str, object]:
        """What the guard's templates need to know: whom to count, and what to measure."""
        counted = [thing for thing in things if thing.is_entity or self.l > 1]
        ordered = [thing.kind for thing in things if thing.is_ordered and self.t is not None]
        trees = [thing.kind for thing in things if thing.ladder and self.t is not None]
        return {
            "guard": self,
            "things": counted,
            "ordered_kinds": ordered,
            "tree_kinds": trees,
            "far_kinds": [*ordered, *trees],
        }

    def faults(self, roles: Roles, n_rows: int) -> list[str]:
        """What is wrong with the request, as the request and a row count show."""
        faults: list[str] = []
        if self.k < 2:
            faults.append(f"k={self.k}: a class of one row hides nobody. Take k of at least 2.")
        if self.l < 1:
            faults.append(f"l={self.l}: take l of at least 1.")
        if self.recursive is not None and self.recursive[1] < 2:
            faults.append("recursive=C:L: take L of at least 2.")
        if self.alpha is not None and not 0 < self.alpha <= 1:
            faults.append(f"alpha={self.alpha:g}: take a share above 0 and at most 1.")
        faults += [
            f"{name}={bound}: take a number above 0."
            for name, bound in self._bounds.items()
            if not isfinite(bound) or bound < 0 or (bound == 0 and name in ("recursive", "delta"))
        ]
        if not roles.sensitive:
            asked = [*([f"l={self.l}"] if self.l > 1 else []), *self.models]
            faults += [f"{name} needs a sensitive column (--sensitive)." for name in asked]
        if n_rows and self.k > n_rows:
            faults.append(f"k={self.k} but the source has {n_rows:,} rows. Lower k.")
        return faults

    @property
    def _bounds(self) -> dict[str, float]:
        found = {name: getattr(self, name) for name in self.models if name != "recursive"}
        return found | ({"recursive": self.recursive[0]} if self.recursive else {})


@dataclass(frozen=True, kw_only=True)
class Guarded(Terms):
    """What every method is asked to keep: the guard's terms as parameters of the method."""

    uses_hierarchies = False
    no_rules = "its classes follow from no tree and no boxes, so a new row has no place in them"

    @property
    def cuts_leaves(self) -> bool:
        """Whether rows of one leaf come to several classes by their values."""
        return False

    @property
    def guard(self) -> Guard:
        """What every class must keep."""
        return Guard(**{term.name: getattr(self, term.name) for term in fields(Terms)})

    @property
    def guarantee(self) -> str:
        """The exact name of what is kept."""
        return self.guard.guarantee

    @property
    def required(self) -> Mapping[str, float | str]:
        """What the audit of a release must find."""
        return self.guard.required

    @property
    def weaker(self) -> Mapping[str, str]:
        """What the user must accept by name; nothing, where the guard holds in full."""
        return {}


def check_feasible(engine: Engine, encoded: Encoded, guard: Guard, roles: Roles) -> None:
    """Raise when the whole table does not satisfy the guard, so that no class can.

    Leaves behind what classes are compared with: `ppdt_whole_share`, and `ppdt_thing_level`. They
    belong to the run: a method judges by them as often as it likes, and drops neither.
    """
    if not encoded.things:
        return
    of_kind = {row[0]: row[1] for row in engine.rows("guard/whole")}
    faults: list[str] = []
    for thing in encoded.things:
        n_things = of_kind[thing.kind]
        assert isinstance(n_things, int)
        if thing.is_entity and n_things < guard.k:
            faults.append(
                f'k={guard.k}, but the column "{roles.entity}" has {n_things:,} different '
                "entities. Lower k."
            )
        if not thing.is_entity and n_things < guard.l:
            faults.append(
                f'l={guard.l}, but the column "{roles.sensitive[thing.kind - 1]}" has '
                f"{n_things:,} different values. Lower l."
            )
    if guard.has_models:
        engine.make("guard/whole_share")
        if any(thing.ladder for thing in encoded.things):
            engine.make("guard/thing_level", names={"things": encoded.things})
        faults += _model_faults(engine, guard, roles)
    if faults:
        raise GuaranteeError("\n".join(faults))


def judge_far(engine: Engine, params: Mapping[str, object], names: Mapping[str, object]) -> None:
    """Leaves in `ppdt_far` what lies beyond t by order or by a hierarchy."""
    if names["ordered_kinds"]:
        engine.make("guard/far", params, names)
    if names["tree_kinds"] and names["ordered_kinds"]:
        engine.append("guard/remote", "ppdt_far", params, names)
    elif names["tree_kinds"]:
        engine.make("guard/remote", params, names, to="ppdt_far")


def broken_groups(engine: Engine, encoded: Encoded, guard: Guard) -> set[int]:
    """The groups of `ppdt_group` and `ppdt_group_thing` that do not keep the guarantee."""
    names = guard.names(encoded.things)
    engine.make("guard/scarce", guard.params, names)
    if guard.has_models:
        engine.make("guard/group_share", to="ppdt_share")
        engine.make("guard/side_share")
        engine.make("guard/unfit", guard.params, names)
        judge_far(engine, guard.params, names)
    found = engine.rows("guard/broken", names=names)
    engine.drop("ppdt_scarce", "ppdt_share", "ppdt_side_share", "ppdt_unfit", "ppdt_far")
    return {int(str(row[0])) for row in found}


def _model_faults(engine: Engine, guard: Guard, roles: Roles) -> list[str]:
    """The models that the whole table breaks; t, beta and delta always hold for it."""
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
            faults.append(f"recursive={c:g}:{level}, but {column} {offers}. Change it.")
    return faults
