"""After a new pepper people and admins still find earlier security events, and picture links stay valid."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.security_log import queries
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.queries import EventFilter
from dashboard.platform.security_log.services import new_event
from dashboard.table import write
from tests.attacks.causes import log_in, stored
from tests.attacks.conftest import Rotate
from tests.attacks.forum_pictures import host, marco, posted
from tests.attacks.outside_host import OutsideHost
from tests.attacks.test_security_alerts import FIREFOX, home_of, sign_in_from
from tests.conftest import sign_in
from tests.ui.html import parse
from tests.ui.world import World

__all__ = ["host", "marco"]


def test_people_see_their_sign_in_attempts_from_before_the_rotation(
    world: World, rotate: Rotate, forget_old_keys: Rotate
) -> None:
    person = world.add()
    log_in(person.email, "not-the-password")
    for _ in range(2):
        rotate()
    log_in(person.email)
    shown = parse(sign_in(person).get("/account/")).text
    assert "Wrong e-mail or password" in shown and "Signed in" in shown
    assert [each.kind for each in queries.events_of(person.email)] == [EventKind.SIGNED_IN, EventKind.SIGN_IN_FAILED]
    assert [each.kind for each in queries.events_of(person.email, limit=1)] == [EventKind.SIGNED_IN]
    forget_old_keys()
    assert [each.kind for each in queries.events_of(person.email)] == [EventKind.SIGNED_IN]


def test_a_known_browser_of_an_admin_is_not_new_after_the_rotation(world: World, rotate: Rotate) -> None:
    person = world.add(Role.ADMIN, "Ada Admin")
    with frozen(now() - timedelta(hours=1)):
        sign_in_from(person.email, "192.0.2.10", FIREFOX)
    rotate()
    sign_in_from(person.email, "192.0.2.10", FIREFOX)
    assert stored(EventKind.NEW_DEVICE) == []
    sign_in_from(person.email, "203.0.113.5", FIREFOX)
    assert [(event.details or {})["new"] for event in stored(EventKind.NEW_DEVICE)] == ["network"]
    rotate()
    assert "Sign-in from a new network or browser: Ada Admin" in home_of(world), "the alert still has the name"


@pytest.mark.parametrize("kind", ["", EventKind.SIGN_IN_FAILED.value])
def test_admins_find_the_events_of_a_person_from_before_the_rotation(world: World, rotate: Rotate, kind: str) -> None:
    """Page by page, each event once and the newest first."""
    person, start = world.add(), now() - timedelta(days=1)

    def add(count: int, first: int) -> None:
        for number in range(first, first + count):
            with frozen(start + timedelta(seconds=number)):
                event = new_event(EventKind.SIGN_IN_FAILED, person.email, address="192.0.2.1", browser=str(number))
                write.put(event)

    add(60, 0)
    rotate()
    add(50, 60)
    rotate()
    add(20, 110)
    found, start_key = list[str | None](), None
    for _ in range(5):
        page = queries.events(EventFilter(email=person.email, kind=kind), start_key)
        found += [each.browser for each in page.items]
        assert len(page.items) <= queries.PAGE
        start_key = page.next_start_key
        if start_key is None:
            break
    assert found == [str(number) for number in reversed(range(130))]


def test_a_picture_link_from_before_the_rotation_stays_valid(
    marco: Client, host: OutsideHost, rotate: Rotate, forget_old_keys: Rotate
) -> None:
    link = posted().show_url
    for _ in range(2):
        rotate()
        assert marco.get(link).status_code == 200
    forget_old_keys()
    assert marco.get(link).status_code == 403
