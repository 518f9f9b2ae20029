"""Conflicts: someone else saved first, both versions are shown, and nothing is overwritten."""

from __future__ import annotations

import pytest

from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.person_page import ALDO, form_of, reload, submit_form, toast_text
from tests.conftest import PASSWORD
from tests.ui.html import form_to, parse, undo_form
from tests.ui.world import World


def test_a_conflict_shows_both_versions_and_can_be_resolved(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Old Name"), world.browser("admin")
    form = form_of(browser, person, "edit")
    theirs = people.edit(
        person.email, name="Theirs", role=Role.STAFF, revision=person.revision, command=new_command(ALDO)
    )

    came_from = {"Referer": f"http://testserver/people/{person.email}/?x=1"}
    response = form.send(browser, values={"name": "Mine", "role": "owner"}, headers=came_from)

    assert response.status_code == 409
    page = parse(response)
    assert "Aldo Paz" in page.one("h2", id="conflict-title").text
    rows = [[cell.text for cell in row.all("td")] for row in page.one("tbody").all("tr")]
    assert rows == [["Mine", "Theirs"], ["Business member", "Event staff"]]
    assert page.one("a", class_="button primary").attrs["href"] == f"/people/{person.email}/?x=1"
    mine = form_to(page, f"/people/{person.email}/edit/")
    assert mine.data()["revision"] == str(theirs.revision)
    assert (mine.data()["name"], mine.data()["role"]) == ("Mine", "owner")
    assert mine.data()["operation"] != form.data()["operation"]
    assert reload(person).name == "Theirs", "nothing is overwritten"
    assert audit_entries.last_entry(person.email)[0] == "aldo@example.com"

    saved = mine.send(browser, follow=True)
    assert "Mine" in toast_text(saved)
    assert (reload(person).name, reload(person).state) == ("Mine", "owner")
    # Undo restores their version.
    undo_form(saved).send(browser)
    assert (reload(person).name, reload(person).state) == ("Theirs", "staff")


def test_a_field_that_was_not_changed_keeps_the_colleagues_value(world: World) -> None:
    """Aldo changes the name, Alma only the role. Saving hers keeps his name."""
    person, browser = world.add(Role.STAFF, "Old"), world.browser("admin")
    form = form_of(browser, person, "edit")
    people.edit(person.email, name="His", role=Role.STAFF, revision=person.revision, command=new_command(ALDO))
    refused = parse(form.send(browser, values={"role": "owner"}))
    rows = refused.one("tbody").all("tr")
    assert [[cell.text for cell in row.all("td")] for row in rows] == [
        ["Business member", "Event staff"],
        ["His", "His"],
    ]
    assert ["data-changed" in row.attrs for row in rows] == [True, False]
    assert form_to(refused, form.action).send(browser).status_code == 303
    assert (reload(person).name, reload(person).state) == ("His", "owner")


def test_a_field_that_was_not_sent_stays_empty_in_a_conflict(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    response = browser.post(f"/people/{person.email}/edit/", {"role": "owner", "revision": "99"})
    assert response.status_code == 409
    assert form_to(response, f"/people/{person.email}/edit/").data()["name"] == ""


def test_resolving_a_conflict_can_be_a_conflict_again(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, "edit")
    second = people.edit(person.email, name="2", role=Role.STAFF, revision=person.revision, command=new_command(ALDO))
    refused = form.send(browser, values={"name": "mine"})
    people.edit(person.email, name="3", role=Role.STAFF, revision=second.revision, command=new_command(ALDO))
    again = form_to(refused, f"/people/{person.email}/edit/").send(browser)
    assert again.status_code == 409
    assert form_to(again, f"/people/{person.email}/edit/").send(browser).status_code == 303
    assert reload(person).name == "mine"


@pytest.mark.parametrize("name", ["disable", "sign-out", "link"])
def test_an_action_from_an_old_page_is_a_conflict(world: World, name: str) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, name)
    people.edit(person.email, name="Newer", role=Role.STAFF, revision=person.revision, command=new_command(ALDO))
    sent = {"current": PASSWORD} if name == "sign-out" else {}
    response = form.send(browser, values=sent)
    assert response.status_code == 409
    assert PASSWORD not in response.content.decode()
    assert reload(person).revision == person.revision + 1
    # The form on the conflict page carries out the action.
    assert form_to(response, form.action).send(browser, values=sent).status_code in {200, 303}
    assert reload(person).revision == person.revision + 2


@pytest.mark.parametrize(
    "referer", ["http://[", "https://evil.example/", "http://testserver//evil.example", "nonsense"]
)
def test_the_back_link_of_a_conflict_stays_on_this_site(world: World, referer: str) -> None:
    person = world.add()
    stale = {"name": "x", "role": "staff", "revision": "99"}
    url = f"/people/{person.email}/edit/"
    for header in ("Referer", "HX-Current-URL"):
        response = world.browser("admin").post(url, stale, headers={header: referer})
        assert response.status_code == 409
        back = parse(response).one("a", class_="button primary").attrs["href"]
        assert back.startswith("/") and not back.startswith("//")


@pytest.mark.parametrize("revision", ["", "x", "-1", "9" * 40, "9" * 5000, "1e3", "٣"])
def test_an_invalid_revision_changes_nothing(world: World, revision: str) -> None:
    person, browser = world.add(), world.browser("admin")
    for name in ("edit", "disable", "sign-out"):
        sent = {"name": "x", "role": "staff", "revision": revision}
        assert browser.post(f"/people/{person.email}/{name}/", sent).status_code in {409, 422}
    assert reload(person).revision == person.revision


def test_undo_after_a_newer_change_is_a_conflict(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    undo = undo_form(submit_form(browser, person, "disable"))
    after = reload(person)
    people.edit(person.email, name="Newer", role=Role.OWNER, revision=after.revision, command=new_command(ALDO))
    assert undo.send(browser).status_code == 409
    assert reload(person).state == "disabled"


@pytest.mark.parametrize(("who", "name"), [("disabled", "disable"), ("staff", "enable")])
def test_disabling_or_enabling_twice_is_a_conflict(world: World, who: str, name: str) -> None:
    person = reload(world.people[who])
    response = world.browser("admin").post(f"/people/{person.email}/{name}/", {"revision": person.revision})
    assert response.status_code == 409
    page = parse(response)
    assert "disabled" in page.by_class("conflict")[0].text, "the page shows the reason"
    assert not page.by_class("conflict")[0].all("form"), "the page has no form that would fail again"
    assert reload(person).revision == person.revision


def test_a_form_may_send_its_revision_as_version(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    url, sent = f"/people/{person.email}/edit/", {"name": "Renamed", "role": "staff"}
    assert browser.post(url, sent | {"version": str(person.revision + 1)}).status_code == 409
    assert browser.post(url, sent | {"version": str(person.revision)}).status_code == 303
    assert reload(person).name == "Renamed"
