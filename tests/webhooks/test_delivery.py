"""Deliveries: signatures, retries, order, replay, and receivers that fail."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bookings.services import bookings as booking_services
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.audit.queries import latest_of
from dashboard.platform.webhooks.items import OVERLAP, Delivery, DeliveryReason, DeliveryState, OffReason, Webhook
from dashboard.platform.webhooks.services import deliveries as delivery_services
from dashboard.platform.webhooks.services import health
from dashboard.platform.webhooks.services import webhooks as services
from dashboard.table.commands import new_command
from tests.attacks.outside_host import OutsideHost, http
from tests.bookings.bookable_business import BUSINESS, at, book
from tests.conftest import ACTOR, every_engine
from tests.mail.letters import Clock
from tests.webhooks.factories import bodies, create_webhook, deliveries_of, is_signed, reload, run_hooks, run_until_sent

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
OK, ERROR, REFUSED = http(b"ok"), http(b"Oops", status="500 Oops"), http(b"no", status="400 Bad Request")


def cancel(booking: object) -> None:
    revision = booking.revision  # type: ignore[attr-defined]
    booking_services.cancel(BUSINESS, booking.id, revision=revision, command=new_command(ACTOR))  # type: ignore[attr-defined]


def only(webhook: Webhook) -> Delivery:
    (found,) = deliveries_of(webhook)
    return found


@every_engine
def test_a_message_has_a_standard_signature(host: OutsideHost) -> None:
    command = new_command(ACTOR)
    webhook = services.create(
        BUSINESS, name="Till", url="http://pics.example.com/hook", events=["booking.created"], command=command
    )
    secret = services.secret_of(webhook, command)
    assert secret is not None and secret.startswith("whsec_") and secret not in str(reload(webhook).raw)
    book(at(9))
    run_hooks()
    assert is_signed(host, secret)
    assert not is_signed(host, "whsec_" + "A" * 43 + "=")
    headers = host.headers()
    assert headers["webhook-id"] == only(webhook).message_id
    assert headers["content-type"] == "application/json"
    assert "cookie" not in headers and "referer" not in headers


def test_both_secrets_sign_for_a_day_after_a_rotation(clock: Clock, host: OutsideHost) -> None:
    first, second = new_command(ACTOR), new_command(ACTOR)
    values = {"name": "Till", "url": "http://pics.example.com/hook", "events": ["booking.created"]}
    webhook = services.create(BUSINESS, command=first, **values)
    old = services.secret_of(webhook, first)
    rotated = services.rotate(BUSINESS, webhook.id, revision=webhook.revision, command=second)
    new = services.secret_of(rotated, second)
    assert old and new and old != new and services.secret_of(rotated, first) is None
    book(at(9))
    run_hooks()
    assert is_signed(host, old) and is_signed(host, new)
    clock.pass_time(OVERLAP)
    book(at(11))
    run_hooks()
    assert is_signed(host, new) and not is_signed(host, old)


def test_the_overlap_can_be_ended(host: OutsideHost) -> None:
    first, second = new_command(ACTOR), new_command(ACTOR)
    values = {"name": "Till", "url": "http://pics.example.com/hook", "events": ["booking.created"]}
    webhook = services.create(BUSINESS, command=first, **values)
    old = services.secret_of(webhook, first)
    rotated = services.rotate(BUSINESS, webhook.id, revision=webhook.revision, command=second)
    services.end_overlap(BUSINESS, webhook.id, revision=rotated.revision, command=new_command(ACTOR))
    book(at(9))
    run_hooks()
    assert old and not is_signed(host, old)


def test_a_message_that_fails_is_sent_again_with_growing_waits(clock: Clock, host: OutsideHost) -> None:
    host.answers["/hook"] = REFUSED
    webhook = create_webhook()
    book(at(9))
    run_hooks()
    delivery = only(webhook)
    assert delivery.state == DeliveryState.QUEUED and delivery.due_at == clock.moment + MINUTE
    assert delivery.attempts[0]["status"] == 400 and delivery.attempts[0]["answer"] == "no"
    clock.pass_time(MINUTE)
    run_hooks()
    assert only(webhook).due_at == clock.moment + 5 * MINUTE
    clock.pass_time(5 * MINUTE)
    host.answers["/hook"] = OK
    assert run_hooks() == ["delivered"]
    assert only(webhook).state == DeliveryState.DELIVERED and only(webhook).tries == 3
    ids = {each.partition(b"webhook-id: ")[2].partition(b"\r\n")[0] for each in host.requests}
    assert len(ids) == 1, "receivers recognise a repetition"


def test_a_message_that_is_not_accepted_for_three_days_fails_and_can_be_sent_again(
    clock: Clock, host: OutsideHost
) -> None:
    host.answers["/hook"] = REFUSED
    webhook = create_webhook()
    book(at(9))
    for _ in range(12):
        run_hooks()
        clock.pass_time(24 * HOUR)
    delivery = only(webhook)
    assert (delivery.state, delivery.reason) == (DeliveryState.FAILED, DeliveryReason.EXPIRED)
    host.answers["/hook"] = OK
    delivery_services.replay(BUSINESS, delivery.place, revision=delivery.revision, command=new_command(ACTOR))
    assert run_hooks() == ["delivered"]
    assert only(webhook).replays == 1
    assert "delivery.replay" in {entry.action for entry in latest_of(BUSINESS)}


def test_a_receiver_that_does_not_answer_is_asked_once_per_pause(clock: Clock, host: OutsideHost) -> None:
    host.answers["/hook"] = ERROR
    webhook = create_webhook()
    for hour in range(4):
        book(at(9 + hour))
    run_hooks()
    assert len(host.requests) == 1, "the others wait"
    assert reload(webhook).is_failing
    assert {each.reason for each in deliveries_of(webhook)[1:]} == {DeliveryReason.PAUSED}
    clock.pass_time(MINUTE)
    run_hooks()
    assert len(host.requests) == 2
    host.answers["/hook"] = OK
    clock.pass_time(5 * MINUTE)
    run_hooks()
    assert not reload(webhook).is_failing
    assert [each.state for each in deliveries_of(webhook)] == [DeliveryState.DELIVERED] * 4


def test_another_receiver_is_not_affected(host: OutsideHost) -> None:
    host.answers["/hook"] = ERROR
    host.answers["/other"] = OK
    create_webhook()
    other = create_webhook(BUSINESS, "http://pics.example.com/other")
    for hour in range(3):
        book(at(9 + hour))
    run_hooks()
    assert [each.state for each in deliveries_of(other)] == [DeliveryState.DELIVERED] * 3


def test_a_webhook_that_fails_for_days_is_switched_off(clock: Clock, host: OutsideHost) -> None:
    host.answers["/hook"] = ERROR
    webhook = create_webhook()
    book(at(9))
    run_hooks()
    clock.pass_time(health.PATIENCE + HOUR)
    book(at(11))
    run_hooks()
    current = reload(webhook)
    assert not current.is_on and current.off_reason == OffReason.FAILED
    entry = next(each for each in latest_of(BUSINESS) if each.action == "webhook.switch_off")
    assert entry.person["email"] == "system"


def test_gone_switches_a_webhook_off_at_once(host: OutsideHost) -> None:
    host.answers["/hook"] = http(b"", status="410 Gone")
    webhook = create_webhook()
    book(at(9))
    run_hooks()
    assert reload(webhook).off_reason == OffReason.GONE
    assert only(webhook).state == DeliveryState.FAILED


def test_a_receiver_says_how_long_to_wait(clock: Clock, host: OutsideHost) -> None:
    host.answers["/hook"] = http(b"", "Retry-After: 900", status="429 Too Many Requests")
    webhook = create_webhook()
    book(at(9))
    run_hooks()
    assert only(webhook).due_at == reload(webhook).paused_until == clock.moment + 15 * MINUTE


# --- Order ---------------------------------------------------------------------------------------
def test_a_later_event_about_the_same_booking_waits_for_the_earlier_one(clock: Clock, host: OutsideHost) -> None:
    host.answers["/hook"] = REFUSED
    webhook = create_webhook()
    booking = book(at(9))
    run_hooks()
    cancel(booking)
    book(at(11))
    run_hooks()
    assert [each["type"] for each in bodies(host)] == ["booking.created", "booking.created"], "another booking goes on"
    assert deliveries_of(webhook)[1].reason == DeliveryReason.EARLIER
    host.answers["/hook"] = OK
    for _ in range(3):
        clock.pass_time(10 * MINUTE)
        run_hooks()
    mine = [each for each in bodies(host) if each["data"]["id"] == booking.id]
    assert [each["type"] for each in mine][-2:] == ["booking.created", "booking.cancelled"]
    assert not any(each["out_of_order"] for each in mine)


def test_an_event_that_comes_after_a_later_one_is_marked(clock: Clock, host: OutsideHost) -> None:
    host.answers["/hook"] = REFUSED
    webhook = create_webhook()
    booking = book(at(9))
    run_hooks()
    created = only(webhook)
    delivery_services.cancel(BUSINESS, created.place, revision=created.revision, command=new_command(ACTOR))
    clock.pass_time(MINUTE)
    host.answers["/hook"] = OK
    cancel(booking)
    run_hooks()
    created = deliveries_of(webhook)[0]
    delivery_services.replay(BUSINESS, created.place, revision=created.revision, command=new_command(ACTOR))
    run_hooks()
    assert [(each["type"], each["out_of_order"]) for each in bodies(host)[1:]] == [
        ("booking.cancelled", False),
        ("booking.created", True),
    ]
    assert deliveries_of(webhook)[0].is_out_of_order


@every_engine
def test_the_order_is_kept_within_one_second(clock: Clock, host: OutsideHost) -> None:
    """The clock of these tests stands still, so all events have the same time."""
    create_webhook()
    booking = book(at(9))
    for _ in range(3):
        after = booking_services.cancel(BUSINESS, booking.id, revision=booking.revision, command=new_command(ACTOR))
        booking = booking_services.restore(BUSINESS, booking.id, revision=after.revision, command=new_command(ACTOR))
    run_until_sent(clock)
    assert [each["type"] for each in bodies(host)] == ["booking.created"] + [
        "booking.cancelled",
        "booking.restored",
    ] * 3


# --- What people do ------------------------------------------------------------------------------
def test_a_test_is_sent_also_while_the_webhook_is_off_or_paused(clock: Clock, host: OutsideHost) -> None:
    host.answers["/hook"] = ERROR
    webhook = create_webhook()
    book(at(9))
    run_hooks()
    current = reload(webhook)
    services.switch_off(BUSINESS, webhook.id, revision=current.revision, command=new_command(ACTOR))
    host.answers["/hook"] = OK
    services.send_test(BUSINESS, webhook.id, command=new_command(ACTOR))
    assert run_hooks() == ["delivered"]
    assert bodies(host)[-1]["type"] == "webhook.test"


def test_deliveries_of_a_deleted_webhook_or_a_closed_business_are_not_sent(clock: Clock, host: OutsideHost) -> None:
    host.answers["/hook"] = REFUSED
    webhook = create_webhook()
    book(at(9))
    run_hooks()
    removal = new_command(ACTOR)
    services.remove(BUSINESS, webhook.id, revision=webhook.revision, command=removal)
    clock.pass_time(MINUTE)
    run_hooks()
    assert only(webhook).reason == DeliveryReason.WEBHOOK_GONE
    restored = services.restore(BUSINESS, webhook.id, of=removal.id, command=new_command(ACTOR))
    assert restored.secrets() == webhook.secrets()


def test_only_the_deletion_of_this_webhook_restores_it(host: OutsideHost) -> None:
    first, second = create_webhook(name="1"), create_webhook(name="2")
    removal = new_command(ACTOR)
    services.remove(BUSINESS, first.id, revision=first.revision, command=removal)
    wrong: list[tuple[str, str, str, type[Exception]]] = [
        (BUSINESS, second.id, removal.id, Refused),
        (BUSINESS, first.id, "never", NotFound),
        ("other", first.id, removal.id, NotFound),
        (BUSINESS, "never", removal.id, NotFound),
    ]
    for business, webhook_id, of, error in wrong:
        with pytest.raises(error):
            services.restore(business, webhook_id, of=of, command=new_command(ACTOR))
    assert services.restore(BUSINESS, first.id, of=removal.id, command=new_command(ACTOR)).id == first.id


def test_a_delivery_is_not_sent_twice_by_two_people(host: OutsideHost) -> None:
    webhook = create_webhook()
    book(at(9))
    run_hooks()
    delivery = only(webhook)
    delivery_services.replay(BUSINESS, delivery.place, revision=delivery.revision, command=new_command(ACTOR))
    with pytest.raises(Refused):
        delivery_services.replay(BUSINESS, delivery.place, revision=delivery.revision, command=new_command(ACTOR))


def test_there_can_be_eight_webhooks(host: OutsideHost) -> None:
    for number in range(services.MAX_WEBHOOKS):
        create_webhook(name=str(number))
    with pytest.raises(Refused):
        create_webhook()
