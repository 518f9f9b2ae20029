"""The current filter: the saved one or the starter list, compiled once for the same contents."""

from __future__ import annotations

import pytest

from forum.profanity import Matcher, starter
from forum.queries import filter as queries
from tests.forum.config_versions import save_filter_version
from tests.forum.filter_pages import SEED, put_filter


def test_the_starter_list_is_used_if_none_is_saved(table: str) -> None:
    assert queries.current_filter() == (0, starter())


def test_the_saved_filter_is_used_with_its_version(table: str) -> None:
    put_filter(**SEED)
    assert queries.current_filter()[0] == 0
    number = save_filter_version("gaznápiro")
    version, config = queries.current_filter()
    assert version == number == 2
    assert config.judge("GAZNAPIRO").banned


def test_a_filter_is_compiled_once_for_each_list_of_words(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compilations: list[object] = []
    real = Matcher.__init__

    def count_and_compile(self: Matcher, *args: object) -> None:
        compilations.append(args)
        real(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Matcher, "__init__", count_and_compile)
    put_filter(blacklist=["compiled-once"])
    for _ in range(3):
        assert queries.current_filter()[1].judge("compiled-once").matches
    assert len(compilations) == 1
    # Another list with the same version number: an outside writer does not count versions.
    put_filter(blacklist=["compiled-twice"])
    assert not queries.current_filter()[1].judge("compiled-once").matches
    assert len(compilations) == 2
