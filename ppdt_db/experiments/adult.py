"""The Adult data as papers use it: rows without missing values, for learning and for testing."""

from collections.abc import Sequence
from pathlib import Path

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.source.source import Source, opened
from ppdt_db.sqltext.quoting import ident


def complete(
    engine: DuckEngine, folder: Path, part: str, names: Sequence[str] | None = None
) -> Source:
    """Return the complete rows of `adult_train.csv`, of `adult_test.csv`, or (`*`) of both.

    Rows are complete if they miss no value of the columns named; by default, of any.
    """
    path = folder / f"adult_{part}.csv"
    if not any(folder.glob(path.name)):
        raise RequestError(f"{path}: no such file. Name the folder that has it (--data).")
    with opened(engine, path) as found:
        names = list(found.columns) if names is None else names
        if missing := [name for name in names if name not in found.columns]:
            raise RequestError(*(f'{path}: the column "{name}" is missing.' for name in missing))
        table = f"ppdt_adult_{'both' if part == '*' else part}"
        rows = {"source": found.relation, "columns": list(names)}
        engine.make("tools/bench/complete", names=rows, to=table)
        columns = {name: found.columns[name] for name in names}
    return Source(kind="table", title=table, relation=ident(table), columns=columns)
