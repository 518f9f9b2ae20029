"""The leads of a business as CSV."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from content.items import LeadState
from content.queries.leads import leads_by_address
from dashboard.table.timestamps import to_wire
from dashboard.web.downloads import BOM, as_csv

COLUMNS = (
    "email",
    "name",
    "stage",
    "source",
    "first contact",
    "last contact",
    "next step",
    "next step on",
    "other spellings",
)
AT_ONCE = 500


def lines(business: str) -> Generator[str]:
    """The lines of the file; the leads are read page by page."""
    head, start_key = BOM + as_csv([COLUMNS]), None
    while True:
        found = leads_by_address(business, start_key=start_key, limit=AT_ONCE)
        yield head + as_csv(map(_row, found.items))
        head, start_key = "", found.next_start_key
        if start_key is None:
            return


def _row(state: LeadState) -> tuple[Any, ...]:
    return (
        state.email,
        state.name,
        state.stage.value,
        state.source,
        to_wire(state.first_contact_at) if state.first_contact_at else "",
        to_wire(state.last_contact_at) if state.last_contact_at else "",
        state.next_step,
        state.next_step_on,
        " ".join(state.other_addresses),
    )
