"""The security log has every event, with accounts as keyed hashes and nothing secret. It never makes a request fail."""

from __future__ import annotations

import concurrent.futures
import json
import logging
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings

from dashboard.core.clock import frozen, now
from dashboard.core.errors import Unavailable
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.audit.queries import history
from dashboard.platform.security_log import queries, services
from dashboard.platform.security_log.hashes import account_hash
from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import LABELS, Kind
from dashboard.platform.security_log.queries import EventFilter
from dashboard.table import keys, read, tenancy, write
from dashboard.web.requests import JsonLines
from tests.accounts.person_page import submit_form
from tests.attacks.security_scenarios import SCENARIOS, Scenario, addresses, log_in
from tests.conftest import PASSWORD
from tests.ui.samples import BUSINESS, NEIGHBOURS
from tests.ui.walk import calls_of, new_browser
from tests.ui.world import World
from tests.ui.world import world as world

EMAIL_MARK = "@"


@pytest.fixture(autouse=True)
def no_earlier_events() -> None:
    """Events that are stored once a minute do not remember those of other tests."""
    services._minute_limit.clear()


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """The JSON lines of the security log, as they are written to standard output."""
    written: list[str] = []

    class Collect(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(JsonLines().format(record))

    handler = Collect()
    services.logger.addHandler(handler)
    yield written
    services.logger.removeHandler(handler)


def stored(kind: Kind | str = "") -> list[SecurityEvent]:
    """The events of today, newest first."""
    since = (now() - timedelta(hours=12)).isoformat()[:19]
    return [each for each in queries.events(EventFilter(since=since)).items if not kind or each.kind == kind]


def test_every_kind_of_event_has_a_scenario_and_a_label() -> None:
    assert {kind for kind, _scenario in SCENARIOS} | {Kind.NEW_DEVICE} == set(Kind) == set(LABELS)


@pytest.mark.parametrize(("kind", "scenario"), SCENARIOS, ids=[f"{kind}-{n}" for n, (kind, _) in enumerate(SCENARIOS)])
def test_an_event_is_recorded_with_its_fields_and_without_addresses_passwords_and_tokens(
    world: World, monkeypatch: pytest.MonkeyPatch, lines: list[str], kind: Kind, scenario: Scenario
) -> None:
    before = {event.key for event in stored()}

    cause = scenario(world, monkeypatch)

    events = [event for event in stored() if event.key not in before]
    event = next(each for each in events if each.kind == kind)
    assert event.account == (account_hash(cause.account) if cause.account else None)
    assert event.actor == (account_hash("alma@example.com") if cause.is_by_other else None)
    assert event.address and event.request_id and event.at_time
    assert cause.details.items() <= (event.details or {}).items()
    assert int(event.ttl or 0) == int((event.at_time + timedelta(days=90)).timestamp())
    line = next(each for each in map(json.loads, lines) if each.get("event") == kind)
    assert (line["logger"], line["account"] if cause.account else None) == ("trastienda.security", event.account)
    assert (line["request"], line["address"]) == (event.request_id, event.address)
    written = "\n".join([*lines, *(json.dumps(each.raw, default=str) for each in events)])
    for secret in [*cause.secrets, EMAIL_MARK]:
        assert secret not in written


def test_the_hash_of_an_account_needs_the_pepper_and_ignores_case() -> None:
    known = account_hash("Marco@example.com ")
    assert known == account_hash("marco@example.com") != account_hash("aldo@example.com")
    with patch.object(settings, "API_KEY_PEPPER", "another pepper of another installation"):
        assert account_hash("marco@example.com") != known
    with patch.object(settings, "SECRET_KEY", "a key that was rotated"):
        assert account_hash("marco@example.com") == known, "events are found after SECRET_KEY has changed"


@pytest.mark.parametrize("error", [Unavailable(), RuntimeError("broken")])
def test_a_failure_to_record_does_not_break_signing_in(
    world: World, monkeypatch: pytest.MonkeyPatch, lines: list[str], error: Exception
) -> None:
    person = world.add()

    def fail(item: Any) -> None:
        raise error

    monkeypatch.setattr(write, "put", fail)
    assert log_in(person.email).status_code == 303
    assert log_in(person.email, "not-the-password").status_code == 422
    assert stored() == []
    messages = [(json.loads(line)["event"], json.loads(line)["message"]) for line in lines]
    assert messages == [
        (kind, text)
        for kind in ("sign_in", "sign_in.failed")
        for text in ("security event", "a security event was not stored")
    ]


def test_an_error_before_the_event_is_stored_does_not_break_signing_in(
    world: World, monkeypatch: pytest.MonkeyPatch, lines: list[str]
) -> None:
    def fail(email: str) -> str:
        raise RuntimeError

    monkeypatch.setattr(services, "account_hash", fail)
    assert log_in(world.add().email).status_code == 303
    assert [json.loads(line)["message"] for line in lines] == ["a security event was not recorded"]


def test_a_slow_table_does_not_hold_the_answer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The write is still running when the answer is there."""
    put, is_answered = write.put, threading.Event()

    def put_after_answer(item: Any) -> None:
        assert is_answered.wait(30)
        put(item)

    monkeypatch.setattr(write, "put", put_after_answer)
    monkeypatch.setattr(services, "MAX_WAIT", 0.01)
    response = log_in("marco@example.com", "not-the-password")
    assert response.status_code == 422 and stored() == []
    is_answered.set()
    concurrent.futures.wait(response.wsgi_request.security_events)
    assert [event.kind for event in stored()] == [Kind.SIGN_IN_FAILED]


def test_repeated_attempts_of_a_stranger_are_stored_once_a_minute_and_all_are_logged(
    world: World, lines: list[str]
) -> None:
    with frozen(now().replace(second=0)):
        for _ in range(5):
            assert new_browser().get("/join/bm9ib2R5.x/", REMOTE_ADDR="10.8.0.1").status_code == 404
        assert (len(stored(Kind.LINK_REJECTED)), len(lines)) == (1, 5)
        new_browser().get("/join/bm9ib2R5.x/", REMOTE_ADDR="10.8.0.2")
        assert len(stored(Kind.LINK_REJECTED)) == 2
    with frozen(now().replace(second=0) + timedelta(minutes=1)):
        new_browser().get("/join/bm9ib2R5.x/", REMOTE_ADDR="10.8.0.1")
        assert len(stored(Kind.LINK_REJECTED)) == 3


def test_strangers_cannot_fill_the_table(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.platform.security_log.minute_limit.MAX_A_MINUTE", 3)
    with frozen(now().replace(second=0)):
        for number in range(6):
            new_browser().get("/join/bm9ib2R5.x/", REMOTE_ADDR=f"10.9.0.{number}")
        assert len(stored(Kind.LINK_REJECTED)) == 3


def test_a_browser_name_is_stored_without_what_could_be_an_address(world: World) -> None:
    agent = "ana@example.com/1.0"
    new_browser().post(
        "/login/",
        {"email": "marco@example.com", "password": "x"},
        REMOTE_ADDR=next(addresses),
        HTTP_USER_AGENT=agent,
    )
    assert [event.browser for event in stored()] == ["anaexample.com"]


def sign_in_from(email: str, address: str, agent: str) -> None:
    sent = {"email": email, "password": PASSWORD}
    response = new_browser().post("/login/", sent, REMOTE_ADDR=address, HTTP_USER_AGENT=agent)
    assert response.status_code == 303


FIREFOX, SAFARI = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", "Mozilla/5.0 (iPhone) Version/18 Safari/605"


@pytest.mark.parametrize(
    ("role", "address", "agent", "new"),
    [
        (Role.ADMIN, "192.0.2.10", FIREFOX, None),
        (Role.ADMIN, "192.0.2.99", FIREFOX, None),
        (Role.ADMIN, "203.0.113.5", FIREFOX, "network"),
        (Role.ADMIN, "192.0.2.10", SAFARI, "browser"),
        (Role.ADMIN, "203.0.113.5", SAFARI, "network browser"),
        (Role.STAFF, "203.0.113.5", SAFARI, None),
    ],
)
def test_a_new_network_or_browser_of_an_admin_is_an_event_and_an_alert(
    world: World, role: Role, address: str, agent: str, new: str | None
) -> None:
    person = world.add(role, "Ada Admin")
    with frozen(now() - timedelta(hours=1)):
        sign_in_from(person.email, "192.0.2.10", FIREFOX)
    assert stored(Kind.NEW_DEVICE) == [], "the first sign-in is not compared with anything"
    sign_in_from(person.email, address, agent)
    assert [(event.details or {})["new"] for event in stored(Kind.NEW_DEVICE)] == ([new] if new else [])
    home = world.browser("admin").get("/")
    assert ("Sign-in from a new network or browser: Ada Admin" in home.content.decode()) is (new is not None)
    assert calls_of(home).trips <= 2


def test_an_attempt_to_open_another_business_is_an_alert_with_a_link_to_the_log(world: World) -> None:
    admin = world.browser("admin")
    assert "Security alerts" not in admin.get("/").content.decode()
    assert world.browser("owner").get("/b/no-such-business/").status_code == 404
    assert stored(Kind.FOREIGN_BUSINESS) == [], "a business that does not exist is a typing error"
    assert world.browser("owner").get(f"/b/{NEIGHBOURS}/bookings/").status_code == 404
    page = admin.get("/").content.decode()
    assert "1 person tried to open someone else’s business" in page
    assert '"/security/?kind=business.foreign"' in page


def test_many_failures_within_an_hour_are_an_alert(world: World) -> None:
    def fail(count: int) -> None:
        for number in range(count):
            write.put(
                services.new_event(Kind.SIGN_IN_FAILED, f"a{number}@b.c", address=f"10.0.0.{number % 3}", browser="")
            )

    with frozen(now() - timedelta(minutes=61)):
        fail(20)
    fail(19)
    admin = world.browser("admin")
    assert "failed sign-ins" not in admin.get("/").content.decode()
    fail(1)
    assert "20 failed sign-ins in the last hour, from 3 addresses" in admin.get("/").content.decode()
    assert "failed sign-ins" not in world.browser("moderator").get("/").content.decode()


def test_inside_a_business_events_can_be_added_but_not_read_or_changed(world: World) -> None:
    event = services.new_event(Kind.KEY_CREATED, "olivia@example.com", address="10.0.0.1", browser="")
    with tenancy.bind(tenancy.Binding(BUSINESS, "olivia@example.com")):
        write.put(event)
        with pytest.raises(tenancy.ForeignTenant):
            read.get(SecurityEvent, event.key)
        with pytest.raises(tenancy.ForeignTenant):
            read.page(keys.SECURITY_EVENT.collection(date=now().date().isoformat()), SecurityEvent)
        with pytest.raises(tenancy.ForeignTenant):
            queries.events_of("olivia@example.com")
        with pytest.raises(tenancy.ForeignTenant):
            write.update(event.key, [SecurityEvent.kind.set("x")])
        with pytest.raises(tenancy.ForeignTenant):
            write.remove(event.key)
    assert read.get(SecurityEvent, event.key) is not None


def test_an_audit_entry_has_the_request_id_of_its_security_event(world: World) -> None:
    person = world.add()
    submit_form(world.browser("admin"), person, "disable")
    (event,) = stored(Kind.DISABLED)
    entry = history(person.email)[0]
    assert entry.action == "person.disable" and entry.request_id == event.request_id
    page = world.browser("admin").get("/audit/", {"target": person.email})
    assert event.request_id and event.request_id in page.content.decode()
    file: Any = world.browser("admin").get("/audit/export.csv", {"target": person.email})
    assert event.request_id in b"".join(file.streaming_content).decode()
