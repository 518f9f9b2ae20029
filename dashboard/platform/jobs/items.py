"""Long work in the table: how far it is, what it works on, and what failed."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import ClassVar

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


class State(StrEnum):
    # Prepared, and begun only when its person says so.
    WAITING = "waiting"
    RUNNING = "running"
    STOPPED = "stopped"
    # Something broke on our side; it can be continued.
    FAILED = "failed"
    DONE = "done"


LABELS = {
    State.WAITING: _("Waiting for you"),
    State.RUNNING: _("In progress"),
    State.STOPPED: _("Stopped"),
    State.FAILED: _("Interrupted"),
    State.DONE: _("Finished"),
}


# The key of a cursor that finds out what there is to do: nothing is done yet.
COUNTING = "counting"


class Job(Item):
    """One long piece of work of one person. Whoever holds the lease works on it, nobody else."""

    pattern = keys.OPERATION
    editable = False

    kind = UnicodeAttribute()
    title = UnicodeAttribute()
    by = UnicodeAttribute()
    by_name = UnicodeAttribute(null=True, attr_name="byName")
    business_id = UnicodeAttribute(null=True, attr_name="tenantId")
    state = UnicodeAttribute()
    # Where the next step begins: its kind knows what that means. What stands there is JSON.
    cursor = JSONAttribute(null=True)
    # When it began: what comes into being later is none of its business.
    cut_off = TimestampAttribute(null=True, attr_name="cutOff")
    total = NumberAttribute(null=True)
    done = NumberAttribute(default=0)
    failed = NumberAttribute(default=0)
    lease_by = UnicodeAttribute(null=True, attr_name="leaseBy")
    lease_until = TimestampAttribute(null=True, attr_name="leaseUntil")
    started_at = TimestampAttribute(attr_name="startedAt")
    finished_at = TimestampAttribute(null=True, attr_name="finishedAt")
    # What its kind has to remember, and what came of it.
    about = PlainMapAttribute(null=True)
    result = PlainMapAttribute(null=True)

    # What lists show.
    CARD: ClassVar[tuple[str, ...]] = ("kind", "title", "by", "state", "cursor", "total", "done", "failed")
    CARD += ("startedAt", "finishedAt", "leaseUntil")

    def index_keys(self) -> Iterator[IndexKey]:
        yield keys.OPERATIONS_OF.key(email=self.by, started_at=self.started_at)

    @property
    def id(self) -> str:
        return str((self.pattern.read(*self.key) or {})["operation"])

    @property
    def command(self) -> Command:
        """The intention all its parts belong to: `work.command.part(target)` is done once."""
        return Command(self.id, Actor(self.by, self.by_name or ""))

    @property
    def label(self) -> str | Promise:
        return LABELS.get(State(self.state), self.state) if self.state in set(State) else self.state

    @property
    def handled(self) -> int:
        return int(self.done) + int(self.failed)

    @property
    def percent(self) -> int:
        return min(100, 100 * self.handled // int(self.total)) if self.total else 0

    @property
    def is_counting(self) -> bool:
        """Whether it still finds out what there is to do; `total` is what it has found so far."""
        return isinstance(self.cursor, dict) and COUNTING in self.cursor

    @property
    def is_leased(self) -> bool:
        return self.lease_until is not None and self.lease_until > now()


class Failure(Item):
    """One target that did not work, and why."""

    pattern = keys.FAILURE
    editable = False

    by = UnicodeAttribute()
    reason = UnicodeAttribute()
    # What its kind needs to try it again.
    line = PlainMapAttribute(null=True)

    @property
    def target(self) -> str:
        return str((self.pattern.read(*self.key) or {})["target"])


class Input(Item):
    """A part of what was given to work on."""

    pattern = keys.OPERATION_INPUT
    editable = False

    by = UnicodeAttribute()
    lines = JSONAttribute()
