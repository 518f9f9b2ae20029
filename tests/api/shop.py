"""A business with two staff members, and its keys, for tests of the API."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from bookings.items import Booking
from bookings.queries import bookings as queries
from dashboard.core.ids import new_id
from dashboard.platform.apikeys.items import PLATFORM
from dashboard.web.api.endpoints import BASE, ENDPOINTS, SCOPE_LABELS, Endpoint, KeyOwner, Scope
from dashboard.web.api.openapi import openapi
from dashboard.web.api.problems import CONTENT_TYPE
from tests.apikeys.factories import call_api, create_key
from tests.bookings.bookable_business import BUSINESS, open_shop
from tests.conftest import add_business

SITE = "https://www.andina.cl"
JUAN = {"name": "Juan Pérez", "email": "juan@example.com", "phone": "+56 9 1234 5678"}


def make_shop(*providers: str) -> None:
    add_business(BUSINESS, "Coca-Cola Andina")
    open_shop(*(providers or ("maria", "pedro")), start="09:00", end="18:00")


def secret_key(*scopes: str, business: str = BUSINESS) -> str:
    return create_key(business, f"Server {new_id()}", scopes=scopes or ("read", "book"), limit=5000)[1]


def platform_key(*scopes: str) -> str:
    return create_key(PLATFORM, f"App {new_id()}", scopes=scopes or list(SCOPE_LABELS[KeyOwner.PLATFORM]), limit=5000)[
        1
    ]


def key_for(endpoint: Endpoint, *scopes: Scope) -> str:
    """A secret key of the owner that the endpoint is for; with all its scopes, or with these."""
    owner = endpoint.owner or KeyOwner.BUSINESS
    business = PLATFORM if owner == KeyOwner.PLATFORM else BUSINESS
    return create_key(business, f"Key {new_id()}", scopes=scopes or list(SCOPE_LABELS[owner]), limit=5000)[1]


def path_of(endpoint: Endpoint, parts: Mapping[str, str]) -> str:
    """The path of an endpoint with these parts."""
    return re.sub(r"<\w+:(\w+)>", lambda part: parts[part[1]], endpoint.path)


def public_key(*, business: str = BUSINESS, origins: Sequence[str] = (SITE,)) -> str:
    return create_key(business, f"Website {new_id()}", origins=origins, limit=5000)[1]


def get(secret: str | None, path: str, **headers: str) -> Any:
    return _checked("get", path, call_api(secret, BASE + path, headers=headers))


def send(
    secret: str | None, path: str, body: Any = None, *, method: str = "post", key: str | None = "", **headers: str
) -> Any:
    """Send a body. `key` is the Idempotency-Key: a new one where it is empty, none where it is None."""
    if key is not None:
        headers["Idempotency-Key"] = key or new_id()
    content = body if isinstance(body, bytes) else msgspec.json.encode({} if body is None else body)
    options = {"data": content, "content_type": headers.pop("Content-Type", "application/json")}
    return _checked(method, path, call_api(secret, BASE + path, method, headers=headers, **options))


def code_of(response: Any) -> tuple[int, str]:
    assert response.headers["Content-Type"] == CONTENT_TYPE, response.content
    return response.status_code, response.json()["code"]


def book(secret: str, start: str, **more: Any) -> Any:
    return send(secret, "bookings", {"service": "masaje", "start": start, "customer": JUAN} | more)


def bookings_of(provider: str = "maria") -> list[Booking]:
    found = queries.agenda(BUSINESS).items
    return [each for each in found if each.provider == provider]


def _checked(method: str, path: str, response: Any) -> Any:
    """Check that the document declares this answer: its status, and the code of a problem."""
    route = response.wsgi_request.resolver_match
    declared = [each for each in ENDPOINTS if route and each.path == route.route.removeprefix(BASE[1:])]
    operation = next((each for each in declared if each.method == method.upper()), None)
    if operation is None:
        return response
    documented = openapi()["paths"][operation.documented_path][method]["responses"]
    assert str(response.status_code) in documented, (method, path, response.status_code, response.content)
    if response.headers.get("Content-Type") == CONTENT_TYPE:
        (schema,) = documented[str(response.status_code)]["content"].values()
        assert response.json()["code"] in schema["schema"]["allOf"][1]["properties"]["code"]["enum"], response.content
    return response
