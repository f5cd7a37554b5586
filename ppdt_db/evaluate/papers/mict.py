"""The experiment of Chettri and Ray, one fold at a time, each kept as soon as it is known."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

import duckdb

from ppdt_db.evaluate.papers.kept import check_files, keep_figure, read_figures
from ppdt_db.evaluate.papers.mict_data import (
    DATA,
    ORIGINAL,
    WAYS,
    Cell,
    Measured,
    Way,
)
from ppdt_db.evaluate.papers.mict_fold import dealt, taken, whole
from ppdt_db.learn.knn import KNN
from ppdt_db.methods.contract import Progress, no_progress


class Record:
    """The folds that are known; with a file, every new one is written to it at once."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        known = read_figures(path, _read) if path is not None else ()
        self.cells: dict[Cell, Measured] = {found.cell: found for found in known}

    def add(self, found: Measured) -> None:
        """Keep a fold."""
        self.cells[found.cell] = found
        if self.path is not None:
            figure = asdict(found)
            keep_figure(self.path, {**figure.pop("cell"), **figure})


def _read(line: str) -> Measured | None:
    """A fold as it was written, or None."""
    try:
        figure = json.loads(line)
        cell = Cell(**{name: figure.pop(name) for name in Cell.__dataclass_fields__})
        return Measured(cell=cell, **figure)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def cells_of(
    data: Iterable[str],
    methods: Sequence[str],
    ks: Sequence[int],
    *,
    n_folds: int,
    ways: Sequence[Way] = WAYS,
    rows: int | None = None,
    neighbours: int = KNN.k,
    seed: int = 1,
) -> list[Cell]:
    """Every fold of every method at every k, and of the original."""
    lines: list[tuple[str, Way | None, int]] = [(ORIGINAL, None, 1)]
    lines += [(method, way, k) for way in ways for method in methods for k in ks]
    return [
        Cell(
            data=name,
            rows=rows,
            method=method,
            way=way,
            k=k,
            neighbours=neighbours,
            seed=seed,
            fold=fold,
        )
        for name in data
        for method, way, k in lines
        for fold in range(n_folds)
    ]


def measure(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    cells: Sequence[Cell],
    record: Record,
    progress: Progress = no_progress,
) -> None:
    """Measure the folds that the record lacks; they stand together by data set, then by line."""
    missing = [cell for cell in cells if cell not in record.cells]
    check_files(folder, [DATA[cell.data].file for cell in missing])
    n_done = 0
    for _, of_data in groupby(missing, lambda cell: (cell.data, cell.rows, cell.seed)):
        together = list(of_data)
        with dealt(con, folder, together[0]) as rounds:
            for _, of_line in groupby(together, lambda cell: (cell.method, cell.way, cell.k)):
                line = list(of_line)
                with whole(rounds, line[0]) as release:
                    for cell in line:
                        progress("evaluate", n_done / len(missing))
                        record.add(taken(rounds, cell, release))
                        n_done += 1
