"""`ppdt bench paper`: the experiments of papers, published figures beside measured ones."""

import click

from ppdt_db.cli.bench.erp import erp
from ppdt_db.cli.bench.kactus import kactus
from ppdt_db.cli.bench.kadet import kadet
from ppdt_db.cli.bench.mict import mict
from ppdt_db.cli.bench.shao import shao
from ppdt_db.cli.command import Group


@click.group(cls=Group)
def paper() -> None:
    """Repeat the experiment of a paper."""


paper.add_command(erp)
paper.add_command(kactus)
paper.add_command(kadet)
paper.add_command(mict)
paper.add_command(shao)
