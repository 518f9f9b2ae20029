"""The API's gate: who gets in with which key, from where, and what everyone else reads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client

from dashboard.accounts.permissions import Role
from dashboard.apikeys import gate, queries
from dashboard.apikeys.services import hashed
from dashboard.businesses.items import Status, Tenant
from dashboard.clock import frozen
from dashboard.table import keys, write
from tests.apikeys.issuing import WHOAMI, ask, issue_key, revoke
from tests.conftest import add_business, add_person, sign_in
from tests.table.notes import on_the_wire, put
from tests.ui.walk import calls_of

# The first second of a minute.
START = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
SITE = "https://www.andina.cl"


@pytest.fixture(autouse=True)
def businesses(table: str) -> Iterator[None]:
    with frozen(START):
        add_business("andina", "Coca-Cola Andina", "olivia@example.com")
        add_business("harbour", "Harbour Coffee", "nuria@example.com")
        yield


def refused(response: Any) -> tuple[int, str]:
    """How a request was refused; always in JSON, with words and a number to name it by."""
    assert response.headers["Content-Type"] == "application/json"
    body = response.json()
    assert body["message"].endswith(".") and body["request"] == response.headers["X-Request-ID"]
    return response.status_code, body["error"]


def test_a_key_says_whose_it_is() -> None:
    key, secret = issue_key("andina", "Página de reservas", [SITE], limit=7)
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
    _, secret = issue_key("andina")
    head = ask(secret, method="head")
    assert (head.status_code, head.content) == (200, b"")
    for method in ("post", "put", "patch", "delete"):
        response = ask(secret, method=method)
        assert refused(response) == (405, "method_not_allowed")
        assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_each_key_opens_its_own_business_and_no_other() -> None:
    _, ours = issue_key("andina")
    _, theirs = issue_key("harbour")
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
    key, secret = issue_key("andina")
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
    _, secret = issue_key("andina")
    strict = Client(enforce_csrf_checks=True)
    strict.cookies[django_settings.SESSION_COOKIE_NAME] = browser.cookies[django_settings.SESSION_COOKIE_NAME].value
    answered = strict.post(WHOAMI, headers={"Authorization": f"Bearer {secret}"})
    assert refused(answered) == (405, "method_not_allowed"), "not refused as a forged form: there is none"
    assert not answered.cookies


def test_what_is_stored_opens_nothing() -> None:
    """The table holds an HMAC; a plain hash, or the HMAC with another pepper, is another."""
    key, secret = issue_key("andina")
    raw = on_the_wire(keys.API_KEY.key(tenant="andina", key_id=key.id)) or {}
    assert raw["apiKeyHash"]["S"] == hashed(secret) and secret not in str(raw)
    assert secret.split("_")[-1] not in str(raw)


def test_another_pepper_makes_every_key_unknown(settings: Any) -> None:
    _, secret = issue_key("andina")
    settings.API_KEY_PEPPER = "another"
    assert refused(ask(secret)) == (401, "unknown_key")


def test_a_revoked_key_is_refused_and_works_again_after_undo() -> None:
    key, secret = issue_key("andina")
    revoke(key)
    response = ask(secret)
    assert refused(response) == (401, "revoked_key")
    assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("status", "opens"), [("ACTIVE", True), ("TRIAL", True), ("SUSPENDED", False), ("CANCELLED", False)]
)
def test_the_keys_of_a_closed_business_open_nothing(status: str, opens: bool) -> None:
    _, secret = issue_key("andina")
    write.touch(
        keys.TENANT.key(tenant="andina"), [Tenant.status.set(Status(status).value), Tenant.status_reason.set("Unpaid.")]
    )
    response = ask(secret)
    if opens:
        assert response.json()["business"]["status"] == status
    else:
        assert refused(response) == (403, "business_closed")
        assert status.lower() in response.json()["message"]
        assert "Unpaid" not in response.content.decode(), "why is for its owners"


def test_a_key_whose_business_is_gone_opens_nothing() -> None:
    _, secret = issue_key("andina")
    write.remove(keys.TENANT.key(tenant="andina"))
    assert refused(ask(secret)) == (403, "business_closed")


def test_a_hash_that_two_items_claim_is_nobodys() -> None:
    key, secret = issue_key("andina")
    raw = on_the_wire(key.key) or {}
    at = keys.API_KEY.key(tenant="harbour", key_id=key.id)
    put(raw | {"PK": {"S": at.pk}, "tenantId": {"S": "harbour"}, "GSI1SK": {"S": "harbour"}})
    assert refused(ask(secret)) == (401, "unknown_key")


def test_an_index_entry_whose_item_has_another_hash_opens_nothing() -> None:
    key, secret = issue_key("andina")
    raw = on_the_wire(key.key) or {}
    put(raw | {"apiKeyHash": {"S": "another"}})
    assert refused(ask(secret)) == (401, "unknown_key")


# --- What it costs -------------------------------------------------------------------------------
def test_two_trips_and_every_call_after_the_first_names_tenant_and_key() -> None:
    key, secret = issue_key("andina")
    log = calls_of(ask(secret))
    assert log.trips == 2
    waves = [sorted(call.operation for call in log.calls if call.wave == wave) for wave in (1, 2)]
    assert waves == [["GetItem", "Query"], ["BatchGetItem", "UpdateItem", "UpdateItem"]]
    assert {(call.tenant, call.api_key) for call in log.calls if call.wave == 2} == {("andina", key.id)}
    assert {(call.tenant, call.api_key) for call in log.calls if call.wave == 1} == {(None, None)}
    assert all(call.pattern.startswith("dashboard.apikeys.") for call in log.calls)
    assert [call.error for call in log.calls] == [None] * 5


def test_the_last_use_is_noted_every_five_minutes_and_is_no_edit() -> None:
    key, secret = issue_key("andina")
    assert queries.key("andina", key.id).last_used_at is None
    noted = []
    for minute in (0, 1, 4, 6, 7):
        with frozen(START + timedelta(minutes=minute)):
            log = calls_of(ask(secret))
        assert log.trips == 2
        noted.append([call.operation for call in log.calls].count("UpdateItem") - 1)
    assert noted == [1, 0, 0, 1, 0]
    after = queries.key("andina", key.id)
    assert after.last_used_at == START + timedelta(minutes=6)
    assert (after.seen, after.updated_at) == (key.seen, key.updated_at), "a colleague's form does not collide with it"


def test_a_revoked_key_is_not_noted_as_used() -> None:
    key, secret = issue_key("andina")
    revoke(key)
    ask(secret)
    assert queries.key("andina", key.id).last_used_at is None


# --- Where from ----------------------------------------------------------------------------------
@pytest.mark.parametrize("origin", [SITE, "http://localhost:3000", "https://reservas.andina.cl:8443"])
def test_a_script_of_an_allowed_site_reads_the_answer(origin: str) -> None:
    _, secret = issue_key("andina", origins=[SITE, "http://localhost:3000", "https://reservas.andina.cl:8443"])
    response = ask(secret, headers={"Origin": origin})
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == origin
    assert "RateLimit-Remaining" in response.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert "Origin" in response.headers["Vary"]


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://www.andina.cl",
        "https://andina.cl",
        "https://www.andina.cl:8443",
        "https://www.andina.cl.evil.example",
        "https://www.andina.cl@evil.example",
        "null",
        "",
        "*",
        "garbage \x01 ü",
    ],
)
@pytest.mark.parametrize("allowed", [[SITE], []])
def test_other_sites_are_refused_and_read_nothing(origin: str, allowed: list[str]) -> None:
    _, secret = issue_key("andina", origins=allowed)
    response = ask(secret, headers={"Origin": origin})
    assert refused(response) == (403, "origin_not_allowed")
    assert not [name for name in response.headers if name.startswith("Access-Control")]
    assert "Origin" in response.headers["Vary"]


def test_a_key_without_origins_is_for_servers_only() -> None:
    _, secret = issue_key("andina", origins=[])
    assert ask(secret).status_code == 200
    assert refused(ask(secret, headers={"Origin": SITE})) == (403, "origin_not_allowed")


def test_an_allowed_site_can_read_why_it_was_refused() -> None:
    _, secret = issue_key("andina", origins=[SITE], limit=1)
    ask(secret)
    over = ask(secret, headers={"Origin": SITE})
    assert refused(over) == (429, "too_many_requests")
    assert over.headers["Access-Control-Allow-Origin"] == SITE
    with frozen(START + timedelta(minutes=1)):
        wrong = ask(secret, method="delete", headers={"Origin": SITE})
    assert refused(wrong) == (405, "method_not_allowed")
    assert wrong.headers["Access-Control-Allow-Origin"] == SITE


def test_a_browser_asks_first() -> None:
    """Without the key: it only learns what may be asked."""
    headers = {
        "Origin": SITE,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization",
    }
    response = Client().options(WHOAMI, headers=headers)
    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["Access-Control-Allow-Origin"] == SITE
    assert response.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert "Authorization" in response.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert "Origin" in response.headers["Vary"]
    assert calls_of(response).calls == []
    for strange in ("null", "garbage \x01 ü", "http://intranet"):
        answered = Client().options(WHOAMI, headers={"Origin": strange})
        assert (answered.status_code, "Access-Control-Allow-Origin" in answered.headers) == (204, False)


# --- How often -----------------------------------------------------------------------------------
def test_a_key_over_its_rate_waits_for_the_next_minute() -> None:
    _, secret = issue_key("andina", limit=3)
    with frozen(START + timedelta(seconds=18)):
        answered = [ask(secret) for _ in range(4)]
    assert [each.status_code for each in answered] == [200, 200, 200, 429]
    assert [each.headers["RateLimit-Remaining"] for each in answered] == ["2", "1", "0", "0"]
    assert {(each.headers["RateLimit-Limit"], each.headers["RateLimit-Reset"]) for each in answered} == {("3", "42")}
    assert refused(answered[3]) == (429, "too_many_requests")
    assert answered[3].headers["Retry-After"] == "42"
    with frozen(START + timedelta(seconds=59)):
        assert ask(secret).status_code == 429
    with frozen(START + timedelta(seconds=60)):
        assert ask(secret).status_code == 200


def test_one_keys_rate_is_not_anothers() -> None:
    _, one = issue_key("andina", limit=1)
    _, two = issue_key("andina", limit=1)
    assert [ask(one).status_code, ask(one).status_code, ask(two).status_code] == [200, 429, 200]


@pytest.mark.parametrize("few", [3])
def test_wrong_keys_from_one_address_make_it_wait(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """Else the right one among the guesses would be told from the others."""
    monkeypatch.setattr(gate, "WRONG_KEYS", few)
    _, secret = issue_key("andina")
    wrong = [f"tk_00000000_{number:064}" for number in range(few + 1)]
    with frozen(START + timedelta(seconds=10)):
        answered = [ask(each, REMOTE_ADDR="10.0.0.7") for each in wrong]
        assert [each.status_code for each in answered] == [401] * few + [429]
        assert answered[-1].headers["Retry-After"] == "50"
        assert "wrong keys" in answered[-1].json()["message"]
        assert refused(ask(secret, REMOTE_ADDR="10.0.0.7")) == (429, "too_many_requests")
        assert ask(secret, REMOTE_ADDR="10.0.0.8").status_code == 200
    with frozen(START + timedelta(seconds=60)):
        assert ask(secret, REMOTE_ADDR="10.0.0.7").status_code == 200


def test_a_revoked_key_is_no_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that still sends an old key does not hold up its neighbours."""
    monkeypatch.setattr(gate, "WRONG_KEYS", 1)
    key, old = issue_key("andina")
    _, good = issue_key("andina")
    revoke(key)
    assert [ask(old).status_code for _ in range(3)] == [401] * 3
    assert ask(good).status_code == 200
