"""What outside writers change is reported too: once for each change, from the follower's repair."""

from __future__ import annotations

from typing import Any

from bookings.services import bookings as booking_services
from dashboard.platform.outbox.items import OutsideEvent
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.rules import load_context, rules_for_stored
from dashboard.table import keys, read
from dashboard.table.commands import new_command
from forum.actions import Action
from tests.attacks.outside_host import OutsideHost
from tests.bookings.bookable_business import BUSINESS, at, book
from tests.branding.theme_factory import create_draft, publish
from tests.conftest import ACTOR, every_engine
from tests.forum.factories import create_post, decide
from tests.mail.letters import Clock
from tests.outside_writes import delete, follow, put, raw_at, update
from tests.webhooks.factories import bodies, create_webhook, run_until_sent


def outside_events() -> list[OutsideEvent]:
    collections = [keys.OUTSIDE_EVENT.collection(tenant=BUSINESS), keys.SYSTEM_OUTSIDE_EVENT.collection()]
    return [each for collection in collections for each in read.page(collection, OutsideEvent).items]


def outside_booking(start: Any = None, booking: str = "b-outside", status: str = "CONFIRMED") -> dict[str, Any]:
    key = keys.BOOKING.key(tenant=BUSINESS, provider="maria", start=start or at(9), booking=booking)
    attributes = {"status": status, "serviceId": "masaje", "customerId": "juan", "clientName": "Juan Pérez"}
    return {"PK": {"S": key.pk}, "SK": {"S": key.sk}} | {name: {"S": value} for name, value in attributes.items()}


def types(host: OutsideHost, clock: Clock) -> list[str]:
    run_until_sent(clock)
    return [each["type"] for each in bodies(host)]


@every_engine
def test_a_booking_of_the_booking_service_is_reported(clock: Clock, host: OutsideHost) -> None:
    create_webhook()
    created = put(outside_booking())
    follow(created)
    follow(created)
    assert types(host, clock) == ["booking.created"], "a record that is processed again reports nothing"
    assert outside_events() == [], "it is deleted with its deliveries"
    follow(update(created.key, clientName={"S": "Ana"}))
    assert types(host, clock) == ["booking.created"], "another attribute is no event"
    follow(update(created.key, status={"S": "CANCELLED"}))
    assert types(host, clock) == ["booking.created", "booking.cancelled"]
    follow(update(created.key, status={"S": "CONFIRMED"}))
    assert types(host, clock)[2:] == ["booking.restored"]
    (got, *_) = bodies(host)
    assert got["data"]["id"] == "b-outside" and "Juan" not in str(got)


@every_engine
def test_a_booking_that_is_put_at_another_time_is_moved(clock: Clock, host: OutsideHost) -> None:
    create_webhook()
    first = put(outside_booking())
    follow(first)
    follow(put(outside_booking(at(11))))
    follow(delete(first.key))
    assert types(host, clock) == ["booking.created", "booking.rescheduled"]
    assert bodies(host)[1]["data"]["previous_start"] == first.key.sk.split("#")[1]


def test_a_booking_that_is_deleted_is_cancelled(clock: Clock, host: OutsideHost) -> None:
    create_webhook()
    created = put(outside_booking())
    follow(created)
    follow(delete(created.key))
    assert types(host, clock) == ["booking.created", "booking.cancelled"]


def test_our_own_changes_are_not_reported_twice(clock: Clock, host: OutsideHost) -> None:
    create_webhook()
    booking = book(at(9))
    raw = raw_at(booking.key)
    follow(Change(None, raw))
    booking_services.cancel(BUSINESS, booking.id, revision=booking.revision, command=new_command(ACTOR))
    follow(Change(raw, raw_at(booking.key)))
    assert types(host, clock) == ["booking.created", "booking.cancelled"]


def test_reindex_reports_nothing(clock: Clock, host: OutsideHost) -> None:
    from dashboard.platform.stream.repairs import repairs_of_change

    change = Change(None, put(outside_booking()).new, is_from_stream=False)
    writes = repairs_of_change(change, load_context(change, rules_for_stored(change.new or {})))
    assert writes and not any(keys.kind_of(each.key) == "outside event" for each in writes)


@every_engine
def test_a_theme_that_the_branding_service_makes_live_is_reported(clock: Clock, host: OutsideHost) -> None:
    create_webhook()
    theme = create_draft(BUSINESS)
    publish(theme)
    key = keys.PUBLISHED.key(tenant=BUSINESS)
    follow(update(key, version={"N": "41"}))
    follow(update(key, publishedBy={"S": "sub-1"}))
    follow(update(key, version={"N": str(theme.number)}))
    run_until_sent(clock)
    got = bodies(host)
    assert [each["type"] for each in got] == ["theme.published"] * 3
    assert {(each["data"]["version"], each["data"]["previous_version"]) for each in got} == {
        (theme.number, None),
        (41, theme.number),
        (theme.number, 41),
    }


@every_engine
def test_a_post_that_the_event_service_bans_is_reported(clock: Clock, host: OutsideHost) -> None:
    create_webhook("")
    post = create_post()
    banned = update(post.key, status={"S": "banned"}, banReason={"S": "Spam"})
    follow(banned)
    follow(Change(banned.new, raw_at(post.key)))
    assert types(host, clock) == ["post.banned"]
    follow(update(post.key, status={"S": "active"}))
    follow(update(post.key, status={"S": "banned"}))
    assert types(host, clock) == ["post.banned"] * 2
    assert bodies(host)[0]["data"]["banned_by"] == "outside"


def test_an_outside_put_after_our_ban_reports_it_once(clock: Clock, host: OutsideHost) -> None:
    create_webhook("")
    post = create_post()
    before = raw_at(post.key)
    decide(post, Action.BAN)
    own = raw_at(post.key)
    assert before and own
    # The follower sees both records in one batch.
    update(post.key, likes={"N": "3"})
    follow(Change(before, {**(raw_at(post.key) or {}), "revision": before["revision"]}))
    assert types(host, clock) == ["post.banned"]
