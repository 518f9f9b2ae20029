"""A change of the filter that would send many banned texts to review needs confirmation before it is saved."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.configs.changes import EntryChange
from forum import confirmation
from forum.impact import Text
from forum.profanity import FilterConfig, Severity, Word
from forum.unbanned_texts import can_unban, find_unbanned
from tests.forum.factories import create_comment, create_post
from tests.forum.filter_pages import FILTER, audit_entries, post_form, put_filter, save_changes, saved_filter
from tests.ui.html import form_to, parse

HIGH, MEDIUM, LOW = (["high", "whole"], ["medium", "whole"], ["low", "whole"])
PERRO, GATO = Word("perro", Severity.HIGH), Word("gato", Severity.MEDIUM)
BEFORE = FilterConfig((GATO, PERRO), (), 0.8)
CONTENTS = ("perro", "perro y gato", "perro perro", "gato", "gato gato gato", "nada")


@pytest.mark.parametrize(
    ("name", "was", "now", "expected"),
    [
        ("word:x", None, HIGH, False),
        ("word:x", LOW, HIGH, False),
        ("word:x", HIGH, LOW, True),
        ("word:x", HIGH, None, True),
        ("word:x", ["high", "inside"], HIGH, True),
        ("allowed:x", None, True, True),
        ("allowed:x", True, None, False),
        ("threshold", 0.8, 0.5, False),
        ("threshold", 0.5, 0.8, True),
    ],
)
def test_which_changes_can_unban_texts(name: str, was: Any, now: Any, expected: bool) -> None:
    assert can_unban(name, EntryChange(was, now)) is expected


@pytest.mark.parametrize(
    ("after", "changes", "expected"),
    [
        (FilterConfig((GATO, PERRO), (), 0.9), {"threshold": EntryChange(0.8, 0.9)}, ["perro", "gato gato gato"]),
        (
            FilterConfig((GATO, Word("perro", Severity.MEDIUM)), (), 0.8),
            {"word:perro": EntryChange(HIGH, MEDIUM)},
            ["perro", "perro y gato", "perro perro"],
        ),
        # What the filter no longer finds at all does not wait.
        (FilterConfig((GATO,), (), 0.8), {"word:perro": EntryChange(HIGH, None)}, ["perro y gato"]),
        (
            FilterConfig((GATO, PERRO), ("perro y",), 0.8),
            {"allowed:perro y": EntryChange(None, True)},
            ["perro y gato"],
        ),
        (FilterConfig((GATO, PERRO), (), 0.5), {"threshold": EntryChange(0.8, 0.5)}, []),
    ],
)
def test_the_texts_that_a_change_alone_sends_to_review(
    after: FilterConfig, changes: dict[str, EntryChange], expected: list[str]
) -> None:
    texts = [Text("p", "", content, "banned") for content in CONTENTS]
    found = list(find_unbanned(BEFORE, after, changes, texts))
    assert [text.content for _name, text, _verdict in found] == expected
    assert {name for name, _text, _verdict in found} <= set(changes)


def ban_by_filter(count: int) -> None:
    put_filter(blacklist=["palabra2"], severity={"palabra2": "high"}, autoModerationThreshold=0.8)
    post = create_post("hola")
    for number in range(count - 1):
        create_post(f"palabra2 {number}")
    create_comment(post, "palabra2")


def test_a_higher_threshold_that_sends_many_texts_to_review_needs_confirmation(table: str, as_staff: Client) -> None:
    ban_by_filter(3)
    post_form(as_staff, "threshold/", threshold="0.9")
    response = save_changes(as_staff)
    assert response.status_code == 422
    page = parse(response)
    text = "Threshold 0.9: 3 of the latest 4 texts would wait for review instead of being banned (75 %)."
    assert text in page.text
    assert [mark.text for mark in page.all("mark")] == ["palabra2", "palabra2"]
    (box,) = page.all("input", name="confirm")
    form = form_to(response, f"{FILTER}review/")
    assert as_staff.post(form.action, form.data(confirm=box.attrs["value"])).status_code == 303
    assert saved_filter().auto_moderation_threshold == 0.9
    assert (audit_entries()[0].after or {})["confirmed"] == "0.9 (3/4 review)"


def test_a_lower_severity_needs_confirmation_and_a_removed_word_does_not(table: str, as_staff: Client) -> None:
    ban_by_filter(3)
    as_staff.post(f"{FILTER}word/?word=palabra2", {"word": "palabra2", "severity": "low"})
    response = save_changes(as_staff)
    assert response.status_code == 422
    assert "“palabra2”: 3 of the latest 4 texts would wait for review" in parse(response).text
    # Nothing waits if the filter no longer finds it.
    as_staff.post(f"{FILTER}bulk/", {"selected": "word:palabra2", "action": "remove"})
    assert save_changes(as_staff).status_code == 303


@pytest.mark.parametrize(("found", "status"), [(2, 303), (6, 303), (7, 422)])
def test_more_than_two_percent_and_at_least_three_need_confirmation(
    table: str, as_staff: Client, monkeypatch: pytest.MonkeyPatch, found: int, status: int
) -> None:
    put_filter(blacklist=["mucho"], severity={"mucho": "high"}, autoModerationThreshold=0.8)
    texts = [Text("p", "", "mucho" if number < found else "nada", "banned") for number in range(300)]
    monkeypatch.setattr(confirmation, "sample_texts_of_all_statuses", lambda: texts)
    post_form(as_staff, "threshold/", threshold="0.9")
    assert save_changes(as_staff).status_code == status
