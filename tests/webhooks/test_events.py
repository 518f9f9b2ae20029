"""Events follow from changes: none is lost, and none is sent for a change that was not made."""

from __future__ import annotations

from typing import Any

import pytest

from bookings.services import bookings as booking_services
from bookings.services import reschedule
from dashboard.core.clock import frozen
from dashboard.core.errors import DomainError
from dashboard.platform.audit.queries import latest_of
from dashboard.platform.due import runner
from dashboard.platform.outbox.registry import without_follow_ups
from dashboard.platform.webhooks.items import DeliveryState
from dashboard.platform.webhooks.services import webhooks as services
from dashboard.table import keys
from dashboard.table.commands import new_command
from forum.actions import Action
from franchises.reasons import MovementReason
from franchises.services.stock import change_stock
from tests.attacks.outside_host import OutsideHost
from tests.bookings.bookable_business import BUSINESS, at, book
from tests.branding.theme_factory import create_draft, publish
from tests.conftest import ACTOR, every_engine, real_engines
from tests.faults import bad_network, lose_reply
from tests.forum.factories import create_post, decide
from tests.franchises.stores import a_branch, a_franchise, a_product
from tests.mail.letters import Clock
from tests.table.test_races import run_at_once
from tests.webhooks.factories import bodies, create_webhook, deliveries_of, run_hooks, run_until_sent


def move(booking: Any, hour: int) -> Any:
    return reschedule.reschedule(
        BUSINESS, booking.id, provider="maria", start=at(hour), revision=booking.revision, command=new_command(ACTOR)
    )


def cancel(booking: Any) -> Any:
    return booking_services.cancel(BUSINESS, booking.id, revision=booking.revision, command=new_command(ACTOR))


@every_engine
def test_a_booking_is_reported_from_its_creation_to_its_end(clock: Clock, host: OutsideHost) -> None:
    webhook = create_webhook()
    booking = book(at(9))
    moved = move(booking, 11)
    cancelled = cancel(moved)
    booking_services.restore(BUSINESS, booking.id, revision=cancelled.revision, command=new_command(ACTOR))
    run_until_sent(clock)
    got = bodies(host)
    assert [each["type"] for each in got] == [
        "booking.created",
        "booking.rescheduled",
        "booking.cancelled",
        "booking.restored",
    ]
    assert all(each["business"] == BUSINESS and not each["out_of_order"] for each in got)
    assert got[0]["data"]["start"].startswith(f"{at(9):%Y-%m-%dT%H:%M}"), "what the entry says, not what is now"
    assert got[1]["data"]["previous_start"].startswith(f"{at(9):%Y-%m-%dT%H:%M}")
    assert got[1]["data"]["start"].startswith(f"{at(11):%Y-%m-%dT%H:%M}")
    assert got[2]["data"]["status"] == "CANCELLED"
    assert {each["data"]["id"] for each in got} == {booking.id}
    assert "Juan" not in str(got) and "juan@example.com" not in str(got), "no personal data"
    assert [each.state for each in deliveries_of(webhook)] == [DeliveryState.DELIVERED] * 4


def test_only_webhooks_with_the_event_that_are_on_get_it(host: OutsideHost) -> None:
    chosen = create_webhook(BUSINESS, "http://pics.example.com/hook", "booking.cancelled")
    off = create_webhook()
    services.switch_off(BUSINESS, off.id, revision=off.revision, command=new_command(ACTOR))
    other = create_webhook("harbour")
    cancel(book(at(9)))
    run_hooks()
    assert [each.type for each in deliveries_of(chosen)] == ["booking.cancelled"]
    assert deliveries_of(off) == deliveries_of(other) == []


def test_a_refused_action_sends_nothing(host: OutsideHost) -> None:
    webhook = create_webhook()
    book(at(9))
    with pytest.raises(DomainError):
        book(at(9))
    run_hooks()
    assert len(deliveries_of(webhook)) == 1


def test_demo_data_sends_nothing(host: OutsideHost) -> None:
    create_webhook()
    with without_follow_ups():
        book(at(9))
    assert run_hooks() == []
    assert not any(entry.due_at or entry.outbox for entry in latest_of(BUSINESS))


def test_a_theme_that_goes_live_is_reported(host: OutsideHost) -> None:
    create_webhook()
    draft = create_draft(BUSINESS)
    publish(draft)
    run_hooks()
    assert [(each["type"], each["data"]["version"]) for each in bodies(host)] == [("theme.published", draft.number)]


def test_a_banned_post_is_reported_to_the_platform(host: OutsideHost) -> None:
    of_business, of_platform = create_webhook(), create_webhook("")
    post = create_post(content="Buy now")
    decide(post, Action.BAN, reason="Spam")
    run_hooks()
    (got,) = bodies(host)
    assert got["type"] == "post.banned" and got["business"] is None
    assert got["data"]["banned_by"] == "moderator" and got["data"]["reason"] == "Spam"
    assert "Buy now" not in str(got)
    assert deliveries_of(of_business) == [] and len(deliveries_of(of_platform)) == 1


def test_stock_is_reported_when_it_falls_to_the_minimum_and_only_then(host: OutsideHost) -> None:
    create_webhook()
    a_franchise(business=BUSINESS)
    product = a_product("Café", a_branch(business=BUSINESS), business=BUSINESS, stock=10, min_stock=5)

    def sell(count: int) -> None:
        reason, command = MovementReason.SALE, new_command(ACTOR)
        change_stock(BUSINESS, product.id, change=-count, reason=reason, command=command)

    for count in (3, 2, 1):
        sell(count)
    run_hooks()
    (got,) = bodies(host)
    assert got["type"] == "stock.low"
    assert (got["data"]["stock"], got["data"]["min_stock"]) == (5, 5)


@real_engines
def test_lost_replies_neither_lose_nor_repeat_an_event(clock: Clock, host: OutsideHost) -> None:
    webhook = create_webhook()
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        book(at(9))
        network.next("TransactWriteItems", lose_reply, lose_reply)
        run_hooks()
        network.next("UpdateItem", lose_reply)
        run_hooks()
        for minutes in range(4):
            clock.pass_time()
            run_hooks()
            assert minutes < 4
    assert [each.type for each in deliveries_of(webhook)] == ["booking.created"]
    assert {each["type"] for each in bodies(host)} == {"booking.created"}
    assert deliveries_of(webhook)[0].state == DeliveryState.DELIVERED


@real_engines
def test_four_runs_at_once_queue_and_send_each_event_once(clock: Clock, host: OutsideHost) -> None:
    webhook = create_webhook()
    for hour in range(6):
        book(at(9 + hour))
    results: list[runner.TaskResult] = []

    def run_here(_: int) -> None:
        with frozen(clock.moment):
            for queue in (keys.DUE_OUTBOX, keys.DUE_HOOK):
                results.extend(runner.run(queue=queue))

    run_at_once(run_here, threads=4)
    run_hooks()
    assert [each for each in results if each.failed] == []
    assert len(deliveries_of(webhook)) == 6
    assert len(host.requests) == 6


def test_more_webhooks_than_a_transaction_has_room_for_all_get_the_event(
    host: OutsideHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_WEBHOOKS", 20)
    webhooks = [create_webhook(name=f"Hook {number}") for number in range(11)]
    book(at(9))
    run_hooks()
    assert [len(deliveries_of(each)) for each in webhooks] == [1] * 11
