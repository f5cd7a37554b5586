"""Divide the rows of one numeric column into groups of neighbours with the least loss.

ppdt_point ──▶ ppdt_sorted_point ──▶ ppdt_path_0, _1, ... (blocks double)
           ──▶ ppdt_boundary ──▶ ppdt_member
"""

from dataclasses import dataclass

from ppdt_db.methods.algorithms.distance import DistanceColumn
from ppdt_db.methods.base import Task

BITS = 120
"""The bits that the length of a whole path may take, so that no sum exceeds 128 bits."""
FINEST = 40


@dataclass(frozen=True, kw_only=True)
class FixedPointScale:
    """The precision of steps and of lengths, so that all sums fit."""

    shift: int
    fine: int
    mask: int


def make_scale(n_rows: int, k: int, span: float) -> FixedPointScale:
    """Return the finest scale with which the longest path stays below 2^120.

    >>> make_scale(1000, 5, 100.0)
    FixedPointScale(shift=0, fine=1099511627776, mask=15)
    """
    n_bits_via = (2 * k - 2).bit_length()
    n_bits = BITS - n_bits_via - n_rows.bit_length()
    n_bits_span = int(span).bit_length()
    shift = max(0, n_bits_span - n_bits // 2)
    left = n_bits - 2 * (n_bits_span - shift)
    return FixedPointScale(shift=shift, fine=2 ** min(FINEST, left), mask=2**n_bits_via - 1)


def divide_line(task: Task, axis: DistanceColumn, k: int) -> None:
    """Divide the rows of `ppdt_coarse`, all in one part, into the classes of `ppdt_member`."""
    engine = task.engine
    engine.make("methods/microaggregate/point", names={"axes": [axis], "place": "ppdt_coarse"})
    n_finite, n_missing = (
        int(str(n)) for n in engine.row("methods/univariate/held", names={"axis": axis})
    )
    if n_finite < k:
        # Fewer than k rows hold a finite number, so they share one class with all others.
        engine.make("methods/microaggregate/whole", to="ppdt_member")
    else:
        ruler = make_scale(n_finite, k, axis.span)
        engine.make("methods/univariate/sorted_point", {"shift": ruler.shift}, {"axis": axis})
        _find_path(task, n_finite, k, ruler)
        engine.make("methods/univariate/settled", {"k": k}, to="ppdt_member")
        if n_missing:
            params = {"is_apart": n_missing >= k}
            engine.append("methods/univariate/missing", "ppdt_member", params, {"axis": axis})
    engine.drop("ppdt_point", "ppdt_sorted_point", "ppdt_boundary")


def _find_path(task: Task, n_rows: int, k: int, ruler: FixedPointScale) -> None:
    """Find the shortest path, as the nodes where it enters and leaves each block of k nodes."""
    engine = task.engine
    n_blocks = n_rows // k
    counts = [n_blocks]
    while counts[-1] > 1:
        counts.append((counts[-1] + 1) // 2)
    size = {"k": k, "n_blocks": n_blocks, "n_rows": n_rows}
    engine.make(
        "methods/univariate/segment",
        {**size, "fine": ruler.fine, "mask": ruler.mask},
        to="ppdt_path_0",
    )
    for level, n_below in enumerate(counts[:-1], start=1):
        params = {"last": n_below - 1, "mask": ruler.mask}
        engine.make(
            "methods/univariate/path",
            params,
            {"below": f"ppdt_path_{level - 1}"},
            to=f"ppdt_path_{level}",
        )
        if level == 1:
            # Segments have no path between blocks: they are not needed afterwards.
            engine.drop("ppdt_path_0")
        task.progress("cluster", min(0.99, 1 - n_below / (2 * n_blocks)))
    top = len(counts) - 1
    engine.make(
        "methods/univariate/goal",
        {"exit": n_rows % k},
        {"below": f"ppdt_path_{top}"},
        to="ppdt_boundary",
    )
    for level in range(top, 0, -1):
        engine.make(
            "methods/univariate/boundary", names={"below": f"ppdt_path_{level}"}, to="ppdt_next"
        )
        engine.rename("ppdt_next", "ppdt_boundary")
        engine.drop(f"ppdt_path_{level}")
    engine.drop("ppdt_path_0")
