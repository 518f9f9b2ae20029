"""Required by role: it holds at once, leads to the set-up and to nothing else, and locks no admin out."""

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
    boxes,
    code_of,
    early_in_a_step,
    give_code,
    give_password,
    is_in,
    require,
)
from tests.accounts.second_factors import switch_on as switched_on
from tests.conftest import PASSWORD, add_business, add_person, sign_in
from tests.ui.html import form_to, parse
from tests.ui.samples import BUSINESS, samples
from tests.ui.walk import calls_of, new_browser, routes

RULES = "/people/security/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def alma(table: str) -> Person:
    """An admin with a second factor."""
    person, _codes = switched_on(add_person("alma@example.com", Role.ADMIN, "Alma Ríos"))
    return person


def roles() -> list[str]:
    found = queries.find_security()
    return found.roles if found else []


def set_up(browser: Client, page: Any) -> Any:
    (key,) = parse(page).by_class("key")
    code = pyotp.TOTP(key.text.replace(" ", "")).at(int(now().timestamp()))
    return form_to(page, SET_UP).send(browser, values={"code": code, "current": PASSWORD})


@pytest.mark.parametrize("role", Role)
def test_it_holds_at_once_for_open_sessions_and_opens_only_the_set_up(alma: Person, role: Role) -> None:
    person = add_person("someone@example.com", role)
    browser = sign_in(person)
    assert is_in(browser)
    require(alma, role)
    add_business(BUSINESS, "Coca-Cola Andina", person.email)
    parts = samples(person.actor)
    opened = []
    for route in routes():
        if route.is_public or route.needs_api_key:
            continue
        url = route.url(parts)
        got = browser.get(url)
        if not person.may(route.permission):
            assert got.status_code == 403, url
        elif got.status_code == 302:
            assert got.headers["Location"] == f"{SET_UP}?{urlencode({'next': url})}"
            assert browser.post(url).status_code == 403, url
        else:
            opened.append(route.name)
    assert sorted(opened) == ["second_factor", "suggest_zone"]
    assert queries.load_person(person.email).revision == person.revision


def test_a_form_that_was_open_is_refused_in_words(alma: Person) -> None:
    marco = add_person("marco@example.com", Role.MODERATOR, "Marco")
    browser = sign_in(marco)
    form = form_to(browser.get("/account/"), "/account/edit/")
    require(alma, Role.MODERATOR)
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
        next_url = [each.attrs["href"] for each in parse(shown).all("a") if each.text == "I have saved them"]
        assert next_url == ["/go/"]
        assert browser.get("/go/").status_code == 200
        # The next time it is the code.
        person = queries.load_person(marco.email)
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
    off = form_to(page, "/account/second-factor/off/").send(browser, values={"current": PASSWORD}, follow=True)
    assert off.redirect_chain[-1] == (f"{SET_UP}?next=%2Faccount%2F", 302)
    with early_in_a_step():
        assert set_up(browser, off).status_code == 200
    assert is_in(browser)


def test_what_another_service_wrote_there_requires_nothing_strange(alma: Person) -> None:
    key = keys.SECURITY.key()
    write.update(key, [Security.second_factor_roles.set(["wizard", "staff", 7])])
    browser = sign_in(alma)
    assert boxes(browser.get(RULES)) == {"admin": False, "moderator": False, "staff": True, "owner": False}
    assert not is_in(sign_in(add_person("sofia@example.com", Role.STAFF)))
    saved = form_to(browser.get(RULES), RULES).send(browser, values={"owner": "on"})
    assert saved.status_code == 303
    assert roles() == ["staff", "owner"]


def test_it_is_read_in_the_same_trip_as_the_session(alma: Person) -> None:
    require(alma, Role.MODERATOR)
    answer = sign_in(alma).get("/people/new/")
    assert answer.status_code == 200
    assert [call.operation for call in calls_of(answer).calls] == ["BatchGetItem"]
