"""Trials: the cases of seeds and of the grid, run in folders of their own."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from . import declared
from .cases import Case, Wish, drawn, to_order
from .runs import Outcome, differing, run


@dataclass(frozen=True)
class Found:
    """What the runs of one seed, or of one point of the grid, came to."""

    seed: int
    what: str
    kind: str
    faults: Sequence[str]
    message: str = ""


def tried(seed: int, skipped: Sequence[str] = ()) -> Found:
    """Run the case of a seed; every sixth also in other forms, another order, another thread."""
    case = drawn(seed)
    if case.place in skipped:
        case = replace(case, place="snapshot")
    with tempfile.TemporaryDirectory(prefix="ppdt_fuzz_") as name:
        rng = Random(f"again {seed}")
        outcome = run(case, Path(name), with_audit=rng.random() < 1 / 3)
        faults = list(outcome.faults)
        if outcome.kind == "released" and rng.random() < 1 / 6:
            outcomes = {case.place: outcome}
            for place in ("snapshot", *declared.FORMS.values()):
                again = replace(
                    case, place=place, threads=3 - case.threads, order=tuple(reversed(case.order))
                )
                if place not in (case.place, *skipped):
                    outcomes[place] = run(again, Path(name))
                    faults += [f"{place}: {fault}" for fault in outcomes[place].faults]
            faults += differing(case, outcomes)
    return Found(seed, told(case), outcome.kind, faults, outcome.message)


def told(case: Case) -> str:
    """A case in a few words."""
    params = ", ".join(f"{name}={value}" for name, value in case.params.items())
    shown = ", ".join(
        f"{c.type[:24]} as {c.recode}{' under ' + c.tree.kind if c.tree else ''}"
        for c in case.quasi
    )
    entity = ", entity" if case.entity else ""
    return f"{case.method}({params}) of {case.n_rows} rows, {shown}, {case.place}{entity}"


# -- the grid --------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Point:
    """One point of the grid but for its form: all forms are of one table, and must agree."""

    number: int
    method: str
    variant: tuple[tuple[str, object], ...]
    constraint: str | None
    recode: str | None
    has_entity: bool


def points() -> Iterator[Point]:
    """Every method, its words, every constraint, every recoding, with an entity and without."""
    number = 0
    for method in declared.METHODS:
        for variant in declared.variants(method):
            for constraint in declared.CONSTRAINTS:
                for recode in declared.RECODES:
                    for has_entity in (False, True):
                        yield Point(
                            number=number, method=method, variant=tuple(variant.items()),
                            constraint=constraint, recode=recode, has_entity=has_entity,
                        )  # fmt: skip
                        number += 1


def at(
    point: Point, places: Sequence[str] = declared.PLACES
) -> tuple[dict[str, Outcome], list[str]]:
    """Run a point of the grid in every form; how each ended, and what is wrong."""
    outcomes: dict[str, Outcome] = {}
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="ppdt_grid_") as name:
        for place in places:
            wish = Wish(
                method=point.method, variant=dict(point.variant), constraint=point.constraint,
                recode=point.recode, place=place, has_entity=point.has_entity,
            )  # fmt: skip
            case = to_order(wish)
            outcomes[place] = run(case, Path(name))
            faults += [f"{told(case)}: {fault}" for fault in outcomes[place].faults]
    return outcomes, [*faults, *(f"{told(case)}: {fault}" for fault in differing(case, outcomes))]
