"""How often each value of the original occurs: published with a release, read by ID3 on sets."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import duckdb

from ppdt_db.encode.columns import EncodedColumn
from ppdt_db.engine import DuckEngine
from ppdt_db.engine.interrupt import interruptible
from ppdt_db.errors import RequestError
from ppdt_db.learn.trees.node import as_int
from ppdt_db.source.csv.dialect import CsvOptions, with_csv
from ppdt_db.source.source import Source, SourceLike, opened, stage
from ppdt_db.sqltext.column_types import display_type, family_of, is_list
from ppdt_db.sqltext.json_text import from_json
from ppdt_db.sqltext.quoting import by_normal_name, normalize_name, unknown_columns
from ppdt_db.tree.tree_json import read_from

FORMAT = "ppdt distribution 1"
# Of each column, the text of each value that is told, and the number of its rows. Texts of instants
# depend on the session's time zone, so they are not counted.
Distribution: TypeAlias = Mapping[str, Mapping[str | None, int]]


def distribution(
    con: duckdb.DuckDBPyConnection,
    source: SourceLike,
    *,
    columns: Sequence[str],
    k: int,
    csv: CsvOptions = None,
) -> Distribution:
    """Return how often the values of columns occur, of those that k rows or more hold.

    >>> con = duckdb.connect()
    >>> rows = con.sql("SELECT CASE WHEN i < 7 THEN 'a' WHEN i < 12 THEN 'b' ELSE 'c' END AS x "
    ...                "FROM range(15) r(i)")
    >>> distribution(con, rows, columns=["x"], k=4)
    {'x': {'a': 7}}
    """
    engine = DuckEngine(con)
    with interruptible(con), engine.cleared(), opened(engine, with_csv(source, csv)) as found:
        return count_values(engine, stage(engine, found), columns, k)


def count_values(
    engine: DuckEngine, source: Source, columns: Sequence[str], k: int
) -> Distribution:
    """Count the values of a relation, inside a run's engine."""
    faults = unknown_columns({"column": list(columns)}, source.columns)
    if k < 2:
        faults.append(f"k={k}: must be at least 2.")
    if not columns:
        faults.append("no columns: name those whose values are counted.")
    if faults:
        raise RequestError(*faults)
    by_name = by_normal_name(source.columns)
    names = list(dict.fromkeys(by_name[normalize_name(name)] for name in columns))
    faults = [
        f'"{name}": values of type {display_type(source.columns[name])} are not counted. Name '
        "columns of single values, or cast it in a view."
        for name in names
        if family_of(source.columns[name]) in (None, "timestamptz") or is_list(source.columns[name])
    ]
    if faults:
        raise RequestError(*faults)
    attributes = [
        EncodedColumn(
            position=place,
            name=name,
            type_name=source.columns[name],
            family=family_of(source.columns[name]) or "text",
            dictionary=f"ppdt_code_{place}",
            dictionary_alias=f"code_{place}",
        )
        for place, name in enumerate(names)
    ]
    wanted = {"source": source.relation, "attributes": attributes}
    counts: dict[str, dict[str | None, int]] = {name: {} for name in names}
    for place, shown, n_rows in engine.rows("learn/set_id3/published", {"k": k}, wanted):
        counts[names[as_int(place)]][None if shown is None else str(shown)] = as_int(n_rows)
    return counts


def write_distribution(counts: Distribution, k: int) -> str:
    """Return a distribution as JSON, which `read_distribution` reads."""
    columns = {name: [[shown, n] for shown, n in held.items()] for name, held in counts.items()}
    written = {"format": FORMAT, "k": k, "columns": columns}
    return json.dumps(written, indent=1, ensure_ascii=False, allow_nan=False)


def read_distribution(text: str) -> Distribution:
    """Read what `write_distribution` wrote."""
    try:
        found = from_json(text)
        if found["format"] != FORMAT:
            raise ValueError
        return {
            str(name): {_shown(shown): _count(n_rows) for shown, n_rows in held}
            for name, held in found["columns"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RequestError(
            f'not a distribution of ppdt: expected a JSON object with "format": "{FORMAT}" and '
            "columns, each a list of [value, rows]. `ppdt distribution` writes it."
        ) from None


def with_distribution(options: Mapping[str, object]) -> dict[str, object]:
    """Return the options of ID3 on sets with the file of a distribution read, if there is one."""
    path = options.get("original_distribution")
    found = {name: value for name, value in options.items() if name != "original_distribution"}
    if not isinstance(path, Path):
        return found
    conversion = found.get("conversion") or "original_distribution"
    if conversion != "original_distribution":
        raise RequestError(
            f"--original-distribution does not apply to --conversion {conversion}; remove one."
        )
    distribution = read_from(path, read_distribution)
    return {**found, "conversion": conversion, "distribution": distribution}


def _shown(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise TypeError
    return value
