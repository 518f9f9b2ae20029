"""Prints the results as tables."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench_profanity.datasets import Labelled, load
from tests.bench_profanity.filters import Filter, other_filters, our_filter, our_filter_with_words
from tests.bench_profanity.measures import Accuracy, accuracy, speed

LIST_SIZE = 5000
Cells = list[list[str]]


def print_progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def print_table(title: str, head: Sequence[str], rows: Cells) -> None:
    """Names are left-aligned, numbers are right-aligned."""
    widths = [max(len(row[at]) for row in [list(head), *rows]) for at in range(len(head))]
    print(f"\n{title}")
    for row in [list(head), ["-" * width for width in widths], *rows]:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        cells[0] = row[0].ljust(widths[0])
        print("  ".join(cells).rstrip())


def compare_with_best(own: float, others: Sequence[float], digits: int) -> list[str]:
    """The best value of the others, and our value divided by it."""
    best = max(others, default=0.0)
    return [f"{best:,.{digits}f}", f"{own / best:.2f}"] if best else ["-", "-"]


def measure_accuracy(data: Labelled, filters: Sequence[Filter], what: str, narrower: str | None) -> None:
    rows: Cells = []
    scores: list[float] = []
    for one in filters:
        print_progress(f"{data.name}: {one.name}")
        broad, narrow = accuracy(one, data)
        scores.append(broad.f1)
        row = [one.name, f"{broad.texts:,}", f"{broad.precision:.3f}", f"{broad.recall:.3f}", f"{broad.f1:.3f}"]
        rows.append(row + ([f"{narrow.f1:.3f}" if narrow else "-"] if narrower else []))
    head = ["", "texts", "precision", "recall", "F1", *([narrower] if narrower else [])]
    print_table(f"{data.name}: {what}", head, rows)
    best, ratio = compare_with_best(scores[0], scores[1:], 3)
    print(f"F1 of ours {scores[0]:.3f}, of the best other {best}: {ratio} times")


def measure_false_positives(data: Labelled, filters: Sequence[Filter]) -> None:
    rows: Cells = []
    hits: list[int] = []
    for one in filters:
        print_progress(f"{data.name}: {one.name}")
        result, _ = accuracy(one, data)
        rows.append([one.name, f"{result.texts:,}", f"{result.hits:,}", f"{result.hits / result.texts:.2%}"])
        if result.texts == len(data):
            hits.append(result.hits)
    print_table(f"{data.name}: innocent strings, every hit is wrong", ["", "strings", "hits", "share"], rows)
    if len(hits) > 1:
        print(f"Hits of ours {hits[0]:,}, of the best other that checked all strings {min(hits[1:]):,}")


def measure_hate(data: Labelled, filters: Sequence[Filter]) -> None:
    def share(hits: int, texts: int) -> str:
        return f"{hits:,} of {texts:,} ({hits / texts:.0%})" if texts else "-"

    rows: Cells = []
    for one in filters:
        print_progress(f"{data.name}: {one.name}")
        result: Accuracy = accuracy(one, data)[0]
        hateful = share(result.correct_hits, result.texts - result.innocent)
        rows.append([one.name, hateful, share(result.innocent_hits, result.innocent)])
    title = f"{data.name}: hateful texts often have no bad word, and some texts that are not hateful quote one"
    print_table(title, ["", "hits on hateful", "hits on not hateful"], rows)


def measure_speed(messages: Sequence[Labelled], others: Sequence[Filter]) -> None:
    rows: Cells = []
    measured: list[list[float]] = []
    for one in [our_filter_with_words(LIST_SIZE), *others]:
        print_progress(f"speed: {one.name}")
        by_set = [speed(one, data) for data in messages]
        # The combined speed, for the same number of texts of each set.
        measured.append([*by_set, len(by_set) / sum(1 / value for value in by_set)])
        rows.append([one.name, *(f"{value:,.0f}" for value in measured[-1])])
    ratios = [
        compare_with_best(own, [peer[at] for peer in measured[1:]], 0)[1] if len(measured) > 1 else "-"
        for at, own in enumerate(measured[0])
    ]
    title = f"Speed: messages per second on one core; ours with {LIST_SIZE:,} words, the others with their own lists"
    print_table(title, ["", *(data.name for data in messages), "together"], [*rows, ["ours / best other", *ratios]])


TABLES: dict[str, Callable[[Labelled, Sequence[Filter]], None]] = {
    "OffendES": lambda data, filters: measure_accuracy(
        data, filters, "Spanish, offensive or swearing (OFP, OFG, NOE) or neither; training and dev", "F1 OFP+OFG"
    ),
    "Davidson": lambda data, filters: measure_accuracy(
        data, filters, "English, hateful or offensive, or neither", None
    ),
    "rustrict": measure_false_positives,
    "HateCheck": measure_hate,
}


def main() -> int:
    data_folder = os.environ.get("DATA") or (sys.argv[1] if len(sys.argv) > 1 else "")
    if not data_folder:
        print("Which folder has the data? make bench DATA=<folder>")
        return 2
    folder = Path(data_folder).expanduser().resolve()
    data, missing = load(folder)
    others, absent = other_filters()
    for sentence in missing:
        print(f"Missing: {sentence}.")
    for name in absent:
        print(f"Not installed: {name} (pinned in requirements/bench.txt). The others are measured without it.")
    if not data:
        print("No dataset was found.")
        return 1
    for one in others:
        if one.sample:
            print(f"{one.name} is slow: it checks the same {one.sample} texts of each set in every run.")
    for name, table in TABLES.items():
        if name in data:
            table(data[name], [our_filter(), *others])
    messages = [data[name] for name in ("OffendES", "Davidson") if name in data]
    if messages:
        measure_speed(messages, others)
    return 0


if __name__ == "__main__":
    sys.exit(main())
