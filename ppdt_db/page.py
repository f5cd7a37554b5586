"""The page of a report: HTML in one file, with charts that work without scripts or a network."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ppdt_db.catalog import Entry
from ppdt_db.drawn import Drawn
from ppdt_db.json_text import as_json


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar, or a pair of them."""

    label: str
    after: float
    before: float | None = None


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart of horizontal bars, and its table."""

    title: str
    text: str
    unit: str
    heading: str
    bars: Sequence[Bar]
    is_compared: bool = False
    whole: float | None = None
    untold: str = ""

    @property
    def most(self) -> float:
        """What the full width stands for."""
        found = [max(bar.after, bar.before or 0) for bar in self.bars]
        return self.whole or max([*found, 1e-9])


def amount(value: object) -> str:
    """A number as people read it."""
    if value is None:
        return "not measured"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) or (isinstance(value, float) and value == int(value)):
        return f"{int(value):,}"
    return f"{value:,.4g}" if isinstance(value, float) else str(value)


def page(entry: Entry, charts: Sequence[Chart], tree: Drawn | None = None) -> str:
    """The whole page."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["amount"] = amount
    # The tree's thresholds are values of the source: the page draws it, and does not quote it.
    told = {name: value for name, value in entry.certificate.items() if name != "tree"}
    return environment.get_template("page.html").render(
        entry=entry, proof=entry.certificate, charts=charts, tree=tree, text=as_json(told)
    )
