"""Partitioning alone, ours against a plain C++ loop on the same codes.

`python tests/speed/against_cpp.py ROWS` needs g++; it takes the best of three of each, in one run.
With `--levels` it divides once more and shows the milliseconds of every level and step, which takes
a little longer than without looking.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import duckdb
import numpy as np

from ppdt_db.cli.bench.command import QUASI
from ppdt_db.encode.encode import encode
from ppdt_db.engine import DuckEngine
from ppdt_db.methods import Mondrian
from ppdt_db.methods.base import Task
from ppdt_db.policy.roles import Attribute, Policy, resolve
from ppdt_db.source.source import opened
from ppdt_db.sqltext.templates import Statement


class Watched(DuckEngine):
    """An engine that notes how long each step takes, level by level."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        super().__init__(con)
        self.levels: list[dict[str, float]] = [defaultdict(float)]

    def _execute(self, statement: Statement, params: Mapping[str, object]) -> list[tuple]:
        began = time.perf_counter()
        rows = super()._execute(statement, params)
        step = statement.step.rpartition("/")[2]
        if step.startswith("split"):
            self.levels.append(defaultdict(float))
        self.levels[-1][step] += time.perf_counter() - began
        return rows

    def table(self) -> str:
        """A line for each level and a column for each step, the dearest first; milliseconds."""
        total: dict[str, float] = defaultdict(float)
        for level in self.levels:
            for step, seconds in level.items():
                total[step] += seconds
        steps = sorted(total, key=lambda step: -total[step])
        lines = [f"{'level':>9} {'all':>9}" + "".join(f"{step:>{_wide(step)}}" for step in steps)]
        for name, level in [*enumerate(self.levels), ("all", total)]:
            cells = [f"{1000 * level.get(step, 0.0):>{_wide(step)}.1f}" for step in steps]
            lines.append(f"{name:>9} {1000 * sum(level.values()):>9.1f}" + "".join(cells))
        return "\n".join(lines)


def _wide(step: str) -> int:
    return max(8, len(step) + 1)


def main(n_rows: int, k: int = 10, tries: int = 3, *, has_levels: bool = False) -> None:
    """Measure and print both."""
    with tempfile.TemporaryDirectory() as place, duckdb.connect() as con:
        engine = DuckEngine(con)
        source = Path(place, "census.parquet")
        engine.copy("tools/bench/census", source, "parquet", names={"rows": n_rows})
        method = Mondrian(k=k)
        policy = Policy(quasi=[Attribute(name) for name in QUASI], keep="rest")
        ours: list[float] = []
        with opened(engine, source) as found, engine.unordered():
            roles, _, _ = resolve(policy, found.columns)
            encoded = encode(engine, found, roles, method.wants(roles), {})
            for _ in range(tries):
                began = time.perf_counter()
                method.form_classes(Task(engine=engine, encoded=encoded, run_key="bench"))
                ours.append(time.perf_counter() - began)
            if has_levels:
                watched = Watched(con)
                method.form_classes(Task(engine=watched, encoded=encoded, run_key="bench"))
                print(watched.table())
            n_classes = con.execute("SELECT count(DISTINCT class_id) FROM ppdt_member").fetchone()[
                0
            ]
            codes = con.execute(
                f"SELECT {', '.join(a.code for a in encoded.attributes)} FROM ppdt_row "
                "INNER JOIN ppdt_cell USING (cell_id)"
            ).fetchnumpy()
        plain = Path(place, "codes.bin")
        np.stack([codes[a.code] for a in encoded.attributes], axis=1).astype(np.uint8).tofile(plain)
        theirs = _cpp(Path(place), plain, n_rows, k, encoded.attributes, tries)
    best, yardstick = min(ours), min(run["seconds"] for run in theirs)
    result = {
        "rows": n_rows,
        "ours_seconds": round(best, 3),
        "cpp_seconds": yardstick,
        "ratio": round(best / yardstick, 1),
        "ours_classes": n_classes,
        "cpp_classes": theirs[0]["classes"],
    }
    print(json.dumps(result, indent=2))


def _cpp(place: Path, plain: Path, n_rows: int, k: int, attributes: list, tries: int) -> list[dict]:
    program = place / "mondrian"
    text = Path(__file__).with_name("mondrian.cpp")
    subprocess.run(["g++", "-O2", "-std=c++17", str(text), "-o", str(program)], check=True)
    ordered = [str(int(a.kind == "ordered")) for a in attributes]
    call = [str(program), str(plain), str(n_rows), str(len(attributes)), str(k), *ordered]
    return [
        json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
        for _ in range(tries)
    ]


if __name__ == "__main__":
    main(int(sys.argv[1]), has_levels="--levels" in sys.argv[2:])
