"""Webhooks and helpers for their tests."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from dashboard.core.ids import new_id
from dashboard.platform.due import runner
from dashboard.platform.webhooks import queries, signatures
from dashboard.platform.webhooks.events import EVENT_TYPES, WebhookEvent
from dashboard.platform.webhooks.items import Delivery, Webhook, delivery_key, webhook_key
from dashboard.platform.webhooks.services import webhooks as services
from dashboard.platform.webhooks.services.queue import new_delivery
from dashboard.table import keys
from dashboard.table.commands import new_command
from dashboard.table.transactions import Transaction
from tests.attacks.outside_host import NAME, OutsideHost, http, outside_host
from tests.conftest import ACTOR
from tests.mail.letters import Clock

URL = f"http://{NAME}/hook"


def create_webhook(business: str = "andina", url: str = URL, *events: str, name: str = "Till") -> Webhook:
    wanted = events or [each.name for each in EVENT_TYPES.values() if each.is_of_platform == (not business)]
    return services.create(business, command=new_command(ACTOR), name=name, url=url, events=[*wanted])


def create_webhook_samples(place: str, business: str = "andina") -> str:
    """A webhook of a business and one of the platform with one id, each with a delivery at this place."""
    webhook_id = new_id()
    at, _separator, delivery_id = place.partition("_")
    for owner in (business, ""):
        webhook = Webhook.new_at_key(webhook_key(owner, webhook_id))
        webhook.name, webhook.url, webhook.events = "Till", "https://hooks.example.com/", ["booking.created"]
        webhook.secret = signatures.encrypt(signatures.secret_from("00" * 32), webhook.key)
        delivery = new_delivery(webhook, WebhookEvent("booking.created", "booking:b1", {"id": "b1"}), at, delivery_id)
        same_place = Delivery.new_at_key(delivery_key(owner, at, delivery_id))
        for name, value in delivery.attribute_values.items():
            if name not in ("pk", "sk"):
                setattr(same_place, name, value)
        transaction = Transaction(new_command(ACTOR))
        transaction.create(webhook)
        transaction.create(same_place)
        transaction.commit(None)
    return webhook_id


@contextmanager
def receiver(monkeypatch: pytest.MonkeyPatch, answer: Any = None) -> Iterator[OutsideHost]:
    """A receiver on the internet that accepts everything, or gives this answer."""
    with outside_host(monkeypatch) as host:
        host.answers["/hook"] = answer if answer is not None else http(b"ok")
        yield host


def run_hooks() -> list[str]:
    """Run the outbox and the queue of webhooks once each; the results, failures with "failed" in front."""
    results = [*runner.run(queue=keys.DUE_OUTBOX), *runner.run(queue=keys.DUE_HOOK)]
    return [f"failed {each.text}" if each.failed else each.text for each in results]


def run_until_sent(clock: Clock) -> None:
    """Run until nothing waits: an engine may list tasks of the same second in any order."""
    for _ in range(8):
        run_hooks()
        clock.pass_time()
    assert run_hooks() == []


def deliveries_of(webhook: Webhook) -> list[Delivery]:
    """Complete deliveries, the oldest first."""
    found = queries.deliveries(webhook.business, webhook.id).items
    return [queries.load_delivery(webhook.business, each.place) for each in reversed(found)]


def bodies(host: OutsideHost) -> list[dict[str, Any]]:
    """What the receiver has got."""
    return [json.loads(each.partition(b"\r\n\r\n")[2]) for each in host.requests]


def is_signed(host: OutsideHost, secret: str, number: int = -1) -> bool:
    """Whether the message has a signature of this secret, as a receiver checks it."""
    head, _empty, body = host.requests[number].partition(b"\r\n\r\n")
    lines = (line.partition(": ") for line in head.decode().split("\r\n")[1:])
    headers = {name.lower(): value for name, _colon, value in lines}
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    return expected in headers["webhook-signature"].split(" ")


def reload(webhook: Webhook) -> Webhook:
    return queries.load_webhook(webhook.business, webhook.id)
