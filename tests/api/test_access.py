"""Who may call what: every endpoint with every type of key and scope, other tenants, origins, and broken requests."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from dashboard.platform.apikeys.items import ApiKey, KeyType
from dashboard.platform.businesses.items import Business, BusinessStatus
from dashboard.table import keys, write
from dashboard.table.timestamps import to_wire
from dashboard.web.api.endpoints import BASE, ENDPOINTS, SCOPE_LABELS, Endpoint, KeyOwner, Scope
from tests.api.shop import (
    JUAN,
    SITE,
    book,
    code_of,
    get,
    key_for,
    path_of,
    platform_key,
    public_key,
    secret_key,
    send,
)
from tests.apikeys.factories import call_api, create_key, put_seed_key, revoke
from tests.bookings.bookable_business import BUSINESS, all_items, at
from tests.bookings.conversations import begin, say
from tests.conftest import add_business

pytestmark = pytest.mark.usefixtures("shop")
WITH_KEY = [each for each in ENDPOINTS if each.needs_key]
# What the issue allows to public keys; `whoami` describes the key itself.
FOR_PUBLIC_KEYS = {"whoami", "services", "service", "providers", "provider", "slots", "create_booking"}
PARTS = {
    "service": "masaje",
    "provider": "maria",
    "customer": "juan",
    "booking": "b1",
    "conversation": "c1",
    "post": "p1",
    "comment": "k1",
    "room": "sala1",
}
QUERY = f"?service=masaje&from={to_wire(at(0))}&to={to_wire(at(1))}"
every_endpoint = pytest.mark.parametrize("endpoint", WITH_KEY, ids=lambda each: each.name)


def call(secret: str | None, endpoint: Endpoint, **headers: str) -> Any:
    """A request that has everything but a body and perhaps a known item."""
    path = path_of(endpoint, PARTS)
    path += QUERY if endpoint.name == "slots" else ""
    if not endpoint.is_write:
        return get(secret, path, **headers)
    return send(secret, path, {}, method=endpoint.method.lower(), **{"If-Match": '"1"'} | headers)


def is_refused(response: Any) -> bool:
    return bool(response.status_code == 403)


@every_endpoint
def test_a_secret_key_needs_the_scope(endpoint: Endpoint) -> None:
    for scope in SCOPE_LABELS[endpoint.owner or KeyOwner.BUSINESS]:
        answer = call(key_for(endpoint, scope), endpoint)
        assert is_refused(answer) == (endpoint.scope not in (None, scope)), scope
        if is_refused(answer):
            assert code_of(answer) == (403, "key_not_allowed")


@every_endpoint
def test_a_public_key_lists_and_books_and_does_nothing_else(endpoint: Endpoint) -> None:
    answer = call(public_key(), endpoint, Origin=SITE)
    assert is_refused(answer) == (endpoint.name not in FOR_PUBLIC_KEYS)
    assert endpoint.public_keys == (endpoint.name in FOR_PUBLIC_KEYS)
    assert code_of(call(public_key(), endpoint, Origin="https://evil.example")) == (403, "origin_not_allowed")


@every_endpoint
def test_a_secret_key_is_refused_in_a_browser(endpoint: Endpoint) -> None:
    assert code_of(call(key_for(endpoint), endpoint, Origin=SITE)) == (403, "origin_not_allowed")


@every_endpoint
def test_a_key_of_another_owner_opens_nothing(endpoint: Endpoint) -> None:
    business, platform = call(secret_key(*SCOPE_LABELS[KeyOwner.BUSINESS]), endpoint), call(platform_key(), endpoint)
    assert is_refused(business) == (endpoint.owner == KeyOwner.PLATFORM)
    assert is_refused(platform) == (endpoint.owner == KeyOwner.BUSINESS)
    for answer in filter(is_refused, (business, platform)):
        assert code_of(answer) == (403, "key_not_allowed")


@every_endpoint
def test_without_a_good_key_nothing_is_answered(endpoint: Endpoint) -> None:
    assert code_of(call(None, endpoint)) == (401, "no_key")
    assert code_of(call("tk_00000000_" + "0" * 64, endpoint)) == (401, "unknown_key")
    key, secret = create_key(BUSINESS)
    revoke(key)
    assert code_of(call(secret, endpoint)) == (401, "revoked_key")


@every_endpoint
def test_another_tenant_is_refused_and_the_own_one_is_accepted(endpoint: Endpoint) -> None:
    secret = key_for(endpoint)
    assert code_of(call(secret, endpoint, **{"X-Tenant-Id": "harbour"})) == (403, "other_tenant")
    assert is_refused(call(secret, endpoint, **{"X-Tenant-Id": BUSINESS})) == (endpoint.owner == KeyOwner.PLATFORM)
    assert code_of(call(platform_key(), endpoint, **{"X-Tenant-Id": BUSINESS})) == (403, "other_tenant")


# A body that would be accepted in the own business.
BODIES: dict[str, dict[str, Any]] = {
    "create_booking": {"service": "masaje", "provider": "maria", "start": to_wire(at(11)), "customer": JUAN},
    "reschedule_booking": {"start": to_wire(at(11))},
    "edit_customer": JUAN,
    "append_message": {"author": "CUSTOMER", "text": "Hola"},
}
# Ids that may be the same in two businesses: what is created there belongs to the key's own business.
CREATES_ITS_OWN = {"create_customer", "put_conversation_state"}
OF_BUSINESSES = [each for each in WITH_KEY if each.owner == KeyOwner.BUSINESS and each.name not in CREATES_ITS_OWN]


@pytest.mark.parametrize("endpoint", OF_BUSINESSES, ids=lambda each: each.name)
def test_ids_of_another_business_open_nothing(endpoint: Endpoint) -> None:
    own = secret_key("read", "book", "chat")
    booking = book(own, to_wire(at(10)), provider="maria").json()
    begin("c1")
    say("Secreto", conversation="c1")
    parts = PARTS | {"booking": booking["id"], "customer": booking["customerId"]}
    add_business("harbour", "Harbour Coffee")
    foreign = secret_key("read", "book", "chat", business="harbour")
    before = of_business(BUSINESS)
    path = path_of(endpoint, parts) + (QUERY if endpoint.name == "slots" else "")
    if endpoint.is_write:
        body, tag = BODIES.get(endpoint.name, {}), {"If-Match": '"1"'}
        answer = send(foreign, path, body, method=endpoint.method.lower(), **tag)
    else:
        answer = get(foreign, path)
    if answer.status_code == 200:
        lists = [each for each in answer.json().values() if isinstance(each, list)]
        assert lists and not any(lists), answer.content
    else:
        assert code_of(answer) in {(404, "not_found"), (422, "invalid")}
    for text in ("Juan", "Secreto", "Masaje", "Maria", booking["customerId"]):
        assert text not in answer.content.decode()
    assert of_business(BUSINESS) == before


def of_business(business: str) -> list[dict[str, Any]]:
    """Every item of a business as it is stored, apart from its keys, which note when they are used."""
    found = [each for each in all_items() if business in each.pk and not isinstance(each, ApiKey)]
    return sorted(
        (each.serialize(null_check=False) for each in found), key=lambda raw: (raw["PK"]["S"], raw["SK"]["S"])
    )


def test_a_key_creates_only_in_its_own_business() -> None:
    add_business("harbour", "Harbour Coffee")
    foreign = secret_key("read", "book", "chat", business="harbour")
    begin("c1")
    before = of_business(BUSINESS)
    assert send(foreign, "customers", JUAN).status_code == 201
    assert send(foreign, "conversations/c1/state", {"state": "SERVICE_PENDING"}, method="put").status_code == 200
    assert of_business(BUSINESS) == before


def test_the_keys_of_a_closed_business_open_nothing() -> None:
    secret = secret_key(*SCOPE_LABELS[KeyOwner.BUSINESS])
    write.update(keys.TENANT.key(tenant=BUSINESS), [Business.status.set(BusinessStatus.SUSPENDED.value)])
    for endpoint in WITH_KEY:
        assert code_of(call(secret, endpoint)) == (403, "business_closed")


def test_a_key_without_a_type_is_public_if_it_names_websites() -> None:
    outside = put_seed_key(BUSINESS)
    assert (outside.type, outside.scopes) == (KeyType.PUBLIC, [])
    outside.allowed_origins = []
    assert (outside.type, outside.scopes) == (KeyType.SECRET, [Scope.READ])


# --- Requests that cannot be read ----------------------------------------------------------------
@pytest.mark.parametrize("endpoint", [each for each in WITH_KEY if each.body], ids=lambda each: each.name)
def test_a_body_that_is_no_json_object_is_refused(endpoint: Endpoint) -> None:
    secret, tag = key_for(endpoint), {"If-Match": '"1"'}
    path, method = path_of(endpoint, PARTS), endpoint.method.lower()
    for body in (b"{", b'{"a": 1,}', b"\xff", b'"\\ud800"', b"[" * 100_000):
        assert code_of(send(secret, path, body, method=method, **tag)) in {
            (400, "malformed_json"),
            (400, "bad_request"),
            (422, "invalid"),
        }, body[:20]
    for body in (b"[]", b"null", b"7", b'{"unknown": 1}'):
        assert code_of(send(secret, path, body, method=method, **tag)) == (422, "invalid")
    wrong_type = {"Content-Type": "text/plain"} | tag
    assert code_of(send(secret, path, b"{}", method=method, **wrong_type)) == (415, "not_json")


def test_other_methods_and_addresses_are_refused() -> None:
    secret = secret_key()
    for path in ("services", "bookings/b1", "slots"):
        response = call_api(secret, BASE + path, "delete")
        assert code_of(response) == (405, "method_not_allowed")
        assert "GET" in response.headers["Allow"]
    assert code_of(call_api(secret, BASE + "nothing")) == (404, "not_found")
    assert call_api(secret, BASE + "services", "head").content == b""


def test_a_preflight_allows_the_headers_of_the_api() -> None:
    response = Client().options(BASE + "bookings", headers={"Origin": SITE, "Access-Control-Request-Method": "POST"})
    assert response.status_code == 204
    assert {"POST", "GET"} <= set(response.headers["Access-Control-Allow-Methods"].split(", "))
    allowed = set(response.headers["Access-Control-Allow-Headers"].split(", "))
    assert {"Authorization", "Content-Type", "Idempotency-Key", "If-Match", "X-Tenant-Id"} <= allowed


def test_answers_name_the_rate_limit() -> None:
    _, secret = create_key(BUSINESS, limit=1)
    first, second = (get(secret, "services") for _ in range(2))
    assert first.headers["RateLimit-Policy"] == '"default";q=1;w=60'
    assert re.fullmatch(r'"default";r=0;t=\d+', first.headers["RateLimit"])
    assert code_of(second) == (429, "too_many_requests") and int(second.headers["Retry-After"]) > 0


def test_bodies_are_not_read_before_the_key_is_checked() -> None:
    assert code_of(send(None, "bookings", b"{")) == (401, "no_key")
    assert code_of(send(secret_key("read"), "bookings", b"{")) == (403, "key_not_allowed")
    assert code_of(send(secret_key("book"), "bookings", {"customer": JUAN})) == (422, "invalid")
