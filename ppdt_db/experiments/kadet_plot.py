"""Plot figures 4 to 8 of Friedman et al., one panel each."""

from collections.abc import Sequence
from math import log

from ppdt_db.evaluate.plot import HEIGHT, WIDTH, Curve, Panel, drawn, scale, up
from ppdt_db.experiments.kadet_figures import FigureData

# A name has the same colour in every panel; forms have the colours of ID3 and C4.5.
NAMES = {"kadet": "kADET", "id3": "ID3", "c45": "C4.5", "tds": "TDS"}
TITLES = {
    4: "Figure 4: ID3 form, error %",
    5: "Figure 5: C4.5 form, error %",
    6: "Figure 6: both forms, exposed rows %",
    7: "Figure 7: ID3 form, error %",
    8: "Figure 8: C4.5 form, error %",
}
COLOURS = {name: number for number, name in enumerate(NAMES)}
APART, BESIDE, BELOW = 26, 70, 110  # labels, panels in a row, rows


def as_svg(figures: Sequence[FigureData]) -> str:
    """Return the plot as SVG, two panels in a row."""
    panels = [_panel(one, number) for number, one in enumerate(figures)]
    names = [
        n
        for name, n in NAMES.items()
        if name != "tds" or any(o.below_tds is not None for o in figures)
    ]
    title = "k-anonymous decision trees on Adult (dashed: without anonymity)"
    return drawn(title, panels, names)


def _panel(one: FigureData, number: int) -> Panel:
    points = _points(one)
    heights = [y for curve in points.values() for _, y in curve] + list(one.original.values())
    low, high, marks = scale(min(heights), max(heights))
    places = sorted({x for curve in points.values() for x, _ in curve})
    across = _Axis(places, is_log=one.figure.axis == "k")
    curves = [
        Curve(
            name=NAMES[name],
            number=COLOURS[name],
            points=[
                (across(x), up(y, low, high), f"{NAMES[name]}, {one.figure.axis} {x:g}: {y:.2f} %")
                for x, y in curve
            ],
        )
        for name, curve in points.items()
    ]
    curves += [
        Curve(
            name=NAMES[name], number=COLOURS[name], points=[], level=up(error, low, high),
            level_text=f"{NAMES[name]} without anonymity: {error:.2f} %",
        )
        for name, error in one.original.items()
    ]  # fmt: skip
    return Panel(
        title=TITLES[one.figure.number],
        left=60 + number % 2 * (WIDTH + BESIDE),
        top=40 + number // 2 * (HEIGHT + BELOW),
        curves=curves,
        marks=[(up(mark, low, high), f"{mark:g}") for mark in marks],
        ks=across.labels(places),
        across="k" if one.figure.axis == "k" else "confidence limit, %",
    )


def _points(one: FigureData) -> dict[str, list[tuple[float, float]]]:
    """Return every curve's points: errors, or the exposed rows of both forms."""
    lines = sorted(one.lines, key=lambda line: line.place)
    if one.figure.number == EXPOSED:
        return {
            form: [(n.place, n.exposed) for n in lines if n.form == form and n.exposed is not None]
            for form in one.figure.forms
        }
    found = {"kadet": [(line.place, line.error) for line in lines]}
    rival = [(line.place, line.tds_error) for line in lines if line.tds_error is not None]
    return {**found, "tds": rival} if rival else found


EXPOSED = 6


class _Axis:
    """The position of a value on the horizontal axis: k evenly in its logarithm."""

    def __init__(self, places: Sequence[float], *, is_log: bool) -> None:
        self.is_log = is_log
        self.low, self.high = self._at(places[0]), self._at(places[-1])

    def _at(self, place: float) -> float:
        return log(place) if self.is_log else place

    def __call__(self, place: float) -> float:
        if self.high == self.low:
            return WIDTH / 2
        return 12 + (WIDTH - 24) * (self._at(place) - self.low) / (self.high - self.low)

    def labels(self, places: Sequence[float]) -> list[tuple[float, str]]:
        """Return the values that have room for a label each, from the left."""
        found: list[tuple[float, str]] = []
        for place in places:
            if not found or self(place) - found[-1][0] > APART:
                found.append((self(place), f"{place:g}"))
        return found
