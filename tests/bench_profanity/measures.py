"""Accuracy and speed of one filter."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench_profanity.datasets import Labelled
from tests.bench_profanity.filters import Check, Filter

ROUNDS = 3
# The number of texts in one round of the speed test, for fast and for slow filters.
TEXTS, FEW_TEXTS = 2000, 40


@dataclass(frozen=True)
class Accuracy:
    """Counts of texts. A hit is a text with any match."""

    texts: int
    hits: int
    innocent: int
    innocent_hits: int

    @property
    def correct_hits(self) -> int:
        return self.hits - self.innocent_hits

    @property
    def precision(self) -> float:
        return self.correct_hits / self.hits if self.hits else 0.0

    @property
    def recall(self) -> float:
        return self.correct_hits / (self.texts - self.innocent) if self.texts > self.innocent else 0.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def count(hits: Sequence[bool], offensive: Sequence[bool]) -> Accuracy:
    innocent_hits = sum(hit and not bad for hit, bad in zip(hits, offensive, strict=True))
    return Accuracy(len(hits), sum(hits), len(offensive) - sum(offensive), innocent_hits)


def accuracy(filter_: Filter, data: Labelled) -> tuple[Accuracy, Accuracy | None]:
    """The accuracy by the main definition, and by the narrower one if the dataset has it."""
    if filter_.sample:
        data = data.sample(filter_.sample)
    check = filter_.in_language(data.language)
    hits = [check(text) for text in data.texts]
    return count(hits, data.offensive), count(hits, data.narrower) if data.narrower else None


def _seconds(check: Check, texts: Sequence[str]) -> float:
    started = time.process_time()
    for text in texts:
        check(text)
    return time.process_time() - started


def speed(filter_: Filter, data: Labelled) -> float:
    """Messages per second on one core, the best of several rounds."""
    check = filter_.in_language(data.language)
    texts = data.sample(FEW_TEXTS if filter_.sample else TEXTS).texts
    check(texts[0])
    return len(texts) / max(min(_seconds(check, texts) for _ in range(ROUNDS)), 1e-9)
