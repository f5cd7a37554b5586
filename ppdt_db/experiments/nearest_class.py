"""The class of a release that is nearest to a row: to find the row by it, or to show the row so."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from ppdt_db.engine import DuckEngine
from ppdt_db.evaluate.rounds import Rounds
from ppdt_db.source.source import Source
from ppdt_db.sqltext.column_types import NUMBERS, family_of
from ppdt_db.sqltext.quoting import Sql, ident

NUMBERED = "ppdt_numbered"


@dataclass(frozen=True, kw_only=True)
class Linkage:
    """Nearest-record linkage: the rows whose nearest class is their own, by its size."""

    n_rows: int
    by_size: Mapping[int, int]

    @property
    def n_linked(self) -> int:
        """The number of rows whose nearest class is their own."""
        return sum(self.by_size.values())

    @property
    def n_found(self) -> float:
        """The rows to be expected as found, if one of the class is taken at random."""
        return float(sum((Fraction(n, size) for size, n in self.by_size.items()), Fraction()))


def link(rounds: Rounds, fold: int, release: Source) -> Linkage:
    """Look for the test rows of a fold in the release of the whole table, which holds them."""
    engine = rounds.engine
    features = list(rounds.columns.features)
    with _nearest(rounds, fold, release) as n_rows:
        names = {"source": release.relation, "number": rounds.number, "columns": features}
        found = engine.rows("tools/bench/linked", names=names)
    return Linkage(n_rows=n_rows, by_size={int(str(size)): int(str(n)) for size, n in found})


@contextmanager
def shown_as_nearest(rounds: Rounds, fold: int, release: Source) -> Iterator[Source]:
    """Yield the test rows of a fold as the nearest class of a release shows them."""
    engine, target = rounds.engine, rounds.columns.target
    features: Sequence[str] = rounds.columns.features
    with _nearest(rounds, fold, release):
        names = {
            "source": ident(NUMBERED),
            "number": rounds.number,
            "columns": features,
            "target": target,
        }
        table = engine.make("tools/bench/as_nearest", names=names)
    columns = {target: rounds.source.columns[target]}
    columns |= {name: release.columns[name] for name in features}
    yield Source(kind="table", title=table, relation=ident(table), columns=columns)
    engine.drop(table)


@contextmanager
def _nearest(rounds: Rounds, fold: int, release: Source) -> Iterator[int]:
    """Number the test rows of a fold, and find the nearest class of each; yield how many."""
    engine: DuckEngine = rounds.engine
    names = {"columns": rounds.kept, "repeat": 0, "number": rounds.number}
    params = {"fold": fold, "is_test": True}
    engine.make("tools/evaluate/part", params, names, to=NUMBERED)
    features = {
        name: family_of(release.columns[name]) in NUMBERS for name in rounds.columns.features
    }
    engine.make(
        "tools/bench/shown_class", names={"source": release.relation, "columns": list(features)}
    )
    numbered: Sql = ident(NUMBERED)
    wanted = {"source": numbered, "number": rounds.number, "columns": features}
    engine.make("tools/bench/nearest_class", names=wanted)
    yield engine.count("encode/size", names={"source": numbered})
    engine.drop("ppdt_nearest_class", "ppdt_shown_class", NUMBERED)
