"""What people do with deliveries: send one again, or take it out of the queue."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.audit.services import record
from dashboard.platform.due.leases import is_not_leased, refuse_leased
from dashboard.platform.webhooks import queries
from dashboard.platform.webhooks.items import Delivery, DeliveryReason, DeliveryState
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent

_BEING_SENT = _("It is being sent right now. Reload the page in a moment.")


@idempotent
def replay(business: str, place: str, *, revision: int, command: Command) -> Delivery:
    """Send a delivery again, with the same message id: a receiver recognises what it has processed."""

    def change(delivery: Delivery) -> None:
        if delivery.is_queued:
            raise Refused(_("This delivery is in the queue already."))
        delivery.replays = int(delivery.replays or 0) + 1
        delivery.queue(now())

    return _change(business, place, "replay", change, revision, command)


@idempotent
def cancel(business: str, place: str, *, revision: int, command: Command) -> Delivery:
    """Take a delivery out of the queue, unless it is being sent right now."""

    def change(delivery: Delivery) -> None:
        if not delivery.is_queued:
            raise Refused(_("This delivery is not in the queue any more."))
        delivery.leave_queue(DeliveryState.CANCELLED, DeliveryReason.PERSON)

    return _change(business, place, "cancel", change, revision, command)


def _change(
    business: str, place: str, action: str, change: Callable[[Delivery], None], revision: int, command: Command
) -> Delivery:
    delivery = queries.load_delivery(business, place)
    before = {"deliveryState": delivery.state}
    change(delivery)
    transaction = Transaction(command)
    condition: Condition = is_not_leased()
    transaction.save(delivery, revision=revision, condition=condition, on_failure=refuse_leased(revision, _BEING_SENT))
    record(
        transaction,
        f"delivery.{action}",
        target=f"delivery:{delivery.place}",
        kind="delivery",
        title=f"{delivery.type} {delivery.object}",
        before=before,
        after={"deliveryState": delivery.state},
        business=business or None,
    )
    return transaction.commit(delivery, before)
