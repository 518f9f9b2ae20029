"""Jobs, the lines they process and the targets that failed."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import ClassVar

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import JSONAttribute, NumberAttribute, UnicodeAttribute

from dashboard.core.clock import now
from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.commands import Actor, Command
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class JobState(StrEnum):
    # Starts when its person confirms it.
    WAITING = "waiting"
    RUNNING = "running"
    STOPPED = "stopped"
    # Interrupted by an unexpected error; it can be continued.
    FAILED = "failed"
    DONE = "done"


LABELS = {
    JobState.WAITING: _("Needs confirmation"),
    JobState.RUNNING: _("In progress"),
    JobState.STOPPED: _("Stopped"),
    JobState.FAILED: _("Interrupted"),
    JobState.DONE: _("Finished"),
}


# The key of the cursor of a job that still counts its targets.
COUNTING = "counting"


class Job(Item):
    """One job of one person. Only the request that has the lease executes it."""

    key_pattern = keys.OPERATION
    needs_key_parts = True
    editable = False

    kind = UnicodeAttribute()
    title = UnicodeAttribute()
    by = UnicodeAttribute()
    by_name = UnicodeAttribute(null=True, attr_name="byName")
    business_id = UnicodeAttribute(null=True, attr_name="tenantId")
    state = UnicodeAttribute()
    # Where the next step starts, as JSON that its kind defines.
    cursor = JSONAttribute(null=True)
    # When it started: items that are created later are not included.
    cut_off = TimestampAttribute(null=True, attr_name="cutOff")
    total = NumberAttribute(null=True)
    done = NumberAttribute(default=0)
    failed = NumberAttribute(default=0)
    lease_by = UnicodeAttribute(null=True, attr_name="leaseBy")
    lease_until = TimestampAttribute(null=True, attr_name="leaseUntil")
    started_at = TimestampAttribute(attr_name="startedAt")
    finished_at = TimestampAttribute(null=True, attr_name="finishedAt")
    # When and by whom it was taken off the list of everybody's interrupted jobs.
    dismissed_at = TimestampAttribute(null=True, attr_name="dismissedAt")
    dismissed_by = UnicodeAttribute(null=True, attr_name="dismissedBy")
    # Data of its kind, and the result.
    about = PlainMapAttribute(null=True)
    result = PlainMapAttribute(null=True)

    # The attributes that lists show.
    IN_LISTS: ClassVar[tuple[str, ...]] = ("kind", "title", "by", "state", "cursor", "total", "done", "failed")
    IN_LISTS += ("startedAt", "finishedAt", "leaseUntil", "tenantId", "byName")

    def index_keys(self) -> Iterator[IndexKey]:
        yield keys.OPERATIONS_OF.key(email=self.by, started_at=self.started_at)
        if self.state == JobState.FAILED and not self.dismissed_at:
            yield self.failed_key

    @property
    def failed_key(self) -> IndexKey:
        """Its key in the list of everybody's interrupted jobs."""
        return keys.FAILED_OPERATIONS.key(started_at=self.started_at)

    @property
    def id(self) -> str:
        return str((self.key_pattern.read(*self.key) or {})["operation"])

    def url(self, route: str = "operation") -> str:
        """The address of one of its pages. A job of a business has them inside that business."""
        return reverse(f"business_{route}" if self.business_id else route, args=self.url_args)

    @property
    def url_args(self) -> list[str]:
        return [self.business_id, self.id] if self.business_id else [self.id]

    @property
    def command(self) -> Command:
        """The command of the whole job: `job.command.part(target)` is executed once."""
        return Command(self.id, Actor(self.by, self.by_name or ""))

    @property
    def label(self) -> str | Promise:
        return LABELS.get(JobState(self.state), self.state) if self.state in set(JobState) else self.state

    @property
    def handled(self) -> int:
        return int(self.done) + int(self.failed)

    @property
    def percent(self) -> int:
        return min(100, 100 * self.handled // int(self.total)) if self.total else 0

    @property
    def excluded(self) -> int:
        """The number of lines that it leaves out, where its kind excludes any. They are its first lines."""
        return int((self.about or {}).get("leftOut", 0))

    @property
    def is_counting(self) -> bool:
        """Whether it still counts its targets; `total` is the number so far."""
        return isinstance(self.cursor, dict) and COUNTING in self.cursor

    @property
    def is_leased(self) -> bool:
        return self.lease_until is not None and self.lease_until > now()


class Failure(Item):
    """One target that failed, and the reason."""

    key_pattern = keys.FAILURE
    editable = False

    by = UnicodeAttribute()
    reason = UnicodeAttribute()
    # The line to retry it with.
    line = PlainMapAttribute(null=True)

    @property
    def target(self) -> str:
        return str((self.key_pattern.read(*self.key) or {})["target"])


class InputPart(Item):
    """Some lines of the input of a job."""

    key_pattern = keys.OPERATION_INPUT
    editable = False

    by = UnicodeAttribute()
    lines = JSONAttribute()
