"""The filter that posts are measured by: what stands in the table now, compiled once."""

from __future__ import annotations

import pytest

from forum.profanity import Matcher, starter
from forum.queries import filter as queries
from tests.forum.config_versions import a_filter_version
from tests.forum.filter_pages import SEED, put_filter


def test_the_starter_list_before_anyone_has_saved_one(table: str) -> None:
    assert queries.current_filter() == (0, starter())


def test_what_is_saved_holds_with_its_version(table: str) -> None:
    put_filter(**SEED)
    assert queries.current_filter()[0] == 0
    number = a_filter_version("gaznápiro")
    version, config = queries.current_filter()
    assert version == number == 2
    assert config.judge("GAZNAPIRO").banned


def test_it_is_compiled_once_for_each_list_whoever_wrote_it(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    real = Matcher.__init__

    def counted(self: Matcher, *args: object) -> None:
        made.append(args)
        real(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Matcher, "__init__", counted)
    put_filter(blacklist=["compiled-once"])
    for _ in range(3):
        assert queries.current_filter()[1].judge("compiled-once").matches
    assert len(made) == 1
    # The same version, another list: the other service counts nothing.
    put_filter(blacklist=["compiled-twice"])
    assert not queries.current_filter()[1].judge("compiled-once").matches
    assert len(made) == 2
