"""A change of the filter that would ban many texts needs confirmation before it is saved."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.configs.changes import EntryChange
from forum import confirmation
from forum.confirmation import can_ban_more, measure_effects
from forum.impact import Text
from forum.profanity import FilterConfig, Severity, Word
from tests.forum.factories import create_comment, create_post
from tests.forum.filter_pages import (
    FILTER,
    SEED,
    audit_entries,
    post_form,
    put_filter,
    save_changes,
    saved_filter,
    staged_changes,
)
from tests.ui.html import Element, form_to, parse, toasts, undo_form

HIGH, MEDIUM, LOW = (["high", "whole"], ["medium", "whole"], ["low", "whole"])
BEFORE = FilterConfig((Word("gato", Severity.MEDIUM), Word("perro", Severity.HIGH)), ("perrometro",), 0.8)


# --- The rule ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "was", "now", "more"),
    [
        ("word:x", None, LOW, True),
        ("word:x", LOW, HIGH, True),
        ("word:x", HIGH, LOW, False),
        ("word:x", HIGH, None, False),
        ("word:x", ["low", "whole"], ["low", "inside"], True),
        ("word:x", ["high", "inside"], ["low", "whole"], False),
        ("allowed:x", None, True, False),
        ("allowed:x", True, None, True),
        ("threshold", 0.8, 0.5, True),
        ("threshold", 0.5, 0.8, False),
    ],
)
def test_which_changes_can_ban_more_texts(name: str, was: Any, now: Any, more: bool) -> None:
    assert can_ban_more(name, EntryChange(was, now)) is more


def count_effects(after: FilterConfig, changes: dict[str, EntryChange], *contents: str) -> dict[str, int]:
    found = measure_effects(BEFORE, after, changes, [Text("p", "", content, "active") for content in contents])
    return {name: each.banned.count for name, each in found.items() if each.banned.count}


def test_the_effect_of_a_word_is_what_it_would_ban_alone() -> None:
    after = FilterConfig((*BEFORE.words, Word("pato", Severity.HIGH), Word("mono", Severity.MEDIUM)), (), 0.8)
    changes = {"word:pato": EntryChange(None, HIGH), "word:mono": EntryChange(None, MEDIUM)}
    assert count_effects(after, changes, "pato", "pato y mono", "mono", "mono mono mono", "perro pato") == {
        "word:pato": 2,
        "word:mono": 1,
    }


def test_the_effect_of_a_higher_severity() -> None:
    after = FilterConfig((Word("gato", Severity.HIGH), *BEFORE.words[1:]), BEFORE.allowed, 0.8)
    assert count_effects(after, {"word:gato": EntryChange(MEDIUM, HIGH)}, "gato", "gato gato gato", "nada") == {
        "word:gato": 1
    }


def test_the_effect_of_a_threshold_is_counted_once_and_not_by_word() -> None:
    after = FilterConfig(BEFORE.words, BEFORE.allowed, 0.5)
    assert count_effects(after, {"threshold": EntryChange(0.8, 0.5)}, "gato", "perro", "gato gato") == {"threshold": 2}


def test_the_effect_of_removing_an_allowed_word() -> None:
    inside = (Word("perro", Severity.HIGH), Word("gato", Severity.MEDIUM))
    before = FilterConfig(inside, ("perro salchicha",), 0.8)
    after = FilterConfig(inside, (), 0.8)
    given = [Text("p", "", content, "active") for content in ("un perro salchicha", "un gato", "PERRO SALCHICHA")]
    found = measure_effects(before, after, {"allowed:perro salchicha": EntryChange(True, None)}, given)
    assert {name: each.banned.count for name, each in found.items()} == {"allowed:perro salchicha": 2}


def test_the_texts_that_a_change_sends_to_review_are_counted_separately() -> None:
    """A text that was already waiting, that is banned, or that is not found, is not new in the queue."""
    after = FilterConfig((*BEFORE.words, Word("pato", Severity.LOW), Word("mono", Severity.HIGH)), (), 0.8)
    changes = {
        "word:pato": EntryChange(None, LOW),
        "word:mono": EntryChange(None, HIGH),
        "allowed:perrometro": EntryChange(True, None),
    }
    contents = ("pato", "un pato más", "pato y gato", "pato y perro", "pato y mono", "nada")
    found = measure_effects(BEFORE, after, changes, [Text("p", "", content, "active") for content in contents])
    assert {name: (each.banned.count, each.waiting.count) for name, each in found.items()} == {
        "word:pato": (0, 3),
        "word:mono": (1, 0),
    }


def test_a_text_that_another_change_allows_is_not_counted() -> None:
    after = FilterConfig((*BEFORE.words, Word("pato", Severity.HIGH)), BEFORE.allowed, 0.9)
    assert (
        count_effects(after, {"word:pato": EntryChange(None, HIGH), "threshold": EntryChange(0.8, 0.9)}, "pato") == {}
    )


# --- Saving --------------------------------------------------------------------------------------
def confirm_values(page: Element) -> list[str]:
    return [each.attrs["value"] for each in page.all("input", name="confirm")]


def stage_word(client: Client, word: str = "fila", texts: int = 3) -> None:
    put_filter(**SEED)
    first = create_post("hola")
    for number in range(texts - 1):
        create_post(f"en la fila {number}")
    create_comment(first, "otra fila")
    post_form(client, "", word=word, severity="high")


def test_a_word_that_bans_many_texts_is_saved_after_confirmation(table: str, as_staff: Client) -> None:
    stage_word(as_staff)
    response = save_changes(as_staff, note="Enough")
    assert response.status_code == 422
    page = parse(response)
    assert "“fila” would ban 3 of the latest 4 texts (75 %)." in page.text
    assert len(page.by_class("confirmation")[0].by_class("marked-text")) == 2
    assert [mark.text for mark in page.all("mark")] == ["fila", "fila"]
    assert confirm_values(page) == ['word:fila=["high", "whole"]']
    assert page.one("input", name="note").attrs["value"] == "Enough", "the note is kept"
    assert "blacklist" in SEED and saved_filter().blacklist == SEED["blacklist"], "nothing is saved"
    assert list(staged_changes()) == ["word:fila"], "the staged change is kept"

    form = form_to(response, f"{FILTER}review/")
    assert as_staff.post(form.action, form.data()).status_code == 422, "without the checkbox it asks again"
    assert as_staff.post(form.action, form.data(confirm=confirm_values(page)[0])).status_code == 303
    assert "fila" in (saved_filter().blacklist or [])
    entry = audit_entries()[0]
    assert (entry.action, (entry.after or {})["confirmed"]) == ("profanity.save", "fila (3/4)")


def test_a_change_that_bans_few_texts_is_saved_without_confirmation(
    table: str, as_staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two texts are below the minimum, and three of three hundred are not more than 1 %."""
    stage_word(as_staff, texts=2)
    assert save_changes(as_staff).status_code == 303
    assert "confirmed" not in (audit_entries()[0].after or {})
    texts = [Text("p", "", "mucho" if number < 3 else "nada", "active") for number in range(300)]
    monkeypatch.setattr(confirmation, "sample_texts", lambda: texts)
    post_form(as_staff, "", word="mucho", severity="high")
    assert save_changes(as_staff).status_code == 303


