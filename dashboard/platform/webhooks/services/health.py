"""Notes how a receiver answers. While it does not, nothing is sent to it, so that it cannot delay others."""

from __future__ import annotations

from datetime import datetime, timedelta

from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.platform.audit.services import record
from dashboard.platform.webhooks.items import OffReason, Webhook
from dashboard.platform.webhooks.receiver import Answer
from dashboard.table import write
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.transactions import Transaction

FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=1)
# A webhook that has failed for so long is switched off.
PATIENCE = timedelta(days=5)


def note_success(webhook: Webhook) -> None:
    if not webhook.failing_since and not webhook.failures:
        return
    actions = [Webhook.failures.remove(), Webhook.failing_since.remove(), Webhook.paused_until.remove()]
    write.update(webhook.key, actions, Webhook.pk.exists())


def note_failure(webhook: Webhook, answer: Answer) -> None:
    """Pause the webhook, unless the receiver refuses only this message. One that failed for long is switched off."""
    if answer.is_gone:
        _switch_off(webhook, OffReason.GONE)
        return
    if not answer.is_about_receiver:
        return
    since, failures = webhook.failing_since or now(), int(webhook.failures or 0) + 1
    if now() - since > PATIENCE:
        _switch_off(webhook, OffReason.FAILED)
        return
    actions = [
        Webhook.failures.set(failures),
        Webhook.failing_since.set(since),
        Webhook.paused_until.set(_pause_end(failures, answer)),
    ]
    write.update(webhook.key, actions, Webhook.pk.exists())


def _pause_end(failures: int, answer: Answer) -> datetime:
    doublings: int = 2 ** min(failures - 1, 10)
    return now() + max(min(FIRST_PAUSE * doublings, LONGEST_PAUSE), timedelta(seconds=answer.retry_after))


def _switch_off(webhook: Webhook, reason: OffReason) -> None:
    """Unless a person changes it at the same time."""
    if not webhook.is_on:
        return
    webhook.off_at, webhook.off_reason = now(), reason
    command = Command(f"webhook-off-{webhook.revision}", SYSTEM).part(repr(webhook.key))
    transaction = Transaction(command)
    transaction.save(webhook, revision=webhook.revision)
    record(
        transaction,
        "webhook.switch_off",
        target=webhook.id,
        kind="webhook",
        title=webhook.title,
        after={"offReason": reason},
        business=webhook.business or None,
    )
    try:
        transaction.commit(webhook)
    except Conflict:
        return
