"""Stored results of questions, and the due task that calculates the usual ones."""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import UnicodeAttribute

from dashboard.table import keys
from dashboard.table.attributes import LenientBooleanAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class StoredResult(Item):
    """The rows of an answer about closed days, and the generations of the archive's days that they are from."""

    key_pattern = keys.ACTIVITY_RESULT
    editable = False

    # A list of rows, as JSON.
    rows = UnicodeAttribute(null=True)
    is_truncated = LenientBooleanAttribute(null=True, attr_name="isTruncated")
    generations = UnicodeAttribute(null=True)
    calculated_at = TimestampAttribute(null=True, attr_name="calculatedAt")


class ResultsTask(Item):
    """The due task that calculates the usual reports of each day after it is sealed."""

    key_pattern = keys.ACTIVITY_RESULTS_TASK
    editable = False

    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    # The generations of the archive from which each day's results are, by day.
    done = PlainMapAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at:
            yield keys.DUE.key(due_at=self.due_at)
