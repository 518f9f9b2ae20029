"""The geometry of charts. Templates draw them as SVG; texts are outside the SVG, so that they do not scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

# The step and the width of a column and the height of the plot, in units that scale with the page.
STEP, WIDTH, HEIGHT = 100, 76, 1000


@dataclass(frozen=True)
class ChartBlock:
    """A rectangle. The numbers are texts, so that no language formats them with a comma."""

    series: str
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True)
class ChartColumn:
    title: str
    x: str
    blocks: list[ChartBlock]


@dataclass(frozen=True)
class Columns:
    columns: list[ChartColumn]
    view: str
    step: str
    height: str
    middle: str
    # The values at the top and the middle of the plot; None if the middle is not a whole number.
    top: int
    half: int | None


def columns(rows: Sequence[tuple[str, Mapping[str, int]]], series: Iterable[str]) -> Columns:
    """Stacked columns, one for each row of title and values, with the series from the bottom up."""
    order = list(series)
    top = round_up(max((sum(values.values()) for _, values in rows), default=0))
    made = [_column(number, title, values, order, top) for number, (title, values) in enumerate(rows)]
    view = f"0 0 {max(1, len(rows)) * STEP} {HEIGHT}"
    return Columns(made, view, str(STEP), str(HEIGHT), str(HEIGHT // 2), top, None if top % 2 else top // 2)


def _column(number: int, title: str, values: Mapping[str, int], order: list[str], top: int) -> ChartColumn:
    left, below, blocks = number * STEP, 0, []
    for name in order:
        value = values.get(name, 0)
        if value > 0:
            low, high = HEIGHT * below // top, HEIGHT * (below + value) // top
            x = str(left + (STEP - WIDTH) // 2)
            # At least one pixel, so that a small value is visible.
            blocks.append(ChartBlock(name, x, str(HEIGHT - high), str(WIDTH), str(max(high - low, 6))))
            below += value
    return ChartColumn(title, str(left), blocks)


def round_up(number: int) -> int:
    """The next round number, for the end of an axis."""
    size = 1
    while True:
        for step in (1, 2, 4, 6, 8):
            if number <= step * size:
                return step * size
        size *= 10


def share(value: int, most: int) -> str:
    """The length of a bar in percent."""
    return str(0 if most <= 0 or value <= 0 else max(1, min(100, round(100 * value / most))))
