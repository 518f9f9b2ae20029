"""The API's gate: who gets in with which key, and what everyone else reads."""

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
from dashboard.platform.businesses.items import Business, Status
from dashboard.table import keys, write
from dashboard.web.requests import JsonLines
from tests.apikeys.factories import WHOAMI, ask, create_key, refused, revoke
from tests.conftest import add_person, sign_in
from tests.table.notes import load_raw, put
from tests.ui.walk import calls_of

pytestmark = pytest.mark.usefixtures("businesses")
# The first second of a minute.
START = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
SITE = "https://www.andina.cl"


def test_a_key_says_whose_it_is() -> None:
    key, secret = create_key("andina", "Página de reservas", [SITE], limit=7)
    response = ask(secret)
    assert response.status_code == 200
    assert response.json() == {
        "business": {"id": "andina", "name": "Coca-Cola Andina", "status": "ACTIVE", "plan": "PRO"},
        "key": {
            "id": key.id,
            "name": "Página de reservas",
            "public": secret[:11],
            "allowedOrigins": [SITE],
            "rateLimit": 7,
            "createdAt": "2026-03-02T10:00:00Z",
        },
    }
    assert response.headers["Cache-Control"] == "no-store, private"
    assert secret.split("_")[-1] not in response.content.decode() and key.api_key_hash not in response.content.decode()


def test_head_works_and_other_methods_are_named() -> None:
    _, secret = create_key("andina")
    head = ask(secret, method="head")
    assert (head.status_code, head.content) == (200, b"")
    for method in ("post", "put", "patch", "delete"):
        response = ask(secret, method=method)
        assert refused(response) == (405, "method_not_allowed")
        assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_each_key_opens_its_own_business_and_no_other() -> None:
    _, ours = create_key("andina")
    _, theirs = create_key("harbour")
    assert ask(ours).json()["business"]["id"] == "andina"
    assert ask(theirs).json()["business"]["id"] == "harbour"


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
def test_without_a_good_key_nothing_opens(header: str | None, code: str) -> None:
    headers = {} if header is None else {"Authorization": header}
    response = Client().get(WHOAMI, headers=headers)
    assert refused(response) == (401, code)
    assert response.headers["WWW-Authenticate"] == "Bearer"
    if code != "unknown_key":
        assert calls_of(response).calls == [], "the table is not asked for what cannot be a key"


@pytest.mark.parametrize("change", ["one letter", "upper case", "cut", "only the visible part", "the hash"])
def test_a_key_that_is_nearly_right_is_wrong(change: str) -> None:
    key, secret = create_key("andina")
    wrong = {
        "one letter": secret[:-1] + ("0" if secret[-1] != "0" else "1"),
        "upper case": secret.upper(),
        "cut": secret[:-1],
        "only the visible part": f"{key.api_key_public}________",
        "the hash": str(key.api_key_hash),
    }[change]
    assert refused(ask(wrong)) == (401, "unknown_key")


def test_a_session_plays_no_role_and_costs_nothing() -> None:
    """An admin who is signed in gets in no more than anyone, and their cookie is not even looked up."""
    browser = sign_in(add_person("alma@example.com", Role.ADMIN))
    response = browser.get(WHOAMI)
    assert refused(response) == (401, "no_key")
    assert calls_of(response).calls == []
    _, secret = create_key("andina")
    strict = Client(enforce_csrf_checks=True)
    strict.cookies[django_settings.SESSION_COOKIE_NAME] = browser.cookies[django_settings.SESSION_COOKIE_NAME].value
    answered = strict.post(WHOAMI, headers={"Authorization": f"Bearer {secret}"})
    assert refused(answered) == (405, "method_not_allowed"), "not refused as a forged form: there is none"
    assert not answered.cookies


def test_what_is_stored_opens_nothing() -> None:
    """The table holds an HMAC; a plain hash, or the HMAC with another pepper, is another."""
    key, secret = create_key("andina")
    raw = load_raw(keys.API_KEY.key(tenant="andina", key_id=key.id)) or {}
    assert raw["apiKeyHash"]["S"] == hash_secret(secret) and secret not in str(raw)
    assert secret.split("_")[-1] not in str(raw)


def test_another_pepper_makes_every_key_unknown(settings: Any) -> None:
    _, secret = create_key("andina")
    settings.API_KEY_PEPPER = "another"
    assert refused(ask(secret)) == (401, "unknown_key")


