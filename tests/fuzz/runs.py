"""Runs: make a case's table, release it, and judge what came of it."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

import duckdb

import ppdt_db
from ppdt_db import Attribute, GuaranteeError, RequestError
from ppdt_db.methods import METHODS
from ppdt_db.policy.hierarchy_specs import HierarchyTable

from . import brute, declared, refusals
from .brute import Label, label_of
from .cases import Case, Column
from .declared import ACCEPT_LIVE
from .values import PLANTED, exact, is_ordered

Kind = Literal["released", "refused", "forbidden"]
Row = dict[str, object]
Texts = dict[str, str | None]


@dataclass(frozen=True)
class Outcome:
    """How a run ended, and what is wrong with that."""

    kind: Kind | Literal["error"]
    faults: Sequence[str]
    message: str = ""
    labels: Mapping[int, tuple[Label, ...]] | None = None
    """What each row shows, by its number, for comparison with other forms of the same run."""


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str | None) -> str:
    return "NULL" if text is None else "'" + text.replace("'", "''") + "'"


def make_source(con: duckdb.DuckDBPyConnection, case: Case, folder: Path) -> str:
    """Create the case's table, its hierarchies, and what it is to be read from."""
    columns = case.columns
    con.execute(
        f"CREATE TABLE t (rid INTEGER, {', '.join(f'{quoted(c.name)} {c.type}' for c in columns)})"
    )
    rows = [
        f"({number}, {', '.join(_literal(c.texts[number]) for c in columns)})"
        for number in case.order
    ]
    con.execute(f"INSERT INTO t VALUES {', '.join(rows)}")
    for number, given in enumerate(columns):
        if given.tree is not None and given.tree.kind == "paths":
            depth = len(next(iter(given.tree.paths.values()), ("*",)))
            levels = ", ".join(f"level_{level} VARCHAR" for level in range(depth))
            con.execute(f"CREATE TABLE tree_{number} (leaf VARCHAR, {levels})")
            lines = [
                f"({', '.join(map(_literal, (leaf, *path)))})"
                for leaf, path in given.tree.paths.items()
            ]
            if lines:
                con.execute(f"INSERT INTO tree_{number} VALUES {', '.join(lines)}")
    if case.source == "view":
        con.execute("CREATE VIEW v AS SELECT * FROM t")
        return "v"
    if case.source == "parquet":
        place = folder / f"source_{os.urandom(4).hex()}.parquet"
        # Seconds are TIMESTAMP in Parquet; DuckDB 1 cannot write infinite ones itself.
        columns = con.execute("SELECT name, type FROM pragma_table_info('t')").fetchall()
        written = [
            f"CAST({quoted(c)} AS TIMESTAMP) AS {quoted(c)}" if t == "TIMESTAMP_S" else quoted(c)
            for c, t in columns
        ]
        con.execute(
            f"COPY (SELECT {', '.join(written)} FROM t) TO {_literal(str(place))} (FORMAT parquet)"
        )
        return str(place)
    return "t"


def read_texts(con: duckdb.DuckDBPyConnection, relation: str) -> tuple[list[Row], dict[str, str]]:
    """The rows of a relation, every value as the engine writes it; and the columns' types."""
    types = {name: kind for name, kind, *_ in con.execute(f"DESCRIBE FROM {relation}").fetchall()}
    shown = [
        f"list_transform({quoted(c)}, lambda x: CAST(x AS VARCHAR)) AS {quoted(c)}"
        if kind.endswith("[]")
        else f"CAST({quoted(c)} AS VARCHAR) AS {quoted(c)}"
        for c, kind in types.items()
    ]
    found = con.execute(f"SELECT {', '.join(shown)} FROM {relation}").fetchall()
    return [dict(zip(types, row, strict=True)) for row in found], types


def _attribute(number: int, given: Column) -> Attribute:
    if given.tree is None:
        return Attribute(given.name, given.recode)  # type: ignore[arg-type]
    wish = HierarchyTable(f"tree_{number}") if given.tree.kind == "paths" else given.tree.wish
    return Attribute(given.name, given.recode, hierarchy=wish)  # type: ignore[arg-type]


