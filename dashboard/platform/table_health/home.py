"""The table on the home page of admins: what to do about its settings, the follower and `run_due`."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import HomeLine, HomePlace, HomeSource, Reads, Results, Urgency, register_home
from dashboard.platform.table_health.checks import find_all
from dashboard.platform.table_health.findings import BAD
from dashboard.platform.table_health.permissions import Permission
from dashboard.platform.table_health.queries import build_state, state_reads

_PREFIX = "table."
# The processes that must run all the time: each has a line of its own.
PROCESSES = frozenset(
    {
        "due_late",
        "follower_never_ran",
        "follower_late",
        "not_repaired",
        "archive_never_ran",
        "archive_late",
        "not_archived",
    }
)
# The findings that the common line names.
MAX_NAMED = 3


def table_reads(request: Request) -> Reads:
    return {f"{_PREFIX}{name}": read for name, read in state_reads().items()}


def table_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    state = build_state({name: results[f"{_PREFIX}{name}"] for name in state_reads()})
    findings = [finding for finding in find_all(state) if finding.is_to_do]
    for finding in findings:
        if finding.code in PROCESSES:
            yield HomeLine(Urgency.BROKEN, "activity", finding.title, reverse("table"), detail=finding.effect)
    others = [finding for finding in findings if finding.code not in PROCESSES]
    if others:
        text = ngettext("%(count)s thing to do for the table", "%(count)s things to do for the table", len(others))
        urgency = Urgency.BROKEN if others[0].level == BAD else Urgency.LATER
        detail = " · ".join(finding.title for finding in others[:MAX_NAMED])
        yield HomeLine(urgency, "database", text % {"count": len(others)}, reverse("table"), detail=detail)


register_home(
    HomePlace.PLATFORM,
    HomeSource(
        name="table",
        permission=Permission.TABLE,
        checked=gettext_lazy("the table, its stream and due tasks"),
        reads=table_reads,
        build_lines=table_lines,
    ),
)
