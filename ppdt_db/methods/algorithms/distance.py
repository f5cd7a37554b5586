"""Axis: how far rows lie apart, one axis for each quasi-identifier.

ppdt_code_<i> ──▶ ppdt_axis_<i> (coordinates of numbers) ──▶ factors and costs, all in one scale
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import frexp, isfinite, sqrt
from typing import Literal, get_args

from ppdt_db.coded import Coded, Encoded
from ppdt_db.engine import Engine
from ppdt_db.policy import raise_all

Scale = Literal["deviation", "range", "none"]
SCALES: tuple[str, ...] = get_args(Scale)
FULL = 2.0**30
"""The whole number that stands for the largest distance that a table allows."""


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What counts how much in a distance."""

    scale: Scale = "deviation"
    gamma: float = 1.0
    weights: Mapping[str, float] | None = None

    def weight(self, name: str) -> float:
        """How much an attribute counts."""
        return float((self.weights or {}).get(name, 1.0))


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One quasi-identifier as the templates measure it.

    `stretch` turns a step of a number into the unit of the loss, `penalty` is the loss of a
    category that differs; `unit` turns both into the whole numbers of a distance.
    """

    position: int
    is_number: bool
    has_null: bool
    stretch: float = 0.0
    span: float = 0.0
    penalty: float = 0.0
    unit: float = 1.0

    @property
    def column(self) -> str:
        """Its column among the points."""
        return f"v{self.position}"

    @property
    def code(self) -> str:
        """The column of its codes in the cells."""
        return f"q{self.position}"

    @property
    def square(self) -> float:
        """The loss of a number that is one step off."""
        return self.stretch**2

    @property
    def far_square(self) -> float:
        """The loss of a number that is missing; infinite where floats cannot hold it."""
        reach = self.stretch * self.span
        return reach * reach

    @property
    def factor(self) -> float:
        """What a squared step counts in a distance."""
        return (self.stretch * self.unit) ** 2

    @property
    def far(self) -> float:
        """What a missing number counts in a distance, squared."""
        return (self.stretch * self.span * self.unit) ** 2

    @property
    def cost(self) -> int:
        """What a category that differs counts in a distance."""
        return round(self.penalty * self.unit)


@dataclass(frozen=True, kw_only=True)
class Loss:
    """What a release loses: within its classes, and if all rows were one class."""

    sse: float
    sst: float

    @property
    def il(self) -> float:
        """The share that is lost, in percent."""
        return round(100 * self.sse / self.sst, 12) if self.sst else 0.0

    @property
    def figures(self) -> dict[str, object]:
        """For the certificate."""
        return {"sse": self.sse, "sst": self.sst, "il": self.il}


def make_axes(engine: Engine, encoded: Encoded, measure: Measure) -> list[Axis]:
    """Lay out the coordinates of all numbers, and say what counts how much."""
    axes = [_axis(engine, attribute, measure) for attribute in encoded.attributes]
    raise_all(
        [
            f'scale {measure.scale}: the squared distances of "{attribute.name}" are too large for '
            "a DOUBLE. Take deviation or range, or a smaller weight."
            for attribute, axis in zip(encoded.attributes, axes, strict=True)
            if not isfinite(axis.far_square)
        ]
    )
    longest = sqrt(sum(axis.far_square for axis in axes)) + sum(axis.penalty for axis in axes)
    return [replace(axis, unit=FULL / longest if longest else 1.0) for axis in axes]


def fineness(axes: Sequence[Axis]) -> float:
    """Into how many parts the unit of the loss is divided: 2^40, or what 2^31 rows allow.

    >>> fineness([Axis(position=0, is_number=True, has_null=False, stretch=1.0, span=2.0**60)])
    4.656612873077393e-10
    """
    largest = sum(axis.far_square + axis.penalty for axis in axes)
    return 2.0 ** min(40, 90 - max(0, frexp(largest)[1]))


def drop_axes(engine: Engine, axes: Sequence[Axis]) -> None:
    """Remove the coordinates."""
    engine.drop(*(f"ppdt_axis_{axis.position}" for axis in axes if axis.is_number))


def _axis(engine: Engine, attribute: Coded, measure: Measure) -> Axis:
    weight = measure.weight(attribute.name)
    if attribute.kind != "ordered":
        return Axis(
            position=attribute.position,
            is_number=False,
            has_null=attribute.has_null,
            penalty=measure.gamma * weight,
        )
    names = {"attribute": attribute}
    engine.make("micro/axis", names=names, to=f"ppdt_axis_{attribute.position}")
    n_values, total, squares, span, step = engine.row("micro/spread", names=names)
    assert isinstance(n_values, int) and isinstance(total, int) and isinstance(squares, int)
    assert isinstance(span, float) and isinstance(step, float)
    lengths = {
        "deviation": sqrt(n_values * squares - total**2) / n_values if n_values else 0.0,
        "range": span,
    }
    if measure.scale == "none":
        stretch = weight * step * value_of_unit(attribute)
    else:
        length = lengths[measure.scale]
        stretch = weight / length if length else 0.0
    return Axis(
        position=attribute.position,
        is_number=True,
        has_null=attribute.n_special > 0,
        stretch=stretch,
        span=span,
    )


def value_of_unit(attribute: Coded) -> float:
    """How large the smallest step of an attribute is: in its own unit, days or seconds."""
    if attribute.is_scaled:
        return attribute.magnitude / 2**60 if attribute.magnitude else 1.0
    if attribute.family in ("timestamp", "timestamptz", "time"):
        return 1e-6
    return 1 / attribute.unit_size
