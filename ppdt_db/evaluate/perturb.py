"""Anonymize a part of a round, and recode other rows in the same way."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from ppdt_db.anonymize import anonymize
from ppdt_db.engine import DuckEngine, lent
from ppdt_db.errors import EngineError
from ppdt_db.methods import Method
from ppdt_db.policy.bins import BinsSpec, as_bins
from ppdt_db.policy.roles import Attribute, binned
from ppdt_db.recodings import RECODINGS, Recoding
from ppdt_db.source.source import Source, opened
from ppdt_db.sqltext.column_types import ORDERED, family_of
from ppdt_db.sqltext.quoting import by_normal_name, ident, normalize_name

Protocol = Literal["PO", "PP", "OP"]
PROTOCOLS: tuple[str, ...] = get_args(Protocol)
RELEASE = "release"
LEARNED = [
    kind.name for kind in RECODINGS.values() if kind.is_one_column and kind.needs != "hierarchy"
]
Reading = Literal["centre", "released", "sets", "modes"]


@dataclass(frozen=True, kw_only=True)
class Privacy:
    """The options of anonymizing a part, and the form in which learners see it."""

    method: Method
    quasi: Sequence[str | Attribute]
    protocol: Protocol = "PO"
    sensitive: Sequence[str | Attribute] = ()
    accept: Sequence[str] = ()
    reading: Reading | None = None
    is_mapped: bool | None = None
    bins: BinsSpec | None = None
    """The rule for numbers and dates that have no recoding of their own."""

    @property
    def sensitive_names(self) -> list[str]:
        """The names of the sensitive columns."""
        return [s.name if isinstance(s, Attribute) else s for s in self.sensitive]

    @property
    def attributes(self) -> list[Attribute]:
        """The quasi-identifiers with their recodings."""
        return [q if isinstance(q, Attribute) else Attribute(q) for q in self.quasi]

    def binned(self, columns: Mapping[str, str]) -> list[Attribute]:
        """Return the quasi-identifiers, those that are to be cut into bins with their rule."""
        rule = None if self.bins is None else as_bins(self.bins)
        types = {normalize_name(name): of for name, of in columns.items()}
        return [
            binned(a, rule, types.get(normalize_name(a.name), "VARCHAR")) for a in self.attributes
        ]

    @property
    def maps_tests(self) -> bool:
        """Return whether original test rows are recoded as the release recodes them."""
        is_mapped = self.method.is_global if self.is_mapped is None else self.is_mapped
        return is_mapped and self.protocol == "PO"

    @property
    def faults(self) -> list[str]:
        """Return every fault of the request."""
        found = []
        if self.protocol not in PROTOCOLS:
            found.append(f"protocol {self.protocol}: choose one of {', '.join(PROTOCOLS)}.")
        if not self.quasi:
            found.append("no quasi-identifier: name the columns that an attacker may know (--qi).")
        if self.is_mapped and not self.method.is_global:
            found.append(
                f"--test-rows mapped does not apply to method {self.method.name}, which recodes "
                "a value differently in different classes. Remove it."
            )
        elif self.is_mapped and self.protocol != "PO":
            found.append(
                "--test-rows mapped applies only to protocol PO, which tests on "
                "original rows. Remove it."
            )
        found += [
            f'recode "{a.name}": {a.recode} show a column as several columns, which learners do '
            f"not support. Use {', '.join(LEARNED[:-1])} or {LEARNED[-1]}."
            for a in self.attributes
            if a.recoding is not None and not a.recoding.is_one_column
        ]
        return found


def shape(reading: Reading, columns: Mapping[str, str], name: str) -> Recoding:
    """Return the recoding of a quasi-identifier for a reading of the release."""
    column = by_normal_name(columns).get(normalize_name(name))
    is_ordered = column is not None and family_of(columns[column]) in ORDERED
    if reading == "released":
        return "range" if is_ordered else "set"
    if reading == "sets":
        return "set"
    return "mean" if is_ordered and reading == "centre" else "mode"


def _recoding_of(attribute: Attribute, reading: Reading, columns: Mapping[str, str]) -> Recoding:
    """Return the recoding requested for an attribute, or the one that suits the reading.

    With a hierarchy, numbers are shown by their most frequent value (a set would lose their order),
    other values as sets.
    """
    if attribute.recode is None and attribute.hierarchy is not None:
        is_set = shape("sets" if reading == "sets" else "released", columns, attribute.name)
        return "set" if is_set == "set" and reading != "centre" else "mode"
    return attribute.recode or shape(reading, columns, attribute.name)


@contextmanager
def released(
    engine: DuckEngine, part: Source, privacy: Privacy, reading: Reading, target: str, seed: int
) -> Iterator[tuple[Source, float | None]]:
    """Yield a release of a part, dropped afterwards, and its information loss."""
    with perturbed(engine, part, privacy, reading, target, seed) as (read, certificate):
        gcp = certificate["gcp"]
        yield read, gcp if isinstance(gcp, float) else None


@contextmanager
def perturbed(
    engine: DuckEngine,
    part: Source,
    privacy: Privacy,
    reading: Reading,
    target: str,
    seed: int,
    rules: Path | None = None,
) -> Iterator[tuple[Source, Mapping[str, object]]]:
    """Yield a release of a part, dropped afterwards, and its certificate.

    Its rules are written to a file, if one is named.
    """
    with _memory_database(engine, f"{part.title}_aside") as database:
        release = anonymize(
            engine.con,
            engine.con.table(part.title),
            quasi=[
                a
                if privacy.method.controls_recoding
                else replace(a, recode=_recoding_of(a, reading, part.columns))
                for a in privacy.binned(part.columns)
            ],
            sensitive=privacy.sensitive,
            target=target,
            keep="rest",
            method=privacy.method,
            into=RELEASE,
            accept=privacy.accept,
            seed=seed,
            rules=rules or False,
        )
        with opened(engine, f"{database}.main.{RELEASE}") as read:
            # The evaluator has the source, so figures left out of certificates are no secret.
            yield read, {**release.certificate, **release.figures}


@contextmanager
def _memory_database(engine: DuckEngine, name: str) -> Iterator[str]:
    """Work in a database in memory: a file would contain the kept columns in clear text."""
    own = lent(name)
    with engine.attached(Path(":memory:"), own, read_only=False), engine.inside(own):
        yield own


def mapped(
    engine: DuckEngine, test: Source, train: Source, release: Source, names: Sequence[str],
    number: str,
) -> Source:  # fmt: skip
    """Return test rows as a global recoding shows them; values unknown to it become NULL."""
    maps = {}
    for place, name in enumerate(names):
        table = f"ppdt_map_{place}"
        wanted = {"source": train.relation, "release": release.relation, "column": name}
        engine.make("tools/evaluate/map", names={**wanted, "number": number}, to=table)
        if engine.count("tools/evaluate/two_labels", names={"map": table}):
            raise EngineError(
                f'"{name}": the method claims a global recoding, but a value has two labels in '
                "its release. This is a bug in the method."
            )
        maps[name] = table
    columns = {name: release.columns.get(name, of) for name, of in test.columns.items()}
    all_names = {"source": test.relation, "columns": list(columns), "maps": maps}
    engine.make("tools/evaluate/mapped", names=all_names)
    engine.drop(*maps.values())
    return replace(test, title="ppdt_mapped", relation=ident("ppdt_mapped"), columns=columns)