def ask(con: duckdb.DuckDBPyConnection, case: Case, source: str, place: Path) -> ppdt_db.Release:
    """Ask for the release of a case."""
    n_quasi = len(case.quasi)
    method = METHODS[case.method](**case.params)  # type: ignore[arg-type]
    is_inside = case.place in ("snapshot", "live")
    return ppdt_db.anonymize(
        con,
        source,
        quasi=[_attribute(number, c) for number, c in enumerate(case.quasi)],
        sensitive=[
            c.name if c.tree is None else replace(_attribute(n_quasi + number, c), recode=None)
            for number, c in enumerate(case.sensitive)
        ],
        target=case.target.name,
        entity=case.entity.name if case.entity else None,
        keep=["rid", *(c.name for c in case.others)],
        method=method,
        into="o" if is_inside else None,
        out=None if is_inside else place,
        live=case.place == "live",
        accept=[*method.requires_accept, *(ACCEPT_LIVE if case.place == "live" else ())],
        seed=1,
    )


FIELD = re.compile(r'(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|$)')


def csv_fields(text: str) -> list[list[str | None]]:
    """The fields of a CSV file by RFC 4180; an empty one is NULL, unless it is quoted."""
    lines: list[list[str | None]] = [[]]
    at = 0
    while at < len(text):
        found = FIELD.match(text, at)
        if found is None:
            raise ValueError("no CSV")
        inside, bare, end = found.groups()
        lines[-1].append(bare or None if inside is None else inside.replace('""', '"'))
        at = found.end()
        if end != ",":
            lines.append([])
        elif at == len(text):
            lines[-1].append(None)
    return [line for line in lines if line]


@contextmanager
def released(
    con: duckdb.DuckDBPyConnection, case: Case, place: Path
) -> Iterator[tuple[list[Row], dict[str, str]]]:
    """The release as its readers see it: every form by a reader that is not ours."""
    if case.place in ("snapshot", "live"):
        yield read_texts(con, "o")
    elif case.place == "csv":
        names, *lines = csv_fields(place.read_bytes().decode("utf-8"))
        assert all(len(line) == len(names) for line in lines)
        header = [str(name) for name in names]
        rows: list[Row] = [dict(zip(header, line, strict=True)) for line in lines]
        yield rows, dict.fromkeys(header, "VARCHAR")
    else:
        with duckdb.connect(config={"threads": 1}) as reader_con:
            reader_con.execute("SET TimeZone = 'UTC'")
            if case.place == "parquet":
                yield read_texts(reader_con, f"read_parquet({_literal(str(place))})")
            else:
                reader_con.execute(f"ATTACH {_literal(str(place))} AS f (READ_ONLY)")
                name = reader_con.execute(
                    "SELECT table_name FROM duckdb_tables() WHERE database_name = 'f'"
                ).fetchall()
                assert len(name) == 1
                yield read_texts(reader_con, f"f.main.{quoted(name[0][0])}")


def run(case: Case, folder: Path, *, with_audit: bool = False) -> Outcome:
    """Run a case, and judge how it ended; with an audit against the source, judge that too."""
    place = folder / f"release.{case.place}"
    place.unlink(missing_ok=True)
    with duckdb.connect(config={"threads": case.threads}) as con:
        con.execute("SET TimeZone = 'UTC'")
        source = make_source(con, case, folder)
        before, _ = read_texts(con, "t")
        kind: Kind = "released"
        message = ""
        try:
            release = ask(con, case, source, place)
        except RequestError as error:
            kind, message = "refused", str(error)
        except GuaranteeError as error:
            kind, message = "forbidden", str(error)
        except Exception as error:
            return Outcome("error", [f"{type(error).__name__}: {error}"], str(error))
        faults = _left_behind(con, case, place, is_released=kind == "released")
        if PLANTED in message:
            faults.append("a value of the source stands in the message")
        texts = {int(str(row["rid"])): row for row in before}
        source_rows = [texts[number] for number in range(case.n_rows)]
        if kind == "refused":
            faults += refusals.unexplained(case, source_rows, message)
            return Outcome(kind, faults, message)
        if kind == "forbidden":
            return Outcome(kind, [*faults, *_unconfirmed(case, source_rows, message)], message)
        faults += [f"done in spite of: {name}" for name in refusals.expected(case)]
        try:
            with released(con, case, place) as (rows, types):
                labels, more = judge(case, source_rows, rows, types, release)
            if with_audit:
                more = [*more, *audited(con, case, source_rows, place)]
        except Exception as error:
            return Outcome("error", [*faults, f"cannot be judged: {error!r}"])
        return Outcome(kind, [*faults, *more], labels=labels)


