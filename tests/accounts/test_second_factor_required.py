"""Required by role: it holds at once, leads to the set-up and to nothing else, and locks no admin out."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pyotp
import pytest
from django.test import Client

from dashboard.accounts import queries
from dashboard.accounts.items import Person, Security
from dashboard.accounts.permissions import PUBLIC, Role
from dashboard.accounts.services import security as services
from dashboard.audit.queries import history
from dashboard.clock import now
from dashboard.errors import Conflict
from dashboard.table import keys, write
from dashboard.table.operations import new_operation
from tests.accounts.crowd import add_crowd
from tests.accounts.factors import SET_UP, addresses, code_of, early_in_a_step, give_code, give_password, is_in
from tests.accounts.factors import switch_on as switched_on
from tests.conftest import ALMA, PASSWORD, add_person, every_engine, sign_in
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of, new_browser, routes

RULES = "/people/security/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def alma(table: str) -> Person:
    """An admin with a second factor."""
    person, _codes = switched_on(add_person("alma@example.com", Role.ADMIN, "Alma Ríos"))
    return person


def require(alma: Person, *roles: Role) -> Security:
    stands = queries.security()
    seen = stands.seen if stands else 0
    return services.require_second_factor(roles, by=alma, seen=seen, operation=new_operation(ALMA))


def boxes(page: Any) -> dict[str, bool]:
    found = [each for each in parse(page).all("input", type="checkbox") if each.inside("form")]
    return {each.attrs["name"]: "checked" in each.attrs for each in found}


def roles() -> list[str]:
    found = queries.security()
    return found.roles if found else []


def set_up(browser: Client, page: Any) -> Any:
    (key,) = parse(page).by_class("key")
    code = pyotp.TOTP(key.text.replace(" ", "")).at(int(now().timestamp()))
    return form_to(page, SET_UP).send(browser, typed={"code": code})


@every_engine
def test_an_admin_says_who_needs_it_and_takes_it_back(table: str) -> None:
    alma, _codes = switched_on(add_person("alma@example.com", Role.ADMIN, "Alma Ríos"))
    browser = sign_in(alma)
    page = browser.get(RULES)
    assert boxes(page) == {"admin": False, "moderator": False, "staff": False, "owner": False}

    saved = form_to(page, RULES).send(browser, typed={"admin": "on", "staff": "on"}, follow=True)

    assert saved.redirect_chain == [(RULES, 303)]
    assert toasts(saved) == ["The sign-in rules are saved, and hold at once."]
    assert boxes(saved) == {"admin": True, "moderator": False, "staff": True, "owner": False}
    assert roles() == ["admin", "staff"]
    (entry,) = history(services.TARGET)
    assert (entry.action, entry.actor["email"]) == ("security.second_factor", "alma@example.com")
    assert entry.changed == [("roles", [], ["admin", "staff"])]
    assert "roles: – → Admin, Staff" in parse(saved).text
    assert "changed who needs a second factor" in parse(browser.get("/")).text

    undone = undo_form(saved).send(browser, follow=True)
    assert boxes(undone) == {"admin": False, "moderator": False, "staff": False, "owner": False}
    assert roles() == []
    assert "roles: Admin, Staff → –" in parse(undone).text
    undo_form(undone).send(browser)
    assert roles() == ["admin", "staff"]


def test_what_is_so_already_is_not_written_again(alma: Person) -> None:
    require(alma, Role.STAFF)
    browser = sign_in(alma)
    again = form_to(browser.get(RULES), RULES).send(browser, follow=True)
    assert toasts(again) == ["Nothing was changed."]
    assert len(history(services.TARGET)) == 1


def test_a_form_sent_twice_is_answered_as_done(alma: Person) -> None:
    browser = sign_in(alma)
    form = form_to(browser.get(RULES), RULES)
    twice = [form.send(browser, typed={"staff": "on"}, follow=True) for _ in range(2)]
    assert [toasts(each) for each in twice] == [["The sign-in rules are saved, and hold at once."]] * 2
    assert len(history(services.TARGET)) == 1


@every_engine
def test_two_admins_at_once_decide_with_both_in_sight(table: str) -> None:
    alma, _codes = switched_on(add_person("alma@example.com", Role.ADMIN, "Alma Ríos"))
    aldo = add_person("aldo@example.com", Role.ADMIN, "Aldo Paz")
    mine, theirs = sign_in(alma), sign_in(aldo)
    form = form_to(mine.get(RULES), RULES)
    form_to(theirs.get(RULES), RULES).send(theirs, typed={"owner": "on"})
    late = form.send(mine, typed={"staff": "on"})
    assert late.status_code == 409
    assert "Aldo Paz changed this" in parse(late).text
    rows = [[cell.text for cell in row.all("td")] for row in parse(late).one("tbody").all("tr")]
    assert rows == [["no", "no"], ["no", "no"], ["yes", "no"], ["yes", "yes"]], "what I did not touch stays theirs"
    assert roles() == ["owner"]
    assert form_to(late, RULES).send(mine).status_code == 303
    assert roles() == ["staff", "owner"]


def test_the_first_to_write_it_wins(alma: Person) -> None:
    require(alma, Role.STAFF)
    with pytest.raises(Conflict):
        services.require_second_factor([Role.OWNER], by=alma, seen=0, operation=new_operation(ALMA))
    assert roles() == ["staff"]


def test_an_admin_without_one_cannot_lock_themselves_out(table: str) -> None:
    aldo = add_person("aldo@example.com", Role.ADMIN, "Aldo Paz")
    browser = sign_in(aldo)
    form = form_to(browser.get(RULES), RULES)
    refused = form.send(browser, typed={"admin": "on", "owner": "on"})
    assert refused.status_code == 422
    assert [error.attrs["id"] for error in parse(refused).by_class("error")] == ["id_admin_error"]
    assert boxes(refused)["owner"], "what was ticked stays so"
    assert queries.security() is None
    assert form.send(browser, typed={"owner": "on"}).status_code == 303
    assert is_in(browser)


def test_the_page_says_whom_it_meets(alma: Person) -> None:
    add_person("marco@example.com", Role.MODERATOR, "Marco Peña")
    switched_on(add_person("sofia@example.com", Role.STAFF, "Sofía Duarte"))
    add_crowd((f"owner-{number}@example.com", "owner") for number in range(7))
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
    browser = sign_in(switched_on(add_person("alma@example.com", Role.ADMIN))[0])
    nobody = browser.get(RULES)
    assert "Nobody has this role." in parse(nobody).text
    add_crowd((f"staff-{number:04}@example.com", "staff") for number in range(101))
    few = calls_of(browser.get(RULES))
    add_crowd((f"staff-{number:04}@example.com", "staff") for number in range(101, 1500))
    many = browser.get(RULES)
    assert "0 of the first 100 people have a second factor." in parse(many).text
    assert (calls_of(many).trips, len(calls_of(many).calls)) == (few.trips, len(few.calls))
    assert calls_of(many).units == few.units


@pytest.mark.parametrize("role", Role)
def test_it_holds_at_once_for_open_sessions_and_opens_only_the_set_up(alma: Person, role: Role) -> None:
    person = add_person("someone@example.com", role)
    browser = sign_in(person)
    assert is_in(browser)
    require(alma, role)
    parts = {"email": "marco@example.com", "token": "x", "session_id": "0" * 64}
    opened = []
    for route in routes():
        if route.permission == PUBLIC:
            continue
        url = route.url(parts)
        got = browser.get(url)
        if not person.may(route.permission):  # type: ignore[arg-type]
            assert got.status_code == 403, url
        elif got.status_code == 302:
            assert got.headers["Location"] == f"{SET_UP}?{urlencode({'next': url})}"
            assert browser.post(url).status_code == 403, url
        else:
            opened.append(route.name)
    assert sorted(opened) == ["second_factor", "suggest_zone"]
    assert queries.person(person.email).seen == person.seen


def test_a_form_that_was_open_is_refused_in_words(alma: Person) -> None:
    marco = add_person("marco@example.com", Role.MODERATOR, "Marco")
    browser = sign_in(marco)
    form = form_to(browser.get("/account/"), "/account/edit/")
    require(alma, Role.MODERATOR)
    refused = form.send(browser, typed={"name": "M."})
    assert refused.status_code == 403 and refused.headers["Content-Type"].startswith("text/html")
    page = parse(refused)
    assert "Set up a second factor first" in page.one("h1").text
    assert [each.attrs["href"] for each in page.by_class("problem")[0].all("a")] == [SET_UP]
    assert queries.person(marco.email).name == "Marco"
    by_script = form.send(browser, typed={"name": "M."}, headers=HTMX)
    assert by_script.status_code == 403 and SET_UP in by_script.content.decode()
    part = browser.get("/go/?q=a", headers=HTMX | {"HX-Current-URL": "http://testserver/account/"})
    assert (part.status_code, part.headers["HX-Redirect"]) == (403, f"{SET_UP}?next=%2Faccount%2F")


def test_from_the_password_to_the_set_up_and_on(alma: Person) -> None:
    require(alma, Role.MODERATOR)
    marco = add_person("marco@example.com", Role.MODERATOR, "Marco")
    browser = new_browser()
    sent = {"email": marco.email, "password": PASSWORD, "next": "/go/"}
    led = browser.post("/login/", sent, REMOTE_ADDR=next(addresses), follow=True)
    assert led.redirect_chain == [("/go/", 303), (f"{SET_UP}?next=%2Fgo%2F", 302)]
    page = parse(led)
    assert "Your role needs a second factor" in page.text
    assert page.one("body").attrs["class"] == "plain" and page.by_class("sidebar") == []
    assert form_to(page, "/logout/")
    with early_in_a_step():
        shown = set_up(browser, led)
        assert shown.status_code == 200
        onward = [each.attrs["href"] for each in parse(shown).all("a") if each.text == "I have kept them"]
        assert onward == ["/go/"]
        assert browser.get("/go/").status_code == 200
        # The next time it is the code.
        person = queries.person(marco.email)
        again = give_password(person)
        assert give_code(again, code_of(person, 1)).status_code == 303
        assert is_in(again)


def test_whoever_has_one_notices_nothing(alma: Person) -> None:
    require(alma, *Role)
    assert is_in(sign_in(alma))


def test_whoever_must_set_it_up_can_sign_out_and_change_the_language(alma: Person) -> None:
    marco = add_person("marco@example.com", Role.MODERATOR)
    browser = sign_in(marco)
    require(alma, Role.MODERATOR)
    page = browser.get(SET_UP)
    spanish = browser.post("/language/", {"language": "es", "next": SET_UP}, follow=True)
    assert parse(spanish).one("html").attrs["lang"] == "es"
    assert form_to(page, "/logout/").send(browser).headers["Location"] == "/login/"
    assert not is_in(browser)


def test_taken_back_it_lets_everyone_in_again(alma: Person) -> None:
    browser = sign_in(add_person("marco@example.com", Role.MODERATOR))
    require(alma, Role.MODERATOR)
    assert not is_in(browser)
    require(alma)
    assert is_in(browser)


def test_switching_off_what_is_needed_says_so_and_leads_to_the_set_up(alma: Person) -> None:
    """That is the way to another phone."""
    require(alma, Role.ADMIN)
    browser = sign_in(alma)
    page = browser.get(SET_UP)
    assert "For a new phone" in parse(page).text
    off = form_to(page, "/account/second-factor/off/").send(browser, typed={"proof": PASSWORD}, follow=True)
    assert off.redirect_chain[-1] == (f"{SET_UP}?next=%2Faccount%2F", 302)
    with early_in_a_step():
        assert set_up(browser, off).status_code == 200
    assert is_in(browser)


def test_what_another_service_wrote_there_requires_nothing_strange(alma: Person) -> None:
    key = keys.SECURITY.key()
    write.touch(key, [Security.second_factor_roles.set(["wizard", "staff", 7])])
    browser = sign_in(alma)
    assert boxes(browser.get(RULES)) == {"admin": False, "moderator": False, "staff": True, "owner": False}
    assert not is_in(sign_in(add_person("sofia@example.com", Role.STAFF)))
    saved = form_to(browser.get(RULES), RULES).send(browser, typed={"owner": "on"})
    assert saved.status_code == 303
    assert roles() == ["staff", "owner"]


def test_it_is_read_in_the_same_trip_as_the_session(alma: Person) -> None:
    require(alma, Role.MODERATOR)
    answer = sign_in(alma).get("/people/new/")
    assert answer.status_code == 200
    assert [call.operation for call in calls_of(answer).calls] == ["BatchGetItem"]
