"""A required second factor: it applies at once, and until the set-up is done only the set-up page opens."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pyotp
import pytest
from django.test import Client

from dashboard.core.clock import now
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person, Security
from dashboard.platform.accounts.permissions import Role
from dashboard.table import keys, write
from tests.accounts.second_factors import (
    SET_UP,
    addresses,
    checkboxes,
    code_of,
    enter_code,
    enter_password,
    frozen_at_step_start,
    is_signed_in,
    require_for_roles,
    switch_on,
)
from tests.conftest import PASSWORD, add_business, add_person, sign_in
from tests.ui.html import form_to, parse
from tests.ui.samples import BUSINESS, samples
from tests.ui.walk import calls_of, new_browser, routes

RULES = "/people/security/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def alma(table: str) -> Person:
    """An admin with a second factor."""
    person, _codes = switch_on(add_person("alma@example.com", Role.ADMIN, "Alma Ríos"))
    return person


def required_roles() -> list[str]:
    rules = queries.find_security()
    return rules.roles if rules else []


def set_up(browser: Client, page: Any) -> Any:
    (key,) = parse(page).by_class("key")
    code = pyotp.TOTP(key.text.replace(" ", "")).at(int(now().timestamp()))
    return form_to(page, SET_UP).send(browser, values={"code": code, "current": PASSWORD})


@pytest.mark.parametrize("role", Role)
def test_an_open_session_can_open_only_the_set_up_page_at_once(alma: Person, role: Role) -> None:
    person = add_person("someone@example.com", role)
    browser = sign_in(person)
    assert is_signed_in(browser)
    require_for_roles(alma, role)
    add_business(BUSINESS, "Coca-Cola Andina", person.email)
    parts = samples(person.actor)
    opened = []
    for route in routes():
        if route.is_public or route.needs_api_key:
            continue
        url = route.url(parts)
        answer = browser.get(url)
        if not person.may(route.permission):
            assert answer.status_code == 403, url
        elif answer.status_code == 302:
            assert answer.headers["Location"] == f"{SET_UP}?{urlencode({'next': url})}"
            assert browser.post(url).status_code == 403, url
        else:
            opened.append(route.name)
    assert sorted(opened) == ["second_factor", "suggest_zone"]
    assert queries.load_person(person.email).revision == person.revision


def test_a_form_opened_before_the_rule_is_refused_with_a_link_to_the_set_up(alma: Person) -> None:
    marco = add_person("marco@example.com", Role.MODERATOR, "Marco")
    browser = sign_in(marco)
    form = form_to(browser.get("/account/"), "/account/edit/")
    require_for_roles(alma, Role.MODERATOR)
    refused = form.send(browser, values={"name": "M."})
    assert refused.status_code == 403 and refused.headers["Content-Type"].startswith("text/html")
    page = parse(refused)
    assert "Set up a second factor first" in page.one("h1").text
    assert [each.attrs["href"] for each in page.by_class("problem")[0].all("a")] == [SET_UP]
    assert queries.load_person(marco.email).name == "Marco"
    by_script = form.send(browser, values={"name": "M."}, headers=HTMX)
    assert by_script.status_code == 403 and SET_UP in by_script.content.decode()
    part = browser.get("/go/?q=a", headers=HTMX | {"HX-Current-URL": "http://testserver/account/"})
    assert (part.status_code, part.headers["HX-Redirect"]) == (403, f"{SET_UP}?next=%2Faccount%2F")


def test_signing_in_leads_to_the_set_up_and_then_to_the_requested_page(alma: Person) -> None:
    require_for_roles(alma, Role.MODERATOR)
    marco = add_person("marco@example.com", Role.MODERATOR, "Marco")
    browser = new_browser()
    sent = {"email": marco.email, "password": PASSWORD, "next": "/go/"}
    response = browser.post("/login/", sent, REMOTE_ADDR=next(addresses), follow=True)
    assert response.redirect_chain == [("/go/", 303), (f"{SET_UP}?next=%2Fgo%2F", 302)]
    page = parse(response)
    assert "Your role needs a second factor" in page.text
    assert page.one("body").attrs["class"] == "plain" and page.by_class("sidebar") == []
    assert form_to(page, "/logout/")
    with frozen_at_step_start():
        codes_page = set_up(browser, response)
        assert codes_page.status_code == 200
        next_url = [each.attrs["href"] for each in parse(codes_page).all("a") if each.text == "I have saved them"]
        assert next_url == ["/go/"]
        assert browser.get("/go/").status_code == 200
        # The next sign-in asks for the code.
        person = queries.load_person(marco.email)
        again = enter_password(person)
        assert enter_code(again, code_of(person, 1)).status_code == 303
        assert is_signed_in(again)


def test_a_person_with_a_second_factor_is_not_affected(alma: Person) -> None:
    require_for_roles(alma, *Role)
    assert is_signed_in(sign_in(alma))


def test_before_the_required_set_up_a_person_can_sign_out_and_change_the_language(alma: Person) -> None:
    marco = add_person("marco@example.com", Role.MODERATOR)
    browser = sign_in(marco)
    require_for_roles(alma, Role.MODERATOR)
    page = browser.get(SET_UP)
    spanish = browser.post("/language/", {"language": "es", "next": SET_UP}, follow=True)
    assert parse(spanish).one("html").attrs["lang"] == "es"
    assert form_to(page, "/logout/").send(browser).headers["Location"] == "/login/"
    assert not is_signed_in(browser)


def test_removing_the_rule_restores_access(alma: Person) -> None:
    browser = sign_in(add_person("marco@example.com", Role.MODERATOR))
    require_for_roles(alma, Role.MODERATOR)
    assert not is_signed_in(browser)
    require_for_roles(alma)
    assert is_signed_in(browser)


def test_turning_off_a_required_second_factor_leads_to_the_set_up(alma: Person) -> None:
    """This is how a person changes to another phone."""
    require_for_roles(alma, Role.ADMIN)
    browser = sign_in(alma)
    page = browser.get(SET_UP)
    assert "For a new phone" in parse(page).text
    off = form_to(page, "/account/second-factor/off/").send(browser, values={"current": PASSWORD}, follow=True)
    assert off.redirect_chain[-1] == (f"{SET_UP}?next=%2Faccount%2F", 302)
    with frozen_at_step_start():
        assert set_up(browser, off).status_code == 200
    assert is_signed_in(browser)


def test_unknown_roles_of_an_outside_writer_are_ignored(alma: Person) -> None:
    key = keys.SECURITY.key()
    write.update(key, [Security.second_factor_roles.set(["wizard", "staff", 7])])
    browser = sign_in(alma)
    assert checkboxes(browser.get(RULES)) == {"admin": False, "moderator": False, "staff": True, "owner": False}
    assert not is_signed_in(sign_in(add_person("sofia@example.com", Role.STAFF)))
    saved = form_to(browser.get(RULES), RULES).send(browser, values={"owner": "on", "current": PASSWORD})
    assert saved.status_code == 303
    assert required_roles() == ["staff", "owner"]


def test_the_rule_is_read_in_the_same_trip_as_the_session(alma: Person) -> None:
    require_for_roles(alma, Role.MODERATOR)
    answer = sign_in(alma).get("/people/new/")
    assert answer.status_code == 200
    assert [call.operation for call in calls_of(answer).calls] == ["BatchGetItem"]