def _left_behind(
    con: duckdb.DuckDBPyConnection, case: Case, place: Path, *, is_released: bool
) -> list[str]:
    """Relations and files that should not be there."""
    faults = []
    left = con.execute(
        "SELECT table_name FROM duckdb_tables() WHERE starts_with(table_name, 'ppdt_')"
    ).fetchall()
    if left:
        faults.append(f"left behind: {sorted(name for (name,) in left)}")
    if not is_released:
        shown = con.execute("SELECT count(*) FROM duckdb_views() WHERE view_name = 'o'").fetchone()
        if place.exists() or shown != (0,):
            faults.append("refused, and something is visible")
    return faults


# -- refusals by the data --------------------------------------------------------------------------


def _unconfirmed(case: Case, rows: Sequence[Row], message: str) -> list[str]:
    """Why a refusal is wrong: all rows as one class keep what was asked for."""
    broken = broken_by(case, [range(case.n_rows)], rows)
    return [] if broken else [f"refused, but all rows as one class keep the guard: {message}"]


def broken_by(case: Case, classes: Sequence[Sequence[int]], rows: Sequence[Row]) -> list[str]:
    """What of the guard a division of rows breaks; classes are compared with all rows in them."""
    faults = []
    heads = [
        len({rows[n][case.entity.name] for n in members}) if case.entity else len(members)
        for members in classes
    ]
    if min(heads) < case.k:
        faults.append(f"k is {min(heads)}")
    for column in case.sensitive:
        values = [_keys(column, rows, members) for members in classes]
        whole = [value for members in values for value in members]
        sense = brute.sense_of(column.type, whole, column.tree)
        for term, keeps in brute.KEEPS.items():
            asked = case.params.get(term)
            if asked is not None and not all(keeps(asked, v, whole, sense) for v in values):
                faults.append(f"{term}={asked} is broken in {column.type[:20]}")
    return faults


def _keys(column: Column, rows: Sequence[Row], members: Sequence[int]) -> list[object]:
    """The values of a sensitive column, as they are told apart."""
    return [exact(column.type, rows[n][column.name]) for n in members]  # type: ignore[arg-type]


# -- releases --------------------------------------------------------------------------------------


def judge(
    case: Case,
    source: Sequence[Row],
    rows: Sequence[Row],
    types: Mapping[str, str],
    release: ppdt_db.Release,
) -> tuple[dict[int, tuple[Label, ...]], list[str]]:
    """What each released row shows, and all that is wrong with the release."""
    made = release.certificate
    faults = _lost(case, source, rows, made)
    policy = made["policy"]
    assert isinstance(policy, dict)
    shapes = policy["quasi_identifiers"]
    columns = {c.name: _cells(c, shapes[c.name], types) for c in case.quasi}
    if {cell for cells in columns.values() for cell in cells} | {
        c.name for c in (*case.sensitive, case.target, *case.others)
    } | {"rid"} != set(types):
        faults.append(f"columns of the release: {list(types)}")
        return {}, faults
    try:
        groups, labels = grouped(case, shapes, rows, types)
    except (ValueError, AssertionError) as error:
        return {}, [*faults, f"a label cannot be read: {error!r}"]
    shown = {number: labels[raw] for raw, members in groups.items() for number in members}
    faults += _untrue(case, shapes, source, groups, labels)
    faults += _broken_promises(case, source, groups, labels, made)
    return shown, faults


