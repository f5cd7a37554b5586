"""The number of statements and the work of each stage: a plan's estimate before any trial.

Planning a statement takes about the same time whatever it reads; executing it takes time per row.
The number of statements depends on the method alone, so each method declares it, and tests count
them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log2

from ppdt_db.cost.monitor import BY_LEVEL, EngineBytes, resident
from ppdt_db.cost.scaling import Law, Size, Trial

# Measured with `python -m tests.speed.plans`; trials correct them where a trial is worthwhile.
STATEMENT_SECONDS = 0.0018
COLUMN_BYTES = 22
SHOWN_BYTES = 25
BUFFERS = EngineBytes(tables=0, others=64 * 2**20)


@dataclass(frozen=True, kw_only=True)
class Effort:
    """The work of one stage: statements by what causes them, microseconds by row or cell."""

    once: float = 0.0
    per_attribute: float = 0.0
    per_level: float = 0.0
    per_class: float = 0.0
    row_micros: float = 0.0
    cell_micros: float = 0.0
    """Per row or cell, and attribute."""
    level_micros: float = 0.0
    """The same, per level."""
    pair_micros: float = 0.0
    """Per pair of row and class, and attribute."""
    levels_per_halving: float = 0.0
    """The number of levels that halve the pieces; more than 1, as pieces are uneven."""
    law: Law = field(default_factory=Law)
    """The growth of the work beyond what trials measure."""
    piece: int | None = None
    """The number of rows in a final piece: k by default."""

    def levels(self, size: Size, k: int) -> int:
        """Return the number of levels."""
        if not self.levels_per_halving:
            return 0
        pieces = size.n_cells / self.piece if self.piece else min(size.n_rows / k, size.n_cells)
        return max(1, round(self.levels_per_halving * log2(max(2.0, pieces))))

    def statements(self, size: Size, k: int, n_attributes: int) -> float:
        """Return the number of statements.

        >>> Effort(once=10, per_class=4).statements(Size(n_rows=1000, n_cells=70), 10, 3)
        410.0
        """
        return (
            self.once
            + self.per_attribute * n_attributes
            + self.per_level * self.levels(size, k)
            + self.per_class * size.n_rows / k
        )

    def seconds(self, size: Size, k: int, n_attributes: int) -> float:
        """Return the processor time in seconds."""
        micros = (
            self.row_micros * size.n_rows
            + self.cell_micros * size.n_cells
            + self.level_micros * size.n_cells * self.levels(size, k)
            + self.pair_micros * size.n_rows * size.n_rows / k
        )
        statements = self.statements(size, k, n_attributes)
        return STATEMENT_SECONDS * statements + micros * n_attributes / 1e6


# What all methods share, before and after their own stages.
BEFORE = {"encode": Effort(once=12, per_attribute=4, row_micros=0.6)}
AFTER = {
    "recode": Effort(once=14, row_micros=0.15),
    "audit": Effort(once=55, per_attribute=4, row_micros=0.7),
}


def guessed(
    own: Mapping[str, Effort], size: Size, *, k: int, n_attributes: int, n_columns: int
) -> Trial:
    """Return the expected cost of a run of a size, from counts alone."""
    stages = {**BEFORE, **own, **AFTER}
    work = {name: stage.seconds(size, k, n_attributes) for name, stage in stages.items()}
    held = EngineBytes(tables=size.n_rows * n_columns * COLUMN_BYTES, others=BUFFERS.others)
    return Trial(
        size=size,
        n_levels=next((own[stage].levels(size, k) for stage in BY_LEVEL if stage in own), 0),
        row_bytes=n_columns * SHOWN_BYTES,
        seconds=work,
        work_seconds=work,
        held_bytes=dict.fromkeys(work, held),
        own_bytes=resident(),
    )


def corrected(guess: Trial, guess_of_trial: Trial, trial: Trial) -> Trial:
    """Return a guess corrected stage by stage, by the error of the guess for a trial."""

    def off(stage: str) -> float:
        guessed, measured = guess_of_trial.work_seconds.get(stage, 0.0), trial.work_seconds[stage]
        return measured / guessed if guessed else 1.0

    work = {
        stage: guess.work_seconds.get(stage, trial.work_seconds[stage]) * off(stage)
        for stage in trial.work_seconds
    }
    more = guess.size.kept("encode") / trial.size.kept("encode")
    held = {
        stage: EngineBytes(tables=round(held.tables * more), others=held.others)
        for stage, held in trial.held_bytes.items()
    }
    by_clock = {
        stage: spent * trial.seconds[stage] / (trial.work_seconds[stage] or 1.0)
        for stage, spent in work.items()
    }
    more_levels = guess.n_levels - guess_of_trial.n_levels
    return Trial(
        size=guess.size,
        n_levels=max(1, trial.n_levels + more_levels) if trial.n_levels else 0,
        row_bytes=trial.row_bytes,
        seconds=by_clock,
        work_seconds=work,
        held_bytes=held,
        own_bytes=trial.own_bytes,
    )
