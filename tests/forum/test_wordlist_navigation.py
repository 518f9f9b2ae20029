"""Where a person stands after each step in the filter: the list as it was filtered, the field to go on in."""

from __future__ import annotations

from django.test import Client

from tests.forum.filter_pages import FILTER, SEED, post, put_filter, save, staged
from tests.ui.html import form_to, parse, undo_form

FILTERED = f"{FILTER}?q=palabra"
WORD = f"{FILTER}word/?word=palabra2"


def test_a_word_leads_back_to_the_list_it_was_opened_from(as_staff: Client) -> None:
    put_filter(**SEED)
    opened = {"HX-Request": "true", "HX-Target": "word-body", "HX-Current-URL": f"http://testserver{FILTERED}"}
    form = form_to(as_staff.get(WORD, headers=opened), WORD)
    answer = as_staff.post(form.action, form.data(severity="low"), headers=opened)
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, FILTERED)
    assert staged()["word:palabra2"].now == ["low", "whole"]
    undone = undo_form(as_staff.get(FILTERED)).send(as_staff)
    assert (undone.status_code, undone.headers["Location"]) == (303, FILTERED)
    assert staged() == {}


def test_what_is_wrong_with_a_word_is_told_in_its_dialog(as_staff: Client) -> None:
    put_filter(**SEED)
    opened = {"HX-Request": "true", "HX-Target": "word-body", "HX-Current-URL": f"http://testserver{FILTERED}"}
    form = form_to(as_staff.get(WORD, headers=opened), WORD)
    answer = as_staff.post(form.action, form.data(word="palabra1"), headers=opened)
    page = parse(answer)
    assert answer.status_code == 422 and not page.all("main")
    assert "“palabra1” is already in the list" in page.text
    assert dict(form_to(page, WORD).fields)["next"] == FILTERED


def test_only_the_list_is_behind_a_word(as_staff: Client) -> None:
    put_filter(**SEED)
    for where in ("/people/", "//evil.example/forum/profanity/", "https://evil.example/forum/profanity/"):
        form = form_to(as_staff.get(WORD, headers={"Referer": f"http://testserver{where}"}), WORD)
        assert dict(form.fields)["next"] == FILTER
        answer = as_staff.post(form.action, form.data(next=where, word="palabra1"))
        assert dict(form_to(answer, WORD).fields)["next"] == FILTER


def test_a_word_that_is_there_can_be_changed_from_where_it_was_typed(as_staff: Client) -> None:
    put_filter(**SEED)
    page = parse(post(as_staff, "", word="PALABRA2"))
    add = page.by_class("add-word")[0]
    assert add.one("a").attrs["href"] == WORD
    assert "autofocus" in add.one("input", name="word").attrs
    assert "autofocus" not in parse(as_staff.get(FILTER)).one("input", name="word").attrs


def test_a_word_is_let_through_once_however_it_is_written(as_staff: Client) -> None:
    put_filter(**SEED, allowlist=["artículo"])
    answer = post(as_staff, "?show=allowed", word="ARTICULO")
    assert answer.status_code == 422 and "“artículo” is already an allowed word" in parse(answer).text
    assert staged() == {}


def test_a_bad_threshold_leaves_the_list_alone(as_staff: Client) -> None:
    put_filter(**SEED)
    fields = {"threshold": "7", "next": FILTERED}
    answer = as_staff.post(f"{FILTER}threshold/", fields, headers={"HX-Request": "true"})
    page = parse(answer)
    assert answer.status_code == 422 and not page.all("main")
    assert "Enter a number between 0 and 1" in page.text
    assert dict(form_to(page, f"{FILTER}threshold/").fields)["next"] == FILTERED


def test_a_threshold_is_among_what_is_not_saved(as_staff: Client) -> None:
    put_filter(**SEED)
    post(as_staff, "threshold/", threshold="0.6")
    page = parse(as_staff.get(f"{FILTER}?show=changes"))
    assert "Unsaved changes 1" in page.by_class("tabs")[0].text
    assert "Threshold: 0.8 0.6" in page.one("main").text
    assert "Everything is saved" not in page.text


def test_what_is_put_aside_can_be_brought_back_later(as_staff: Client) -> None:
    put_filter(**SEED)
    assert not parse(as_staff.get(FILTER)).by_class("discarded")
    post(as_staff, "", word="uno")
    post(as_staff, "discard/")
    as_staff.get(FILTER)  # the toast with its Undo is gone
    page = as_staff.get(FILTER)
    assert "1 change discarded" in parse(page).by_class("discarded")[0].text
    assert form_to(parse(page).one("main"), f"{FILTER}step-back/").send(as_staff).status_code == 303
    assert list(staged()) == ["word:uno"]
    save(as_staff)
    assert not parse(as_staff.get(FILTER)).by_class("discarded"), "what is saved is not discarded"
