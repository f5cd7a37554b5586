"""The part of a round that is perturbed: a release of it, and what that shows of other rows."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from ppdt_db.anonymize import anonymize
from ppdt_db.engine import DuckEngine, lent
from ppdt_db.errors import EngineError
from ppdt_db.families import ORDERED, family_of
from ppdt_db.methods import Method
from ppdt_db.names import fold, ident
from ppdt_db.policy import Attribute, Recoding
from ppdt_db.source import Source, opened

Protocol = Literal["PO", "PP", "OP"]
PROTOCOLS: tuple[str, ...] = get_args(Protocol)
RELEASE = "release"
Reading = Literal["centre", "released", "sets", "modes"]


@dataclass(frozen=True, kw_only=True)
class Privacy:
    """How the part that is perturbed is anonymized, and what it shows to a learner."""

    method: Method
    quasi: Sequence[str | Attribute]
    protocol: Protocol = "PO"
    sensitive: Sequence[str | Attribute] = ()
    accept: Sequence[str] = ()
    reading: Reading | None = None
    is_mapped: bool | None = None

    @property
    def sensitive_names(self) -> list[str]:
        """The sensitive columns, with a hierarchy or without."""
        return [s.name if isinstance(s, Attribute) else s for s in self.sensitive]

    @property
    def attributes(self) -> list[Attribute]:
        """The quasi-identifiers with their wishes."""
        return [q if isinstance(q, Attribute) else Attribute(q) for q in self.quasi]

    @property
    def maps_tests(self) -> bool:
        """Whether original test rows are shown as the release would show them."""
        wish = self.method.is_global if self.is_mapped is None else self.is_mapped
        return wish and self.protocol == "PO"

    @property
    def faults(self) -> list[str]:
        """What is wrong with the request."""
        found = []
        if self.protocol not in PROTOCOLS:
            found.append(f"protocol {self.protocol}: choose one of {', '.join(PROTOCOLS)}.")
        if not self.quasi:
            found.append("no quasi-identifier: name the columns that an outsider may know (--qi).")
        if self.is_mapped and not self.method.is_global:
            found.append(
                f"method {self.method.name} recodes a value differently in different classes, so "
                "test rows cannot be mapped through its labels. Leave out --test-rows mapped."
            )
        elif self.is_mapped and self.protocol != "PO":
            found.append("--test-rows mapped is for protocol PO, which tests on original rows.")
        found += [
            f'recode "{a.name}": bounds show a column as several, which no learner reads as one. '
            "Take range, set, mean or mode."
            for a in self.attributes
            if a.recode == "bounds"
        ]
        return found


def shape(reading: Reading, columns: Mapping[str, str], name: str) -> Recoding:
    """How a quasi-identifier is shown to a learner of some reading."""
    column = next((c for c in columns if fold(c) == fold(name)), None)
    is_ordered = column is not None and family_of(columns[column]) in ORDERED
    if reading == "released":
        return "range" if is_ordered else "set"
    if reading == "sets":
        return "set"
    return "mean" if is_ordered and reading == "centre" else "mode"


def _wished(attribute: Attribute, reading: Reading, columns: Mapping[str, str]) -> Recoding:
    """How an attribute is shown: as wished.

    Under a hierarchy, numbers by their most frequent value (a set would lose their order), the
    others by the values that a class holds.
    """
    if attribute.recode is None and attribute.hierarchy is not None:
        is_set = shape("sets" if reading == "sets" else "released", columns, attribute.name)
        return "set" if is_set == "set" and reading != "centre" else "mode"
    return attribute.recode or shape(reading, columns, attribute.name)


@contextmanager
def released(
    engine: DuckEngine, part: Source, privacy: Privacy, reading: Reading, target: str, seed: int
) -> Iterator[tuple[Source, float | None]]:
    """A release of a part, which is gone afterwards, and the information it lost."""
    with perturbed(engine, part, privacy, reading, target, seed) as (read, certificate):
        gcp = certificate["gcp"]
        yield read, gcp if isinstance(gcp, float) else None


@contextmanager
def perturbed(
    engine: DuckEngine, part: Source, privacy: Privacy, reading: Reading, target: str, seed: int
) -> Iterator[tuple[Source, Mapping[str, object]]]:
    """A release of a part, which is gone afterwards, and its certificate."""
    with _aside(engine, f"{part.title}_aside") as database:
        release = anonymize(
            engine.con,
            engine.con.table(part.title),
            quasi=[
                a
                if privacy.method.has_own_shapes
                else replace(a, recode=_wished(a, reading, part.columns))
                for a in privacy.attributes
            ],
            sensitive=privacy.sensitive,
            target=target,
            keep="rest",
            method=privacy.method,
            into=RELEASE,
            accept=privacy.accept,
            seed=seed,
        )
        with opened(engine, f"{database}.main.{RELEASE}") as read:
            # Whoever evaluates has the source: what no certificate may tell is no secret here.
            yield read, {**release.certificate, **release.figures}


@contextmanager
def _aside(engine: DuckEngine, name: str) -> Iterator[str]:
    """Work in a database in memory: a file would hold the kept columns in clear."""
    own = lent(name)
    with engine.attached(Path(":memory:"), own, read_only=False), engine.inside(own):
        yield own


def mapped(
    engine: DuckEngine, test: Source, train: Source, release: Source, names: Sequence[str],
    number: str,
) -> Source:  # fmt: skip
    """Test rows as a global recoding shows them; a value that it never met becomes NULL."""
    maps = {}
    for place, name in enumerate(names):
        table = f"ppdt_map_{place}"
        wanted = {"source": train.relation, "release": release.relation, "column": name}
        engine.make("evaluate/map", names={**wanted, "number": number}, to=table)
        if engine.count("evaluate/two_labels", names={"map": table}):
            raise EngineError(
                f'"{name}": the method says that it recodes globally, but a value has two labels '
                "in its release."
            )
        maps[name] = table
    columns = {name: release.columns.get(name, of) for name, of in test.columns.items()}
    all_names = {"source": test.relation, "columns": list(columns), "maps": maps}
    engine.make("evaluate/mapped", names=all_names)
    engine.drop(*maps.values())
    return replace(test, title="ppdt_mapped", relation=ident("ppdt_mapped"), columns=columns)
