"""The security log has every event, with accounts as keyed hashes and nothing secret. It never makes a request fail."""

from __future__ import annotations

import concurrent.futures
import io
import json
import logging
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import resolve

from dashboard.core.clock import frozen, now
from dashboard.core.errors import Unavailable
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.audit.queries import history
from dashboard.platform.security_log import queries, services
from dashboard.platform.security_log.hashes import account_hash
from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import KIND_LABELS, EventKind
from dashboard.table import keys, read, tenancy, write
from dashboard.table.commands import SYSTEM
from dashboard.web.requests import JsonLines
from tests.accounts.imports import start_import
from tests.accounts.invitations import new_email
from tests.accounts.person_page import submit_form
from tests.accounts.second_factors import switch_on
from tests.attacks.causes import BROWSER, Scenario, addresses, log_in, stored
from tests.attacks.security_scenarios import SCENARIOS
from tests.ui.samples import BUSINESS
from tests.ui.walk import new_browser
from tests.ui.world import World
from tests.ui.world import world as world

# A calendar file with the visitor's own booking exports nothing of others.
DOWNLOADS_OF_VISITORS = {"online_calendar_file"}
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


@pytest.fixture
def with_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request names its browser, as real ones do."""
    send = Client.request

    def send_with_browser(client: Client, **request: Any) -> Any:
        return send(client, **{"HTTP_USER_AGENT": BROWSER["User-Agent"], **request})

    monkeypatch.setattr(Client, "request", send_with_browser)


def test_every_kind_of_event_has_a_scenario_and_a_label() -> None:
    assert {kind for kind, _scenario in SCENARIOS} | {EventKind.NEW_DEVICE} == set(EventKind) == set(KIND_LABELS)


@pytest.mark.usefixtures("with_browser")
@pytest.mark.parametrize(("kind", "scenario"), SCENARIOS, ids=[f"{kind}-{n}" for n, (kind, _) in enumerate(SCENARIOS)])
def test_an_event_is_recorded_with_its_fields_and_without_addresses_passwords_and_tokens(
    world: World, monkeypatch: pytest.MonkeyPatch, lines: list[str], kind: EventKind, scenario: Scenario
) -> None:
    before = {event.key for event in stored()}

    cause = scenario(world, monkeypatch)

    events = [event for event in stored() if event.key not in before]
    event = next(each for each in events if each.kind == kind)
    assert event.account == (account_hash(cause.account) if cause.account else None)
    assert event.actor == (account_hash(cause.by) if cause.by else None)
    assert event.address and event.request_id and event.at_time
    assert event.browser == "Firefox · Linux"
    assert cause.details.items() <= (event.details or {}).items()
    assert int(event.ttl or 0) == int((event.at_time + timedelta(days=90)).timestamp())
    of_request = [each for each in map(json.loads, lines) if each["request"] == event.request_id]
    line = next(each for each in of_request if each.get("event") == kind)
    assert (line["logger"], line["account"] if cause.account else None) == ("trastienda.security", event.account)
    assert (line["address"], line["browser"]) == (event.address, event.browser)
    assert line.get("actor") == event.actor
    assert line.get("details") == event.details
    written = "\n".join([*lines, *(json.dumps(each.raw, default=str) for each in events)])
    for secret in [*cause.secrets, EMAIL_MARK]:
        assert secret not in written


def test_every_download_is_recorded(world: World) -> None:
    """All pages that an admin can open; what is sent with POST has a scenario."""
    pages = {url: each for url, each in world.pages("admin").items() if "attachment" in str(each.headers)}
    assert len(pages) >= 5
    for url in pages:
        before = len(stored(EventKind.EXPORTED))
        assert world.browser("admin").get(url).status_code == 200
        is_export = resolve(url.partition("?")[0]).url_name not in DOWNLOADS_OF_VISITORS
        assert len(stored(EventKind.EXPORTED)) == before + is_export, url


def test_a_job_that_a_command_finishes_records_its_links_too(world: World, lines: list[str]) -> None:
    email = new_email()
    call_command("run_job", start_import(f"email,name,role\n{email},Ina,staff\n").id, stdout=io.StringIO())
    (event,) = stored(EventKind.LINK_CREATED)
    assert (event.account, event.actor) == (account_hash(email), account_hash("alma@example.com"))
    assert not event.address and not event.browser and not event.request_id
    assert [json.loads(line)["account"] for line in lines] == [event.account]


def test_an_admin_created_on_the_command_line_is_recorded(
    world: World, monkeypatch: pytest.MonkeyPatch, lines: list[str]
) -> None:
    person, _codes = switch_on(world.add(Role.STAFF))
    before = {event.key for event in stored()}
    monkeypatch.setattr("sys.stdin", io.StringIO("chosen-at-the-terminal\n"))
    call_command("create_admin", person.email, stdin=True, reset_second_factor=True, stdout=io.StringIO())
    events = {event.kind: event for event in stored() if event.key not in before}
    assert set(events) == {EventKind.ROLE_CHANGED, EventKind.NEW_PASSWORD, EventKind.FACTOR_RESET}
    assert events[EventKind.ROLE_CHANGED].details == {"role": "admin", "was": "staff"}
    assert {event.account for event in events.values()} == {account_hash(person.email)}
    assert {event.actor for event in events.values()} == {account_hash(SYSTEM.email)}
    assert sorted(json.loads(line)["event"] for line in lines) == sorted(events)


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
    assert [event.kind for event in stored()] == [EventKind.SIGN_IN_FAILED]


def test_repeated_attempts_of_a_stranger_are_stored_once_a_minute_and_all_are_logged(
    world: World, lines: list[str]
) -> None:
    with frozen(now().replace(second=0)):
        for _ in range(5):
            assert new_browser().get("/join/bm9ib2R5.x/", REMOTE_ADDR="10.8.0.1").status_code == 404
        assert (len(stored(EventKind.LINK_REJECTED)), len(lines)) == (1, 5)
        new_browser().get("/join/bm9ib2R5.x/", REMOTE_ADDR="10.8.0.2")
        assert len(stored(EventKind.LINK_REJECTED)) == 2
    with frozen(now().replace(second=0) + timedelta(minutes=1)):
        new_browser().get("/join/bm9ib2R5.x/", REMOTE_ADDR="10.8.0.1")
        assert len(stored(EventKind.LINK_REJECTED)) == 3


def test_strangers_cannot_fill_the_table(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.platform.security_log.services.MAX_REPEATED_A_MINUTE", 3)
    with frozen(now().replace(second=0)):
        for number in range(6):
            new_browser().get("/join/bm9ib2R5.x/", REMOTE_ADDR=f"10.9.0.{number}")
        assert len(stored(EventKind.LINK_REJECTED)) == 3


def test_a_browser_name_is_stored_without_what_could_be_an_address(world: World) -> None:
    agent = "ana@example.com/1.0"
    new_browser().post(
        "/login/",
        {"email": "marco@example.com", "password": "x"},
        REMOTE_ADDR=next(addresses),
        HTTP_USER_AGENT=agent,
    )
    assert [event.browser for event in stored()] == ["anaexample.com"]


def test_inside_a_business_events_can_be_added_but_not_read_or_changed(world: World) -> None:
    event = services.new_event(EventKind.KEY_CREATED, "olivia@example.com", address="10.0.0.1", browser="")
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
    (event,) = stored(EventKind.DISABLED)
    entry = history(person.email)[0]
    assert entry.action == "person.disable" and entry.request_id == event.request_id
    page = world.browser("admin").get("/audit/", {"target": person.email})
    assert event.request_id and event.request_id in page.content.decode()
    file: Any = world.browser("admin").get("/audit/export.csv", {"target": person.email})
    assert event.request_id in b"".join(file.streaming_content).decode()
