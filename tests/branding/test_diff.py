"""Differences between two versions, also in fields that only outside writers use."""

from __future__ import annotations

from typing import Any

from branding import tokens
from branding.diff import MAX_TEXT, FieldComparison, diff
from branding.items import Theme


def make_theme(number: int = 1, *, name: str | None = None, **attributes: Any) -> Theme:
    theme = Theme.new(tenant="andina", version=number)
    theme.metadata = dict(tokens.DEFAULTS) | attributes.pop("metadata", {})
    theme.name = name
    for key, value in attributes.items():
        setattr(theme, key, value)
    return theme


def label_and_texts(lines: list[FieldComparison]) -> list[tuple[str, str | None, str]]:
    return [(str(line.label), line.before.text if line.before else None, line.after.text) for line in lines]


def test_two_equal_versions_have_no_differences() -> None:
    difference = diff(make_theme(1, name="Same"), make_theme(2, name="Same"))
    assert difference.is_empty
    assert (difference.changed, difference.changed_files, difference.changed_extra_fields) == ([], [], [])
    assert len(difference.same) == len(tokens.TOKENS) + 1


def test_changed_values_are_shown_with_their_labels() -> None:
    difference = diff(
        make_theme(1, name="Old"),
        make_theme(2, name="New", metadata={"primaryColor": "#FF0000", "typography": "slab"}),
    )
    assert label_and_texts(difference.changed) == [
        ("Primary", "#1d4ed8", "#ff0000"),
        ("Typeface", "System", "Slab serif"),
        ("Name", "Old", "New"),
    ]
    primary = difference.changed[0]
    assert primary.before and (primary.before.color, primary.after.color) == ("#1d4ed8", "#ff0000")
    assert difference.changed[1].after.color is None


def test_two_spellings_of_a_colour_are_equal() -> None:
    one, other = make_theme(1, metadata={"textColor": "#ABC"}), make_theme(2, metadata={"textColor": "#aabbcc"})
    assert diff(one, other).is_empty


def test_an_unset_field_equals_its_default() -> None:
    partial = make_theme(1)
    partial.metadata = {"primaryColor": "#1d4ed8"}
    difference = diff(partial, make_theme(2))
    assert difference.is_empty
    assert [line.before.is_default for line in difference.same if line.before][:2] == [False, True]


def test_an_unknown_value_is_shown_with_the_value_used_instead() -> None:
    difference = diff(make_theme(1, metadata={"typography": "intrale-regular"}), make_theme(2))
    (line,) = difference.changed
    assert line.before and (line.before.text, line.before.shown_as) == ("intrale-regular", "System")
    assert (line.after.text, line.after.shown_as) == ("System", "")


def test_an_invalid_colour_is_replaced_by_the_default() -> None:
    difference = diff(make_theme(1), make_theme(2, metadata={"primaryColor": "red;} body{background:url(x)}"}))
    (line,) = difference.changed
    assert (line.after.color, line.after.shown_as) == ("#1d4ed8", "#1d4ed8")


def test_unknown_fields_are_listed_as_text() -> None:
    mine = {"animation": {"speed": 2, "kinds": ["fade"]}, "motto": "Hola", "same": True}
    theirs = {"animation": {"speed": 3, "kinds": ["fade"]}, "same": True, "when": None, "long": "x" * 999}
    difference = diff(make_theme(1, metadata=mine), make_theme(2, metadata=theirs))
    assert difference.changed == []
    assert label_and_texts(difference.changed_extra_fields) == [
        ("animation", '{"kinds": ["fade"], "speed": 2}', '{"kinds": ["fade"], "speed": 3}'),
        ("long", "", "x" * MAX_TEXT + "…"),
        ("motto", "Hola", ""),
    ]
    assert not difference.is_empty


def test_files_are_compared_by_role() -> None:
    one = make_theme(1, assets=["ASSET#logo-1", "ASSET#banner-1", "ASSET#film-1"])
    other = make_theme(
        2,
        assets=["ASSET#andina-2", "ASSET#banner-1", "ASSET#film-2"],
        asset_roles={"logo": "andina-2", "banner": "banner-1"},
    )
    difference = diff(one, other)
    assert [(str(line.label), line.before, line.after) for line in difference.changed_files] == [
        ("Logo", "logo-1", "andina-2")
    ]
    assert [str(line.label) for line in difference.files] == ["Logo", "Banner"]
    assert label_and_texts(difference.changed_extra_fields) == [("Other files", "film-1", "film-2")]


def test_without_a_version_to_compare_every_field_is_new() -> None:
    difference = diff(None, make_theme(1, assets=["ASSET#logo-1"], metadata={"motto": "Hola"}))
    assert len(difference.changed) == len(tokens.TOKENS) and difference.same == []
    assert {line.before for line in (*difference.changed, *difference.changed_extra_fields)} == {None}
    assert label_and_texts(difference.changed_extra_fields) == [("motto", None, "Hola")]
    assert [(line.before, line.after) for line in difference.changed_files] == [(None, "logo-1")]


def test_malformed_metadata_is_compared_without_errors() -> None:
    odd = make_theme(2)
    odd.metadata = None
    assert diff(make_theme(1), odd).is_empty
    odd.metadata = {"primaryColor": 7, "typography": ["a"], "tags": {"b", "a"}}
    assert label_and_texts(diff(make_theme(1), odd).changed) == [
        ("Primary", "#1d4ed8", "7"),
        ("Typeface", "System", '["a"]'),
    ]
    assert label_and_texts(diff(make_theme(1), odd).changed_extra_fields) == [("tags", "", "a, b")]
