"""Who may open what: every address by everyone with every method, expected from what the view declares.

The table grows by itself: a new address is walked at once, and fails here until it declares a permission
and, if it has parts, `tests/ui/samples.py` has a sample of each. The neighbour owns another business.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from django.test import Client

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import API, GRANTS, PUBLIC, BasePermission, Permission, Role, grant
from dashboard.platform.accounts.services import sessions
from dashboard.table import keys, write
from tests.accounts import undeclared_urls
from tests.conftest import HASHED, PASSWORD, sign_in
from tests.ui.samples import samples
from tests.ui.walk import Route, routes
from tests.ui.world import World

VISITORS: dict[str, Role | None] = {"anonymous": None} | {str(role): role for role in Role}
VISITORS |= {"neighbour": Role.OWNER}
METHODS = ("get", "post", "delete")

Check = Callable[[HttpResponse, str], bool]


def asks_to_sign_in(response: HttpResponse, url: str) -> bool:
    return response.status_code == 302 and response.headers["Location"] == f"/login/?{urlencode({'next': url})}"


def answers(status: int) -> Check:
    return lambda response, url: response.status_code == status


def lets_in(response: HttpResponse, url: str) -> bool:
    return response.status_code not in {401, 403, 404, 500} and not asks_to_sign_in(response, url)


def expected(route: Route, visitor: str, method: str) -> Check:
    """What the declared permission means for this visitor."""
    role = VISITORS[visitor]
    if route.needs_api_key:
        return answers(401)  # Nobody has a key here: not even an admin who is signed in.
    if route.permission == PUBLIC:
        return answers(405) if method == "delete" else lets_in
    if role is None:
        return asks_to_sign_in if method == "get" else answers(401)
    if role not in GRANTS[route.permission]:
        return answers(403)
    if route.is_in_business and visitor == "neighbour":
        return answers(404)  # As if it did not exist, whatever the method.
    return answers(405) if method == "delete" else lets_in


@pytest.mark.parametrize("route", routes(), ids=lambda route: route.name)
def test_every_address_lets_in_whom_it_declares(world: World, route: Route) -> None:
    wrong = []
    for visitor in VISITORS:
        statuses = {}
        for method in METHODS:
            expectation = expected(route, visitor, method)
            acts = expectation is lets_in and method == "post"
            url = route.url(samples(world.actor(visitor)) if acts and route.names_an_item else world.samples(visitor))
            response = getattr(world.browser(visitor, fresh=acts), method)(url)
            if not expectation(response, url):
                wrong.append(f"{visitor}, {method}: {response.status_code} {response.headers}")
            statuses[method] = response.status_code
        if statuses["get"] == statuses["post"] == 405:
            wrong.append(f"{visitor}: it takes neither GET nor POST")
    assert wrong == []


def undeclared_routes(urlconf: str | None = None) -> list[str]:
    known = {PUBLIC, API, *GRANTS}
    return [route.text for route in routes(urlconf) if route.permission not in known]


def test_every_view_declares_a_permission() -> None:
    assert undeclared_routes() == []


def test_a_view_that_declares_none_is_found() -> None:
    assert undeclared_routes(undeclared_urls.__name__) == ["forgotten/", "nested/forgotten/"]


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("url", ["/forgotten/", "/nested/forgotten/"])
def test_a_view_that_declares_none_is_refused(
    world: World, settings: Any, caplog: pytest.LogCaptureFixture, visitor: str, url: str
) -> None:
    settings.ROOT_URLCONF = undeclared_urls.__name__
    browser = world.browser(visitor)
    with caplog.at_level(logging.ERROR, "trastienda.permissions"):
        answered = [browser.get(url), browser.post(url), browser.get(url, headers={"HX-Request": "true"})]
    assert [response.status_code for response in answered] == [403, 403, 403]
    assert undeclared_urls.calls == []
    assert "view without a permission" in caplog.text


def test_something_opens_for_everyone_and_not_everything_for_anyone() -> None:
    """The table above would pass with no addresses, or with all of them public."""
    declared = [str(route.permission) for route in routes()]
    assert len(declared) > 20
    assert declared.count(PUBLIC) <= 12
    assert {"home", "account", "people.manage"} <= set(declared)


def test_only_a_key_opens_the_api_and_it_opens_nothing_else() -> None:
    """The session is looked at everywhere else, and nowhere there. A look is for everyone: shops link it."""
    under = {route.name for route in routes() if route.text.startswith("api/")}
    for_everyone = {"api_theme", "api_theme_css"}
    assert under > for_everyone
    assert under - for_everyone == {route.name for route in routes() if route.needs_api_key}


def permissions_of(role: Role) -> set[str]:
    return {permission for permission, roles in GRANTS.items() if role in roles}


def test_owners_may_more_inside_a_business_and_only_admins_outside() -> None:
    everyone = {"home", "account", "operations"}
    inside = {"business", "business.keys", "business.audit", "branding", "bookings"}
    event = {"event.rooms", "event.people", "event.domains"}
    assert permissions_of(Role.ADMIN) == set(GRANTS)
    assert permissions_of(Role.MODERATOR) == everyone | {"forum.read", "forum.moderate"}
    assert permissions_of(Role.STAFF) == everyone | event | {"forum.read", "forum.announce", "forum.filter"}
    assert permissions_of(Role.OWNER) == everyone | inside


def test_every_declared_permission_is_granted() -> None:
    """One that is not would be refused to everyone, to admins too."""
    declared = [permission for each in BasePermission.__subclasses__() for permission in each]
    assert len(declared) > 15
    assert sorted(declared) == sorted(GRANTS)


def test_a_permission_is_registered_once() -> None:
    with pytest.raises(ImproperlyConfigured, match="account is registered twice"):
        grant(Permission.ACCOUNT)


def test_a_part_of_a_page_without_a_session_sends_the_whole_page_to_sign_in(world: World) -> None:
    shown = {"HX-Request": "true", "HX-Current-URL": "http://testserver/people/?q=a"}
    response = Client().get("/people/?q=al", headers=shown)
    assert response.status_code == 401
    assert response.headers["HX-Redirect"] == "/login/?next=%2Fpeople%2F%3Fq%3Da"


def test_a_form_without_a_session_stays_where_it_is(world: World) -> None:
    response = Client().post("/people/new/", {"email": "x@example.com"}, headers={"HX-Request": "true"})
    assert response.status_code == 401
    assert response.headers["HX-Reswap"] == "none" and "HX-Redirect" not in response.headers
    assert "You are signed out" in response.content.decode()


def test_what_another_service_calls_an_admin_opens_nothing(world: World) -> None:
    """They even have a password; but nobody gave them a role here."""
    key = keys.PERSON.key(email="eva@example.com")
    write.update(key, [Person.email.set("eva@example.com"), Person.role.set("admin"), Person.password_hash.set(HASHED)])
    with pytest.raises(sessions.SignInExpired):
        sign_in(queries.load_person("eva@example.com"))
    assert Client().post("/login/", {"email": "eva@example.com", "password": PASSWORD}).status_code == 422
