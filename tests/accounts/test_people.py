"""What admins do with one person: each act, its way back, and what happens when someone else was faster."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.test import Client

from dashboard.accounts import queries
from dashboard.accounts.items import Person
from dashboard.accounts.permissions import Role
from dashboard.accounts.services import people
from dashboard.clock import now
from dashboard.table.operations import Actor, Operation, new_operation
from tests.accounts import trail
from tests.conftest import ALMA, sign_in
from tests.ui.html import Form, form_to, parse, toasts, undo_form
from tests.ui.walk import World

ALDO = Actor("aldo@example.com", "Aldo Paz")


def form_of(browser: Client, person: Person, act: str) -> Form:
    """The form for one act on someone's page."""
    return form_to(browser.get(f"/people/{person.email}/"), f"/people/{person.email}/{act}/")


def act(browser: Client, person: Person, what: str, **typed: str) -> Any:
    return form_of(browser, person, what).send(browser, typed=typed, follow=True)


def said(response: Any) -> str:
    """The one toast of a page."""
    (text,) = toasts(response)
    return text


def now_is(person: Person) -> Person:
    return queries.person(person.email)


def test_a_page_shows_someone_and_their_history(world: World) -> None:
    page = parse(world.browser("admin").get("/people/dora@example.com/"))
    assert page.one("h1").text == "Dora Luz"
    details = page.one("dl", class_="details").text
    assert "dora@example.com" in details and "Disabled" in details and "Staff" in details
    assert [entry.one("strong").text for entry in page.by_class("history")[0].all("li")] == ["Alma Ríos"] * 2


@pytest.mark.parametrize("email", ["nobody@example.com", "a%23b@example.com", "%00%00%00", "ñ@é", "x" * 254])
def test_nobody_has_no_page(world: World, email: str) -> None:
    browser = world.browser("admin")
    assert browser.get(f"/people/{email}/").status_code == 404
    for name in ("edit", "disable", "enable", "link", "withdraw", "sign-out"):
        assert browser.post(f"/people/{email}/{name}/", {"role": "staff"}).status_code == 404, name


def test_the_address_in_a_path_may_be_written_in_capitals(world: World) -> None:
    assert world.browser("admin").get("/people/DORA@Example.com/").status_code == 200


