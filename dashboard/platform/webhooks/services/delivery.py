"""Sends deliveries that are due: at least once, in the order of the events about one object, or marked."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.platform.webhooks import queries, receiver, signatures
from dashboard.platform.webhooks.events import TEST
from dashboard.platform.webhooks.items import (
    KEPT,
    Delivery,
    DeliveryOrder,
    DeliveryReason,
    DeliveryState,
    Webhook,
    delivery_order_key,
)
from dashboard.platform.webhooks.services import health
from dashboard.table import write
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
# The waits between attempts. A delivery that waits for another reason uses no attempt.
WAITS = (MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR)
LIFE = timedelta(days=3)
# How long a delivery waits for an earlier one about the same object. After that, the earlier one is marked as late.
LONGEST_HOLD = 12 * HOUR
MAX_LOGGED = 20


def send(delivery: Delivery) -> str:
    """Send one delivery of the queue, or let it wait."""
    if not delivery.is_queued:
        delivery.leave_queue(DeliveryState(delivery.state), delivery.reason)
        return _save(delivery, "not in the queue")
    webhook, business = queries.find_receiver(delivery)
    is_closed = bool(delivery.business) and (business is None or business.is_closed)
    reason = _reason_not_to_send(delivery, webhook, is_closed=is_closed)
    if webhook is None or reason is not None:
        state = DeliveryState.FAILED if reason == DeliveryReason.EXPIRED else DeliveryState.CANCELLED
        delivery.leave_queue(state, reason)
        return _save(delivery, f"not sent: {reason}")
    if _waits(delivery, webhook):
        return _save(delivery, f"waits: {delivery.reason}")
    delivery.is_out_of_order = (not _is_next(delivery)) or None
    answer = _post(delivery, webhook)
    _log(delivery, answer)
    if answer.is_accepted:
        delivery.delivered_at = now()
        delivery.leave_queue(DeliveryState.DELIVERED)
        text = _save(delivery, "delivered")
        health.note_success(webhook)
    else:
        text = _save(delivery, _postpone(delivery, answer))
        health.note_failure(webhook, answer)
    return text


def build_body(delivery: Delivery) -> bytes:
    """The message. Receivers read here whether it is late, because headers are not signed."""
    content = {
        "type": delivery.type,
        "timestamp": to_wire(delivery.occurred_at),
        "business": delivery.business or None,
        "out_of_order": bool(delivery.is_out_of_order),
        "data": delivery.data or {},
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _reason_not_to_send(delivery: Delivery, webhook: Webhook | None, *, is_closed: bool) -> DeliveryReason | None:
    if webhook is None:
        return DeliveryReason.WEBHOOK_GONE
    if is_closed:
        return DeliveryReason.CLOSED
    if not webhook.is_on and delivery.type != TEST:
        return DeliveryReason.OFF
    if delivery.queued_at is not None and now() - delivery.queued_at > LIFE:
        return DeliveryReason.EXPIRED
    return None


def _waits(delivery: Delivery, webhook: Webhook) -> bool:
    """Let the delivery wait for the receiver, or for an earlier event about the same object."""
    paused_until = webhook.paused_until
    is_forced = delivery.type == TEST or (bool(delivery.replays) and not delivery.tries)
    if paused_until is not None and paused_until > now() and not is_forced:
        delivery.due_at, delivery.reason = paused_until, DeliveryReason.PAUSED
        return True
    is_held = delivery.queued_at is not None and now() - delivery.queued_at < LONGEST_HOLD
    first = queries.first_waiting(delivery) if is_held else None
    if first is not None and first.order < delivery.order:
        # A second later, so that it comes after the other one in the queue.
        delivery.due_at = max(first.due_at or now(), now()) + timedelta(seconds=1)
        delivery.reason = DeliveryReason.EARLIER
        return True
    delivery.reason = None
    return False


def _is_next(delivery: Delivery) -> bool:
    """Whether no later event about the same object was sent. From now on, an earlier one is late."""
    last = Path([DeliveryOrder.last.attr_name])
    actions = [last.set(delivery.order), Path(["ttl"]).set(int((now() + KEPT).timestamp()))]
    condition = last.does_not_exist() | (last <= delivery.order)
    return write.update(delivery_order_key(delivery), actions, condition) is not None


def _post(delivery: Delivery, webhook: Webhook) -> receiver.Answer:
    secrets = webhook.secrets()
    if not secrets:
        return receiver.Answer(error=receiver.SendError.NO_SECRET)
    body = build_body(delivery)
    return receiver.send(webhook.url, body, signatures.headers(delivery.message_id, now(), body, secrets))


def _log(delivery: Delivery, answer: receiver.Answer) -> None:
    delivery.tries = int(delivery.tries or 0) + 1
    line: dict[str, Any] = {"at": to_wire(now()), "ms": answer.milliseconds}
    line |= {"status": answer.status} if answer.status else {}
    line |= {"error": str(answer.error)} if answer.error else {}
    line |= {"answer": answer.beginning} if answer.beginning else {}
    delivery.attempts = [*(delivery.attempts or []), line][-MAX_LOGGED:]


def _postpone(delivery: Delivery, answer: receiver.Answer) -> str:
    """Try again later, or give up: people can send it again."""
    tries = int(delivery.tries or 0)
    text = f"{answer.error} {answer.status or ''}".strip()
    if tries > len(WAITS) or answer.is_gone:
        delivery.leave_queue(DeliveryState.FAILED)
        return f"failed: {text}"
    wait = max(WAITS[tries - 1], timedelta(seconds=answer.retry_after))
    delivery.due_at = now() + wait
    return f"{text}; again at {to_wire(delivery.due_at)}"


def _save(delivery: Delivery, text: str) -> str:
    """In a command of its own for each attempt, so that a lost reply is recognised."""
    command = Command(f"webhook-{delivery.revision}", SYSTEM).part(repr(delivery.key))
    transaction = Transaction(command)
    transaction.save(delivery, revision=delivery.revision)
    transaction.commit(delivery)
    return text
