"""Checks of the stream and of its follower. No I/O."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform.table_health.findings import (
    CREATE_TABLE,
    FOLLOW_STREAM,
    WARN,
    ExampleItem,
    Finding,
    update_table,
)
from dashboard.platform.table_health.state import DescribeOutcome, TableState
from dashboard.table import schema

# A follower that is this many seconds behind is reported.
MAX_LAG = 60
# A Lambda function runs only when something changes: every sign-in changes the table.
MAX_SILENCE = timedelta(days=1)
MAX_EXAMPLES = 10
STREAM_VIEW = schema.STREAM["StreamViewType"]


def check_stream(state: TableState) -> Iterator[Finding]:
    if state.table.outcome != DescribeOutcome.OK:
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
            _(
                "If no other service reads the stream, switch it off with this command, "
                "then run manage.py create_table."
            ),
            update_table(state.name, "--stream-specification StreamEnabled=false"),
        )
    if not state.has_follower_run:
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
            _("Check that the follower runs, or start another one: they share the work.")
            if follower.batch_at is None
            else _("Check the state of its mapping to the stream, and its metric IteratorAge."),
            FOLLOW_STREAM if follower.batch_at is None else _list_mappings(state),
        )
    if follower is not None and follower.batch_at is not None and state.at - follower.batch_at > MAX_SILENCE:
        hours = int((state.at - follower.batch_at).total_seconds()) // 3600
        yield Finding(
            "function_silent",
            WARN,
            _("The Lambda function has processed nothing for %(n)s h") % {"n": hours},
            _("If anything has changed since then, new items of other services are missing in lists."),
            _("Check the state of its mapping to the stream, and its metric IteratorAge."),
            _list_mappings(state),
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
                ExampleItem(str(each.get("pk", "")), str(each.get("sk", "")), str(each.get("reason", "")))
                for each in follower.failures[:MAX_EXAMPLES]
            ),
        )


def _list_mappings(state: TableState) -> str:
    """The command that shows the state of a mapping and the result of its last batch."""
    return f"aws lambda list-event-source-mappings --event-source-arn {state.description.get('LatestStreamArn', '')}"
