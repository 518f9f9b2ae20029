"""The origins from which a key may be used, and its rate limit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from dashboard.core.clock import frozen
from dashboard.platform.apikeys import authentication
from tests.apikeys.factories import WHOAMI, call_api, create_key, error_of, revoke
from tests.ui.walk import calls_of

pytestmark = pytest.mark.usefixtures("businesses")
# The first second of a minute.
START = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
SITE = "https://www.andina.cl"


# --- Origins -------------------------------------------------------------------------------------
@pytest.mark.parametrize("origin", [SITE, "http://localhost:3000", "https://reservas.andina.cl:8443"])
def test_an_allowed_origin_gets_cors_headers(origin: str) -> None:
    _, secret = create_key("andina", origins=[SITE, "http://localhost:3000", "https://reservas.andina.cl:8443"])
    response = call_api(secret, headers={"Origin": origin})
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
def test_another_origin_is_refused_without_cors_headers(origin: str, allowed: list[str]) -> None:
    _, secret = create_key("andina", origins=allowed)
    response = call_api(secret, headers={"Origin": origin})
    assert error_of(response) == (403, "origin_not_allowed")
    assert not [name for name in response.headers if name.startswith("Access-Control")]
    assert "Origin" in response.headers["Vary"]


def test_a_key_without_origins_is_for_servers_only() -> None:
    _, secret = create_key("andina", origins=[])
    assert call_api(secret).status_code == 200
    assert error_of(call_api(secret, headers={"Origin": SITE})) == (403, "origin_not_allowed")


def test_an_allowed_origin_can_read_error_answers() -> None:
    _, secret = create_key("andina", origins=[SITE], limit=1)
    call_api(secret)
    over = call_api(secret, headers={"Origin": SITE})
    assert error_of(over) == (429, "too_many_requests")
    assert over.headers["Access-Control-Allow-Origin"] == SITE
    with frozen(START + timedelta(minutes=1)):
        wrong = call_api(secret, method="delete", headers={"Origin": SITE})
    assert error_of(wrong) == (405, "method_not_allowed")
    assert wrong.headers["Access-Control-Allow-Origin"] == SITE


def test_a_preflight_request_is_answered_without_a_key() -> None:
    """A preflight request has no key. The answer contains only the allowed methods and headers."""
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
    for origin in ("null", "garbage \x01 ü", "http://intranet"):
        response = Client().options(WHOAMI, headers={"Origin": origin})
        assert (response.status_code, "Access-Control-Allow-Origin" in response.headers) == (204, False)


# --- Rate limit ----------------------------------------------------------------------------------
def test_a_key_over_its_rate_limit_waits_for_the_next_minute() -> None:
    _, secret = create_key("andina", limit=3)
    with frozen(START + timedelta(seconds=18)):
        responses = [call_api(secret) for _ in range(4)]
    assert [each.status_code for each in responses] == [200, 200, 200, 429]
    assert [each.headers["RateLimit-Remaining"] for each in responses] == ["2", "1", "0", "0"]
    assert {(each.headers["RateLimit-Limit"], each.headers["RateLimit-Reset"]) for each in responses} == {("3", "42")}
    assert error_of(responses[3]) == (429, "too_many_requests")
    assert responses[3].headers["Retry-After"] == "42"
    with frozen(START + timedelta(seconds=59)):
        assert call_api(secret).status_code == 429
    with frozen(START + timedelta(seconds=60)):
        assert call_api(secret).status_code == 200


def test_each_key_has_its_own_rate_limit() -> None:
    _, one = create_key("andina", limit=1)
    _, two = create_key("andina", limit=1)
    assert [call_api(one).status_code, call_api(one).status_code, call_api(two).status_code] == [200, 429, 200]


@pytest.mark.parametrize("limit", [3])
def test_unknown_keys_from_one_address_are_refused_and_valid_ones_are_not(
    monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(authentication, "WRONG_KEYS", limit)
    _, secret = create_key("andina")
    wrong = [f"tk_00000000_{number:064}" for number in range(limit + 1)]
    with frozen(START + timedelta(seconds=10)):
        responses = [call_api(each, REMOTE_ADDR="10.0.0.7") for each in wrong]
        assert [each.status_code for each in responses] == [401] * limit + [429]
        assert responses[-1].headers["Retry-After"] == "50"
        assert "wrong keys" in responses[-1].json()["detail"]
        assert call_api(secret, REMOTE_ADDR="10.0.0.7").status_code == 200
        assert error_of(call_api(wrong[0], REMOTE_ADDR="10.0.0.7")) == (429, "too_many_requests")
        assert call_api(wrong[0], REMOTE_ADDR="10.0.0.8").status_code == 401
    with frozen(START + timedelta(seconds=60)):
        assert call_api(wrong[0], REMOTE_ADDR="10.0.0.7").status_code == 401


def test_a_revoked_key_does_not_count_as_an_unknown_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that still sends an old key must not block other clients at its address."""
    monkeypatch.setattr(authentication, "WRONG_KEYS", 1)
    key, old = create_key("andina")
    _, good = create_key("andina")
    revoke(key)
    assert [call_api(old).status_code for _ in range(3)] == [401] * 3
    assert call_api(good).status_code == 200