def grouped(
    case: Case, shapes: Mapping[str, str], rows: Sequence[Row], types: Mapping[str, str]
) -> tuple[dict[tuple[object, ...], list[int]], dict[tuple[object, ...], tuple[Label, ...]]]:
    """The rows of every class, and what each class shows, read."""
    columns = {c.name: _cells(c, shapes[c.name], types) for c in case.quasi}
    groups: dict[tuple[object, ...], list[int]] = {}
    labels: dict[tuple[object, ...], tuple[Label, ...]] = {}
    for row in rows:
        raw = tuple(tuple(_hashable(row[cell]) for cell in columns[c.name]) for c in case.quasi)
        groups.setdefault(raw, []).append(int(str(row["rid"])))
        if raw not in labels:
            labels[raw] = tuple(
                label_of(
                    shapes[c.name],
                    c.type,
                    [row[cell] for cell in columns[c.name]],
                    is_csv=case.place == "csv",
                )
                for c in case.quasi
            )
    return groups, labels


def _hashable(cell: object) -> object:
    return tuple(cell) if isinstance(cell, list) else cell


def _cells(column: Column, shape: str, types: Mapping[str, str]) -> list[str]:
    if shape != "bounds":
        return [column.name]
    endings = ("_lo", "_hi", "_has_null", "_has_nonfinite")
    return [column.name + e for e in endings if column.name + e in types]


def _lost(
    case: Case, source: Sequence[Row], rows: Sequence[Row], made: Mapping[str, object]
) -> list[str]:
    """Whether rows are lost or doubled, and whether they still hold what was kept."""
    faults = []
    numbers = Counter(int(str(row["rid"])) for row in rows)
    dropped = int(str(made["rows_dropped"]))
    if len(rows) + dropped != case.n_rows or max(numbers.values(), default=1) > 1:
        faults.append(f"{len(rows)} rows and {dropped} dropped of {case.n_rows}")
    if dropped >= max(2, case.k) and case.entity is None:
        faults.append(f"{dropped} rows were dropped at k={case.k}")
    for column in (*case.sensitive, case.target, *case.others):
        wrong = 0
        for row in rows:
            one, other = row.get(column.name), source[int(str(row["rid"]))][column.name]
            # 0.0 and -0.0 are one value: DuckDB 1.5 sorts them into one.
            is_float = column.type in ("FLOAT", "DOUBLE")
            wrong += one != other and not (
                is_float and exact(column.type, one) == exact(column.type, other)  # type: ignore[arg-type]
            )
        if wrong:
            faults.append(f"{wrong} rows of a kept {column.type[:20]} are not as they were")
    return faults


def _untrue(
    case: Case,
    shapes: Mapping[str, str],
    source: Sequence[Row],
    groups: Mapping[tuple[object, ...], Sequence[int]],
    labels: Mapping[tuple[object, ...], Sequence[Label]],
) -> list[str]:
    """Labels that do not hold the values of their rows."""
    wrong: Counter[str] = Counter()
    most = {c.name: _largest(c, source) for c in case.quasi}
    for raw, members in groups.items():
        for column, label in zip(case.quasi, labels[raw], strict=True):
            shape = shapes[column.name]
            texts: list[str | None] = [source[n][column.name] for n in members]  # type: ignore[misc]
            kind = f"a {shape} of {column.type[:20]}"
            of_extent = shape in declared.SINGLE and shape not in declared.OF_ROWS
            if of_extent and declared.METHODS[case.method].is_global:
                continue  # It is that of all values with this label, in whichever class.
            if shape in declared.SINGLE:
                wrong[kind] += brute.centre_fault(
                    label, column.type, shape, texts, most[column.name]
                )
                continue
            if shape == "bins" and _shape(case, column) == "own" and label.members == {None}:
                continue  # kACTUS suppressed it.
            for text in set(texts):
                if not brute.holds(label, column.type, text, column.tree):
                    wrong[f"{kind} says {raw}, and a row holds {text!r}"] += 1
            if shape == "set" and not declared.METHODS[case.method].is_global:
                own = {exact(column.type, text) for text in texts}
                wrong[f"{kind} names others"] += not _is_tiered(case) and label.members != own
    return [f"{n} labels are untrue: {kind}" for kind, n in wrong.items() if n][:5]


