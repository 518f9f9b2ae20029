"""Due tasks of activity: the tables of this month and the next one. The archive and the warehouse have their own."""

from __future__ import annotations

from datetime import timedelta

from botocore.exceptions import ClientError

from activity.archive import due as archive_due
from activity.warehouse import due as warehouse_due
from dashboard.core.clock import now
from dashboard.platform.due.registry import before_each_run
from dashboard.table import schema
from dashboard.table.admin import create_log_table

# The due tasks of the archive and of the warehouse are in their packages.
__all__ = ["archive_due", "create_log_tables", "warehouse_due"]

# Without the right to create tables, a missing one is reported this long before its month begins.
REPORTED_BEFORE = timedelta(days=7)
# The tables that this process has found complete.
_complete: set[str] = set()


@before_each_run
def create_log_tables() -> str | None:
    """Create what is missing. Once it is complete, this process does not ask for it again."""
    created = []
    this_month, next_month = schema.log_table_names(now())
    for name in (this_month, next_month):
        if name in _complete:
            continue
        try:
            created += create_log_table(name)[:1]
        except ClientError as error:
            if error.response["Error"].get("Code") != "AccessDeniedException":
                raise
            if name == this_month or (now() + REPORTED_BEFORE).month != now().month:
                raise RuntimeError(f"The table {name} is missing, and run_due may not create it.") from error
            continue
        _complete.add(name)
    return "; ".join(created) or None
