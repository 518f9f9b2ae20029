"""Where a key may be used from, and how often."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from dashboard.core.clock import frozen
from dashboard.platform.apikeys import authentication
from tests.apikeys.factories import WHOAMI, ask, create_key, refused, revoke
from tests.ui.walk import calls_of

pytestmark = pytest.mark.usefixtures("businesses")
# The first second of a minute.
START = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
SITE = "https://www.andina.cl"


# --- Where from ----------------------------------------------------------------------------------
@pytest.mark.parametrize("origin", [SITE, "http://localhost:3000", "https://reservas.andina.cl:8443"])
def test_a_script_of_an_allowed_site_reads_the_answer(origin: str) -> None:
    _, secret = create_key("andina", origins=[SITE, "http://localhost:3000", "https://reservas.andina.cl:8443"])
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
    _, secret = create_key("andina", origins=allowed)
    response = ask(secret, headers={"Origin": origin})
    assert refused(response) == (403, "origin_not_allowed")
    assert not [name for name in response.headers if name.startswith("Access-Control")]
    assert "Origin" in response.headers["Vary"]


def test_a_key_without_origins_is_for_servers_only() -> None:
    _, secret = create_key("andina", origins=[])
    assert ask(secret).status_code == 200
    assert refused(ask(secret, headers={"Origin": SITE})) == (403, "origin_not_allowed")


def test_an_allowed_site_can_read_why_it_was_refused() -> None:
    _, secret = create_key("andina", origins=[SITE], limit=1)
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
    _, secret = create_key("andina", limit=3)
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
    _, one = create_key("andina", limit=1)
    _, two = create_key("andina", limit=1)
    assert [ask(one).status_code, ask(one).status_code, ask(two).status_code] == [200, 429, 200]


@pytest.mark.parametrize("few", [3])
def test_wrong_keys_from_one_address_are_refused_and_right_ones_are_not(
    monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(authentication, "WRONG_KEYS", few)
    _, secret = create_key("andina")
    wrong = [f"tk_00000000_{number:064}" for number in range(few + 1)]
    with frozen(START + timedelta(seconds=10)):
        answered = [ask(each, REMOTE_ADDR="10.0.0.7") for each in wrong]
        assert [each.status_code for each in answered] == [401] * few + [429]
        assert answered[-1].headers["Retry-After"] == "50"
        assert "wrong keys" in answered[-1].json()["message"]
        assert ask(secret, REMOTE_ADDR="10.0.0.7").status_code == 200
        assert refused(ask(wrong[0], REMOTE_ADDR="10.0.0.7")) == (429, "too_many_requests")
        assert ask(wrong[0], REMOTE_ADDR="10.0.0.8").status_code == 401
    with frozen(START + timedelta(seconds=60)):
        assert ask(wrong[0], REMOTE_ADDR="10.0.0.7").status_code == 401


def test_a_revoked_key_is_no_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that still sends an old key does not hold up its neighbours."""
    monkeypatch.setattr(authentication, "WRONG_KEYS", 1)
    key, old = create_key("andina")
    _, good = create_key("andina")
    revoke(key)
    assert [ask(old).status_code for _ in range(3)] == [401] * 3
    assert ask(good).status_code == 200
