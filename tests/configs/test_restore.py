"""Restoring a version, or undoing the changes of one version, without losing later changes."""

from __future__ import annotations

from django.test import Client

from dashboard.platform.configs import queries
from forum.configs.reasons import REASONS
from tests.configs.texts_config import BRUNO, TEXTS, add, audit_entries, texts
from tests.forum.config_versions import save_reasons_version
from tests.forum.filter_pages import rows
from tests.ui.html import form_to, parse, toasts, undo_form


def test_a_version_is_restored_and_undone_from_the_toast(table: str, as_staff: Client, texts_pages: str) -> None:
    for each in "abc":
        add(each)
    page = parse(as_staff.get(f"{texts_pages}1/")).one("main")
    form = form_to(page, f"{texts_pages}1/restore/")
    assert "−2" in form.element.by_class("consequence")[0].text
    answer = form.send(as_staff, headers={"Referer": f"http://testserver{texts_pages}1/"})
    assert (answer.status_code, answer.headers["Location"]) == (303, texts_pages)
    assert texts() == ["a"]
    assert (audit_entries()[0].action, audit_entries()[0].actor["name"]) == ("texts.restore", "Sofía Duarte")
    history_page = parse(as_staff.get(texts_pages))
    assert toasts(history_page) == ["Version 1 restored as version 4."]
    assert "restored v1" in rows(history_page)[0].text
    answer = undo_form(history_page).send(as_staff)
    assert answer.status_code == 303
    assert texts() == ["a", "b", "c"]
    history_page = parse(as_staff.get(texts_pages))
    assert toasts(history_page) == ["Changes of version 4 undone in version 5."]
    undo_form(history_page).send(as_staff)
    assert texts() == ["a"]


def test_the_changes_of_one_version_are_undone_and_later_changes_are_kept(
    table: str, as_staff: Client, texts_pages: str
) -> None:
    for each in "abc":
        add(each)
    page = parse(as_staff.get(f"{texts_pages}2/")).one("main")
    assert form_to(page, f"{texts_pages}2/revert/").send(as_staff).status_code == 303
    assert texts() == ["a", "c"]
    history_page = parse(as_staff.get(texts_pages))
    assert "undid v2" in rows(history_page)[0].text
    # A version that is already undone has no button.
    again = parse(as_staff.get(f"{texts_pages}2/")).one("main")
    assert not [each for each in again.all("form") if each.attrs["action"].endswith("revert/")]
    answer = as_staff.post(f"{texts_pages}2/revert/", follow=True)
    assert toasts(answer) == ["Nothing was changed."]
    undo_form(history_page).send(as_staff)
    assert texts() == ["a", "b", "c"]


def test_the_same_form_sent_twice_acts_once(as_staff: Client, texts_pages: str) -> None:
    add("a")
    add("b")
    form = form_to(parse(as_staff.get(f"{texts_pages}1/")).one("main"), f"{texts_pages}1/restore/")
    for _ in range(2):
        assert form.send(as_staff).status_code == 303
    assert len(queries.history(TEXTS).items) == 3


def test_a_restore_with_a_stale_revision_must_be_confirmed(as_staff: Client, texts_pages: str) -> None:
    add("a")
    add("b")
    form = form_to(parse(as_staff.get(f"{texts_pages}1/")).one("main"), f"{texts_pages}1/restore/")
    add("c", by=BRUNO)
    answer = form.send(as_staff)
    assert answer.status_code == 409
    assert "Bruno Paz changed this while you had it open" in parse(answer).one("main").text
    assert texts() == ["a", "b", "c"], "nothing was done"
    form_to(parse(answer).one("main"), f"{texts_pages}1/restore/").send(as_staff)
    assert texts() == ["a"], "the person confirmed it"


def test_a_later_change_of_the_same_entry_prevents_undo_and_names_its_author(as_staff: Client) -> None:
    save_reasons_version("Ads")
    save_reasons_version("Adverts", BRUNO)
    base = "/forum/reasons/versions/"
    page = parse(as_staff.get(f"{base}2/")).one("main")
    assert "changes cannot be undone: Spam or advertising changed again later" in page.text
    assert not [each for each in page.all("form") if each.attrs["action"].endswith("revert/")]
    answer = as_staff.post(f"{base}2/revert/")
    assert answer.status_code == 409
    (row,) = parse(answer).one("main").one("tbody").all("tr")
    assert row.all("td")[0].text == "Spam or advertising · Spam o publicidad"
    assert "Adverts · Adverts" in row.text and "Bruno Paz" in row.text
    assert len(queries.history(REASONS).items) == 3, "the initial version and two changes"
    # The initial version has no author: it cannot be undone, but it can be restored.
    first = parse(as_staff.get(f"{base}1/")).one("main")
    assert first.one("section", id="changes").one("h2").text == "Content"
    assert "the product's default" in first.text
    actions = [each.attrs["action"] for each in first.all("form", method="post")]
    assert actions == [f"{base}1/restore/"]
