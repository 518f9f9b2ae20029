"""Permissions: every URL is requested by every kind of visitor with every method.

The expected answer follows from the permission that the view declares. A new URL is tested automatically, and fails
until it declares a permission and `tests/ui/samples.py` has a sample of each of its parts. The visitor "neighbour" owns
another business.
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
from dashboard.platform.accounts.permissions import (
    API,
    BUSINESS_GRANTS,
    GRANTS,
    PUBLIC,
    BasePermission,
    BusinessRole,
    Permission,
    Role,
    grant,
)
from dashboard.platform.accounts.services import sessions
from dashboard.table import keys, write
from tests.accounts import undeclared_urls
from tests.conftest import HASHED, PASSWORD, sign_in
from tests.ui.samples import samples
from tests.ui.walk import Route, routes
from tests.ui.world import BUSINESS_ROLES, World

VISITORS: dict[str, Role | None] = {"anonymous": None} | {str(role): role for role in Role}
VISITORS |= {"neighbour": Role.OWNER} | {str(role): Role.OWNER for role in BUSINESS_ROLES}
METHODS = ("get", "post", "delete")

Check = Callable[[HttpResponse, str], bool]


def asks_to_sign_in(response: HttpResponse, url: str) -> bool:
    return response.status_code == 302 and response.headers["Location"] == f"/login/?{urlencode({'next': url})}"


def answers(status: int) -> Check:
    return lambda response, url: response.status_code == status


def lets_in(response: HttpResponse, url: str) -> bool:
    return response.status_code not in {401, 403, 404, 500} and not asks_to_sign_in(response, url)


def expected(route: Route, visitor: str, method: str) -> Check:
    """The check that the declared permission requires for this visitor."""
    role = VISITORS[visitor]
    if route.needs_api_key:
        return answers(401)  # None of the visitors has an API key.
    if route.permission == PUBLIC:
        return answers(405) if method == "delete" else lets_in
    if role is None:
        return asks_to_sign_in if method == "get" else answers(401)
    if role not in GRANTS[route.permission]:
        return answers(403)
    if route.is_in_business and visitor == "neighbour":
        return answers(404)  # A foreign business is not found, with every method.
    if route.is_in_business and visitor in BUSINESS_ROLES and visitor not in BUSINESS_GRANTS[route.permission]:
        return answers(403)
    return answers(405) if method == "delete" else lets_in


@pytest.mark.parametrize("route", routes(), ids=lambda route: route.name)
def test_every_url_admits_exactly_the_visitors_with_its_permission(world: World, route: Route) -> None:
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
            wrong.append(f"{visitor}: neither GET nor POST is allowed")
    assert wrong == []


def undeclared_routes(urlconf: str | None = None) -> list[str]:
    known = {PUBLIC, API, *GRANTS}
    return [route.text for route in routes(urlconf) if route.permission not in known]


def test_every_view_declares_a_permission() -> None:
    assert undeclared_routes() == []


def test_a_view_without_a_permission_is_detected() -> None:
    assert undeclared_routes(undeclared_urls.__name__) == ["forgotten/", "nested/forgotten/"]


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("url", ["/forgotten/", "/nested/forgotten/"])
def test_a_view_without_a_permission_is_refused(
    world: World, settings: Any, caplog: pytest.LogCaptureFixture, visitor: str, url: str
) -> None:
    settings.ROOT_URLCONF = undeclared_urls.__name__
    browser = world.browser(visitor)
    with caplog.at_level(logging.ERROR, "trastienda.permissions"):
        responses = [browser.get(url), browser.post(url), browser.get(url, headers={"HX-Request": "true"})]
    assert [response.status_code for response in responses] == [403, 403, 403]
    assert undeclared_urls.calls == []
    assert "view without a permission" in caplog.text


def test_there_are_many_urls_and_few_are_public() -> None:
    """The walk over all URLs would pass without URLs, or if all of them were public."""
    declared = [str(route.permission) for route in routes()]
    assert len(declared) > 20
    assert declared.count(PUBLIC) <= 34
    assert {"home", "account", "people.manage"} <= set(declared)


def test_exactly_the_urls_under_api_need_a_key() -> None:
    """Sessions are used only outside the API. Themes are public, because shops link them, and so are its documents."""
    api_routes = {route.name for route in routes() if route.text.startswith("api/")}
    public_routes = {"api_theme", "api_theme_css", "api_documentation", "api_openapi"}
    public_routes |= {
        "api_site_page",
        "api_site_home",
        "api_site_route",
        "api_site_domain",
        "api_site_domain_home",
        "api_site_domain_route",
    }
    assert api_routes > public_routes
    assert api_routes - public_routes == {route.name for route in routes() if route.needs_api_key}


def permissions_of(role: Role) -> set[str]:
    return {permission for permission, roles in GRANTS.items() if role in roles}


def test_the_permissions_of_each_role() -> None:
    everyone = {"home", "account", "operations"}
    inside = {"business", "business.keys", "business.audit", "business.people", "business.settings"}
    inside |= {"branding", "bookings", "bookings.catalog", "conversations", "stores", "stores.stock"}
    inside |= {"business.operations", "business.mail", "business.mail.texts", "business.usage", "business.webhooks"}
    inside |= {"site", "site.visitors", "site.erase"}
    event = {"event.rooms", "event.people", "event.domains", "event.activity"}
    assert permissions_of(Role.ADMIN) == set(GRANTS)
    assert permissions_of(Role.MODERATOR) == everyone | {"forum.read", "forum.moderate", "forum.filter_versions"}
    forum = {"forum.read", "forum.announce", "forum.filter", "forum.filter_versions"}
    assert permissions_of(Role.STAFF) == everyone | event | forum
    assert permissions_of(Role.OWNER) == everyone | inside


def test_every_page_of_a_business_declares_which_of_its_roles_may_open_it() -> None:
    assert [route.text for route in routes() if route.is_in_business and route.permission not in BUSINESS_GRANTS] == []


def test_roles_inside_a_business() -> None:
    granted = {
        role: {permission for permission, roles in BUSINESS_GRANTS.items() if role in roles} for role in BusinessRole
    }
    assert granted[BusinessRole.OWNER] == set(BUSINESS_GRANTS)
    assert granted[BusinessRole.MANAGER] == set(BUSINESS_GRANTS) - {"business.people"}
    assert granted[BusinessRole.RECEPTIONIST] == {
        *("business", "business.operations", "business.mail", "bookings", "conversations", "site.visitors")
    }
    assert granted[BusinessRole.DESIGNER] == {"business", "business.operations", "branding", "site"}
    assert granted[BusinessRole.STOCK_KEEPER] == {"business", "business.operations", "stores", "stores.stock"}


def test_every_declared_permission_is_granted() -> None:
    """A permission that is not granted would be refused to everyone, including admins."""
    declared = [permission for each in BasePermission.__subclasses__() for permission in each]
    assert len(declared) > 15
    assert sorted(declared) == sorted(GRANTS)


def test_a_permission_is_registered_once() -> None:
    with pytest.raises(ImproperlyConfigured, match="account is registered twice"):
        grant(Permission.ACCOUNT)


def test_an_htmx_get_without_a_session_redirects_the_page_to_sign_in(world: World) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/people/?q=a"}
    response = Client().get("/people/?q=al", headers=headers)
    assert response.status_code == 401
    assert response.headers["HX-Redirect"] == "/login/?next=%2Fpeople%2F%3Fq%3Da"


def test_an_htmx_post_without_a_session_keeps_the_page(world: World) -> None:
    response = Client().post("/people/new/", {"email": "x@example.com"}, headers={"HX-Request": "true"})
    assert response.status_code == 401
    assert response.headers["HX-Reswap"] == "none" and "HX-Redirect" not in response.headers
    assert "You are signed out" in response.content.decode()


def test_the_role_admin_of_an_outside_writer_gives_no_access(world: World) -> None:
    """The person has a password, but no role in the back office."""
    key = keys.PERSON.key(email="eva@example.com")
    write.update(key, [Person.email.set("eva@example.com"), Person.role.set("admin"), Person.password_hash.set(HASHED)])
    with pytest.raises(sessions.SignInExpired):
        sign_in(queries.load_person("eva@example.com"))
    assert Client().post("/login/", {"email": "eva@example.com", "password": PASSWORD}).status_code == 422