def _largest(column: Column, source: Sequence[Row]) -> Fraction:
    """The largest magnitude of a numeric column."""
    values = (exact(column.type, row[column.name]) for row in source)  # type: ignore[arg-type]
    return max((abs(v) for v in values if isinstance(v, Fraction)), default=Fraction(0))


def _is_tiered(case: Case) -> bool:
    return "kk-anonymity" in METHODS[case.method](**case.params).requires_accept  # type: ignore[arg-type]


def _broken_promises(
    case: Case,
    source: Sequence[Row],
    groups: Mapping[tuple[object, ...], Sequence[int]],
    labels: Mapping[tuple[object, ...], Sequence[Label]],
    made: Mapping[str, object],
) -> list[str]:
    """What the release promises and does not keep, and figures that are not so."""
    classes = list(groups.values())
    if not classes:
        return []
    faults = []
    weaker = METHODS[case.method](**case.params).requires_accept  # type: ignore[arg-type]
    if "kk-anonymity" in weaker:
        faults += _kk(case, source, groups, labels, made)
    elif not weaker:
        faults += [f"not kept: {fault}" for fault in broken_by(case, classes, source)]
    heads = [
        len({source[n][case.entity.name] for n in members}) if case.entity else len(members)
        for members in classes
    ]
    if made["k_measured"] != min(heads) or made["classes"] != len(classes):
        faults.append(
            f"k measured {made['k_measured']} in {made['classes']} classes, by brute force "
            f"{min(heads)} in {len(classes)}"
        )
    measures = made["measures"]
    assert isinstance(measures, dict)
    faults += _losses(case, source, groups, labels, measures)
    for column in case.sensitive:
        values = [_keys(column, source, members) for members in classes]
        sense = brute.sense_of(column.type, [v for c in values for v in c], column.tree)
        for name in brute.MEASURES:
            told = measures["sensitive"][column.name][name]
            own = brute.measured(name, values, sense)
            is_same = isinstance(told, int | float) and abs(told - own) <= 1e-9 * max(1, abs(own))
            if not is_same and own != told and own != float("inf"):
                faults.append(f"{name} of {column.type[:20]}: told {told}, by brute force {own}")
    return faults


def _losses(
    case: Case,
    source: Sequence[Row],
    groups: Mapping[tuple[object, ...], Sequence[int]],
    labels: Mapping[tuple[object, ...], Sequence[Label]],
    measures: Mapping[str, object],
) -> list[str]:
    """Losses of the certificate that are not so: of ranges of exact numbers without gaps."""
    told = measures["ncp"]
    assert isinstance(told, dict)
    faults = []
    for place, column in enumerate(case.quasi):
        values = [exact(column.type, row[column.name]) for row in source]  # type: ignore[arg-type]
        finite = [v for v in values if isinstance(v, Fraction)]
        shapes = {labels[raw][place].shape for raw in groups}
        if len(finite) < len(values) or not shapes <= {"range", "bounds"}:
            continue
        width = max(finite) - min(finite)
        own = Fraction(0)
        for raw, members in groups.items():
            low, high = labels[raw][place].low, labels[raw][place].high
            if isinstance(low, Fraction) and isinstance(high, Fraction) and width:
                own += (high - low) / width * len(members)
        own /= sum(map(len, groups.values()))
        if abs(float(told[column.name]) - float(own)) > 1e-6:
            faults.append(f"ncp of {column.type}: told {told[column.name]}, really {float(own)}")
    return faults


def fitting(
    case: Case,
    source: Sequence[Row],
    groups: Mapping[tuple[object, ...], Sequence[int]],
    labels: Mapping[tuple[object, ...], Sequence[Label]],
) -> tuple[list[int], list[int]]:
    """How many people could be behind each class, and how many rows could be each person's."""
    names = [c.name for c in case.quasi]
    people = Counter(tuple(row[name] for name in names) for row in source)
    rows_of: Counter[tuple[object, ...]] = Counter()
    people_of: list[int] = []
    for raw, members in groups.items():
        # A class that shows nothing at all can be anybody's.
        is_hidden = all(cell is None for cells in raw for cell in cells)  # type: ignore[attr-defined]
        n_people = 0
        for person, n_alike in people.items():
            if is_hidden or all(
                brute.holds(label, c.type, text, c.tree)  # type: ignore[arg-type]
                for c, label, text in zip(case.quasi, labels[raw], person, strict=True)
            ):
                n_people += n_alike
                rows_of[person] += len(members)
        people_of.append(n_people)
    return people_of, [rows_of[person] for person in people]


