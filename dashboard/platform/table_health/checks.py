"""All checks of the table. No I/O."""

from __future__ import annotations

from dashboard.platform.table_health.archive_checks import check_archive
from dashboard.platform.table_health.due_checks import check_due
from dashboard.platform.table_health.findings import LEVELS, Finding
from dashboard.platform.table_health.item_checks import check_items, check_references
from dashboard.platform.table_health.setting_checks import check_settings, missing_table
from dashboard.platform.table_health.state import DescribeOutcome, TableState
from dashboard.platform.table_health.stream_checks import check_stream


def find_all(state: TableState) -> list[Finding]:
    """All findings, the worst first."""
    if state.table.outcome == DescribeOutcome.MISSING:
        return [missing_table(state)]
    checks = (check_settings, check_stream, check_archive, check_due, check_items, check_references)
    found = [finding for check in checks for finding in check(state)]
    return sorted(found, key=lambda finding: LEVELS.index(finding.level))
