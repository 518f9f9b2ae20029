"""Checks of the archive of activity. No I/O."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform.table_health.findings import ARCHIVE_ACTIVITY, WARN, ExampleItem, Finding
from dashboard.platform.table_health.state import TableState

# Events wait a minute for others, so that files do not become too small.
MAX_ARCHIVE_LAG = 600
MAX_EXAMPLES = 10


def check_archive(state: TableState) -> Iterator[Finding]:
    archive = state.archive
    if archive is None:
        return
    if archive.lag_seconds is None:
        yield Finding(
            "archive_never_ran",
            WARN,
            _("The activity of this month is not archived"),
            _("Reports of past days stay empty, and events are lost after a day."),
            _("Keep the archive running."),
            ARCHIVE_ACTIVITY,
        )
    elif archive.batch_at is None and archive.lag_seconds > MAX_ARCHIVE_LAG:
        yield Finding(
            "archive_late",
            WARN,
            _("The archive of activity is %(n)s s behind") % {"n": round(archive.lag_seconds)},
            _("Days are sealed later, and reports of them appear later. After a day, events are lost."),
            _("Check that the archive runs, or start another one: they share the work."),
            ARCHIVE_ACTIVITY,
        )
    if archive.failed:
        yield Finding(
            "not_archived",
            WARN,
            ngettext("%(n)s change could not be archived", "%(n)s changes could not be archived", archive.failed)
            % {"n": archive.failed},
            _("These events are missing in reports of past days."),
            _("Correct the items in the service that writes them."),
            examples=tuple(
                ExampleItem(str(each.get("pk", "")), str(each.get("sk", "")), str(each.get("reason", "")))
                for each in archive.failures[:MAX_EXAMPLES]
            ),
        )
