"""The experiment of Chettri and Ray, one fold at a time, each stored as soon as it is known."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import duckdb

from ppdt_db.experiments.folds import check_files
from ppdt_db.experiments.mict_data import (
    ASKED_FOR,
    DATA,
    ORIGINAL,
    OURS,
    WAYS,
    MictCell,
    MictResult,
    Way,
)
from ppdt_db.experiments.mict_fold import deal_folds, release_whole, run_fold
from ppdt_db.experiments.results_file import ResultsFile
from ppdt_db.learn.knn import KNN
from ppdt_db.progress import Progress, no_progress


def cells_of(
    data: Iterable[str],
    methods: Sequence[str] | None,
    ks: Sequence[int],
    *,
    n_folds: int,
    ways: Sequence[Way] = WAYS,
    rows: int | None = None,
    neighbours: int = KNN.k,
    seed: int = 1,
) -> list[MictCell]:
    """Return every fold of every method at every k, and of the original.

    Without methods, all are taken but those that a data set is too large for.
    """
    return [
        MictCell(
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
        for method, way, k in _lines(
            methods or [method for method in OURS if method not in ASKED_FOR.get(name, ())],
            ks,
            ways,
        )
        for fold in range(n_folds)
    ]


def _lines(
    methods: Sequence[str], ks: Sequence[int], ways: Sequence[Way]
) -> list[tuple[str, Way | None, int]]:
    return [(ORIGINAL, None, 1), *((m, way, k) for way in ways for m in methods for k in ks)]


def measure(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    cells: Sequence[MictCell],
    record: ResultsFile[MictResult],
    progress: Progress = no_progress,
) -> None:
    """Measure the folds missing from the record; they are ordered by data set, then by line."""
    missing = [cell for cell in cells if cell not in record.cells]
    check_files(folder, [DATA[cell.data].file for cell in missing])
    n_done = 0
    for _, of_data in groupby(missing, lambda cell: (cell.data, cell.rows, cell.seed)):
        together = list(of_data)
        with deal_folds(con, folder, together[0]) as rounds:
            for _, of_line in groupby(together, lambda cell: (cell.method, cell.way, cell.k)):
                line = list(of_line)
                with release_whole(rounds, line[0]) as release:
                    for cell in line:
                        progress("evaluate", n_done / len(missing))
                        record.add(run_fold(rounds, cell, release))
                        n_done += 1
