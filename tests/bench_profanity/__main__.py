"""Prints the figures as one table; see the package."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench_profanity.datasets import Labelled, load
from tests.bench_profanity.filters import Filter, ours, ours_padded, peers
from tests.bench_profanity.measures import Accuracy, accuracy, speed

LIST_SIZE = 5000
Cells = list[list[str]]


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def show(title: str, head: Sequence[str], rows: Cells) -> None:
    """A plain table: names to the left, numbers to the right."""
    widths = [max(len(row[at]) for row in [list(head), *rows]) for at in range(len(head))]
    print(f"\n{title}")
    for row in [list(head), ["-" * width for width in widths], *rows]:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        cells[0] = row[0].ljust(widths[0])
        print("  ".join(cells).rstrip())


def against(own: float, others: Sequence[float], digits: int) -> list[str]:
    """Ours by the best of the others."""
    best = max(others, default=0.0)
    return [f"{best:,.{digits}f}", f"{own / best:.2f}"] if best else ["-", "-"]


def classified(data: Labelled, filters: Sequence[Filter], what: str, narrower: str | None) -> None:
    rows: Cells = []
    scores: list[float] = []
    for one in filters:
        progress(f"{data.name}: {one.name}")
        broad, narrow = accuracy(one, data)
        scores.append(broad.f1)
        row = [one.name, f"{broad.texts:,}", f"{broad.precision:.3f}", f"{broad.recall:.3f}", f"{broad.f1:.3f}"]
        rows.append(row + ([f"{narrow.f1:.3f}" if narrow else "-"] if narrower else []))
    head = ["", "texts", "precision", "recall", "F1", *([narrower] if narrower else [])]
    show(f"{data.name}: {what}", head, rows)
    best, ratio = against(scores[0], scores[1:], 3)
    print(f"F1 of ours {scores[0]:.3f}, of the best other {best}: {ratio} times")


def innocents(data: Labelled, filters: Sequence[Filter]) -> None:
    rows: Cells = []
    hits: list[int] = []
    for one in filters:
        progress(f"{data.name}: {one.name}")
        result, _ = accuracy(one, data)
        rows.append([one.name, f"{result.texts:,}", f"{result.hits:,}", f"{result.hits / result.texts:.2%}"])
        if result.texts == len(data):
            hits.append(result.hits)
    show(f"{data.name}: innocent strings, every hit is wrong", ["", "strings", "hits", "share"], rows)
    if len(hits) > 1:
        print(f"Hits of ours {hits[0]:,}, of the best other that had all of them {min(hits[1:]):,}")


def hate(data: Labelled, filters: Sequence[Filter]) -> None:
    def of(hits: int, texts: int) -> str:
        return f"{hits:,} of {texts:,} ({hits / texts:.0%})" if texts else "-"

    rows: Cells = []
    for one in filters:
        progress(f"{data.name}: {one.name}")
        result: Accuracy = accuracy(one, data)[0]
        hateful = of(result.right, result.texts - result.innocent)
        rows.append([one.name, hateful, of(result.innocent_hits, result.innocent)])
    title = f"{data.name}: much hate needs no bad word, and some that is not hateful quotes one"
    show(title, ["", "hits on hateful", "hits on not hateful"], rows)


def speeds(messages: Sequence[Labelled], others: Sequence[Filter]) -> None:
    rows: Cells = []
    measured: list[list[float]] = []
    for one in [ours_padded(LIST_SIZE), *others]:
        progress(f"speed: {one.name}")
        by_set = [speed(one, data) for data in messages]
        # As many of each: the time of both together.
        measured.append([*by_set, len(by_set) / sum(1 / value for value in by_set)])
        rows.append([one.name, *(f"{value:,.0f}" for value in measured[-1])])
    ratios = [
        against(own, [peer[at] for peer in measured[1:]], 0)[1] if len(measured) > 1 else "-"
        for at, own in enumerate(measured[0])
    ]
    title = f"Speed: messages a second on one core; ours with {LIST_SIZE:,} words, the others with their own lists"
    show(title, ["", *(data.name for data in messages), "together"], [*rows, ["ours by the best other", *ratios]])


TABLES: dict[str, Callable[[Labelled, Sequence[Filter]], None]] = {
    "OffendES": lambda data, filters: classified(
        data, filters, "Spanish, offensive or swearing (OFP, OFG, NOE) or neither; training and dev", "F1 OFP+OFG"
    ),
    "Davidson": lambda data, filters: classified(data, filters, "English, hateful or offensive, or neither", None),
    "rustrict": innocents,
    "HateCheck": hate,
}


def main() -> int:
    given = os.environ.get("DATA") or (sys.argv[1] if len(sys.argv) > 1 else "")
    if not given:
        print("Which folder has the data? make bench DATA=<folder>")
        return 2
    folder = Path(given).expanduser().resolve()
    data, missing = load(folder)
    others, absent = peers()
    for sentence in missing:
        print(f"Missing: {sentence}.")
    for name in absent:
        print(f"Not installed: {name} (pinned in requirements/bench.txt). The others are measured without it.")
    if not data:
        print("There is nothing to measure.")
        return 1
    for one in others:
        if one.sample:
            print(f"{one.name} is slow: it gets {one.sample} texts of each set, always the same.")
    for name, table in TABLES.items():
        if name in data:
            table(data[name], [ours(), *others])
    messages = [data[name] for name in ("OffendES", "Davidson") if name in data]
    if messages:
        speeds(messages, others)
    return 0


if __name__ == "__main__":
    sys.exit(main())
