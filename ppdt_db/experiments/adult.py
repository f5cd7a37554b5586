"""Adult as the papers take it: the rows without missing values, to learn from and to test on."""

from collections.abc import Sequence
from pathlib import Path

from ppdt_db.engine import DuckEngine
from ppdt_db.errors import RequestError
from ppdt_db.names import ident
from ppdt_db.source import Source, opened


def complete(engine: DuckEngine, folder: Path, part: str, names: Sequence[str]) -> Source:
    """The rows of `adult_train.csv` or `adult_test.csv` that miss none of the values."""
    path = folder / f"adult_{part}.csv"
    if not path.is_file():
        raise RequestError(f"{path}: there is no such file. Name the folder that has it (--data).")
    with opened(engine, path) as found:
        if missing := [name for name in names if name not in found.columns]:
            raise RequestError(*(f'{path}: the column "{name}" is missing.' for name in missing))
        table = f"ppdt_adult_{part}"
        rows = {"source": found.relation, "columns": list(names)}
        engine.make("bench/complete", names=rows, to=table)
        columns = {name: found.columns[name] for name in names}
    return Source(kind="table", title=table, relation=ident(table), columns=columns)
