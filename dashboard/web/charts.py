"""The geometry of charts. Templates draw them as SVG; texts are outside the SVG, so that they do not scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# The step and the width of a column and the height of the plot, in units that scale with the page.
STEP, WIDTH, HEIGHT = 100, 76, 1000
# The least distance between two marks, as a part of the width.
MARK_GAP = 0.04


@dataclass(frozen=True)
class ChartBlock:
    """A rectangle. The numbers are texts, so that no language formats them with a comma."""

    color: str
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True)
class ChartColumn:
    title: str
    x: str
    blocks: list[ChartBlock]
    # What the column counts; empty for a column that is no link.
    url: str = ""


@dataclass(frozen=True)
class ChartMark:
    """A line at a moment that explains the columns around it, with the number of its text, or those of several."""

    numbers: str
    x: str
    # The position of its number beside the plot.
    percent: str


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
    marks: list[ChartMark] = field(default_factory=list)

    @property
    def has_links(self) -> bool:
        return any(each.url for each in self.columns)


@dataclass(frozen=True)
class ChartRow:
    """The values of one column by series."""

    title: str
    values: Mapping[str, int]
    url: str = ""


def columns(
    rows: Sequence[ChartRow],
    colors: Mapping[str, str],
    *,
    marks: Sequence[float] = (),
    is_grouped: bool = False,
) -> Columns:
    """Columns of stacked blocks, or of blocks side by side, with the series of `colors` from the bottom up.

    `marks` are positions from 0 (left) to 1 (right), in their order.
    """
    sizes = [max(each.values.values(), default=0) if is_grouped else sum(each.values.values()) for each in rows]
    top, width = round_up(max(sizes, default=0)), max(1, len(rows)) * STEP
    build = _side_by_side if is_grouped else _stacked
    made = [
        ChartColumn(each.title, str(number * STEP), build(number * STEP, each.values, colors, top), each.url)
        for number, each in enumerate(rows)
    ]
    half = None if top % 2 else top // 2
    return Columns(
        made, f"0 0 {width} {HEIGHT}", str(STEP), str(HEIGHT), str(HEIGHT // 2), top, half, _lines(marks, width)
    )


def _lines(marks: Sequence[float], width: int) -> list[ChartMark]:
    """Marks that are too close for their numbers share a line: `2–5`."""
    groups: list[list[int]] = []
    for number, position in enumerate(marks):
        if groups and position - marks[groups[-1][0]] < MARK_GAP:
            groups[-1].append(number)
        else:
            groups.append([number])
    return [
        ChartMark(
            str(each[0] + 1) if len(each) == 1 else f"{each[0] + 1}–{each[-1] + 1}",
            str(round(width * marks[each[0]])),
            f"{100 * marks[each[0]]:.2f}%",
        )
        for each in groups
    ]


def _stacked(left: int, values: Mapping[str, int], colors: Mapping[str, str], top: int) -> list[ChartBlock]:
    below, blocks, x = 0, [], left + (STEP - WIDTH) // 2
    for name, color in colors.items():
        value = values.get(name, 0)
        if value > 0:
            low, high = HEIGHT * below // top, HEIGHT * (below + value) // top
            blocks.append(_block(color, x, WIDTH, high, high - low))
            below += value
    return blocks


def _side_by_side(left: int, values: Mapping[str, int], colors: Mapping[str, str], top: int) -> list[ChartBlock]:
    width = WIDTH // max(1, len(colors))
    start = left + (STEP - WIDTH) // 2
    heights = [
        (number, color, HEIGHT * values.get(name, 0) // top) for number, (name, color) in enumerate(colors.items())
    ]
    return [_block(color, start + number * width, width, high, high) for number, color, high in heights if high > 0]


def _block(color: str, x: int, width: int, top: int, height: int) -> ChartBlock:
    """At least one pixel, so that a small value is visible."""
    return ChartBlock(color, str(x), str(HEIGHT - max(top, 6)), str(width), str(max(height, 6)))


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
