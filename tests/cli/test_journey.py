"""How far a run is said to be: over all stages, never backwards, quiet when asked."""

import os
import pty
import subprocess
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import FLAGS, command, make_database, ppdt

from ppdt_db.cli import progress_display as shown
from ppdt_db.cli.progress_model import METHOD, WEIGHTS, RunProgress, in_words


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


stages = st.lists(
    st.tuples(
        st.sampled_from([*WEIGHTS, "grow", "prune"]), st.floats(0, 1), st.floats(0, 100)
    ),
    max_size=20,
)  # fmt: skip


@given(stages, st.one_of(st.none(), st.fixed_dictionaries(dict.fromkeys(WEIGHTS, st.floats(1, 9)))))
def test_a_share_never_falls_and_never_ends_too_early(
    reports: list[tuple[str, float, float]], expected: dict[str, float] | None
) -> None:
    clock = Clock()
    journey = RunProgress(clock)
    if expected is not None:
        journey.expect(expected)
    before = 0.0
    for stage, share, seconds in reports:
        journey.report(stage, share)
        clock.now += seconds
        snapshot = journey.snapshot()
        assert before <= snapshot.share <= 1.0 + 1e-9
        assert snapshot.seconds_left is None or snapshot.seconds_left >= 0
        assert snapshot.stage == stage
        before = snapshot.share


def test_a_run_at_the_usual_pace_is_told_right() -> None:
    clock = Clock()
    journey = RunProgress(clock)
    spent = 0.0
    for stage, weight in WEIGHTS.items():
        for part in range(10):
            # Only the method says how far it is; the others are known by their time.
            journey.report(stage, part / 10 if stage == METHOD else 0.0)
            snapshot = journey.snapshot()
            if spent > 20:
                assert snapshot.share == pytest.approx(spent / 100, abs=0.02)
                assert snapshot.seconds_left == pytest.approx(100 - spent, abs=8)
            clock.now += 10 * weight
            spent += 10 * weight


def test_a_plan_tells_the_time_from_the_start() -> None:
    clock = Clock()
    journey = RunProgress(clock)
    journey.expect({"encode": 10.0, "partition": 60.0, "recode": 10.0, "audit": 20.0})
    journey.report("encode", 0.0)
    assert journey.snapshot().seconds_left == pytest.approx(100.0)
    clock.now += 5
    assert journey.snapshot().share == pytest.approx(0.05)
    assert journey.snapshot().seconds_left == pytest.approx(95.0, abs=1)


def test_no_time_is_told_where_a_stage_takes_much_longer_than_expected() -> None:
    clock = Clock()
    journey = RunProgress(clock)
    for stage, seconds in (("encode", 10), ("partition", 1), ("recode", 5)):
        journey.report(stage, 0.0)
        clock.now += seconds
    journey.report("audit", 0.0)
    clock.now += 1
    assert journey.snapshot().seconds_left is not None
    shares = []
    for _ in range(20):
        clock.now += 10
        shares.append(journey.snapshot().share)
    assert shares == sorted(shares) and shares[-1] < 1
    assert journey.snapshot().seconds_left is None


@pytest.mark.parametrize(
    "seconds, words", [(0.0, "1 s"), (59.6, "60 s"), (180.0, "3 min"), (7200.0, "2.0 h")]
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


def test_lines_come_now_and_then_where_nobody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_database(tmp_path / "clinic.duckdb")
    args = ["patients", "--db", path, *FLAGS, "--k", 5, "--into"]
    assert "ppdt:" not in ppdt("anonymize", *args, "short").err
    monkeypatch.setattr(shown, "LINE_PAUSE", 0.02)
    told = [line for line in ppdt("anonymize", *args, "told").err.splitlines() if "ppdt:" in line]
    assert told and all(" %" in line for line in told)
    assert "ppdt:" not in ppdt("anonymize", *args, "quiet", "--quiet").err


def test_a_person_sees_one_bar(tmp_path: Path) -> None:
    duckdb.sql(
        f"COPY (SELECT i % 97 AS a, i % 89 AS b, i % 13 AS c FROM range(100000) r(i)) "
        f"TO '{tmp_path}/s.parquet'"
    )
    args = [tmp_path / "s.parquet", "--qi", "a,b,c", "--k", 5, "--out", tmp_path / "o.parquet"]
    screen, end = pty.openpty()
    process = subprocess.Popen(command("anonymize", *args), stderr=end, stdout=subprocess.DEVNULL)
    os.close(end)
    seen = b""
    while True:
        try:
            some = os.read(screen, 4096)
        except OSError:
            break
        if not some:
            break
        seen += some
    os.close(screen)
    assert process.wait() == 0
    text = seen.decode()
    assert " %" in text and ("partitioning" in text or "encoding" in text)
