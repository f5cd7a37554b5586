"""`ppdt bench paper`: the experiments of papers, published figures beside measured ones."""

from dataclasses import asdict
from pathlib import Path

import click

from ppdt_db.cli.bench.erp import erp
from ppdt_db.cli.bench.kactus import kactus
from ppdt_db.cli.bench.kadet import kadet
from ppdt_db.cli.bench.mict import mict
from ppdt_db.cli.bench.options import data_with, measuring
from ppdt_db.cli.command import Group
from ppdt_db.cli.terminal import lines, print_json, progress
from ppdt_db.engine import connect
from ppdt_db.experiments import shao as of_shao


@click.group(cls=Group)
def paper() -> None:
    """Repeat the experiment of a paper."""


paper.add_command(erp)
paper.add_command(kactus)
paper.add_command(kadet)
paper.add_command(mict)


@paper.command()
@data_with("adult_train.csv and adult_test.csv")
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="How often all is repeated, each time with another seed.",
)
@measuring
def shao(
    data: Path, seeds: int, threads: int | None, memory_limit: str | None, is_json: bool
) -> None:
    """Shao and Beckford: ID3 trained on set-generalized Adult."""
    with (
        connect(None, threads=threads, memory_limit=memory_limit) as con,
        progress(is_quiet=is_json) as report,
    ):
        found = of_shao.shao(con, data, n_seeds=seeds, progress=report)
    if is_json:
        print_json({**asdict(found), "paper_plain": of_shao.PLAIN, "finding": of_shao.FINDING})
        return
    plain = ", ".join(f"{found.plain[ties]:.2f} (ties: {ties} class)" for ties in found.plain)
    click.echo(f"Plain ID3: {plain}; paper {of_shao.PLAIN:.2f}.\n")
    cells = [
        (str(r.n_quasi), r.paper, str(r.fractional), str(r.each_member),
         str(r.each_member_without_country))
        for r in found.roots
    ]  # fmt: skip
    lines("Figure 2: six quasi-identifiers", HEADS_2, [_by_k(line) for line in found.by_k])
    lines("Figure 3: k = 64", HEADS_3, [_by_quasi(line) for line in found.by_quasi])
    lines("Table IV: the root (k = 64, cuts at the median)", HEADS_4, cells)
    click.echo("\n" + of_shao.FINDING)


MEASURED = ("GCP", "accuracy %", "spread", "points lost")
HEADS_2 = ("criterion", "k", *MEASURED, "paper")
HEADS_3 = ("criterion", "QIs", *MEASURED, "root", "paper's")
HEADS_4 = ("QIs", "paper", "as described", "each member 1", "and native_country no QI")


def _by_k(line: of_shao.ShaoLine) -> tuple[str, ...]:
    published = "" if line.paper is None else f"{line.paper:.2f}"
    return (line.criterion, str(line.k), *_figures(line), published)


def _by_quasi(line: of_shao.ShaoLine) -> tuple[str, ...]:
    return (
        line.criterion, str(line.n_quasi), *_figures(line), str(line.root), str(line.paper),
    )  # fmt: skip


def _figures(line: of_shao.ShaoLine) -> tuple[str, ...]:
    gcp = "" if line.gcp is None else f"{line.gcp:.3f}"
    return gcp, f"{line.accuracy:.2f}", f"{line.spread:.2f}", f"{line.loss:.2f}"
