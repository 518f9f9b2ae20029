"""A change that would ban much of what people write is held until somebody says that it is meant."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.configs.changes import Change
from forum import confirmation
from forum.confirmation import can_ban_more, measure_effects
from forum.impact import Text
from forum.profanity import FilterConfig, Severity, Word
from tests.forum.factories import a_comment, a_post
from tests.forum.filter_pages import FILTER, SEED, post, put_filter, save, saved, staged, trail
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
def test_what_can_ban_more(name: str, was: Any, now: Any, more: bool) -> None:
    assert can_ban_more(name, Change(was, now)) is more


def weights(after: FilterConfig, changes: dict[str, Change], *contents: str) -> dict[str, int]:
    found = measure_effects(BEFORE, after, changes, [Text("p", "", content, "active") for content in contents])
    return {name: each.count for name, each in found.items()}


def test_each_word_counts_what_it_would_ban_alone() -> None:
    after = FilterConfig((*BEFORE.words, Word("pato", Severity.HIGH), Word("mono", Severity.MEDIUM)), (), 0.8)
    changes = {"word:pato": Change(None, HIGH), "word:mono": Change(None, MEDIUM)}
    assert weights(after, changes, "pato", "pato y mono", "mono", "mono mono mono", "perro pato") == {
        "word:pato": 2,
        "word:mono": 1,
    }


def test_a_word_that_is_raised() -> None:
    after = FilterConfig((Word("gato", Severity.HIGH), *BEFORE.words[1:]), BEFORE.allowed, 0.8)
    assert weights(after, {"word:gato": Change(MEDIUM, HIGH)}, "gato", "gato gato gato", "nada") == {"word:gato": 1}


def test_the_threshold_as_a_whole_and_not_the_words_it_finds() -> None:
    after = FilterConfig(BEFORE.words, BEFORE.allowed, 0.5)
    assert weights(after, {"threshold": Change(0.8, 0.5)}, "gato", "perro", "gato gato") == {"threshold": 2}


def test_a_word_that_is_not_let_through_any_more() -> None:
    inside = (Word("perro", Severity.HIGH), Word("gato", Severity.MEDIUM))
    before = FilterConfig(inside, ("perro salchicha",), 0.8)
    after = FilterConfig(inside, (), 0.8)
    given = [Text("p", "", content, "active") for content in ("un perro salchicha", "un gato", "PERRO SALCHICHA")]
    found = measure_effects(before, after, {"allowed:perro salchicha": Change(True, None)}, given)
    assert {name: each.count for name, each in found.items()} == {"allowed:perro salchicha": 2}


def test_what_another_change_lets_through_is_not_held() -> None:
    after = FilterConfig((*BEFORE.words, Word("pato", Severity.HIGH)), BEFORE.allowed, 0.9)
    assert weights(after, {"word:pato": Change(None, HIGH), "threshold": Change(0.8, 0.9)}, "pato") == {}


# --- Saving --------------------------------------------------------------------------------------
def asked(page: Element) -> list[str]:
    return [each.attrs["value"] for each in page.all("input", name="confirm")]


def staged_word(client: Client, word: str = "fila", texts: int = 3) -> None:
    put_filter(**SEED)
    first = a_post("hola")
    for number in range(texts - 1):
        a_post(f"en la fila {number}")
    a_comment(first, "otra fila")
    post(client, "", word=word, severity="high")


def test_it_is_held_named_and_saved_once_confirmed(table: str, as_staff: Client) -> None:
    staged_word(as_staff)
    response = save(as_staff, note="Enough")
    assert response.status_code == 422
    page = parse(response)
    assert "“fila” would ban 3 of the latest 4 texts (75 %)." in page.text
    assert len(page.by_class("confirmation")[0].by_class("tried")) == 2
    assert [mark.text for mark in page.all("mark")] == ["fila", "fila"]
    assert asked(page) == ['word:fila=["high", "whole"]']
    assert page.one("input", name="note").attrs["value"] == "Enough", "what was typed stays"
    assert "blacklist" in SEED and saved().blacklist == SEED["blacklist"], "nothing is saved"
    assert list(staged()) == ["word:fila"], "nothing is lost"

    form = form_to(response, f"{FILTER}review/")
    assert as_staff.post(form.action, form.data()).status_code == 422, "without the tick it asks again"
    assert as_staff.post(form.action, form.data(confirm=asked(page)[0])).status_code == 303
    assert "fila" in (saved().blacklist or [])
    entry = trail()[0]
    assert (entry.action, (entry.after or {})["confirmed"]) == ("profanity.save", "fila (3/4)")


def test_what_bans_little_is_saved_at_once(table: str, as_staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two texts are few, and three of three hundred are not more than one in a hundred."""
    staged_word(as_staff, texts=2)
    assert save(as_staff).status_code == 303
    assert "confirmed" not in (trail()[0].after or {})
    texts = [Text("p", "", "mucho" if number < 3 else "nada", "active") for number in range(300)]
    monkeypatch.setattr(confirmation, "sample_texts", lambda: texts)
    post(as_staff, "", word="mucho", severity="high")
    assert save(as_staff).status_code == 303


