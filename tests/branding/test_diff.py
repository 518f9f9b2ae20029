"""Differences between two versions: by what is seen, and nothing of another service is left out."""

from __future__ import annotations

from typing import Any

from branding import tokens
from branding.diff import MAX_TEXT, FieldComparison, diff
from branding.items import Theme


def a_theme(number: int = 1, *, name: str | None = None, **attributes: Any) -> Theme:
    theme = Theme.new(tenant="andina", version=number)
    theme.metadata = dict(tokens.DEFAULTS) | attributes.pop("metadata", {})
    theme.name = name
    for key, value in attributes.items():
        setattr(theme, key, value)
    return theme


def told(lines: list[FieldComparison]) -> list[tuple[str, str | None, str]]:
    return [(str(line.label), line.before.text if line.before else None, line.after.text) for line in lines]


def test_two_that_are_alike_differ_in_nothing() -> None:
    found = diff(a_theme(1, name="Same"), a_theme(2, name="Same"))
    assert found.is_empty
    assert (found.changed, found.changed_files, found.changed_extra_fields) == ([], [], [])
    assert len(found.same) == len(tokens.TOKENS) + 1


def test_changed_values_are_told_as_people_read_them() -> None:
    found = diff(
        a_theme(1, name="Old"),
        a_theme(2, name="New", metadata={"primaryColor": "#FF0000", "typography": "slab"}),
    )
    assert told(found.changed) == [
        ("Primary", "#1d4ed8", "#ff0000"),
        ("Typeface", "System", "Slab serif"),
        ("Name", "Old", "New"),
    ]
    primary = found.changed[0]
    assert primary.before and (primary.before.color, primary.after.color) == ("#1d4ed8", "#ff0000")
    assert found.changed[1].after.color is None


def test_the_same_colour_written_otherwise_is_the_same() -> None:
    one, other = a_theme(1, metadata={"textColor": "#ABC"}), a_theme(2, metadata={"textColor": "#aabbcc"})
    assert diff(one, other).is_empty


def test_a_default_that_nobody_has_set_looks_like_one_that_somebody_has() -> None:
    bare = a_theme(1)
    bare.metadata = {"primaryColor": "#1d4ed8"}
    found = diff(bare, a_theme(2))
    assert found.is_empty
    assert [line.before.is_default for line in found.same if line.before][:2] == [False, True]


def test_a_value_of_another_service_is_shown_as_it_is_and_as_it_is_drawn() -> None:
    found = diff(a_theme(1, metadata={"typography": "intrale-regular"}), a_theme(2))
    (line,) = found.changed
    assert line.before and (line.before.text, line.before.shown_as) == ("intrale-regular", "System")
    assert (line.after.text, line.after.shown_as) == ("System", "")


def test_a_value_that_is_no_colour_never_is_one() -> None:
    found = diff(a_theme(1), a_theme(2, metadata={"primaryColor": "red;} body{background:url(x)}"}))
    (line,) = found.changed
    assert (line.after.color, line.after.shown_as) == ("#1d4ed8", "#1d4ed8")


def test_fields_that_only_other_services_know_are_listed_as_text() -> None:
    mine = {"animation": {"speed": 2, "kinds": ["fade"]}, "motto": "Hola", "same": True}
    theirs = {"animation": {"speed": 3, "kinds": ["fade"]}, "same": True, "when": None, "long": "x" * 999}
    found = diff(a_theme(1, metadata=mine), a_theme(2, metadata=theirs))
    assert found.changed == []
    assert told(found.changed_extra_fields) == [
        ("animation", '{"kinds": ["fade"], "speed": 2}', '{"kinds": ["fade"], "speed": 3}'),
        ("long", "", "x" * MAX_TEXT + "…"),
        ("motto", "Hola", ""),
    ]
    assert not found.is_empty


def test_files_by_what_they_are_for() -> None:
    one = a_theme(1, assets=["ASSET#logo-1", "ASSET#banner-1", "ASSET#film-1"])
    other = a_theme(
        2,
        assets=["ASSET#andina-2", "ASSET#banner-1", "ASSET#film-2"],
        asset_roles={"logo": "andina-2", "banner": "banner-1"},
    )
    found = diff(one, other)
    assert [(str(line.label), line.before, line.after) for line in found.changed_files] == [
        ("Logo", "logo-1", "andina-2")
    ]
    assert [str(line.label) for line in found.files] == ["Logo", "Banner"]
    assert told(found.changed_extra_fields) == [("Other files", "film-1", "film-2")]


def test_without_a_version_to_compare_with_all_of_it_is_new() -> None:
    found = diff(None, a_theme(1, assets=["ASSET#logo-1"], metadata={"motto": "Hola"}))
    assert len(found.changed) == len(tokens.TOKENS) and found.same == []
    assert {line.before for line in (*found.changed, *found.changed_extra_fields)} == {None}
    assert told(found.changed_extra_fields) == [("motto", None, "Hola")]
    assert [(line.before, line.after) for line in found.changed_files] == [(None, "logo-1")]


def test_whatever_another_service_wrote_in_place_of_a_look() -> None:
    odd = a_theme(2)
    odd.metadata = None
    assert diff(a_theme(1), odd).is_empty
    odd.metadata = {"primaryColor": 7, "typography": ["a"], "tags": {"b", "a"}}
    assert told(diff(a_theme(1), odd).changed) == [("Primary", "#1d4ed8", "7"), ("Typeface", "System", '["a"]')]
    assert told(diff(a_theme(1), odd).changed_extra_fields) == [("tags", "", "a, b")]
