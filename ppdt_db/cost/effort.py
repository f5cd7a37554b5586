"""Effort: what the stages of a method run, counted: what a plan knows before it tries anything.

A statement takes about as long to plan whatever it reads, and each row its share. How many
statements there are follows from the method alone, so it is stated where the method is, and tests
count them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log2

from ppdt_db.gauge import BY_LEVEL, Held, resident
from ppdt_db.laws import Size, Trial

# Measured with `python -m tests.speed.plans`; trials correct them where they are worth their time.
STATEMENT_SECONDS = 0.0018
COLUMN_BYTES = 22
SHOWN_BYTES = 25
BUFFERS = Held(tables=0, others=64 * 2**20)


@dataclass(frozen=True, kw_only=True)
class Effort:
    """What one stage runs: statements by what needs them, microseconds by what is looked at."""

    once: float = 0.0
    per_attribute: float = 0.0
    per_level: float = 0.0
    per_class: float = 0.0
    row_micros: float = 0.0
    cell_micros: float = 0.0
    """Of every row, or cell, and attribute."""
    level_micros: float = 0.0
    """The same in every level."""
    pair_micros: float = 0.0
    """Of every pair of a row and a class, and attribute."""
    levels_per_halving: float = 0.0
    """How many levels it takes to make pieces half as large; they are uneven."""
    piece: int | None = None
    """How many rows the pieces have in the end: k, unless it is told."""

    def levels(self, size: Size, k: int) -> int:
        """Return how many levels there are."""
        if not self.levels_per_halving:
            return 0
        pieces = size.n_cells / self.piece if self.piece else min(size.n_rows / k, size.n_cells)
        return max(1, round(self.levels_per_halving * log2(max(2.0, pieces))))

    def statements(self, size: Size, k: int, n_attributes: int) -> float:
        """Return how many statements there are.

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
        """Return how long it works, of all processors together."""
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
    """Return what a run of a size would be, as far as counts alone tell."""
    stages = {**BEFORE, **own, **AFTER}
    work = {name: stage.seconds(size, k, n_attributes) for name, stage in stages.items()}
    held = Held(tables=size.n_rows * n_columns * COLUMN_BYTES, others=BUFFERS.others)
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
    """Correct a guess, stage by stage, by how much the guess of a trial was off."""

    def off(stage: str) -> float:
        told, found = guess_of_trial.work_seconds.get(stage, 0.0), trial.work_seconds[stage]
        return found / told if told else 1.0

    work = {
        stage: guess.work_seconds.get(stage, trial.work_seconds[stage]) * off(stage)
        for stage in trial.work_seconds
    }
    more = guess.size.kept("encode") / trial.size.kept("encode")
    held = {
        stage: Held(tables=round(held.tables * more), others=held.others)
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