def test_a_revoked_key_is_refused_and_works_again_after_undo() -> None:
    key, secret = create_key("andina")
    revoke(key)
    response = ask(secret)
    assert refused(response) == (401, "revoked_key")
    assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("status", "opens"), [("ACTIVE", True), ("TRIAL", True), ("SUSPENDED", False), ("CANCELLED", False)]
)
def test_the_keys_of_a_closed_business_open_nothing(status: str, opens: bool) -> None:
    _, secret = create_key("andina")
    write.update(
        keys.TENANT.key(tenant="andina"),
        [Business.status.set(Status(status).value), Business.status_reason.set("Unpaid.")],
    )
    response = ask(secret)
    if opens:
        assert response.json()["business"]["status"] == status
    else:
        assert refused(response) == (403, "business_closed")
        assert status.lower() in response.json()["message"]
        assert "Unpaid" not in response.content.decode(), "why is for its owners"


def test_a_key_whose_business_is_gone_opens_nothing() -> None:
    _, secret = create_key("andina")
    write.remove(keys.TENANT.key(tenant="andina"))
    assert refused(ask(secret)) == (403, "business_closed")


def test_a_hash_that_two_items_claim_is_nobodys() -> None:
    key, secret = create_key("andina")
    raw = load_raw(key.key) or {}
    at = keys.API_KEY.key(tenant="harbour", key_id=key.id)
    put(raw | {"PK": {"S": at.pk}, "tenantId": {"S": "harbour"}, "GSI1SK": {"S": "harbour"}})
    assert refused(ask(secret)) == (401, "unknown_key")


def test_an_index_entry_whose_item_has_another_hash_opens_nothing() -> None:
    key, secret = create_key("andina")
    raw = load_raw(key.key) or {}
    put(raw | {"apiKeyHash": {"S": "another"}})
    assert refused(ask(secret)) == (401, "unknown_key")


# --- What it costs -------------------------------------------------------------------------------
def test_two_trips_and_every_call_after_the_first_names_tenant_and_key() -> None:
    key, secret = create_key("andina")
    log = calls_of(ask(secret))
    assert log.trips == 2
    waves = [sorted(call.operation for call in log.calls if call.wave == wave) for wave in (1, 2)]
    assert waves == [["GetItem", "Query"], ["BatchGetItem", "UpdateItem", "UpdateItem"]]
    assert {(call.business, call.api_key) for call in log.calls if call.wave == 2} == {("andina", key.id)}
    assert {(call.business, call.api_key) for call in log.calls if call.wave == 1} == {(None, None)}
    assert all(call.pattern.startswith("dashboard.platform.apikeys.") for call in log.calls)
    assert [call.error for call in log.calls] == [None] * 5


def test_the_last_use_is_noted_every_five_minutes_and_is_no_edit() -> None:
    key, secret = create_key("andina")
    assert queries.load_key("andina", key.id).last_used_at is None
    recording = []
    for minute in (0, 1, 4, 6, 7):
        with frozen(START + timedelta(minutes=minute)):
            log = calls_of(ask(secret))
        assert log.trips == 2
        recording.append([call.operation for call in log.calls].count("UpdateItem") - 1)
    assert recording == [1, 0, 0, 1, 0]
    after = queries.load_key("andina", key.id)
    assert after.last_used_at == START + timedelta(minutes=6)
    assert (after.revision, after.updated_at) == (key.revision, key.updated_at), (
        "a colleague's form does not collide with it"
    )


def test_a_revoked_key_is_not_noted_as_used() -> None:
    key, secret = create_key("andina")
    revoke(key)
    ask(secret)
    assert queries.load_key("andina", key.id).last_used_at is None


def test_the_log_says_whose_request_it_was_and_nothing_of_the_key(caplog: pytest.LogCaptureFixture) -> None:
    key, secret = create_key("andina")
    with caplog.at_level(logging.INFO, "trastienda"):
        ask(secret)
        ask(f"{secret[:-4]}0000")
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    (good, bad) = [line for line in lines if line["message"] == "request"]
    assert (good["tenant"], good["api_key"], good["status"]) == ("andina", key.id, 200)
    assert ("tenant" in bad, bad["status"]) == (False, 401)
    calls = [line for line in lines if line["message"] == "dynamodb" and line.get("api_key") == key.id]
    assert {line["operation"] for line in calls} == {"BatchGetItem", "UpdateItem"}
    text = json.dumps(lines)
    assert secret.split("_")[-1][:20] not in text and str(key.api_key_hash) not in text
