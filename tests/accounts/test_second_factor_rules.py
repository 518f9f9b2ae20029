"""The sign-in rules: admins choose which roles need a second factor, and undo it."""

from __future__ import annotations

import pytest

from dashboard.core.errors import Conflict
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import security as services
from dashboard.platform.audit.queries import history
from dashboard.table.commands import new_command
from tests.accounts.many_people import add_many_people
from tests.accounts.second_factors import checkboxes, is_signed_in, require_for_roles, switch_on
from tests.conftest import ACTOR, PASSWORD, add_person, sign_in
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of

RULES = "/people/security/"


@pytest.fixture
def alma(table: str) -> Person:
    """An admin with a second factor."""
    person, _codes = switch_on(add_person("alma@example.com", Role.ADMIN, "Alma Ríos"))
    return person


def required_roles() -> list[str]:
    rules = queries.find_security()
    return rules.roles if rules else []


def test_an_admin_saves_the_rules_and_undoes_it(table: str) -> None:
    alma, _codes = switch_on(add_person("alma@example.com", Role.ADMIN, "Alma Ríos"))
    browser = sign_in(alma)
    page = browser.get(RULES)
    assert checkboxes(page) == {"admin": False, "moderator": False, "staff": False, "owner": False}

    saved = form_to(page, RULES).send(browser, values={"admin": "on", "staff": "on", "current": PASSWORD}, follow=True)

    assert saved.redirect_chain == [(RULES, 303)]
    assert toasts(saved) == ["Sign-in rules saved. They apply immediately."]
    assert checkboxes(saved) == {"admin": True, "moderator": False, "staff": True, "owner": False}
    assert required_roles() == ["admin", "staff"]
    (entry,) = history(services.TARGET)
    assert (entry.action, entry.actor["email"]) == ("security.second_factor", "alma@example.com")
    assert entry.changed == [("roles", [], ["admin", "staff"])]
    assert "roles: – → Admin, Event staff" in parse(saved).text
    assert "changed who needs a second factor" in parse(browser.get("/")).text

    asked = undo_form(saved).send(browser)
    assert asked.status_code == 422, "Undo shows the previous rules and asks for the password"
    assert checkboxes(asked) == {"admin": False, "moderator": False, "staff": False, "owner": False}
    assert required_roles() == ["admin", "staff"]
    undone = form_to(parse(asked).one("main"), RULES).send(browser, values={"current": PASSWORD}, follow=True)
    assert required_roles() == []
    assert "roles: Admin, Event staff → –" in parse(undone).text


def test_saving_without_changes_writes_nothing(alma: Person) -> None:
    require_for_roles(alma, Role.STAFF)
    browser = sign_in(alma)
    again = form_to(browser.get(RULES), RULES).send(browser, values={"current": PASSWORD}, follow=True)
    assert toasts(again) == ["Nothing was changed."]
    assert len(history(services.TARGET)) == 1


def test_a_form_sent_twice_is_answered_as_done(alma: Person) -> None:
    browser = sign_in(alma)
    form = form_to(browser.get(RULES), RULES)
    twice = [form.send(browser, values={"staff": "on", "current": PASSWORD}, follow=True) for _ in range(2)]
    assert [toasts(each) for each in twice] == [["Sign-in rules saved. They apply immediately."]] * 2
    assert len(history(services.TARGET)) == 1


def test_saving_after_another_admin_is_a_conflict_with_both_versions(table: str) -> None:
    alma, _codes = switch_on(add_person("alma@example.com", Role.ADMIN, "Alma Ríos"))
    aldo = add_person("aldo@example.com", Role.ADMIN, "Aldo Paz")
    mine, theirs = sign_in(alma), sign_in(aldo)
    form = form_to(mine.get(RULES), RULES)
    form_to(theirs.get(RULES), RULES).send(theirs, values={"owner": "on", "current": PASSWORD})
    late = form.send(mine, values={"staff": "on", "current": PASSWORD})
    assert late.status_code == 409
    assert "Aldo Paz changed this" in parse(late).text
    rows = [[cell.text for cell in row.all("td")] for row in parse(late).one("tbody").all("tr")]
    assert rows == [["yes", "no"], ["no", "no"], ["no", "no"], ["yes", "yes"]], (
        "a role I did not change keeps their value"
    )
    assert required_roles() == ["owner"]
    assert PASSWORD not in late.content.decode()
    asked = form_to(late, RULES).send(mine)
    assert asked.status_code == 422, "the conflict page does not keep the password"
    assert form_to(asked, RULES).send(mine, values={"current": PASSWORD}).status_code == 303
    assert required_roles() == ["staff", "owner"]


def test_an_old_revision_is_a_conflict(alma: Person) -> None:
    require_for_roles(alma, Role.STAFF)
    with pytest.raises(Conflict):
        services.require_second_factor([Role.OWNER], by=alma, revision=0, command=new_command(ACTOR))
    assert required_roles() == ["staff"]


def test_an_admin_without_a_second_factor_cannot_require_it_for_admins(table: str) -> None:
    aldo = add_person("aldo@example.com", Role.ADMIN, "Aldo Paz")
    browser = sign_in(aldo)
    form = form_to(browser.get(RULES), RULES)
    refused = form.send(browser, values={"admin": "on", "owner": "on", "current": PASSWORD})
    assert refused.status_code == 422
    assert [error.attrs["id"] for error in parse(refused).by_class("error")] == ["id_admin_error"]
    assert checkboxes(refused)["owner"], "the form keeps the input"
    assert queries.find_security() is None
    assert form.send(browser, values={"owner": "on", "current": PASSWORD}).status_code == 303
    assert is_signed_in(browser)


def test_the_page_shows_who_has_no_second_factor(alma: Person) -> None:
    add_person("marco@example.com", Role.MODERATOR, "Marco Peña")
    switch_on(add_person("sofia@example.com", Role.STAFF, "Sofía Duarte"))
    add_many_people((f"owner-{number}@example.com", "owner") for number in range(7))
    page = sign_in(alma).get(RULES)
    helps = {each.attrs["id"]: each.text for each in parse(page).by_class("help") if "id" in each.attrs}
    assert helps["id_admin_helptext"] == "1 of 1 person has a second factor."
    assert helps["id_moderator_helptext"] == "0 of 1 person has a second factor. Without: Marco Peña."
    assert helps["id_staff_helptext"] == "1 of 1 person has a second factor."
    assert helps["id_owner_helptext"].startswith("0 of 7 people have a second factor. Without: Name of owner-0@")
    assert helps["id_owner_helptext"].endswith("and others.")
    assert calls_of(page).trips == 2


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_page_costs_the_same_with_many_people(table: str) -> None:
    browser = sign_in(switch_on(add_person("alma@example.com", Role.ADMIN))[0])
    nobody = browser.get(RULES)
    assert "Nobody has this role." in parse(nobody).text
    add_many_people((f"staff-{number:04}@example.com", "staff") for number in range(101))
    few = calls_of(browser.get(RULES))
    add_many_people((f"staff-{number:04}@example.com", "staff") for number in range(101, 1500))
    many = browser.get(RULES)
    assert "0 of the first 100 people have a second factor." in parse(many).text
    assert (calls_of(many).trips, len(calls_of(many).calls)) == (few.trips, len(few.calls))
    assert calls_of(many).units == few.units
