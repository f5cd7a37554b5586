"""Line: the groups of neighbours along one number that lose least together.

ppdt_point ──▶ ppdt_post ──▶ ppdt_way_0, _1, ... (blocks double) ──▶ ppdt_stop ──▶ ppdt_member
"""

from dataclasses import dataclass

from ppdt_db.axis import Axis
from ppdt_db.methods.contract import Task

BITS = 120
"""What the length of a whole way may take, so that no sum leaves 128 bits."""
FINEST = 40


@dataclass(frozen=True, kw_only=True)
class Ruler:
    """How coarse steps are, and how fine lengths: all that fits."""

    shift: int
    fine: int
    mask: int


def make_ruler(n_rows: int, k: int, span: float) -> Ruler:
    """The finest whole numbers in which the longest way there can be is below 2^120.

    >>> make_ruler(1000, 5, 100.0)
    Ruler(shift=0, fine=1099511627776, mask=15)
    """
    n_bits_via = (2 * k - 2).bit_length()
    n_bits = BITS - n_bits_via - n_rows.bit_length()
    n_bits_span = int(span).bit_length()
    shift = max(0, n_bits_span - n_bits // 2)
    left = n_bits - 2 * (n_bits_span - shift)
    return Ruler(shift=shift, fine=2 ** min(FINEST, left), mask=2**n_bits_via - 1)


def divide_line(task: Task, axis: Axis, k: int) -> None:
    """Divide the rows of `ppdt_coarse`, all in one part, into the classes of `ppdt_member`."""
    engine = task.engine
    engine.make("micro/point", names={"axes": [axis], "place": "ppdt_coarse"})
    n_finite, n_missing = (int(str(n)) for n in engine.row("line/held", names={"axis": axis}))
    if n_finite < k:
        # Neither they nor they without the rest are k rows: all are one class.
        engine.make("micro/whole", to="ppdt_member")
    else:
        ruler = make_ruler(n_finite, k, axis.span)
        engine.make("line/post", {"shift": ruler.shift}, {"axis": axis})
        _find_way(task, n_finite, k, ruler)
        engine.make("line/settled", {"k": k}, to="ppdt_member")
        if n_missing:
            params = {"is_apart": n_missing >= k}
            engine.append("line/missing", "ppdt_member", params, {"axis": axis})
    engine.drop("ppdt_point", "ppdt_post", "ppdt_stop")


def _find_way(task: Task, n_rows: int, k: int, ruler: Ruler) -> None:
    """The shortest way, as the nodes where it enters and leaves each block of k nodes."""
    engine = task.engine
    n_blocks = n_rows // k
    counts = [n_blocks]
    while counts[-1] > 1:
        counts.append((counts[-1] + 1) // 2)
    size = {"k": k, "n_blocks": n_blocks, "n_rows": n_rows}
    engine.make("line/leg", {**size, "fine": ruler.fine, "mask": ruler.mask}, to="ppdt_way_0")
    for level, n_below in enumerate(counts[:-1], start=1):
        params = {"last": n_below - 1, "mask": ruler.mask}
        engine.make("line/way", params, {"below": f"ppdt_way_{level - 1}"}, to=f"ppdt_way_{level}")
        if level == 1:
            engine.drop("ppdt_way_0")  # legs have no way between blocks: nobody walks back there
        task.progress("cluster", min(0.99, 1 - n_below / (2 * n_blocks)))
    top = len(counts) - 1
    engine.make("line/goal", {"exit": n_rows % k}, {"below": f"ppdt_way_{top}"}, to="ppdt_stop")
    for level in range(top, 0, -1):
        engine.make("line/stop", names={"below": f"ppdt_way_{level}"}, to="ppdt_next")
        engine.rename("ppdt_next", "ppdt_stop")
        engine.drop(f"ppdt_way_{level}")
    engine.drop("ppdt_way_0")
