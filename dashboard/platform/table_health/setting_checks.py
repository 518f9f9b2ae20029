"""Checks of the settings of the table: keys, indexes, expiry, recovery. No I/O."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from dashboard.platform.table_health.findings import BAD, CREATE_TABLE, WARN, Finding, update_table
from dashboard.platform.table_health.state import DescribeOutcome, TableState
from dashboard.table.differences import Aspect, TableDifference, find_differences


def missing_table(state: TableState) -> Finding:
    return Finding(
        "table_missing",
        BAD,
        _("The table %(name)s does not exist") % {"name": state.name},
        _("Nobody can sign in, and no page works."),
        _("Create it, or set DYNAMODB_TABLE to the name of your table."),
        CREATE_TABLE,
    )


def check_settings(state: TableState) -> Iterator[Finding]:
    if DescribeOutcome.DENIED in {state.table.outcome, state.expiry.outcome, state.recovery.outcome}:
        yield Finding(
            "not_allowed",
            WARN,
            _("The settings of the table cannot be read"),
            _("Differences from the expected table are not noticed."),
            _("Allow dynamodb:DescribeTable, DescribeTimeToLive and DescribeContinuousBackups: AppPolicy does."),
            "manage.py cloudformation",
        )
    if state.table.outcome != DescribeOutcome.OK:
        return
    for difference in find_differences(state.description, state.expiry_attribute):
        yield _of_difference(difference, state.name)
    if state.expiry.outcome == DescribeOutcome.OK and state.expiry_attribute is None:
        yield Finding(
            "expiry_off",
            WARN,
            _("Expired items are not deleted"),
            _("Old sessions and drafts stay in the table and cost storage. No page shows them."),
            _("Switch on expiry by the attribute ttl."),
            CREATE_TABLE,
        )
    if state.recovery.outcome == DescribeOutcome.OK and not state.has_recovery:
        yield Finding(
            "recovery_off",
            WARN,
            _("Point-in-time recovery is off"),
            _("Data that is deleted or overwritten by mistake is lost."),
            _("Switch it on."),
            CREATE_TABLE,
        )


def _of_difference(difference: TableDifference, table: str) -> Finding:
    values = {"index": difference.index, "expected": difference.expected, "found": difference.found}
    delete_index = update_table(
        table, f'--global-secondary-index-updates \'[{{"Delete": {{"IndexName": "{difference.index}"}}}}]\''
    )
    recreate = _(
        "If no other service uses the index, delete it with this command, then run manage.py create_table. "
        "Otherwise use another table."
    )
    if difference.index is None and difference.aspect in {Aspect.KEYS, Aspect.TYPE}:
        return Finding(
            "table_keys",
            BAD,
            _("The table has the keys %(found)s, expected %(expected)s") % values,
            _("Nobody can sign in, and no page works: this table belongs to another service."),
            _("Set DYNAMODB_TABLE to another name, create that table, and import the items into it."),
            f"DYNAMODB_TABLE={table}-trastienda {CREATE_TABLE}",
        )
    if difference.aspect == Aspect.EXPIRY:
        return Finding(
            "expiry_attribute",
            WARN,
            _("Items expire by %(found)s, expected %(expected)s") % values,
            _("Sessions, drafts and logs of this product are never deleted. Pages ignore them after their expiry."),
            _(
                "If no other service needs it, switch it off with this command. "
                "One hour later, run manage.py create_table."
            ),
            f"aws dynamodb update-time-to-live --table-name {table}"
            f" --time-to-live-specification Enabled=false,AttributeName={difference.found}",
        )
    if difference.aspect == Aspect.MISSING:
        return Finding(
            "index_missing",
            BAD,
            _("The index %(index)s is missing") % values,
            _("Lists that use it answer with an error."),
            _("Add it. Existing items with its keys are added by DynamoDB."),
            CREATE_TABLE,
        )
    if difference.aspect == Aspect.PROJECTION:
        return Finding(
            "index_projection",
            BAD,
            _("The index %(index)s projects %(found)s, expected %(expected)s") % values,
            _("Lists that use it show items without their content."),
            recreate,
            delete_index,
        )
    title = _("The index %(index)s has the keys %(found)s, expected %(expected)s")
    if difference.aspect == Aspect.TYPE:
        title = _("The index %(index)s needs the attribute %(expected)s, but the table defines %(found)s")
    return Finding(
        "index_keys",
        BAD,
        title % values,
        _("Lists that use it are empty or answer with an error."),
        recreate,
        delete_index,
    )
