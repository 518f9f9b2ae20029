"""The consents of a business as CSV, by visitor."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from content.items import Consent
from content.queries.consents import consents_by_visitor_id
from dashboard.table.timestamps import to_wire
from dashboard.web.downloads import BOM, as_csv

COLUMNS = ("visitor", "choice", "time", "ip", "browser", "policy version", "policy text")
AT_ONCE = 500


def lines(business: str) -> Generator[str]:
    """The lines of the file; the consents are read page by page."""
    head, start_key = BOM + as_csv([COLUMNS]), None
    while True:
        found = consents_by_visitor_id(business, start_key=start_key, limit=AT_ONCE)
        yield head + as_csv(map(_row, found.items))
        head, start_key = "", found.next_start_key
        if start_key is None:
            return


def _row(consent: Consent) -> tuple[Any, ...]:
    return (
        consent.visitor,
        consent.choice,
        to_wire(consent.moment) if consent.moment else "",
        consent.ip,
        consent.user_agent,
        consent.policy_version,
        consent.policy_text,
    )
