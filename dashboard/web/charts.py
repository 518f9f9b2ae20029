"""The geometry of charts: templates draw them as SVG, with classes for colours. Texts stand beside, so that they stay
readable at every width."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

# A column's place and width, and the height of the plot, in units that are stretched to whatever width there is.
STEP, WIDTH, HEIGHT = 100, 76, 1000


@dataclass(frozen=True)
class Block:
    """A rectangle; as text, for no language may write a comma into it."""

    series: str
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True)
class Column:
    title: str
    x: str
    blocks: list[Block]


@dataclass(frozen=True)
class Columns:
    columns: list[Column]
    view: str
    step: str
    height: str
    middle: str
    # What the top of the plot and its middle stand for; none where the middle is no whole number.
    top: int
    half: int | None


def columns(rows: Sequence[tuple[str, Mapping[str, int]]], series: Iterable[str]) -> Columns:
    """Stacked columns, one for each row of title and values; a row's series from the bottom up, in this order."""
    order = list(series)
    top = ceiling(max((sum(values.values()) for _, values in rows), default=0))
    made = [_column(number, title, values, order, top) for number, (title, values) in enumerate(rows)]
    view = f"0 0 {max(1, len(rows)) * STEP} {HEIGHT}"
    return Columns(made, view, str(STEP), str(HEIGHT), str(HEIGHT // 2), top, None if top % 2 else top // 2)


def _column(number: int, title: str, values: Mapping[str, int], order: list[str], top: int) -> Column:
    left, below, blocks = number * STEP, 0, []
    for name in order:
        value = values.get(name, 0)
        if value > 0:
            low, high = HEIGHT * below // top, HEIGHT * (below + value) // top
            x = str(left + (STEP - WIDTH) // 2)
            # A pixel at least: a little is not nothing.
            blocks.append(Block(name, x, str(HEIGHT - high), str(WIDTH), str(max(high - low, 6))))
            below += value
    return Column(title, str(left), blocks)


def ceiling(number: int) -> int:
    """The next round number: where an axis may end."""
    size = 1
    while True:
        for step in (1, 2, 4, 6, 8):
            if number <= step * size:
                return step * size
        size *= 10


def share(value: int, most: int) -> str:
    """The length of a bar, of a hundred."""
    return str(0 if most <= 0 or value <= 0 else max(1, min(100, round(100 * value / most))))