def test_one_more_than_the_share_is_held(table: str, as_staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    put_filter(**SEED)
    texts = [Text("p", "", "mucho" if number < 4 else "nada", "active") for number in range(300)]
    monkeypatch.setattr(confirmation, "sample_texts", lambda: texts)
    post(as_staff, "", word="mucho", severity="high")
    assert save(as_staff).status_code == 422


def test_another_word_found_meanwhile_asks_again(table: str, as_staff: Client) -> None:
    staged_word(as_staff)
    form = form_to(save(as_staff), f"{FILTER}review/")
    for _ in range(3):
        a_post("un globo")
    post(as_staff, "", word="globo", severity="high")
    response = as_staff.post(form.action, form.data(confirm='word:fila=["high", "whole"]'))
    assert response.status_code == 422
    boxes = {each.attrs["value"]: "checked" in each.attrs for each in parse(response).all("input", name="confirm")}
    assert boxes == {'word:fila=["high", "whole"]': True, 'word:globo=["high", "whole"]': False}


def test_another_value_than_was_shown_asks_again(table: str, as_staff: Client) -> None:
    staged_word(as_staff)
    confirm = asked(parse(save(as_staff)))
    as_staff.post(f"{FILTER}word/?word=fila", {"word": "fila", "severity": "high", "matching": "inside"})
    assert save(as_staff, confirm=confirm[0]).status_code == 422


@pytest.mark.parametrize("confirm", ["word:fila", "threshold=0.1", "x" * 5000, "<script>", "\x00"])
def test_confirming_something_else_confirms_nothing(table: str, as_staff: Client, confirm: str) -> None:
    staged_word(as_staff)
    assert save(as_staff, confirm=confirm).status_code == 422
    assert "fila" not in (saved().blacklist or [])


def test_a_lower_threshold_is_held_too(table: str, as_staff: Client) -> None:
    put_filter(**SEED)
    for _ in range(3):
        a_post("una palabra2")
    post(as_staff, "threshold/", threshold="0.5")
    page = parse(save(as_staff))
    assert "A threshold of 0.5 would ban 3 of the latest 3 texts (100 %)." in page.text
    assert asked(page) == ["threshold=0.5"]


def test_what_only_lets_more_through_asks_nothing_of_the_forum(
    table: str, as_staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_filter(**SEED)
    monkeypatch.setattr(confirmation, "sample_texts", lambda: pytest.fail("nothing can be banned by that"))
    post(as_staff, "threshold/", threshold="0.9")
    assert save(as_staff).status_code == 303


# --- The ways back -------------------------------------------------------------------------------
def test_an_undo_that_bans_a_lot_is_held(table: str, as_staff: Client) -> None:
    put_filter(blacklist=["fila"], severity={"fila": "high"}, autoModerationThreshold=0.8)
    as_staff.post(f"{FILTER}bulk/", {"selected": "word:fila", "action": "remove"})
    response = as_staff.post(f"{FILTER}review/", form_to(as_staff.get(f"{FILTER}review/"), f"{FILTER}review/").data())
    for number in range(3):
        a_post(f"una fila {number}")
    back = undo_form(as_staff.get(response["Location"]))
    held = back.send(as_staff)
    assert held.status_code == 422
    assert saved().blacklist == []
    form = form_to(held, back.action)
    done = as_staff.post(form.action, form.data(confirm=asked(parse(held))[0]), follow=True)
    assert "undone" in toasts(done)[0]
    assert saved().blacklist == ["fila"]
    entry = trail()[0]
    assert (entry.action, (entry.after or {})["confirmed"]) == ("profanity.revert", "fila (3/3)")


def test_so_is_an_earlier_version(table: str, as_staff: Client) -> None:
    put_filter(blacklist=["fila"], severity={"fila": "high"}, autoModerationThreshold=0.8)
    as_staff.post(f"{FILTER}bulk/", {"selected": "word:fila", "action": "remove"})
    save(as_staff)
    for number in range(3):
        a_post(f"una fila {number}")
    url = f"{FILTER}versions/1/restore/"
    held = form_to(as_staff.get(f"{FILTER}versions/1/"), url).send(as_staff)
    assert held.status_code == 422
    form = form_to(held, url)
    assert as_staff.post(url, form.data(confirm=asked(parse(held))[0])).status_code == 303
    assert saved().blacklist == ["fila"]
