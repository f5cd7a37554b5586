"""Plot accuracy and information loss against k: as SVG, or as PNG with an extra."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import ceil, floor, log
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ppdt_db.errors import EngineError, RequestError
from ppdt_db.evaluate.result import Comparison, Evaluation

WIDTH, HEIGHT = 340.0, 220.0
# The distance from the axes of one comparison to those of the next.
STEP = 300.0


@dataclass(frozen=True, kw_only=True)
class LossAxis:
    """The axis of the information loss; if it `is_shared`, one curve stands for all learners."""

    title: str
    unit: str
    of: Callable[[Evaluation], float | None]
    is_shared: bool = False


GCP = LossAxis(title="information lost (GCP)", unit="GCP", of=lambda one: one.gcp)


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One learner's curve."""

    name: str
    number: int
    points: Sequence[tuple[float, float, str]]
    level: float | None = None
    level_text: str = ""

    @property
    def path(self) -> str:
        """The points in the form of an SVG polyline."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in self.points)


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One pair of axes."""

    title: str
    left: float
    curves: Sequence[Curve]
    marks: Sequence[tuple[float, str]]
    ks: Sequence[tuple[float, str]]
    top: float = 40
    across: str = "k"
    """The label of the horizontal axis."""


def check_plot(path: Path) -> None:
    """Raise, before any work, if the plot could not be written at the end."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise RequestError(f"--plot {path}: the extension must be .svg or .png.")
    if not path.parent.is_dir():
        raise RequestError(f"--plot {path}: the folder does not exist. Create it first.")
    if path.suffix.lower() == ".png":
        _png_writer()


def plot(found: Comparison | Mapping[str, Comparison], path: Path, loss: LossAxis = GCP) -> None:
    """Write the plot in the format of the file's extension; several comparisons by name."""
    write_plot(as_svg(found if isinstance(found, Mapping) else {"": found}, loss), path)


def write_plot(text: str, path: Path) -> None:
    """Write an SVG plot in the format of the file's extension."""
    try:
        if path.suffix.lower() == ".png":
            _png_writer()(bytestring=text.encode(), write_to=str(path), scale=2)
        else:
            path.write_text(text, "utf-8")
    except OSError as error:
        raise EngineError(f"{path} cannot be written: {error.strerror}.") from None


def as_svg(found: Mapping[str, Comparison], loss: LossAxis = GCP) -> str:
    """Return the plot as SVG, readable on light and dark pages."""
    panels: list[Panel] = []
    names: dict[str, None] = {}
    for number, (name, comparison) in enumerate(found.items()):
        groups = _groups(comparison)
        names |= dict.fromkeys(group[0].learner for group in groups)
        top, start = 40 + number * STEP, f"{name}: " if name else ""
        panels += [_accuracy(groups, start, top), _loss(groups, loss, start, top)]
    drawn_names = list(names) if len(names) > 1 else []
    return drawn("Accuracy and information lost against k", panels, drawn_names)


