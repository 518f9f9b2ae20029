"""Navigation in the word list: where each step leads, and which field has the focus."""

from __future__ import annotations

from django.test import Client

from tests.forum.filter_pages import FILTER, SEED, post_form, put_filter, save_changes, staged_changes
from tests.ui.html import form_to, parse, undo_form

FILTERED = f"{FILTER}?q=palabra"
WORD = f"{FILTER}word/?word=palabra2"


def test_saving_a_word_leads_back_to_the_filtered_list(as_staff: Client) -> None:
    put_filter(**SEED)
    headers = {"HX-Request": "true", "HX-Target": "word-body", "HX-Current-URL": f"http://testserver{FILTERED}"}
    form = form_to(as_staff.get(WORD, headers=headers), WORD)
    answer = as_staff.post(form.action, form.data(severity="low"), headers=headers)
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, FILTERED)
    assert staged_changes()["word:palabra2"].now == ["low", "whole"]
    undone = undo_form(as_staff.get(FILTERED)).send(as_staff)
    assert (undone.status_code, undone.headers["Location"]) == (303, FILTERED)
    assert staged_changes() == {}


def test_an_invalid_word_shows_an_error_in_its_dialog(as_staff: Client) -> None:
    put_filter(**SEED)
    headers = {"HX-Request": "true", "HX-Target": "word-body", "HX-Current-URL": f"http://testserver{FILTERED}"}
    form = form_to(as_staff.get(WORD, headers=headers), WORD)
    answer = as_staff.post(form.action, form.data(word="palabra1"), headers=headers)
    page = parse(answer)
    assert answer.status_code == 422 and not page.all("main")
    assert "“palabra1” is already in the list" in page.text
    assert dict(form_to(page, WORD).fields)["next"] == FILTERED


def test_a_word_leads_back_only_to_the_word_list(as_staff: Client) -> None:
    put_filter(**SEED)
    for where in ("/people/", "//evil.example/forum/profanity/", "https://evil.example/forum/profanity/"):
        form = form_to(as_staff.get(WORD, headers={"Referer": f"http://testserver{where}"}), WORD)
        assert dict(form.fields)["next"] == FILTER
        answer = as_staff.post(form.action, form.data(next=where, word="palabra1"))
        assert dict(form_to(answer, WORD).fields)["next"] == FILTER


def test_adding_a_listed_word_offers_a_link_to_change_it(as_staff: Client) -> None:
    put_filter(**SEED)
    page = parse(post_form(as_staff, "", word="PALABRA2"))
    add = page.by_class("add-word")[0]
    assert add.one("a").attrs["href"] == WORD
    assert "autofocus" in add.one("input", name="word").attrs
    assert "autofocus" not in parse(as_staff.get(FILTER)).one("input", name="word").attrs


def test_an_allowed_word_in_another_spelling_is_refused(as_staff: Client) -> None:
    put_filter(**SEED, allowlist=["artículo"])
    answer = post_form(as_staff, "?show=allowed", word="ARTICULO")
    assert answer.status_code == 422 and "“artículo” is already an allowed word" in parse(answer).text
    assert staged_changes() == {}


def test_an_invalid_threshold_replaces_only_its_form(as_staff: Client) -> None:
    put_filter(**SEED)
    fields = {"threshold": "7", "next": FILTERED}
    answer = as_staff.post(f"{FILTER}threshold/", fields, headers={"HX-Request": "true"})
    page = parse(answer)
    assert answer.status_code == 422 and not page.all("main")
    assert "Enter a number between 0 and 1" in page.text
    assert dict(form_to(page, f"{FILTER}threshold/").fields)["next"] == FILTERED


def test_a_staged_threshold_is_listed_with_the_unsaved_changes(as_staff: Client) -> None:
    put_filter(**SEED)
    post_form(as_staff, "threshold/", threshold="0.6")
    page = parse(as_staff.get(f"{FILTER}?show=changes"))
    assert "Unsaved changes 1" in page.by_class("tabs")[0].text
    assert "Threshold: 0.8 0.6" in page.one("main").text
    assert "Everything is saved" not in page.text


def test_discarded_changes_can_be_restored_until_the_next_save(as_staff: Client) -> None:
    put_filter(**SEED)
    assert not parse(as_staff.get(FILTER)).by_class("discarded")
    post_form(as_staff, "", word="uno")
    post_form(as_staff, "discard/")
    as_staff.get(FILTER)  # After this page, the toast with Undo is not shown again.
    page = as_staff.get(FILTER)
    assert "1 change discarded" in parse(page).by_class("discarded")[0].text
    assert form_to(parse(page).one("main"), f"{FILTER}step-back/").send(as_staff).status_code == 303
    assert list(staged_changes()) == ["word:uno"]
    save_changes(as_staff)
    assert not parse(as_staff.get(FILTER)).by_class("discarded"), "after a save, nothing is left to restore"