def test_a_word_that_sends_many_texts_to_review_is_saved_after_confirmation(table: str, as_staff: Client) -> None:
    stage_word(as_staff, "hola", texts=1)
    for number in range(3):
        create_post(f"hola {number}")
    as_staff.post(f"{FILTER}word/?word=hola", {"word": "hola", "severity": "low"})
    response = save_changes(as_staff)
    assert response.status_code == 422
    page = parse(response)
    assert "“hola” would send 4 of the latest 5 texts to review (80 %)." in page.text
    assert confirm_values(page) == ['word:hola=["low", "whole"]']
    form = form_to(response, f"{FILTER}review/")
    assert as_staff.post(form.action, form.data(confirm=confirm_values(page)[0])).status_code == 303
    assert (audit_entries()[0].after or {})["confirmed"] == "hola (4/5 review)"


@pytest.mark.parametrize(("found", "status"), [(6, 303), (7, 422)])
def test_more_than_two_percent_to_review_need_confirmation(
    table: str, as_staff: Client, monkeypatch: pytest.MonkeyPatch, found: int, status: int
) -> None:
    put_filter(**SEED)
    texts = [Text("p", "", "mucho" if number < found else "nada", "active") for number in range(300)]
    monkeypatch.setattr(confirmation, "sample_texts", lambda: texts)
    post_form(as_staff, "", word="mucho", severity="low")
    assert save_changes(as_staff).status_code == status


