"""Tells the public sites that something has changed: the service makes them again some minutes later.

The two items belong to no business, so they are not part of a page's transaction: all businesses would wait for each
other. They are put after the commit, and once more for the audit entry (content/follow_ups.py).
"""

from __future__ import annotations

import logging

from content.items import CdnMarker, Content
from content.statuses import PageStatus
from dashboard.core.clock import now
from dashboard.core.errors import DomainError
from dashboard.table import write

logger = logging.getLogger("trastienda.site")
NAMES = ("PENDING", "LAST_CHANGE")


def put_markers() -> None:
    """Write when something changed last, in milliseconds."""
    for name in NAMES:
        marker = CdnMarker.new(name=name)
        marker.updated_at = int(now().timestamp() * 1000)
        write.put(marker)


def after_change(page: Content) -> Content:
    """Put the markers if the public site shows the page, or has shown it. The change itself is made already."""
    was_visible = page.outcome.result.get("was_visible", False)
    if not page.outcome.is_no_change and (was_visible or page.state == PageStatus.PUBLISHED):
        put_markers_if_possible()
    return page


def put_markers_if_possible() -> None:
    """Put the markers after a commit, which has succeeded whether they can be put or not."""
    try:
        put_markers()
    except DomainError:
        logger.warning("the markers of the public site were not put; the audit entry puts them again")
