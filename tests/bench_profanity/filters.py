"""Our filter and four others. Each check returns whether a text has any match."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from forum.profanity.matcher import Matcher
from forum.profanity.starter import starter
from forum.profanity.types import Word

Check = Callable[[str], bool]
SYLLABLES = [a + b for a in "bcdfglmnprstvz" for b in "aeiou"]


@dataclass(frozen=True)
class Filter:
    """A filter with its documented configuration, for one language if it has that setting."""

    name: str
    in_language: Callable[[str], Check]
    # A slow filter checks only this number of texts.
    sample: int | None = None


def our_filter() -> Filter:
    config = starter()
    matcher = Matcher(config.words, config.allowed)
    return Filter("ours", lambda language: lambda text: bool(matcher.find(text)))


def our_filter_with_words(size: int) -> Filter:
    """Our filter with the starter list and invented words, as long as the list of a team may become."""
    config = starter()
    random_ = random.Random(size)
    words = {word.text: word for word in config.words}
    while len(words) < size:
        made_up = "".join(random_.choices(SYLLABLES, k=random_.randint(3, 5)))
        words.setdefault(made_up, Word(made_up))
    matcher = Matcher(words.values(), config.allowed)
    return Filter("ours", lambda language: lambda text: bool(matcher.find(text)))


def _better(module: Any) -> Callable[[str], Check]:
    check: Check = module.Profanity().contains_profanity
    return lambda language: check


def _glin(module: Any) -> Callable[[str], Check]:
    check: Check = module.Filter({"languages": ["english", "spanish"]}).is_profane
    return lambda language: check


def _safetext(module: Any) -> Callable[[str], Check]:
    def in_language(language: str) -> Check:
        check = module.SafeText(language=language).check_profanity
        return lambda text: bool(check(text))

    return in_language


def _spanlp(module: Any) -> Callable[[str], Check]:
    check: Check = module.Palabrota().contains_palabrota
    return lambda language: check


# Name, module, set-up function, and the number of texts for a slow filter.
OTHER_FILTERS: list[tuple[str, str, Callable[[Any], Callable[[str], Check]], int | None]] = [
    ("better-profanity", "better_profanity", _better, 400),
    ("glin-profanity", "glin_profanity", _glin, None),
    ("safetext", "safetext", _safetext, None),
    ("spanlp", "spanlp.palabrota", _spanlp, 400),
]


def other_filters() -> tuple[list[Filter], list[str]]:
    """The installed filters, and the names of those that are not installed."""
    found: list[Filter] = []
    absent: list[str] = []
    for name, module, set_up, sample in OTHER_FILTERS:
        try:
            found.append(Filter(f"{name} {version(name)}", set_up(importlib.import_module(module)), sample))
        except (ImportError, PackageNotFoundError):
            absent.append(name)
    return found, absent
