"""Distances between rows: one scale of coordinates and weights for each quasi-identifier.

ppdt_code_<i> ──▶ ppdt_coordinate_<i> (of numbers) ──▶ factors and costs, all in one scale
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import frexp, isfinite, sqrt
from typing import Literal

from ppdt_db.encode.columns import EncodedColumn, EncodedTable
from ppdt_db.engine import Engine
from ppdt_db.policy.roles import raise_all
from ppdt_db.sqltext.numbered import NumberedName

Scale = Literal["deviation", "range", "none"]
FULL = 2.0**30
"""The whole number that stands for the largest distance in a table."""


@dataclass(frozen=True, kw_only=True)
class DistanceMeasure:
    """The weights and scales of a distance."""

    scale: Scale = "deviation"
    gamma: float = 1.0
    weights: Mapping[str, float] | None = None

    def weight(self, name: str) -> float:
        """Return the weight of an attribute."""
        return float((self.weights or {}).get(name, 1.0))


@dataclass(frozen=True, kw_only=True)
class DistanceColumn:
    """A quasi-identifier in the form in which the templates measure it.

    `stretch` converts one unit of a number into the unit of the loss, `penalty` is the loss of two
    different categories; `unit` converts both into the whole numbers of a distance.
    """

    position: int
    is_number: bool
    has_null: bool
    stretch: float = 0.0
    span: float = 0.0
    penalty: float = 0.0
    unit: float = 1.0

    alias = NumberedName("axis_%d")
    relation = NumberedName("ppdt_coordinate_%d")

    @property
    def column(self) -> str:
        """Its column in the relation of points."""
        return f"v{self.position}"

    @property
    def code(self) -> str:
        """The column of its codes in the cells."""
        return f"q{self.position}"

    @property
    def square(self) -> float:
        """The loss of a number that is off by one."""
        return self.stretch**2

    @property
    def far_square(self) -> float:
        """The loss of a missing number; infinite if floats cannot hold it."""
        reach = self.stretch * self.span
        return reach * reach

    @property
    def factor(self) -> float:
        """The factor of a squared difference in a distance."""
        return (self.stretch * self.unit) ** 2

    @property
    def far(self) -> float:
        """The squared distance of a missing number."""
        return (self.stretch * self.span * self.unit) ** 2

    @property
    def cost(self) -> int:
        """The distance of a different category."""
        return round(self.penalty * self.unit)


@dataclass(frozen=True, kw_only=True)
class InformationLoss:
    """The information loss of a release: within its classes, and with all rows in one class."""

    sse: float
    sst: float

    @property
    def il(self) -> float:
        """The information lost, in percent."""
        return round(100 * self.sse / self.sst, 12) if self.sst else 0.0

    @property
    def figures(self) -> dict[str, object]:
        """The figures for the certificate."""
        return {"sse": self.sse, "sst": self.sst, "il": self.il}


def make_axes(
    engine: Engine, encoded: EncodedTable, measure: DistanceMeasure
) -> list[DistanceColumn]:
    """Compute the coordinates of all numbers, and the weight of each attribute."""
    axes = [_axis(engine, attribute, measure) for attribute in encoded.attributes]
    raise_all(
        [
            f'scale {measure.scale}: the squared distances of "{attribute.name}" are too large '
            "for a DOUBLE. Use scale deviation or range, or a smaller weight."
            for attribute, axis in zip(encoded.attributes, axes, strict=True)
            if not isfinite(axis.far_square)
        ]
    )
    longest = sqrt(sum(axis.far_square for axis in axes)) + sum(axis.penalty for axis in axes)
    return [replace(axis, unit=FULL / longest if longest else 1.0) for axis in axes]


def fineness(axes: Sequence[DistanceColumn]) -> float:
    """Return the number of parts of the loss unit: 2^40, or fewer so that 2^31 rows fit.

    >>> wide = {"stretch": 1.0, "span": 2.0**60}
    >>> fineness([DistanceColumn(position=0, is_number=True, has_null=False, **wide)])
    4.656612873077393e-10
    """
    largest = sum(axis.far_square + axis.penalty for axis in axes)
    return 2.0 ** min(40, 90 - max(0, frexp(largest)[1]))


def drop_axes(engine: Engine, axes: Sequence[DistanceColumn]) -> None:
    """Drop the coordinates."""
    engine.drop(*(f"ppdt_coordinate_{axis.position}" for axis in axes if axis.is_number))


def _axis(engine: Engine, attribute: EncodedColumn, measure: DistanceMeasure) -> DistanceColumn:
    weight = measure.weight(attribute.name)
    if attribute.kind != "ordered":
        return DistanceColumn(
            position=attribute.position,
            is_number=False,
            has_null=attribute.has_null,
            penalty=measure.gamma * weight,
        )
    names = {"attribute": attribute}
    engine.make(
        "methods/microaggregate/coordinate", names=names, to=f"ppdt_coordinate_{attribute.position}"
    )
    n_values, total, squares, span, step = engine.row("methods/microaggregate/spread", names=names)
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
    return DistanceColumn(
        position=attribute.position,
        is_number=True,
        has_null=attribute.n_special > 0,
        stretch=stretch,
        span=span,
    )


def value_of_unit(attribute: EncodedColumn) -> float:
    """Return the size of an attribute's smallest step: in its own unit, days or seconds."""
    if attribute.is_scaled:
        return attribute.magnitude / 2**60 if attribute.magnitude else 1.0
    if attribute.family in ("timestamp", "timestamptz", "time"):
        return 1e-6
    return 1 / attribute.unit_size
