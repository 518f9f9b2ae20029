"""The security log of admins, and the events that people see on their account page."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.platform.security_log import queries
from dashboard.platform.security_log.kinds import KIND_LABELS, EventKind
from dashboard.platform.security_log.queries import PAGE, EventFilter
from dashboard.platform.security_log.services import RETENTION
from tests.conftest import every_engine, sign_in
from tests.security_log.events import put_event
from tests.ui.html import parse
from tests.ui.walk import calls_of
from tests.ui.world import World
from tests.ui.world import world as world

URL = "/security/"


def rows(page: Any) -> list[str]:
    return [row.one("strong").text for row in parse(page).all("li") if "data-row" in row.attrs]


def label(kind: EventKind) -> str:
    return str(KIND_LABELS[kind].text)


def next_url(page: Any) -> str:
    (link,) = [each for each in parse(page).all("a") if "data-more" in each.attrs]
    return link.attrs["href"]


@pytest.fixture
def admin(people_by_role: dict[str, Any]) -> Client:
    return sign_in(people_by_role["admin"])


def test_a_week_without_events_says_what_appears_here_and_links_to_older_ones(admin: Client) -> None:
    put_event(EventKind.SIGNED_IN, "marco@example.com", ago=timedelta(days=9))
    page = admin.get(URL)
    assert "No events in the last week" in parse(page).text
    (link,) = [each for each in parse(page).all("a") if each.text == "Show older events"]
    assert rows(admin.get(link.attrs["href"])) == [label(EventKind.SIGNED_IN)]


def test_events_are_listed_newest_first_across_days(admin: Client) -> None:
    put_event(EventKind.SIGNED_IN, "marco@example.com", ago=timedelta(days=2))
    put_event(EventKind.SIGN_IN_FAILED, "marco@example.com", ago=timedelta(hours=30), address="203.0.113.7")
    put_event(EventKind.EXPORTED, "alma@example.com", file="audit")
    page = admin.get(URL)
    assert rows(page) == [label(each) for each in (EventKind.EXPORTED, EventKind.SIGN_IN_FAILED, EventKind.SIGNED_IN)]
    assert "203.0.113.7" in parse(page).text and "0123456789abcdef" in parse(page).text
    assert "marco@example.com" not in page.content.decode()
    assert calls_of(page).trips <= 2


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"kind": "sign_in.failed"}, [EventKind.SIGN_IN_FAILED, EventKind.SIGN_IN_FAILED]),
        ({"person": " Marco@Example.com "}, [EventKind.SIGN_IN_FAILED, EventKind.SIGNED_IN]),
        ({"person": "marco@example.com", "kind": "sign_in"}, [EventKind.SIGNED_IN]),
        ({"person": "nobody@example.com"}, []),
        ({"since": "2020-01-01", "until": "2020-01-02"}, []),
    ],
)
def test_filters_find_events_by_kind_person_and_day(
    admin: Client, query: dict[str, str], expected: list[EventKind]
) -> None:
    put_event(EventKind.SIGNED_IN, "marco@example.com", ago=timedelta(hours=3))
    put_event(EventKind.SIGN_IN_FAILED, "marco@example.com", ago=timedelta(hours=2))
    put_event(EventKind.SIGN_IN_FAILED, "sofia@example.com", ago=timedelta(hours=1))
    page = admin.get(URL, query)
    assert rows(page) == [label(kind) for kind in expected]
    assert calls_of(page).trips <= 2


def test_wrong_filters_are_shown_at_their_fields(admin: Client) -> None:
    page = admin.get(URL, {"since": "yesterday", "kind": "no-such-kind"})
    assert page.status_code == 200 and rows(page) == []
    assert "Correct the marked fields" in parse(page).text


@every_engine
def test_load_more_shows_every_event_once(people_by_role: dict[str, Any]) -> None:
    wanted = [
        put_event(EventKind.SIGNED_IN, "marco@example.com", ago=timedelta(hours=7 * number)).key
        for number in range(PAGE + 12)
    ]
    for filters in (EventFilter(), EventFilter(kind="sign_in"), EventFilter(email="marco@example.com")):
        found, start_key = [], None
        for _page in range(20):
            page = queries.events(filters, start_key)
            found += [event.key for event in page.items]
            start_key = page.next_start_key
            if start_key is None:
                break
        assert found == wanted


def test_the_link_load_more_continues_the_list(admin: Client) -> None:
    for number in range(PAGE + 2):
        put_event(EventKind.SIGNED_IN, "marco@example.com", ago=timedelta(minutes=number))
    first = admin.get(URL)
    assert len(rows(first)) == PAGE
    second = admin.get(next_url(first))
    assert second.status_code == 200 and len(rows(second)) >= 2


def test_an_event_is_gone_after_ninety_days(admin: Client) -> None:
    put_event(EventKind.SIGNED_IN, "marco@example.com")
    with frozen(now() + RETENTION):
        assert queries.events(EventFilter(kind="sign_in")).items == []
    with frozen(now() + RETENTION - timedelta(minutes=1)):
        assert len(queries.events(EventFilter(kind="sign_in")).items) == 1


@pytest.mark.parametrize("role", ["moderator", "staff", "owner"])
def test_only_admins_open_the_log(people_by_role: dict[str, Any], role: str) -> None:
    assert sign_in(people_by_role[role]).get(URL).status_code == 403


def test_people_see_the_events_of_their_own_account_only(people_by_role: dict[str, Any]) -> None:
    put_event(EventKind.SIGN_IN_FAILED, "marco@example.com", address="203.0.113.7")
    put_event(EventKind.SIGN_IN_FAILED, "sofia@example.com", address="203.0.113.8")
    page = sign_in(people_by_role["moderator"]).get("/account/")
    assert "203.0.113.7" in parse(page).text and "203.0.113.8" not in parse(page).text
    assert label(EventKind.SIGN_IN_FAILED) in parse(page).text
    assert calls_of(page).trips <= 2


def test_the_page_of_a_person_links_to_their_events(world: World) -> None:
    marco = world.people["moderator"]
    page = world.browser("admin").get(f"/people/{marco.email}/")
    assert f"{URL}?person=marco%40example.com" in page.content.decode()
    assert world.browser("admin").get(URL, {"person": marco.email}).status_code == 200
