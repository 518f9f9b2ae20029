"""Demo webhooks: one that works, one whose receiver does not answer, and one of the platform."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.accounts.demo import ACCOUNTS
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import days_ago, in_recent_weeks
from dashboard.platform.webhooks.events import WebhookEvent, event_types
from dashboard.platform.webhooks.items import DeliveryState, Webhook
from dashboard.platform.webhooks.receiver import SendError
from dashboard.platform.webhooks.services import webhooks as services
from dashboard.platform.webhooks.services.queue import new_delivery
from dashboard.table import write
from dashboard.table.commands import Actor, Command
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, find_done

_OWNER, _ADMIN = (Actor(f"{name}@{DOMAIN}", ACCOUNTS[f"{name}@{DOMAIN}"][0]) for name in ("owner", "admin"))
_BUSINESS = "andina"
# The reserved domain has no address: nothing is ever sent there.
_URL = "https://{}.example/hooks/trastienda"
_REFUSED = {"status": 503, "error": SendError.STATUS.value, "ms": 412, "answer": "maintenance"}
_ACCEPTED = {"status": 200, "ms": 96}


def seed_demo(size: int) -> str:
    """Add the webhooks once. The amount does not depend on `size`."""
    first = Command("demo-webhook-till", _OWNER)
    if find_done(first) is not None:
        return "0 webhooks"
    names = ["theme.published", "booking.rescheduled", "stock.low"]
    with in_recent_weeks("webhooks"):
        till = services.create(_BUSINESS, name="Till system", url=_URL.format("till"), events=names, command=first)
        chat = _create(_BUSINESS, "Team chat", "chat", ["booking.created", "booking.cancelled", "stock.low"], _OWNER)
        forum = _create("", "Forum archive", "archive", ["post.banned"], _ADMIN)
    for number, (event, hours) in enumerate(_events()):
        with days_ago(hours / 24, f"webhook {number}"):
            if event.type in till.event_names:
                _deliver(till, event, DeliveryState.DELIVERED, [_REFUSED, _ACCEPTED] if number == 2 else [_ACCEPTED])
            if event.type in chat.event_names:
                is_old = hours > 80
                state = DeliveryState.FAILED if is_old else DeliveryState.QUEUED
                _deliver(chat, event, state, [_REFUSED] * (7 if is_old else 2), now() + timedelta(hours=hours + 5))
    with days_ago(1.5, "webhook of the platform"):
        data = {"id": "demo-post-4", "author_id": "demo", "banned_by": "filter", "reason": ""}
        _deliver(forum, WebhookEvent("post.banned", "post:demo-post-4", data), DeliveryState.DELIVERED, [_ACCEPTED])
    failing = [Webhook.failures.set(9), Webhook.failing_since.set(now() - timedelta(hours=90))]
    write.update(chat.key, [*failing, Webhook.paused_until.set(now() + timedelta(hours=5))], Webhook.pk.exists())
    return "3 webhooks"


def _create(business: str, name: str, host: str, events: list[str], by: Actor) -> Webhook:
    command = Command(f"demo-webhook-{host}", by)
    return services.create(business, name=name, url=_URL.format(host), events=events, command=command)


def _events() -> Iterable[tuple[WebhookEvent, float]]:
    """The events of the last days, with their age in hours."""
    samples = {each.name: dict(each.sample) for each in event_types(of_platform=False)}
    ages = (("booking.created", 100), ("stock.low", 75), ("theme.published", 49), ("booking.created", 26))
    more = (("booking.rescheduled", 25), ("booking.created", 6), ("booking.cancelled", 3))
    for number, (name, hours) in enumerate((*ages, *more)):
        data: dict[str, Any] = samples.get(name, {})
        yield WebhookEvent(name, f"{name.partition('.')[0]}:demo-{number}", data), hours


def _deliver(
    webhook: Webhook, event: WebhookEvent, state: DeliveryState, attempts: list[Any], next_at: datetime | None = None
) -> None:
    delivery = new_delivery(webhook, event, to_wire(now()), new_id())
    delivery.attempts = [each | {"at": to_wire(now())} for each in attempts]
    delivery.tries = len(attempts)
    if state == DeliveryState.QUEUED:
        delivery.due_at = next_at
    else:
        delivery.leave_queue(state)
        delivery.delivered_at = now() if state == DeliveryState.DELIVERED else None
    transaction = Transaction(Command("demo-delivery", _OWNER).part(repr(delivery.key)))
    transaction.create(delivery)
    transaction.commit(None)
