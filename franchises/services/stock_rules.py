"""Rules of every change of a stock."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from dashboard.core.errors import Refused
from franchises.items import Movement
from franchises.ledger import MAX_UNITS, StockLedger, Units, add


def ensure_changeable(ledger: StockLedger, change: Units, *, allows_negative: bool, field: str | None = None) -> None:
    """Refuse a change of a retired product, and one that leads below zero unless the franchise allows it."""
    if ledger.is_retired:
        raise Refused(_("%(product)s is retired. Bring it back first.") % {"product": ledger.head.title}, field=field)
    after = add(ledger.stock, change)
    if abs(after) > MAX_UNITS:
        raise Refused(_("A stock can have up to %(most)s units.") % {"most": MAX_UNITS}, field=field)
    # A delivery to a stock below zero is no reason to refuse.
    if after < 0 and change < 0 and not allows_negative:
        text = _("There are only %(stock)s of %(product)s. Nothing was changed.")
        raise Refused(text % {"stock": ledger.stock, "product": ledger.head.title}, field=field)


def result_of(movement: Movement) -> dict[str, Any]:
    """What the toast says: the stock after the movement, and whether it is below zero."""
    return {"after": movement.after, "isNegative": movement.after < 0}