def _kk(
    case: Case,
    source: Sequence[Row],
    groups: Mapping[tuple[object, ...], Sequence[int]],
    labels: Mapping[tuple[object, ...], Sequence[Label]],
    made: Mapping[str, object],
) -> list[str]:
    """Whether every row of each side agrees with k of the other, and the proof says no more."""
    least = min(map(min, fitting(case, source, groups, labels)))
    findings = made["findings"]
    assert isinstance(findings, list)
    proved = [f["measured"] for f in findings if f["name"].startswith("kk")]
    faults = [] if least >= case.k else [f"(k,k) is {least}"]
    return faults + [f"proved kk {n}, by brute force {least}" for n in proved if n > least]


def audited(
    con: duckdb.DuckDBPyConnection, case: Case, source: Sequence[Row], place: Path
) -> list[str]:
    """Audit a release against its source, and compare with what is counted here."""
    shapes = {c.name: _shape(case, c) for c in case.quasi}
    if case.place == "csv" or not set(shapes.values()) <= {"range", "bounds", "set", "bins"}:
        return []
    with released(con, case, place) as (rows, types):
        groups, labels = grouped(case, shapes, rows, types)
    relation = "o"
    if case.place == "parquet":
        relation = str(place)
    elif case.place == "duckdb":
        return []
    measures = ppdt_db.audit(
        con, relation, original="t", population="t", require={"kk": 0},
        quasi=[cell for c in case.quasi for cell in _cells(c, shapes[c.name], types)],
        sensitive=[c.name for c in case.sensitive],
    ).measures  # fmt: skip
    people_of, rows_of = fitting(case, source, groups, labels)
    if min(people_of) == 0:
        return ["a class that nobody fits"]
    own = {
        "k": min(map(len, groups.values())),
        "kk_released": min(people_of),
        "kk_original": min(rows_of),
        "journalist_risk_max": 1 / min(people_of),
        "journalist_risk_mean": sum(
            len(members) / n for members, n in zip(groups.values(), people_of, strict=True)
        )
        / sum(map(len, groups.values())),
    }
    return [
        f"audit says {name} {measures[name]}, by brute force {value}"
        for name, value in own.items()
        if abs(float(str(measures[name])) - value) > 1e-9
    ]


def _shape(case: Case, column: Column) -> str:
    """The shape that a column is shown in, as it was asked for or by default."""
    if METHODS[case.method](**case.params).controls_recoding:  # type: ignore[arg-type]
        return "own"
    if column.tree is not None:
        return column.recode or "node"
    return column.recode or ("range" if is_ordered(column.type) else "set")


# -- several forms of one run ----------------------------------------------------------------------


def comparable(case: Case, outcome: Outcome) -> dict[int, tuple[object, ...]]:
    """What each row shows, whatever the form it was written in."""
    assert outcome.labels is not None
    return {
        number: tuple(
            (label.low, label.high, label.members, _single(c, label))
            for c, label in zip(case.quasi, labels, strict=True)  # type: ignore[arg-type]
        )
        for number, labels in outcome.labels.items()
    }


def _single(column: Column, label: Label) -> object:
    """A single value, apart from how it is written."""
    is_number = label.shape in declared.OF_NUMBERS and label.single is not None
    if is_number and not column.type.startswith(("DATE", "TIME")):
        return exact("DOUBLE", label.single)
    if is_number:
        return exact(column.type, label.single)
    return None if is_ordered(column.type) and label.shape in declared.KEEPING else label.single


def differing(case: Case, outcomes: Mapping[str, Outcome]) -> list[str]:
    """Forms of one run that do not agree on what is released."""
    made = {form: comparable(case, o) for form, o in outcomes.items() if o.kind == "released"}
    first = next(iter(made), None)
    return [
        f"{form} and {first} of one run differ"
        for form, labels in made.items()
        if first is not None and labels != made[first]
    ]