def test_a_change_that_bans_more_than_one_percent_needs_confirmation(
    table: str, as_staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_filter(**SEED)
    texts = [Text("p", "", "mucho" if number < 4 else "nada", "active") for number in range(300)]
    monkeypatch.setattr(confirmation, "sample_texts", lambda: texts)
    post_form(as_staff, "", word="mucho", severity="high")
    assert save_changes(as_staff).status_code == 422


def test_a_word_added_after_the_question_needs_its_own_confirmation(table: str, as_staff: Client) -> None:
    stage_word(as_staff)
    form = form_to(save_changes(as_staff), f"{FILTER}review/")
    for _ in range(3):
        create_post("un globo")
    post_form(as_staff, "", word="globo", severity="high")
    response = as_staff.post(form.action, form.data(confirm='word:fila=["high", "whole"]'))
    assert response.status_code == 422
    boxes = {each.attrs["value"]: "checked" in each.attrs for each in parse(response).all("input", name="confirm")}
    assert boxes == {'word:fila=["high", "whole"]': True, 'word:globo=["high", "whole"]': False}


def test_a_value_changed_after_the_question_needs_confirmation_again(table: str, as_staff: Client) -> None:
    stage_word(as_staff)
    confirm = confirm_values(parse(save_changes(as_staff)))
    as_staff.post(f"{FILTER}word/?word=fila", {"word": "fila", "severity": "high", "matching": "inside"})
    assert save_changes(as_staff, confirm=confirm[0]).status_code == 422


@pytest.mark.parametrize("confirm", ["word:fila", "threshold=0.1", "x" * 5000, "<script>", "\x00"])
def test_an_invalid_confirmation_confirms_nothing(table: str, as_staff: Client, confirm: str) -> None:
    stage_word(as_staff)
    assert save_changes(as_staff, confirm=confirm).status_code == 422
    assert "fila" not in (saved_filter().blacklist or [])


def test_a_lower_threshold_needs_confirmation(table: str, as_staff: Client) -> None:
    put_filter(**SEED)
    for _ in range(3):
        create_post("una palabra2")
    post_form(as_staff, "threshold/", threshold="0.5")
    page = parse(save_changes(as_staff))
    assert "A threshold of 0.5 would ban 3 of the latest 3 texts (100 %)." in page.text
    assert confirm_values(page) == ["threshold=0.5"]


@pytest.mark.parametrize(("threshold", "unread"), [("0.9", "sample_texts"), ("0.5", "sample_texts_of_all_statuses")])
def test_a_change_reads_only_the_texts_that_it_can_affect(
    table: str, as_staff: Client, monkeypatch: pytest.MonkeyPatch, threshold: str, unread: str
) -> None:
    put_filter(**SEED)
    monkeypatch.setattr(confirmation, unread, lambda: pytest.fail("the change cannot affect these texts"))
    post_form(as_staff, "threshold/", threshold=threshold)
    assert save_changes(as_staff).status_code == 303


# --- Undo and restore ----------------------------------------------------------------------------
def test_an_undo_that_bans_many_texts_needs_confirmation(table: str, as_staff: Client) -> None:
    put_filter(blacklist=["fila"], severity={"fila": "high"}, autoModerationThreshold=0.8)
    as_staff.post(f"{FILTER}bulk/", {"selected": "word:fila", "action": "remove"})
    response = as_staff.post(f"{FILTER}review/", form_to(as_staff.get(f"{FILTER}review/"), f"{FILTER}review/").data())
    for number in range(3):
        create_post(f"una fila {number}")
    undo = undo_form(as_staff.get(response["Location"]))
    unconfirmed = undo.send(as_staff)
    assert unconfirmed.status_code == 422
    assert saved_filter().blacklist == []
    form = form_to(unconfirmed, undo.action)
    done = as_staff.post(form.action, form.data(confirm=confirm_values(parse(unconfirmed))[0]), follow=True)
    assert "undone" in toasts(done)[0]
    assert saved_filter().blacklist == ["fila"]
    entry = audit_entries()[0]
    assert (entry.action, (entry.after or {})["confirmed"]) == ("profanity.revert", "fila (3/3)")


def test_restoring_a_version_that_bans_many_texts_needs_confirmation(table: str, as_staff: Client) -> None:
    put_filter(blacklist=["fila"], severity={"fila": "high"}, autoModerationThreshold=0.8)
    as_staff.post(f"{FILTER}bulk/", {"selected": "word:fila", "action": "remove"})
    save_changes(as_staff)
    for number in range(3):
        create_post(f"una fila {number}")
    url = f"{FILTER}versions/1/restore/"
    unconfirmed = form_to(as_staff.get(f"{FILTER}versions/1/"), url).send(as_staff)
    assert unconfirmed.status_code == 422
    form = form_to(unconfirmed, url)
    assert as_staff.post(url, form.data(confirm=confirm_values(parse(unconfirmed))[0])).status_code == 303
    assert saved_filter().blacklist == ["fila"]
