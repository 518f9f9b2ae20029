"""Back to a version, or without what one changed: on top of what others saved since, and never over it."""

from __future__ import annotations

from django.test import Client

from dashboard.platform.configs import queries
from forum.configs.reasons import REASONS
from tests.configs.texts_config import BRUNO, TEXTS, add, texts, trail
from tests.forum.config_versions import save_reasons_version
from tests.forum.filter_pages import rows
from tests.ui.html import form_to, parse, toasts, undo_form


def test_a_version_comes_back_and_the_toast_takes_that_back(table: str, as_staff: Client, texts_pages: str) -> None:
    for each in "abc":
        add(each)
    page = parse(as_staff.get(f"{texts_pages}1/")).one("main")
    form = form_to(page, f"{texts_pages}1/restore/")
    assert "−2" in form.element.by_class("consequence")[0].text
    answer = form.send(as_staff, headers={"Referer": f"http://testserver{texts_pages}1/"})
    assert (answer.status_code, answer.headers["Location"]) == (303, texts_pages)
    assert texts() == ["a"]
    assert (trail()[0].action, trail()[0].actor["name"]) == ("texts.restore", "Sofía Duarte")
    shown = parse(as_staff.get(texts_pages))
    assert toasts(shown) == ["Version 1 restored as version 4."]
    assert "restored v1" in rows(shown)[0].text
    answer = undo_form(shown).send(as_staff)
    assert answer.status_code == 303
    assert texts() == ["a", "b", "c"]
    shown = parse(as_staff.get(texts_pages))
    assert toasts(shown) == ["Changes of version 4 undone in version 5."]
    undo_form(shown).send(as_staff)
    assert texts() == ["a"]


def test_one_version_is_taken_back_and_what_came_later_stays(table: str, as_staff: Client, texts_pages: str) -> None:
    for each in "abc":
        add(each)
    page = parse(as_staff.get(f"{texts_pages}2/")).one("main")
    assert form_to(page, f"{texts_pages}2/revert/").send(as_staff).status_code == 303
    assert texts() == ["a", "c"]
    shown = parse(as_staff.get(texts_pages))
    assert "undid v2" in rows(shown)[0].text
    # What is taken back already has no button any more.
    again = parse(as_staff.get(f"{texts_pages}2/")).one("main")
    assert not [each for each in again.all("form") if each.attrs["action"].endswith("revert/")]
    answer = as_staff.post(f"{texts_pages}2/revert/", follow=True)
    assert toasts(answer) == ["Nothing was changed."]
    undo_form(shown).send(as_staff)
    assert texts() == ["a", "b", "c"]


def test_the_same_form_sent_twice_acts_once(as_staff: Client, texts_pages: str) -> None:
    add("a")
    add("b")
    form = form_to(parse(as_staff.get(f"{texts_pages}1/")).one("main"), f"{texts_pages}1/restore/")
    for _ in range(2):
        assert form.send(as_staff).status_code == 303
    assert len(queries.history(TEXTS).items) == 3


def test_a_restore_of_what_has_moved_asks_again(as_staff: Client, texts_pages: str) -> None:
    add("a")
    add("b")
    form = form_to(parse(as_staff.get(f"{texts_pages}1/")).one("main"), f"{texts_pages}1/restore/")
    add("c", by=BRUNO)
    answer = form.send(as_staff)
    assert answer.status_code == 409
    assert "Bruno Paz changed this while you had it open" in parse(answer).one("main").text
    assert texts() == ["a", "b", "c"], "nothing was done"
    form_to(parse(answer).one("main"), f"{texts_pages}1/restore/").send(as_staff)
    assert texts() == ["a"], "on purpose"


def test_what_was_changed_again_is_not_overwritten_and_says_by_whom(as_staff: Client) -> None:
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
    assert len(queries.history(REASONS).items) == 3, "as it came, and two changes"
    # The first was not made by anyone: it cannot be undone, but it can come back.
    first = parse(as_staff.get(f"{base}1/")).one("main")
    assert first.one("section", id="changes").one("h2").text == "Content"
    assert "the product's default" in first.text
    actions = [each.attrs["action"] for each in first.all("form", method="post")]
    assert actions == [f"{base}1/restore/"]
