"""What is wrong with the table, what people notice of it, and what to do. No I/O."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform.table_health.problems import Reason
from dashboard.platform.table_health.state import Reply, TableState
from dashboard.table import schema
from dashboard.table.differences import Aspect, Difference, find_differences

# Levels, the worst first. `info` asks nobody to do anything.
BAD, WARN, INFO = "bad", "warn", "info"
LEVELS = (BAD, WARN, INFO)

CREATE_TABLE = "manage.py create_table"
REINDEX = "manage.py reindex"
FOLLOW_STREAM = "manage.py follow_stream"
# A follower that is this many seconds behind is reported.
MAX_LAG = 60
MAX_EXAMPLES = 10
STREAM_VIEW = schema.STREAM["StreamViewType"]


@dataclass(frozen=True)
class Example:
    """An item with a problem."""

    pk: str
    sk: str
    detail: str = ""


@dataclass(frozen=True)
class Finding:
    """Something about the table that people notice: its effect on them, and what to do."""

    code: str
    level: str
    title: str
    effect: str
    action: str
    # The command to run, or the name of the route to open.
    command: str = ""
    route: str = ""
    examples: tuple[Example, ...] = field(default=())

    @property
    def is_to_do(self) -> bool:
        return self.level != INFO


def find_all(state: TableState) -> list[Finding]:
    """All findings, the worst first."""
    if state.table.reply == Reply.MISSING:
        return [_missing_table(state)]
    found = [*_of_settings(state), *_of_stream(state), *_of_items(state), *_of_references(state)]
    return sorted(found, key=lambda finding: LEVELS.index(finding.level))


def _missing_table(state: TableState) -> Finding:
    return Finding(
        "table_missing",
        BAD,
        _("The table %(name)s does not exist") % {"name": state.name},
        _("Nobody can sign in, and no page works."),
        _("Create it, or set DYNAMODB_TABLE to the name of your table."),
        CREATE_TABLE,
    )


def _of_settings(state: TableState) -> Iterator[Finding]:
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


def _of_difference(difference: Difference) -> Finding:
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
            BAD,
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


def _of_stream(state: TableState) -> Iterator[Finding]:
    if state.table.reply != Reply.OK:
        return
    late = _("New items of other services are missing in lists until somebody runs reindex.")
    if state.stream_view is None:
        yield Finding("stream_off", WARN, _("The table has no stream"), late, _("Switch on the stream."), CREATE_TABLE)
        return
    if state.stream_view != STREAM_VIEW:
        yield Finding(
            "stream_view",
            WARN,
            _("The stream delivers %(found)s, expected %(expected)s")
            % {"found": state.stream_view, "expected": STREAM_VIEW},
            late,
            _("If no other service reads the stream, switch it off and on again with both images."),
            CREATE_TABLE,
        )
    if not state.has_followed:
        yield Finding(
            "follower_never_ran", WARN, _("No follower has run"), late, _("Keep the follower running."), FOLLOW_STREAM
        )
        return
    follower = state.follower
    if follower is not None and (follower.lag_seconds or 0) > MAX_LAG:
        yield Finding(
            "follower_late",
            WARN,
            _("The follower is %(n)s s behind") % {"n": round(follower.lag_seconds or 0)},
            _("New items of other services appear in lists that much later."),
            _("Check that the follower runs, or start another one: they share the work."),
            FOLLOW_STREAM,
        )
    if follower is not None and follower.failed:
        yield Finding(
            "not_repaired",
            WARN,
            ngettext(
                "The follower could not repair %(n)s change",
                "The follower could not repair %(n)s changes",
                follower.failed,
            )
            % {"n": follower.failed},
            _("Lists miss these items, or show them in the wrong place."),
            _("Correct the items in the service that writes them."),
            examples=tuple(
                Example(str(each.get("pk", "")), str(each.get("sk", "")), str(each.get("reason", "")))
                for each in follower.failures[:MAX_EXAMPLES]
            ),
        )


def _of_items(state: TableState) -> Iterator[Finding]:
    report = state.report
    if report is None:
        yield Finding(
            "never_counted",
            INFO,
            _("The items have not been counted yet"),
            _("Unknown kinds and malformed items are not listed here."),
            _("Count them and correct their index keys. This reads the whole table."),
            REINDEX,
        )
        return
    for reason in Reason:
        problem = (report.problems or {}).get(reason.value)
        if isinstance(problem, dict) and problem.get("count"):
            yield _of_problem(reason, problem)
    if report.unknown_kinds:
        unknown = {name: each for name, each in report.unknown_kinds.items() if isinstance(each, dict)}
        count = sum(int(each.get("count", 0)) for each in unknown.values())
        yield Finding(
            "unknown_kinds",
            INFO,
            ngettext("%(n)s item of an unknown kind", "%(n)s items of unknown kinds", count) % {"n": count},
            _("They appear on no page and are never changed."),
            _("Nothing, if another service needs them."),
        )


def _of_problem(reason: Reason, problem: Mapping[str, Any]) -> Finding:
    count = int(problem["count"])
    title, effect, action, command, level = _problem_texts(reason, count)
    found = [each for each in problem.get("examples", ()) if isinstance(each, dict)]
    examples = tuple(Example(str(each["pk"]), str(each["sk"]), str(each.get("detail", ""))) for each in found)
    return Finding(reason.value, level, title % {"n": count}, effect, action, command, examples=examples)


def _problem_texts(reason: Reason, n: int) -> tuple[str, str, str, str, str]:
    """The title, the effect, the action, the command and the level."""
    fix = _("Correct the items in the service that writes them, then count again.")
    if reason == Reason.MALFORMED_KEY:
        title = ngettext("%(n)s item has a malformed key", "%(n)s items have a malformed key", n)
        return title, _("They appear on no page, although their partition is one of ours."), fix, REINDEX, WARN
    if reason == Reason.MISTYPED:
        title = ngettext("%(n)s item has an unexpected type", "%(n)s items have unexpected types", n)
        return title, _("These attributes are shown as empty. They stay in the table as they are."), fix, REINDEX, WARN
    if reason == Reason.INVALID_PART:
        title = ngettext("%(n)s item has an invalid index key", "%(n)s items have an invalid index key", n)
        return title, _("They are missing in the lists of these indexes."), fix, REINDEX, WARN
    if reason == Reason.NOT_COMPUTABLE:
        title = ngettext("%(n)s item has no index keys", "%(n)s items have no index keys", n)
        return title, _("They are found only by their own address: every list misses them."), fix, REINDEX, WARN
    if reason == Reason.NOT_WRITTEN:
        title = ngettext("%(n)s item could not be corrected", "%(n)s items could not be corrected", n)
        return title, _("Lists miss them, or show them in the wrong place."), fix, REINDEX, WARN
    if reason == Reason.UNKNOWN_FILE:
        title = ngettext("%(n)s file is not known here", "%(n)s files are not known here", n)
        upload = _("Upload them to the business, or import their items.")
        return title, _("Themes that use them show a placeholder."), upload, "", WARN
    follow = _("They are correct now. With the follower running, this happens within seconds.")
    if reason == Reason.MISSING_KEYS:
        title = ngettext("%(n)s item had no index keys", "%(n)s items had no index keys", n)
        return title, _("Lists missed them until the last reindex."), follow, FOLLOW_STREAM, INFO
    title = ngettext("%(n)s item had wrong index keys", "%(n)s items had wrong index keys", n)
    return title, _("Lists showed them in the wrong place until the last reindex."), follow, FOLLOW_STREAM, INFO


def _of_references(state: TableState) -> Iterator[Finding]:
    businesses, owners = state.unknown_businesses, state.unknown_owners
    if businesses:
        yield Finding(
            "unknown_businesses",
            WARN,
            ngettext("%(n)s business is not known here", "%(n)s businesses are not known here", businesses)
            % {"n": businesses},
            _("Items name it, but nobody can open them here."),
            _("Look at them and adopt those that are yours."),
            route="found",
        )
    if owners:
        yield Finding(
            "unknown_owners",
            WARN,
            ngettext("%(n)s owner is not known here", "%(n)s owners are not known here", owners) % {"n": owners},
            _("They cannot open their business: no account has this id."),
            _("Link them to a person."),
            route="found",
        )
