"""The page of a report: HTML in one file, with charts that work without scripts or a network."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ppdt_db.catalog import Entry
from ppdt_db.drawn import Drawn
from ppdt_db.figures import amount, one_in
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


@dataclass(frozen=True, kw_only=True)
class Role:
    """Columns of one role, and what became of them."""

    name: str
    columns: Sequence[str]
    shown: str


def roles(certificate: Mapping[str, object]) -> list[Role]:
    """What every column of the source was taken for."""
    policy = certificate["policy"]
    assert isinstance(policy, dict)
    trees = policy["hierarchies"]
    found = [
        Role(name="quasi-identifier", columns=[name], shown=_shape(str(shape), trees.get(name)))
        for name, shape in policy["quasi_identifiers"].items()
    ]
    listed = {
        "sensitive": (policy["sensitive"], "as it is"),
        "target": ([policy["target"]] if policy.get("target") else [], "as it is"),
        "kept": (policy["kept"], "as it is"),
        "pseudonymized": (policy.get("pseudonymized", []), "a keyed pseudonym"),
        "identifier": (policy.get("identifiers_dropped", []), "not released"),
        "entity": ([policy["entity"]] if policy.get("entity") else [], "counted, not released"),
    }
    found += [
        Role(name=name, columns=columns, shown=shown)
        for name, (columns, shown) in listed.items()
        if columns
    ]
    return found


def _shape(shape: str, tree: str | None) -> str:
    words = {"range": "ranges", "set": "sets", "bounds": "lower and upper bounds", "mean": "means",
             "mode": "most frequent values", "node": "nodes of a hierarchy",
             "value": "single values, or nothing"}  # fmt: skip
    return f"{words.get(shape, shape)}{f' ({tree})' if tree else ''}"


def breakable(name: object) -> Markup:
    """A name that a narrow column may break where its words end, and nowhere else."""
    return Markup(re.sub(r"([_.,:/-])(?=[^\W\d])", r"\1<wbr>", str(escape(name))))


def page(entry: Entry, charts: Sequence[Chart], tree: Drawn | None = None) -> str:
    """The whole page."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"amount": amount, "one_in": one_in, "breakable": breakable}
    # The tree's thresholds are values of the source: the page draws it, and does not quote it.
    told = {name: value for name, value in entry.certificate.items() if name != "tree"}
    return environment.get_template("page.html").render(
        entry=entry,
        proof=entry.certificate,
        charts=charts,
        tree=tree,
        text=as_json(told),
        roles=roles(entry.certificate),
    )
