"""Changes to webhooks. Each one is a transaction with its audit entry."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.core.ids import new_id
from dashboard.platform.audit.services import record
from dashboard.platform.webhooks import queries, signatures
from dashboard.platform.webhooks.events import TEST, WebhookEvent
from dashboard.platform.webhooks.fields import WEBHOOK_FIELDS, EventList
from dashboard.platform.webhooks.items import OVERLAP, Delivery, OffReason, Webhook, webhook_key
from dashboard.platform.webhooks.services.queue import new_delivery
from dashboard.table.commands import Command
from dashboard.table.items import Raw, key_of
from dashboard.table.keypattern import BadKey
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, find_result, idempotent, report_unchanged

# So many deliveries fit into the transaction of an event.
MAX_WEBHOOKS = 8
_NOTHING_TO_RESTORE = _("There is nothing to restore.")
_TOO_MANY = _("There can be up to %(most)s webhooks. Delete one that is no longer needed.")


def secret_of(webhook: Webhook, command: Command) -> str | None:
    """The secret that this command created, computed again; None for another command or after a rotation."""
    secret = _secret(command)
    return secret if signatures.decrypt(webhook.secret, webhook.key) == secret else None


@idempotent
def create(business: str, *, command: Command, **values: Any) -> Webhook:
    """Create a webhook with the given fields (`WEBHOOK_FIELDS`). The same form sent again gives the same webhook."""
    if len(queries.webhooks_of(business)) >= MAX_WEBHOOKS:
        raise Refused(_TOO_MANY % {"most": MAX_WEBHOOKS})
    webhook = Webhook.new_at_key(webhook_key(business, new_id()))
    webhook.secret = signatures.encrypt(_secret(command), webhook.key)
    WEBHOOK_FIELDS.apply(webhook, values)
    transaction = Transaction(command)
    transaction.create(webhook)
    _record(transaction, "create", webhook, after=_audit_values(webhook))
    return transaction.commit(webhook)


@idempotent
def edit(business: str, webhook_id: str, *, revision: int, command: Command, **values: Any) -> Webhook:
    """Change the fields of a webhook. What is in the queue is sent to the new address."""
    webhook = queries.load_webhook(business, webhook_id)
    before, previous = _audit_values(webhook), _undo_values(webhook)
    url = webhook.url
    WEBHOOK_FIELDS.apply(webhook, values)
    if _undo_values(webhook) == previous:
        return report_unchanged(webhook, {"before": previous}, command)
    if webhook.url != url:
        _forget_failures(webhook)
    return _save(webhook, "edit", revision, command, before, {"before": previous})


@idempotent
def switch_off(business: str, webhook_id: str, *, revision: int, command: Command) -> Webhook:
    """Send nothing to a webhook. Events meanwhile are not queued for it."""
    webhook = queries.load_webhook(business, webhook_id)
    if not webhook.is_on:
        return report_unchanged(webhook, {}, command)
    before = _audit_values(webhook)
    webhook.off_at, webhook.off_reason = now(), OffReason.PERSON
    return _save(webhook, "switch_off", revision, command, before)


@idempotent
def switch_on(business: str, webhook_id: str, *, revision: int, command: Command) -> Webhook:
    """Send to a webhook again, from the next event on."""
    webhook = queries.load_webhook(business, webhook_id)
    if webhook.is_on:
        return report_unchanged(webhook, {}, command)
    before = _audit_values(webhook)
    webhook.off_at = webhook.off_reason = None
    _forget_failures(webhook)
    return _save(webhook, "switch_on", revision, command, before)


@idempotent
def rotate(business: str, webhook_id: str, *, revision: int, command: Command) -> Webhook:
    """Create a new secret. For a day, the previous one also signs."""
    webhook = queries.load_webhook(business, webhook_id)
    before = _audit_values(webhook)
    webhook.previous_secret = signatures.encrypt_again(webhook.secret, webhook.key)
    webhook.previous_until = now() + OVERLAP
    webhook.secret = signatures.encrypt(_secret(command), webhook.key)
    return _save(webhook, "rotate", revision, command, before)


@idempotent
def end_overlap(business: str, webhook_id: str, *, revision: int, command: Command) -> Webhook:
    """Sign with the current secret only."""
    webhook = queries.load_webhook(business, webhook_id)
    if not webhook.has_previous_secret:
        return report_unchanged(webhook, {}, command)
    before = _audit_values(webhook)
    webhook.previous_secret = webhook.previous_until = None
    return _save(webhook, "end_overlap", revision, command, before)


@idempotent
def remove(business: str, webhook_id: str, *, revision: int, command: Command) -> None:
    """Delete a webhook. What is in the queue is not sent. Undo restores it with its secret."""
    webhook = queries.load_webhook(business, webhook_id)
    transaction = Transaction(command)
    transaction.delete(webhook, revision=revision)
    _record(transaction, "remove", webhook, before=_audit_values(webhook))
    transaction.commit(None, {"removed": dict(webhook.raw), "title": webhook.title})


@idempotent
def restore(business: str, webhook_id: str, *, of: str, command: Command) -> Webhook:
    """Restore a webhook that the same person deleted. `of` is the id of the command that deleted it."""
    raw = _removed(business, webhook_id, Command(of, command.by))
    transaction = Transaction(command)
    webhook = transaction.restore(raw)
    assert isinstance(webhook, Webhook)
    _record(transaction, "restore", webhook, after=_audit_values(webhook))
    return transaction.commit(webhook)


def _removed(business: str, webhook_id: str, deletion: Command) -> Raw:
    """The webhook that a command deleted. One of another business is as unknown as one that never existed."""
    raw: Raw = find_result(deletion).get("removed") or {}
    try:
        is_same = bool(raw) and key_of(raw) == webhook_key(business, webhook_id)
    except BadKey:
        is_same = False
    if not is_same:
        queries.load_webhook(business, webhook_id)
        raise Refused(_NOTHING_TO_RESTORE)
    return raw


@idempotent
def send_test(business: str, webhook_id: str, *, command: Command) -> Delivery:
    """Queue a test message, also for a webhook that is switched off."""
    webhook = queries.load_webhook(business, webhook_id)
    test_id = new_id()
    event = WebhookEvent(TEST, f"test:{test_id}", {"message": "This is a test of your webhook."})
    delivery = new_delivery(webhook, event, to_wire(now()), test_id)
    transaction = Transaction(command)
    transaction.create(delivery)
    _record(transaction, "test", webhook)
    return transaction.commit(delivery)


def _save(
    webhook: Webhook,
    action: str,
    revision: int,
    command: Command,
    before: dict[str, Any],
    result: dict[str, Any] | None = None,
) -> Webhook:
    transaction = Transaction(command)
    transaction.save(webhook, revision=revision)
    _record(transaction, action, webhook, before=before, after=_audit_values(webhook))
    return transaction.commit(webhook, result)


def _forget_failures(webhook: Webhook) -> None:
    webhook.failures = webhook.failing_since = webhook.paused_until = None


def _secret(command: Command) -> str:
    return signatures.secret_from(command.secret("webhook secret"))


def _undo_values(webhook: Webhook) -> dict[str, Any]:
    """The values of the form, as Undo sends them."""
    return {name: "" if value is None else value for name, value in WEBHOOK_FIELDS.values_of(webhook).items()}


def _audit_values(webhook: Webhook) -> dict[str, Any]:
    """The values for the audit trail; never the secret."""
    values = WEBHOOK_FIELDS.values_of(webhook)
    values["events"] = ", ".join(EventList(webhook.event_names)) or "none"
    values["webhookState"] = "on" if webhook.is_on else "off"
    return {name: value for name, value in values.items() if value}


def _record(transaction: Transaction, action: str, webhook: Webhook, **states: Any) -> None:
    record(
        transaction,
        f"webhook.{action}",
        target=webhook.id,
        kind="webhook",
        title=webhook.title,
        business=webhook.business or None,
        **states,
    )
