"""The editor of a page keeps what a person typed, and shows who else has the page open."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client
from django.urls import reverse
from pytest import MonkeyPatch

from content.blocks.nodes import heading, paragraph
from content.items import Content, UnsavedPage
from content.queries.editors import load_page_and_unsaved, people_in_editor
from content.services import editors
from content.services.editors import STAYS
from dashboard.core.clock import frozen, now
from dashboard.platform.configs.services.drafts import EXPIRES_AFTER
from dashboard.table import keys, write
from dashboard.table.commands import Actor
from tests.content.site import BUSINESS, NEIGHBOURS, a_page, save_page
from tests.content.test_page_editor import blocks_now, editor, press, texts, url
from tests.ui.html import Form, form_to, forms, parse
from tests.ui.walk import calls_of

BLOCKS = [heading(1, "About"), paragraph("One"), paragraph("Two")]
OFFER = "that are not saved. What you type here"
INES = Actor("ines@example.com", "Inés Mora")


def report_url(page: Content, business: str = BUSINESS) -> str:
    return reverse("page_editing", args=[business, page.node])


def is_offered(browser: Client, page: Content) -> bool:
    return OFFER in parse(browser.get(url(page))).text


def report(browser: Client, form: Form, page: Content, **values: str) -> str:
    """What an open editor sends while a person types."""
    return parse(browser.post(report_url(page), form.data() | values)).text


def offer(browser: Client, page: Content) -> Form:
    found = forms(browser.get(url(page)))
    return next(form for form in found if ("action", "continue") in form.fields)


def continued(browser: Client, page: Content) -> Form:
    return form_to(offer(browser, page).send(browser), url(page), end="1")


def test_what_is_typed_is_kept_offered_and_deleted_with_the_save(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    form = editor(as_owner, page)
    assert "Kept for you at" in report(as_owner, form, page, **{"k1-text": "Typed"})
    assert blocks_now(page) == BLOCKS
    assert is_offered(as_owner, page)

    again = continued(as_owner, page)
    assert texts(again) == ["About", "Typed", "Two"]
    again.send(as_owner)

    assert blocks_now(page) == [BLOCKS[0], paragraph("Typed"), BLOCKS[2]]
    assert not is_offered(as_owner, page)
    # A report that arrives after the save.
    assert "are not kept" in report(as_owner, again, page, **{"k1-text": "Late"})
    assert not is_offered(as_owner, page)


def test_without_javascript_the_buttons_of_blocks_keep_the_form(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    press(as_owner, editor(as_owner, page), page, "down:k0", **{"k0-text": "Moved"})

    assert texts(continued(as_owner, page)) == ["One", "Moved", "Two"]


def test_without_javascript_a_button_keeps_what_is_typed(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    answer = editor(as_owner, page).send(as_owner, values={"k0-text": "Typed", "action": "keep"})
    assert "Kept for you at" in parse(answer).text
    assert texts(continued(as_owner, page))[0] == "Typed"


def test_a_refused_save_is_kept(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[{"type": "hero", "attrs": {"headline": "x", "ctaLink": "/a"}}])
    sent = editor(as_owner, page).send(as_owner, values={"k0-ctaLink": "javascript:alert(1)"})
    assert sent.status_code == 422
    assert dict(continued(as_owner, page).fields)["k0-ctaLink"] == "javascript:alert(1)"


def test_kept_changes_are_merged_with_what_others_saved_since(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    report(as_owner, editor(as_owner, page), page, **{"k1-text": "Mine"})
    save_page(page, [*BLOCKS[:2], paragraph("Theirs")])

    continued(as_owner, page).send(as_owner)

    assert blocks_now(page) == [BLOCKS[0], paragraph("Mine"), paragraph("Theirs")]


def test_a_second_editor_does_not_overwrite_what_the_first_one_kept(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    report(as_owner, editor(as_owner, page), page, **{"k1-text": "First"})
    second = form_to(as_owner.get(url(page)), url(page), end="1")

    assert "are not kept" in report(as_owner, second, page, **{"k1-text": "Second"})
    answer = second.send(as_owner, values={"k1-text": "Second", "action": "up:k2"})
    assert OFFER in parse(answer).text
    assert texts(form_to(answer, url(page), end="1")) == ["About", "Two", "Second"]
    # Saving the second one keeps what the first one has.
    second.send(as_owner, values={"k2-text": "Saved"})
    assert texts(continued(as_owner, page)) == ["About", "First", "Two"]


def test_discard_deletes_what_was_kept_and_leaves_the_form(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    report(as_owner, editor(as_owner, page), page, **{"k1-text": "First"})
    second = form_to(as_owner.get(url(page)), url(page), end="1")

    answer = second.send(as_owner, values={"k1-text": "Second", "action": "discard"})

    assert OFFER not in parse(answer).text
    assert texts(form_to(answer, url(page))) == ["About", "Second", "Two"]
    assert texts(continued(as_owner, page)) == ["About", "Second", "Two"]
    form_to(as_owner.get(url(page)), url(page), end="1").send(as_owner, values={"action": "discard"})
    assert not is_offered(as_owner, page)


def test_kept_changes_are_of_one_person_and_expire(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    report(as_owner, editor(as_owner, page), page, **{"k1-text": "Typed"})
    assert load_page_and_unsaved(BUSINESS, page.node, INES.email)[1] is None
    assert load_page_and_unsaved(BUSINESS, page.node, "olivia@example.com")[1] is not None

    with frozen(now() + EXPIRES_AFTER + timedelta(seconds=1)):
        assert load_page_and_unsaved(BUSINESS, page.node, "olivia@example.com")[1] is None


def test_an_unreadable_kept_form_breaks_nothing(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    report(as_owner, editor(as_owner, page), page, **{"k1-text": "Typed"})
    key = keys.UNSAVED_PAGE.key(tenant=BUSINESS, node=page.node, email="olivia@example.com")
    write.update(key, [UnsavedPage.packed.set(b"x")])

    assert offer(as_owner, page).send(as_owner).status_code == 303


def test_too_large_a_form_is_not_kept(table: str, as_owner: Client, monkeypatch: MonkeyPatch) -> None:
    page = a_page(blocks=BLOCKS)
    monkeypatch.setattr(editors, "MAX_BYTES", 100)
    assert "are not kept" in report(as_owner, editor(as_owner, page), page, **{"k1-text": "Typed"})
    assert not is_offered(as_owner, page)


def test_two_people_see_each_other_until_one_leaves(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    other_page = a_page("Other")
    editors.note_presence(BUSINESS, page.node, by=INES)
    shown = "Inés Mora is editing this page too."
    assert shown in parse(as_owner.get(url(page))).text
    assert shown in parse(as_owner.post(report_url(page))).text
    assert shown not in parse(as_owner.post(report_url(other_page))).text
    # The owner reported too, and is not named to themselves.
    assert people_in_editor(BUSINESS, page.node, INES.email) == ["Olivia Andrade"]

    with frozen(now() + STAYS + timedelta(seconds=1)):
        assert "is editing" not in parse(as_owner.get(url(page))).text


def test_without_javascript_the_buttons_of_blocks_tell_who_is_here(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    editors.note_presence(BUSINESS, page.node, by=INES)
    answer = editor(as_owner, page).send(as_owner, values={"action": "down:k0"})
    assert "Inés Mora is editing this page too." in parse(answer).text
    assert people_in_editor(BUSINESS, page.node, INES.email) == ["Olivia Andrade"]


def test_another_business_and_a_missing_page_are_not_found(table: str, as_owner: Client) -> None:
    theirs = a_page(business=NEIGHBOURS)
    for address in (report_url(theirs), report_url(theirs, NEIGHBOURS), report_url(theirs).replace(theirs.node, "x")):
        assert as_owner.post(address).status_code == 404


def test_the_editor_takes_two_round_trips(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    report(as_owner, editor(as_owner, page), page, **{"k1-text": "Typed"})
    assert calls_of(as_owner.get(url(page))).trips == 2


def test_discard_leaves_what_another_editor_kept_after_it_was_offered(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    first = editor(as_owner, page)
    report(as_owner, first, page, **{"k1-text": "First"})
    second = form_to(as_owner.get(url(page)), url(page), end="1")
    report(as_owner, first, page, **{"k1-text": "First, and more"})

    answer = second.send(as_owner, values={"action": "discard"})

    assert OFFER in parse(answer).text
    assert texts(continued(as_owner, page)) == ["About", "First, and more", "Two"]


def test_the_save_of_the_first_editor_leaves_what_the_second_one_continued(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    first = editor(as_owner, page)
    report(as_owner, first, page, **{"k1-text": "First"})
    second = continued(as_owner, page)
    assert "Kept for you at" in report(as_owner, second, page, **{"k2-text": "Second"})
    assert "are not kept" in report(as_owner, first, page, **{"k1-text": "First again"})

    first.send(as_owner, values={"k1-text": "Saved"})

    assert blocks_now(page) == [BLOCKS[0], paragraph("Saved"), BLOCKS[2]]
    assert texts(continued(as_owner, page)) == ["About", "First", "Second"]