def test_name_and_role_are_edited_and_undone(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Old Name"), world.browser("admin")
    response = act(browser, person, "edit", name="New Name", role="moderator")

    assert response.redirect_chain == [(f"/people/{person.email}/", 303)]
    assert "New Name" in said(response)
    after = now_is(person)
    assert (after.name, after.state, after.seen) == ("New Name", "moderator", person.seen + 1)
    assert (after.updated_by, after.epoch) == ("alma@example.com", person.epoch + 1)
    changed = trail.last(person.email)
    assert changed[:2] == ("alma@example.com", "person.edit")
    assert changed[2:] == ({"name": "Old Name", "role": "staff"}, {"name": "New Name", "role": "moderator"})

    undone = undo_form(response).send(browser, follow=True)
    assert "Old Name" in said(undone)
    back = now_is(person)
    assert (back.name, back.state, back.seen) == ("Old Name", "staff", person.seen + 2)
    assert trail.actions(person.email)[:2] == ["person.edit", "person.edit"]
    # And the way back has a way back.
    again = undo_form(undone).send(browser, follow=True)
    assert "New Name" in said(again)
    assert now_is(person).state == "moderator"


def test_what_cannot_be_saved_stays_in_the_form(world: World) -> None:
    person = world.add(Role.STAFF, "Old Name")
    response = act(world.browser("admin"), person, "edit", name="x" * 101, role="king")
    assert response.status_code == 422
    form = form_to(response, f"/people/{person.email}/edit/")
    assert form.data()["name"] == "x" * 101
    assert len(parse(response).by_class("error")) == 2
    assert now_is(person).seen == person.seen
    # Corrected, it is saved.
    assert form.send(world.browser("admin"), typed={"name": "Good", "role": "owner"}).status_code == 303


def test_a_name_may_be_left_out(world: World) -> None:
    person = world.add(Role.STAFF, "Old Name")
    act(world.browser("admin"), person, "edit", name="  ")
    assert now_is(person).name is None
    assert now_is(person).title == person.email


def test_someone_else_was_faster(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Old Name"), world.browser("admin")
    form = form_of(browser, person, "edit")
    theirs = people.edit(person.email, name="Theirs", role=Role.STAFF, seen=person.seen, operation=new_operation(ALDO))

    came_from = {"Referer": f"http://testserver/people/{person.email}/?x=1"}
    response = form.send(browser, typed={"name": "Mine", "role": "owner"}, headers=came_from)

    assert response.status_code == 409
    page = parse(response)
    assert "Aldo Paz" in page.one("h2", id="conflict-title").text
    rows = [[cell.text for cell in row.all("td")] for row in page.one("tbody").all("tr")]
    assert rows == [["Mine", "Theirs"], ["Owner", "Staff"]]
    assert page.one("a", class_="button primary").attrs["href"] == f"/people/{person.email}/?x=1"
    mine = form_to(page, f"/people/{person.email}/edit/")
    assert mine.data()["version"] == str(theirs.seen)
    assert (mine.data()["name"], mine.data()["role"]) == ("Mine", "owner")
    assert mine.data()["operation"] != form.data()["operation"]
    assert now_is(person).name == "Theirs", "nothing is overwritten silently"
    assert trail.last(person.email)[0] == "aldo@example.com"

    saved = mine.send(browser, follow=True)
    assert "Mine" in said(saved)
    assert (now_is(person).name, now_is(person).state) == ("Mine", "owner")
    # Undo leads back to theirs.
    undo_form(saved).send(browser)
    assert (now_is(person).name, now_is(person).state) == ("Theirs", "staff")


def test_what_one_did_not_change_does_not_undo_a_colleague(world: World) -> None:
    """Aldo changes the name, Alma only the role: saving hers keeps his."""
    person, browser = world.add(Role.STAFF, "Old"), world.browser("admin")
    form = form_of(browser, person, "edit")
    people.edit(person.email, name="His", role=Role.STAFF, seen=person.seen, operation=new_operation(ALDO))
    refused = parse(form.send(browser, typed={"role": "owner"}))
    rows = refused.one("tbody").all("tr")
    assert [[cell.text for cell in row.all("td")] for row in rows] == [["His", "His"], ["Owner", "Staff"]]
    assert ["data-changed" in row.attrs for row in rows] == [False, True]
    assert form_to(refused, form.action).send(browser).status_code == 303
    assert (now_is(person).name, now_is(person).state) == ("His", "owner")


def test_a_field_that_was_not_sent_stays_empty_in_a_conflict(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    response = browser.post(f"/people/{person.email}/edit/", {"role": "owner", "version": "99"})
    assert response.status_code == 409
    assert form_to(response, f"/people/{person.email}/edit/").data()["name"] == ""


def test_saving_without_a_change_writes_nothing(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Same"), world.browser("admin")
    response = act(browser, person, "edit")
    assert response.redirect_chain == [(f"/people/{person.email}/", 303)]
    assert len(toasts(response)) == 1
    assert now_is(person).seen == person.seen
    assert trail.actions(person.email) == ["person.create"]


def test_saving_mine_meets_yet_another_change(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, "edit")
    second = people.edit(person.email, name="2", role=Role.STAFF, seen=person.seen, operation=new_operation(ALDO))
    refused = form.send(browser, typed={"name": "mine"})
    people.edit(person.email, name="3", role=Role.STAFF, seen=second.seen, operation=new_operation(ALDO))
    again = form_to(refused, f"/people/{person.email}/edit/").send(browser)
    assert again.status_code == 409
    assert form_to(again, f"/people/{person.email}/edit/").send(browser).status_code == 303
    assert now_is(person).name == "mine"


@pytest.mark.parametrize("name", ["disable", "sign-out", "link"])
def test_a_button_pressed_on_an_old_page_changes_nothing(world: World, name: str) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, name)
    people.edit(person.email, name="Newer", role=Role.STAFF, seen=person.seen, operation=new_operation(ALDO))
    response = form.send(browser)
    assert response.status_code == 409
    assert now_is(person).seen == person.seen + 1
    # Seeing that, one may still want it.
    assert form_to(response, form.action).send(browser).status_code in {200, 303}
    assert now_is(person).seen == person.seen + 2


@pytest.mark.parametrize(
    "referer", ["http://[", "https://evil.example/", "http://testserver//evil.example", "nonsense"]
)
def test_the_way_back_from_a_conflict_stays_on_this_site(world: World, referer: str) -> None:
    person = world.add()
    stale = {"name": "x", "role": "staff", "version": "99"}
    url = f"/people/{person.email}/edit/"
    for header in ("Referer", "HX-Current-URL"):
        response = world.browser("admin").post(url, stale, headers={header: referer})
        assert response.status_code == 409
        back = parse(response).one("a", class_="button primary").attrs["href"]
        assert back.startswith("/") and not back.startswith("//")


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 40, "9" * 5000, "1e3", "٣"])
def test_a_version_that_is_none_changes_nothing(world: World, version: str) -> None:
    person, browser = world.add(), world.browser("admin")
    for name in ("edit", "disable", "sign-out"):
        sent = {"name": "x", "role": "staff", "version": version}
        assert browser.post(f"/people/{person.email}/{name}/", sent).status_code in {409, 422}
    assert now_is(person).seen == person.seen


def test_the_same_form_sent_twice_acts_once_and_is_answered_as_done(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Old"), world.browser("admin")
    form = form_of(browser, person, "edit")
    twice = [form.send(browser, typed={"name": "New", "role": "owner"}, follow=True) for _ in range(2)]
    assert [response.redirect_chain for response in twice] == [[(f"/people/{person.email}/", 303)]] * 2
    assert said(twice[0]) == said(twice[1])
    assert now_is(person).seen == person.seen + 1
    assert trail.actions(person.email) == ["person.edit", "person.create"]
    # Even after someone else has changed it since: it was done, and it is not done again.
    after = now_is(person)
    people.edit(person.email, name="Other", role=Role.STAFF, seen=after.seen, operation=new_operation(ALDO))
    assert form.send(browser, typed={"name": "New", "role": "owner"}).status_code == 303
    assert now_is(person).name == "Other"


def test_undo_after_a_form_was_sent_twice_leads_back_to_what_was_before(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Old"), world.browser("admin")
    form = form_of(browser, person, "edit")
    twice = [form.send(browser, typed={"name": "New", "role": "owner"}, follow=True) for _ in range(2)]
    undo_form(twice[1]).send(browser)
    assert (now_is(person).name, now_is(person).state) == ("Old", "staff")


def test_the_same_form_with_another_content_is_another_wish(world: World) -> None:
    """Sent, gone back to, changed and sent again: it must not be answered as done."""
    person, browser = world.add(Role.STAFF, "Old"), world.browser("admin")
    form = form_of(browser, person, "edit")
    form.send(browser, typed={"name": "New"}, follow=True)
    changed = form.send(browser, typed={"name": "Newer still"})
    assert changed.status_code == 409
    assert now_is(person).name == "New"
    (conflict,) = parse(changed).by_class("conflict")
    assert form_to(conflict, form.action).send(browser).status_code == 303
    assert now_is(person).name == "Newer still"


def test_a_forms_token_is_for_one_address(world: World) -> None:
    one, other, browser = world.add(), world.add(), world.browser("admin")
    form = form_of(browser, one, "disable")
    form.send(browser)
    assert browser.post(f"/people/{other.email}/disable/", form.data()).status_code == 303
    assert (now_is(one).state, now_is(other).state) == ("disabled", "disabled")


@pytest.mark.parametrize(
    ("name", "action"), [("disable", "person.disable"), ("sign-out", "person.end_sessions"), ("link", "person.reset")]
)
def test_a_button_pressed_twice_acts_once(world: World, name: str, action: str) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, name)
    statuses = [form.send(browser).status_code for _ in range(2)]
    assert statuses in ([303, 303], [200, 200])
    assert trail.actions(person.email) == [action, "person.create"]
    assert now_is(person).seen == person.seen + 1


def test_an_operation_of_another_person_is_ones_own_new_wish(world: World) -> None:
    """A form's token is worth nothing in another's hands: it cannot make their act look done."""
    person = world.add()
    form = form_of(world.browser("admin"), person, "edit")
    form.send(world.browser("admin"), typed={"name": "By Alma"})
    other = form.data(name="By Aldo", version=str(person.seen + 1))
    assert world.browser("admin2").post(form.action, other).status_code == 303
    assert now_is(person).name == "By Aldo"


def test_a_form_that_was_open_for_too_long_asks_to_be_loaded_again(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, "edit")
    with mock.patch("django.core.signing.time.time", lambda: (now() + timedelta(days=15)).timestamp()):
        response = form.send(browser, typed={"name": "Late"})
    assert response.status_code == 422
    assert "This form was open for too long" in parse(response).text
    assert now_is(person).seen == person.seen


@pytest.mark.parametrize("token", ["", "garbage", "a:b:c", "\x00", "x" * 10_000])
def test_a_token_that_is_none_is_a_wish_of_its_own(world: World, token: str) -> None:
    person = world.add()
    sent = {"name": "New", "role": "staff", "version": str(person.seen), "operation": token}
    assert world.browser("admin").post(f"/people/{person.email}/edit/", sent).status_code == 303
    assert now_is(person).seen == person.seen + 1


def test_disabling_signs_out_and_each_way_back_works(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Sam"), world.browser("admin")
    theirs = sign_in(person)

    response = act(browser, person, "disable")
    assert "Sam is disabled" in said(response)
    assert now_is(person).state == "disabled"
    assert theirs.get("/").status_code == 302
    assert trail.last(person.email) == (
        "alma@example.com",
        "person.disable",
        {"state": "active"},
        {"state": "disabled"},
    )

    undone = undo_form(response).send(browser, follow=True)
    assert "Sam can sign in" in said(undone)
    assert now_is(person).state == "staff"
    assert trail.last(person.email)[1] == "person.enable"
    assert theirs.get("/").status_code == 302, "the old session stays dead"

    disabled_again = undo_form(undone).send(browser, follow=True)
    assert now_is(person).state == "disabled"
    enabled = act(browser, person, "enable")
    assert "Sam can sign in" in said(enabled)
    assert "Sam is disabled" in said(disabled_again)


def test_undo_meets_a_newer_change(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    undo = undo_form(act(browser, person, "disable"))
    after = now_is(person)
    people.edit(person.email, name="Newer", role=Role.OWNER, seen=after.seen, operation=new_operation(ALDO))
    assert undo.send(browser).status_code == 409
    assert now_is(person).state == "disabled"


@pytest.mark.parametrize(("who", "name"), [("disabled", "disable"), ("staff", "enable")])
def test_what_is_so_already_is_a_conflict(world: World, who: str, name: str) -> None:
    person = now_is(world.people[who])
    response = world.browser("admin").post(f"/people/{person.email}/{name}/", {"version": person.seen})
    assert response.status_code == 409
    page = parse(response)
    assert "disabled" in page.by_class("conflict")[0].text, "it says why"
    assert not page.by_class("conflict")[0].all("form"), "and offers nothing that would end here again"
    assert now_is(person).seen == person.seen


def test_signing_someone_out_everywhere(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Sam"), world.browser("admin")
    theirs = sign_in(person)
    response = act(browser, person, "sign-out")
    assert "Sam is signed out everywhere" in said(response)
    assert theirs.get("/").status_code == 302
    assert trail.last(person.email)[:2] == ("alma@example.com", "person.end_sessions")
    assert sign_in(now_is(person)).get("/").status_code == 200, "they may sign in again"


def test_each_state_offers_what_can_be_done_and_nothing_else(world: World) -> None:
    browser = world.browser("admin")
    offered = {}
    for who in ("staff", "disabled", "invited", "admin"):
        page = parse(browser.get(f"/people/{world.people[who].email}/"))
        offered[who] = [form.attrs["action"].split("/")[-2] for form in page.by_class("act")]
        assert ("This is you." in page.text) == (who == "admin")
    assert offered["disabled"] == ["enable"]
    assert offered["invited"] == ["link", "withdraw", "disable"]
    assert offered["staff"] == offered["admin"] == ["link", "sign-out", "disable"]


def test_an_entry_of_the_trail_names_its_operation_and_is_bounded(world: World) -> None:
    person = world.add()
    operation = Operation("one-operation", ALMA)
    people.edit(person.email, name="New", role=Role.STAFF, seen=person.seen, operation=operation)
    assert trail.entries(person.email)[0].operation == "one-operation"


def test_the_history_reads_as_sentences(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Sam"), world.browser("admin")
    act(browser, person, "edit", name="Sam Two", role="owner")
    act(browser, person, "disable")
    history = parse(browser.get(f"/people/{person.email}/")).by_class("history")[0]
    sentences = [item.one("p").text for item in history.all("li")]
    for sentence, words in zip(
        sentences, (("disabled", "Sam Two"), ("edited", "Sam Two"), ("created", "Sam")), strict=True
    ):
        assert sentence.startswith("Alma Ríos ") and all(word in sentence for word in words)
    notes = [item.one("blockquote").text for item in history.all("li") if item.all("blockquote")]
    assert "Sam → Sam Two" in notes[1] and "Staff → Owner" in notes[1]
