"""Checks of the due tasks. No I/O."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils.translation import gettext as _

from dashboard.platform.table_health.findings import RUN_DUE, WARN, Finding
from dashboard.platform.table_health.state import TableState

# A task that waits longer is reported: `run_due` runs every minute or so.
MAX_WAIT = timedelta(minutes=15)


def check_due(state: TableState) -> Iterator[Finding]:
    if state.oldest_due is None or state.at - state.oldest_due <= MAX_WAIT:
        return
    minutes = int((state.at - state.oldest_due).total_seconds()) // 60
    text = (
        _("Due tasks have waited for %(n)s min") % {"n": minutes}
        if minutes < 120
        else _("Due tasks have waited for %(n)s h") % {"n": minutes // 60}
    )
    yield Finding(
        "due_late",
        WARN,
        text,
        _("Scheduled versions are not published, and reservations that nobody confirmed keep their time."),
        _("Run it every minute, for example with cron."),
        RUN_DUE,
    )
