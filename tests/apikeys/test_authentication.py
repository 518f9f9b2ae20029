"""Authentication by API key: which keys are accepted, and which errors the others get."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client

from dashboard.core.clock import frozen
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.apikeys import queries
from dashboard.platform.apikeys.services import hash_secret
from dashboard.platform.businesses.items import Business, BusinessStatus
from dashboard.table import keys, write
from dashboard.web.requests import JsonLines
from tests.apikeys.factories import WHOAMI, call_api, create_key, error_of, revoke
from tests.conftest import add_person, sign_in
from tests.table.notes import load_raw, put
from tests.ui.walk import calls_of

pytestmark = pytest.mark.usefixtures("businesses")
# The first second of a minute.
START = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
SITE = "https://www.andina.cl"


def test_whoami_returns_the_business_and_the_key() -> None:
    key, secret = create_key("andina", "Página de reservas", [SITE], limit=7)
    response = call_api(secret)
    assert response.status_code == 200
    assert response.json() == {
        "business": {"id": "andina", "name": "Coca-Cola Andina", "status": "ACTIVE", "plan": "PRO"},
        "key": {
            "id": key.id,
            "name": "Página de reservas",
            "public": secret[:11],
            "type": "public",
            "scopes": [],
            "allowedOrigins": [SITE],
            "rateLimit": 7,
            "createdAt": "2026-03-02T10:00:00Z",
        },
    }
    assert response.headers["Cache-Control"] == "no-store, private"
    assert secret.split("_")[-1] not in response.content.decode() and key.api_key_hash not in response.content.decode()


def test_head_works_and_other_methods_are_refused() -> None:
    _, secret = create_key("andina")
    head = call_api(secret, method="head")
    assert (head.status_code, head.content) == (200, b"")
    for method in ("post", "put", "patch", "delete"):
        response = call_api(secret, method=method)
        assert error_of(response) == (405, "method_not_allowed")
        assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_each_key_gives_access_to_its_own_business_only() -> None:
    _, ours = create_key("andina")
    _, theirs = create_key("harbour")
    assert call_api(ours).json()["business"]["id"] == "andina"
    assert call_api(theirs).json()["business"]["id"] == "harbour"


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "no_key"),
        ("", "no_key"),
        ("Bearer", "bad_key"),
        ("Bearer short", "bad_key"),
        ("Basic YWxtYTpwYXNzd29yZA==", "bad_key"),
        ("Bearer two words-that-are-long-enough", "bad_key"),
        ("Bearer " + "x" * 300, "bad_key"),
        ("Bearer clé-à-la-française-longue", "bad_key"),
        ("Bearer tk_00000000_" + "0" * 64, "unknown_key"),
    ],
)
def test_a_missing_malformed_or_unknown_key_is_refused(header: str | None, code: str) -> None:
    headers = {} if header is None else {"Authorization": header}
    response = Client().get(WHOAMI, headers=headers)
    assert error_of(response) == (401, code)
    assert response.headers["WWW-Authenticate"] == "Bearer"
    if code != "unknown_key":
        assert calls_of(response).calls == [], "a malformed key is not looked up in the table"


@pytest.mark.parametrize("change", ["one letter", "upper case", "cut", "only the visible part", "the hash"])
def test_a_slightly_different_key_is_unknown(change: str) -> None:
    key, secret = create_key("andina")
    wrong = {
        "one letter": secret[:-1] + ("0" if secret[-1] != "0" else "1"),
        "upper case": secret.upper(),
        "cut": secret[:-1],
        "only the visible part": f"{key.api_key_public}________",
        "the hash": str(key.api_key_hash),
    }[change]
    assert error_of(call_api(wrong)) == (401, "unknown_key")


def test_a_session_gives_no_access_and_is_not_read() -> None:
    """The session of a signed-in admin gives no access, and is not looked up."""
    browser = sign_in(add_person("alma@example.com", Role.ADMIN))
    response = browser.get(WHOAMI)
    assert error_of(response) == (401, "no_key")
    assert calls_of(response).calls == []
    _, secret = create_key("andina")
    strict = Client(enforce_csrf_checks=True)
    strict.cookies[django_settings.SESSION_COOKIE_NAME] = browser.cookies[django_settings.SESSION_COOKIE_NAME].value
    response = strict.post(WHOAMI, headers={"Authorization": f"Bearer {secret}"})
    assert error_of(response) == (405, "method_not_allowed"), "there is no CSRF check"
    assert not response.cookies


def test_only_an_hmac_of_the_secret_is_stored() -> None:
    """The table contains only an HMAC of the secret."""
    key, secret = create_key("andina")
    raw = load_raw(keys.API_KEY.key(tenant="andina", key_id=key.id)) or {}
    assert raw["apiKeyHash"]["S"] == hash_secret(secret) and secret not in str(raw)
    assert secret.split("_")[-1] not in str(raw)


def test_with_another_pepper_every_key_is_unknown(settings: Any) -> None:
    _, secret = create_key("andina")
    settings.API_KEY_PEPPER = "another"
    assert error_of(call_api(secret)) == (401, "unknown_key")


def test_a_revoked_key_is_refused() -> None:
    key, secret = create_key("andina")
    revoke(key)
    response = call_api(secret)
    assert error_of(response) == (401, "revoked_key")
    assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("status", "opens"), [("ACTIVE", True), ("TRIAL", True), ("SUSPENDED", False), ("CANCELLED", False)]
)
def test_the_keys_of_a_closed_business_are_refused(status: str, opens: bool) -> None:
    _, secret = create_key("andina")
    write.update(
        keys.TENANT.key(tenant="andina"),
        [Business.status.set(BusinessStatus(status).value), Business.status_reason.set("Unpaid.")],
    )
    response = call_api(secret)
    if opens:
        assert response.json()["business"]["status"] == status
    else:
        assert error_of(response) == (403, "business_closed")
        assert status.lower() in response.json()["detail"]
        assert "Unpaid" not in response.content.decode(), "only its owners see the reason"


def test_a_key_of_a_deleted_business_is_refused() -> None:
    _, secret = create_key("andina")
    write.remove(keys.TENANT.key(tenant="andina"))
    assert error_of(call_api(secret)) == (403, "business_closed")


def test_a_key_whose_hash_is_on_two_items_is_unknown() -> None:
    key, secret = create_key("andina")
    raw = load_raw(key.key) or {}
    at = keys.API_KEY.key(tenant="harbour", key_id=key.id)
    put(raw | {"PK": {"S": at.pk}, "tenantId": {"S": "harbour"}, "GSI1SK": {"S": "harbour"}})
    assert error_of(call_api(secret)) == (401, "unknown_key")


def test_a_key_whose_item_has_another_hash_than_the_index_is_unknown() -> None:
    key, secret = create_key("andina")
    raw = load_raw(key.key) or {}
    put(raw | {"apiKeyHash": {"S": "another"}})
    assert error_of(call_api(secret)) == (401, "unknown_key")


# --- Cost ----------------------------------------------------------------------------------------
def test_a_request_takes_two_trips_and_the_second_names_business_and_key() -> None:
    key, secret = create_key("andina")
    log = calls_of(call_api(secret))
    assert log.trips == 2
    waves = [sorted(call.operation for call in log.calls if call.wave == wave) for wave in (1, 2)]
    assert waves == [["GetItem", "Query"], ["BatchGetItem", "UpdateItem", "UpdateItem"]]
    assert {(call.business, call.api_key) for call in log.calls if call.wave == 2} == {("andina", key.id)}
    assert {(call.business, call.api_key) for call in log.calls if call.wave == 1} == {(None, None)}
    assert all(call.pattern.startswith("dashboard.platform.apikeys.") for call in log.calls)
    assert [call.error for call in log.calls] == [None] * 5


def test_the_last_use_is_recorded_every_five_minutes_without_a_new_revision() -> None:
    key, secret = create_key("andina")
    assert queries.load_key("andina", key.id).last_used_at is None
    recording = []
    for minute in (0, 1, 4, 6, 7):
        with frozen(START + timedelta(minutes=minute)):
            log = calls_of(call_api(secret))
        assert log.trips == 2
        recording.append([call.operation for call in log.calls].count("UpdateItem") - 1)
    assert recording == [1, 0, 0, 1, 0]
    after = queries.load_key("andina", key.id)
    assert after.last_used_at == START + timedelta(minutes=6)
    assert (after.revision, after.updated_at) == (key.revision, key.updated_at), (
        "recording a use causes no conflict with a colleague's form"
    )


def test_the_use_of_a_revoked_key_is_not_recorded() -> None:
    key, secret = create_key("andina")
    revoke(key)
    call_api(secret)
    assert queries.load_key("andina", key.id).last_used_at is None


def test_the_log_names_business_and_key_id_and_never_the_secret(caplog: pytest.LogCaptureFixture) -> None:
    key, secret = create_key("andina")
    with caplog.at_level(logging.INFO, "trastienda"):
        call_api(secret)
        call_api(f"{secret[:-4]}0000")
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    (good, bad) = [line for line in lines if line["message"] == "request"]
    assert (good["tenant"], good["api_key"], good["status"]) == ("andina", key.id, 200)
    assert ("tenant" in bad, bad["status"]) == (False, 401)
    calls = [line for line in lines if line["message"] == "dynamodb" and line.get("api_key") == key.id]
    assert {line["operation"] for line in calls} == {"BatchGetItem", "UpdateItem"}
    text = json.dumps(lines)
    assert secret.split("_")[-1][:20] not in text and str(key.api_key_hash) not in text