def drawn(title: str, panels: Sequence[Panel], names: Sequence[str]) -> str:
    """Return panels as SVG; below them the legend, if there is one."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    bottom = max(panel.top for panel in panels) + HEIGHT
    return environment.get_template("plot.svg").render(
        title=title, panels=panels, width=WIDTH, height=HEIGHT, bottom=bottom, names=names,
    )  # fmt: skip


def _groups(found: Comparison) -> list[list[Evaluation]]:
    """Return the evaluations of a comparison for each learner, by k."""
    by_learner: dict[str, list[Evaluation]] = {}
    for one in found.evaluations:
        if one.k is not None:
            by_learner.setdefault(one.learner, []).append(one)
    return [sorted(group, key=lambda e: e.k or 0) for group in by_learner.values()]


def _accuracy(groups: Sequence[Sequence[Evaluation]], start: str, top: float) -> Panel:
    heights = [100 * one.accuracy_mean for group in groups for one in group]
    heights += [100 * (one.original_accuracy_mean or 0.0) for group in groups for one in group]
    low, high, marks = scale(min(heights), max(heights))
    place = _placed(groups)
    curves = []
    for number, group in enumerate(groups):
        level = 100 * (group[0].original_accuracy_mean or 0.0)
        points = [
            (place(one), up(100 * one.accuracy_mean, low, high),
             f"{one.name}: {100 * one.accuracy_mean:.2f} %")
            for one in group
        ]  # fmt: skip
        curves.append(
            Curve(
                name=group[0].learner,
                number=number,
                points=points,
                level=up(level, low, high),
                level_text=f"{group[0].learner}, original: {level:.2f} %",
            )
        )
    return Panel(
        title=f"{start}accuracy, % (dashed: original)", left=60, top=top, curves=curves,
        ks=_k_labels(groups), marks=[(up(mark, low, high), f"{mark:g}") for mark in marks],
    )  # fmt: skip


def _loss(groups: Sequence[Sequence[Evaluation]], loss: LossAxis, start: str, top: float) -> Panel:
    place = _placed(groups)
    most = max((loss.of(one) or 0.0 for group in groups for one in group), default=0.0)
    _, high, marks = scale(0.0, max(most, 0.01))
    own = groups[:1] if loss.is_shared else groups
    curves = []
    for number, group in enumerate(own, start=len(groups) if loss.is_shared else 0):
        known = [(one, value) for one in group if (value := loss.of(one)) is not None]
        curves.append(
            Curve(
                name="" if loss.is_shared else group[0].learner,
                number=number,
                points=[
                    (place(one), up(value, 0.0, high),
                     f"{f'k={one.k}' if loss.is_shared else one.name}: {loss.unit} {value:.3f}")
                    for one, value in known
                ],
            )
        )  # fmt: skip
    return Panel(
        title=f"{start}{loss.title}", left=60 + WIDTH + 70, top=top, curves=curves,
        ks=_k_labels(groups), marks=[(up(mark, 0.0, high), f"{mark:g}") for mark in marks],
    )  # fmt: skip


class _placed:  # noqa: N801
    """The position of a k on the axis, which is logarithmic."""

    def __init__(self, groups: Sequence[Sequence[Evaluation]]) -> None:
        ks = [one.k or 1 for group in groups for one in group]
        self.low, self.high = log(min(ks)), log(max(ks))

    def __call__(self, one: Evaluation) -> float:
        if self.high == self.low:
            return WIDTH / 2
        return 12 + (WIDTH - 24) * (log(one.k or 1) - self.low) / (self.high - self.low)


def _k_labels(groups: Sequence[Sequence[Evaluation]]) -> list[tuple[float, str]]:
    """Return the labels of the axis; of two that would overlap, the later one is left out."""
    place = _placed(groups)
    found: list[tuple[float, str]] = []
    for one in sorted((one for group in groups for one in group), key=lambda e: e.k or 0):
        if not found or place(one) - found[-1][0] > 22:
            found.append((place(one), f"{one.k:,}"))
    return found


def up(value: float, low: float, high: float) -> float:
    """Return the vertical position of a value on an axis."""
    return HEIGHT * (1 - (value - low) / (high - low))


def scale(least: float, most: float) -> tuple[float, float, list[float]]:
    """Return round ends of an axis, and three to seven ticks between them."""
    span = max(most - least, 1e-3)
    power = 10.0 ** floor(log(span, 10))
    step = next(power * part for part in (0.2, 0.5, 1.0, 2.0) if span / (power * part) <= 6)
    low, high = floor(least / step) * step, ceil(most / step) * step
    high = high if high > low else low + step
    return low, high, [round(low + i * step, 10) for i in range(round((high - low) / step) + 1)]


def _png_writer() -> Callable[..., object]:
    try:
        writer: Callable[..., object] = import_module("cairosvg").svg2png
        return writer
    except (ImportError, OSError):
        raise RequestError(
            "--plot FILE.png needs an extra: pip install 'ppdt-db[png]' (and the Cairo "
            "library). FILE.svg does not."
        ) from None
