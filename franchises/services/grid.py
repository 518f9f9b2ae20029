"""Saving the rows of the grid. Each row is saved on its own; one that fails does not stop the others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _

from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.table.commands import Command
from dashboard.table.read import gather_all
from franchises.forms.grid import GridRow
from franchises.reasons import MovementReason
from franchises.services import products
from franchises.services.stock import set_stock

AT_ONCE = 8


def save_rows(business: str, rows: Sequence[GridRow], *, command: Command) -> None:
    """Save the changed rows without errors. A row that is refused gets the error at its cell."""
    writes = [partial(_save, business, row, command.part(row.id)) for row in rows if row.values and not row.errors]
    for at in range(0, len(writes), AT_ONCE):
        gather_all(writes[at : at + AT_ONCE])


def _save(business: str, row: GridRow, command: Command) -> None:
    if "stock" in row.values and not _save_stock(business, row, command.part("stock")):
        return
    if row.details:
        _save_details(business, row, command.part("details"))
    row.is_saved = not row.errors


def _save_stock(business: str, row: GridRow, command: Command) -> bool:
    try:
        set_stock(
            business,
            row.id,
            stock=row.values["stock"],
            seen=row.seen_stock,
            reason=MovementReason.CORRECTION,
            command=command,
        )
    except (Conflict, Refused) as error:
        row.errors["stock"] = str(error.text)
    except NotFound:
        row.errors["stock"] = _("This product no longer exists.")
    return not row.errors


def _save_details(business: str, row: GridRow, command: Command) -> None:
    columns = [column for column in row.values if column != "stock"]
    try:
        products.edit(business, row.id, row.details, revision=row.revision, command=command)
    except Conflict:
        text = _("Someone else changed this product. Compare the values and save again.")
        row.errors |= dict.fromkeys(columns, text)
    except Refused as refusal:
        row.errors |= dict.fromkeys(columns, str(refusal.text))
    except NotFound:
        row.errors |= dict.fromkeys(columns, _("This product no longer exists."))
