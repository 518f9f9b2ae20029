"""The filter's config: reading it from the table, writing it back, and judging texts with it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forum.profanity import FilterConfig, Matching, Severity, Word, compiled, starter

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.decimals() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=10,
)
NAMES = ("blacklist", "severity", "matching", "allowlist", "autoModerationThreshold")


def test_a_config_in_the_format_of_the_seeds_is_read() -> None:
    body = {
        "blacklist": ["palabra1", "palabra2", "culo"],
        "severity": {"palabra1": "high", "palabra2": "medium"},
        "matching": {"culo": "inside"},
        "allowlist": ["artículo"],
        "autoModerationThreshold": Decimal("0.75"),
    }
    config = FilterConfig.from_body(body)
    assert config.words == (
        Word("palabra1", Severity.HIGH),
        Word("palabra2", Severity.MEDIUM),
        Word("culo", Severity.MEDIUM, Matching.INSIDE),
    )
    assert config.allowed == ("artículo",)
    assert config.threshold == 0.75


def test_invalid_values_count_as_the_default() -> None:
    config = FilterConfig.from_body(
        {
            "blacklist": ["a", 7, None, "", "  ", "b", "a", ["c"], "d"],
            "severity": {"a": "HIGH ", "b": "terrible", "d": 3},
            "matching": ["a"],
            "allowlist": "abc",
            "autoModerationThreshold": "half",
        }
    )
    assert config == FilterConfig((Word("a", Severity.HIGH), Word("b"), Word("d")))
    assert FilterConfig.from_body({"autoModerationThreshold": "0.5"}).threshold == 0.5
    assert FilterConfig.from_body({"blacklist": {"b", "a"}}) == FilterConfig((Word("a"), Word("b")))
    assert FilterConfig.from_body({}) == FilterConfig((), (), 0.8)


@pytest.mark.parametrize(
    ("written", "threshold"),
    [(0, 0.0), (1, 1.0), (7, 1.0), (-1, 0.0), (Decimal("0.3"), 0.3), (float("nan"), 0.8), (True, 0.8), (None, 0.8),
     (Decimal("NaN"), 0.8), (Decimal("sNaN"), 0.8), (Decimal("Infinity"), 0.8), (10**400, 0.8)],
)  # fmt: skip
def test_a_threshold_is_limited_to_0_and_1(written: Any, threshold: float) -> None:
    assert FilterConfig.from_body({"autoModerationThreshold": written}).threshold == threshold


@given(st.dictionaries(st.sampled_from(NAMES), json_values))
def test_any_body_can_be_read_as_a_config(body: dict[str, Any]) -> None:
    config = FilterConfig.from_body(body)
    assert FilterConfig.from_body(config.to_body()) == config
    assert config.judge("hola").score <= 1


def test_a_config_is_the_same_after_writing_and_reading() -> None:
    config = FilterConfig(
        (Word("puta", Severity.HIGH), Word("culo", Severity.LOW, Matching.INSIDE)), ("artículo",), 0.6
    )
    assert FilterConfig.from_body(config.to_body()) == config
    assert config.to_body()["matching"] == {"culo": "inside"}


def test_the_digest_depends_on_all_contents() -> None:
    first, same = FilterConfig((Word("puta"),)), FilterConfig((Word("puta"),))
    assert first.digest == same.digest
    others = [
        FilterConfig((Word("puto"),)),
        FilterConfig((Word("puta", Severity.HIGH),)),
        FilterConfig((Word("puta", matching=Matching.INSIDE),)),
        FilterConfig((Word("puta"),), ("puta",)),
        FilterConfig((Word("puta"),), (), 0.5),
    ]
    assert len({config.digest for config in (first, *others)}) == 6


def test_a_config_is_compiled_once_for_the_same_contents() -> None:
    first, same = FilterConfig((Word("once"),)), FilterConfig((Word("once"),))
    assert compiled(first) is compiled(same)
    assert compiled(first) is not compiled(FilterConfig((Word("twice"),)))


def test_a_verdict_has_matches_score_and_ban() -> None:
    config = FilterConfig((Word("puta", Severity.HIGH), Word("culo", Severity.LOW)), (), 0.8)
    clean, mild, bad = config.judge("hola"), config.judge("culo"), config.judge("puta")
    assert (clean.matches, clean.score, clean.banned) == ((), 0.0, False)
    assert (len(mild.matches), mild.score, mild.banned) == (1, 0.2, False)
    assert (len(bad.matches), bad.score, bad.banned) == (1, 0.8, True)


def test_a_text_without_matches_is_never_banned() -> None:
    config = FilterConfig((Word("culo", Severity.LOW),), (), 0.0)
    assert not config.judge("hola").banned
    assert config.judge("culo").banned


def test_a_config_with_many_words_and_special_characters_works() -> None:
    hostile = [
        ".*",
        "(a+)+$",
        "[",
        "\\",
        "\x00",
        "\ud800",
        "🖕",
        "x" * 200,
        "ñ" * 200,
        "a b " * 50,
        "...",
        "1",
        "!",
        " ",
    ]
    words = [f"palabra{number:x}" for number in range(10_000)] + hostile
    config = FilterConfig.from_body({"blacklist": words, "allowlist": hostile})
    assert [match.word for match in config.judge("palabraff y PALABRA10").matches] == ["palabraff", "palabra10"]
    config = FilterConfig.from_body({"blacklist": words})
    assert [match.word for match in config.judge("🖕 .* [").matches] == ["🖕", ".*", "["]


def test_the_starter_list_can_be_read() -> None:
    config = starter()
    assert config.words
    assert config.judge("eres una puta").banned
    assert not config.judge("un artículo ridículo sobre el vehículo").matches
    assert FilterConfig.from_body(config.to_body()) == config
