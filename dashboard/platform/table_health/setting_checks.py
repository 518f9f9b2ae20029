"""Checks of the settings of the table: keys, indexes, expiry, recovery. No I/O."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from dashboard.platform.table_health.findings import BAD, CREATE_TABLE, WARN, Finding
from dashboard.platform.table_health.state import Reply, TableState
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
    if state.table.reply == Reply.DENIED:
        yield Finding(
            "not_allowed",
            WARN,
            _("The settings of the table cannot be read"),
            _("Differences from the expected table are not noticed."),
            _("Allow dynamodb:DescribeTable, DescribeTimeToLive and DescribeContinuousBackups: AppPolicy does."),
            "manage.py cloudformation",
        )
    if state.table.reply != Reply.OK:
        return
    for difference in find_differences(state.description, state.expiry_attribute):
        yield _of_difference(difference)
    if state.expiry.reply == Reply.OK and state.expiry_attribute is None:
        yield Finding(
            "expiry_off",
            WARN,
            _("Expired items are not deleted"),
            _("Old sessions and drafts stay in the table and cost storage. No page shows them."),
            _("Switch on expiry by the attribute ttl."),
            CREATE_TABLE,
        )
    if state.recovery.reply == Reply.OK and not state.has_recovery:
        yield Finding(
            "recovery_off",
            WARN,
            _("Point-in-time recovery is off"),
            _("Data that is deleted or overwritten by mistake is lost."),
            _("Switch it on."),
            CREATE_TABLE,
        )


def _of_difference(difference: TableDifference) -> Finding:
    values = {"index": difference.index, "expected": difference.expected, "found": difference.found}
    other_table = _("Set DYNAMODB_TABLE to another name, create that table, and import the items into it.")
    if difference.index is None and difference.aspect in {Aspect.KEYS, Aspect.TYPE}:
        return Finding(
            "table_keys",
            BAD,
            _("The table has the keys %(found)s, expected %(expected)s") % values,
            _("Nobody can sign in, and no page works: this table belongs to another service."),
            other_table,
            CREATE_TABLE,
        )
    if difference.aspect == Aspect.EXPIRY:
        return Finding(
            "expiry_attribute",
            WARN,
            _("Items expire by %(found)s, expected %(expected)s") % values,
            _("Sessions, drafts and logs of this product are never deleted. Pages ignore them after their expiry."),
            _("If no other service needs it, switch off expiry by this attribute. One hour later, switch on ours."),
            CREATE_TABLE,
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
            _("If no other service uses the index, delete it and create it again. Otherwise use another table."),
            CREATE_TABLE,
        )
    title = _("The index %(index)s has the keys %(found)s, expected %(expected)s")
    if difference.aspect == Aspect.TYPE:
        title = _("The index %(index)s needs the attribute %(expected)s, but the table defines %(found)s")
    return Finding(
        "index_keys",
        BAD,
        title % values,
        _("Lists that use it are empty or answer with an error."),
        _("If no other service uses the index, delete it and create it again. Otherwise use another table."),
        CREATE_TABLE,
    )
