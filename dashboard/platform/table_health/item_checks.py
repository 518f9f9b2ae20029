"""Checks of the items, as the last reindex counted them. No I/O."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform.table_health.findings import FOLLOW_STREAM, IMPORT, INFO, REINDEX, WARN, ExampleItem, Finding
from dashboard.platform.table_health.items import ReportedItems
from dashboard.platform.table_health.problems import ProblemReason
from dashboard.platform.table_health.state import TableState
from dashboard.table.read import COUNT_LIMIT


def check_items(state: TableState) -> Iterator[Finding]:
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
    for reason in ProblemReason:
        found = report.items_with(reason)
        if found.count:
            yield _of_problem(reason, found)
    count = sum(each.count for each in report.unknown.values())
    if count:
        yield Finding(
            "unknown_kinds",
            INFO,
            ngettext("%(n)s item of an unknown kind", "%(n)s items of unknown kinds", count) % {"n": count},
            _("They appear on no page and are never changed."),
            _("Nothing, if another service needs them."),
        )


def _of_problem(reason: ProblemReason, found: ReportedItems) -> Finding:
    title, effect, action, command, level = _problem_texts(reason, found.count)
    examples = tuple(ExampleItem(*each.key, each.detail) for each in found.examples)
    return Finding(reason.value, level, title % {"n": found.count}, effect, action, command, examples=examples)


def _problem_texts(reason: ProblemReason, n: int) -> tuple[str, str, str, str, str]:
    """The title, the effect, the action, the command and the level."""
    fix = _("Correct the items in the service that writes them, then count again.")
    if reason == ProblemReason.MALFORMED_KEY:
        title = ngettext("%(n)s item has a malformed key", "%(n)s items have a malformed key", n)
        return title, _("They appear on no page, although their partition is one of ours."), fix, REINDEX, WARN
    if reason == ProblemReason.MISTYPED:
        title = ngettext("%(n)s item has an unexpected type", "%(n)s items have unexpected types", n)
        return title, _("These attributes are shown as empty. They stay in the table as they are."), fix, REINDEX, WARN
    if reason == ProblemReason.INVALID_PART:
        title = ngettext("%(n)s item has an invalid index key", "%(n)s items have an invalid index key", n)
        return title, _("They are missing in the lists of these indexes."), fix, REINDEX, WARN
    if reason == ProblemReason.NOT_COMPUTABLE:
        title = ngettext("%(n)s item has no index keys", "%(n)s items have no index keys", n)
        return title, _("They are found only by their own address: every list misses them."), fix, REINDEX, WARN
    if reason == ProblemReason.NOT_WRITTEN:
        title = ngettext("%(n)s item could not be corrected", "%(n)s items could not be corrected", n)
        return title, _("Lists miss them, or show them in the wrong place."), fix, REINDEX, WARN
    if reason == ProblemReason.UNKNOWN_FILE:
        title = ngettext("%(n)s file is not known here", "%(n)s files are not known here", n)
        upload = _("Upload them to the business, or import their items.")
        return title, _("Themes that use them show a placeholder."), upload, IMPORT, WARN
    follow = _("They are correct now. With the follower running, this happens within seconds.")
    if reason == ProblemReason.MISSING_KEYS:
        title = ngettext("%(n)s item had no index keys", "%(n)s items had no index keys", n)
        return title, _("Lists missed them until the last reindex."), follow, FOLLOW_STREAM, INFO
    title = ngettext("%(n)s item had wrong index keys", "%(n)s items had wrong index keys", n)
    return title, _("Lists showed them in the wrong place until the last reindex."), follow, FOLLOW_STREAM, INFO


def check_references(state: TableState) -> Iterator[Finding]:
    businesses, owners = state.unknown_businesses, state.unknown_owners
    if businesses:
        yield Finding(
            "unknown_businesses",
            WARN,
            ngettext("%(n)s business is not known here", "%(n)s businesses are not known here", businesses)
            % {"n": f"{businesses}+" if businesses >= COUNT_LIMIT else businesses},
            ngettext(
                "Items name it, but nobody can open them here.",
                "Items name them, but nobody can open them here.",
                businesses,
            ),
            _("Look at them and adopt those that are yours."),
            route="unknown_businesses",
        )
    if owners:
        yield Finding(
            "unknown_owners",
            WARN,
            ngettext("%(n)s owner is not known here", "%(n)s owners are not known here", owners)
            % {"n": f"{owners}+" if state.has_more_owners else owners},
            _("They cannot open their business: no account has this id."),
            _("Link them to a person."),
            route="unknown_businesses",
            query="?show=owners",
        )
