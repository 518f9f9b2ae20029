"""Beginning long work, and telling it to stop or go on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.core.ids import new_id
from dashboard.platform.jobs.items import Input, Job, State
from dashboard.platform.jobs.kinds import KINDS, RETRYING
from dashboard.platform.jobs.queries import LINES_A_PART
from dashboard.table import keys, write
from dashboard.table.commands import RECORD_LIFE, Command
from dashboard.table.read import gather_all
from dashboard.table.transactions import Transaction, idempotent

# The records that keep a target from being done twice are made later than the work, and so outlive it.
LIFE = RECORD_LIFE - timedelta(hours=1)
AT_ONCE = 10


@idempotent
def start(
    kind: str,
    title: str,
    *,
    command: Command,
    inputs: Sequence[dict[str, Any]] = (),
    total: int | None = None,
    first: Any = 0,
    business: str | None = None,
    about: dict[str, Any] | None = None,
    waiting: bool = False,
) -> Job:
    """Put work down. The same form sent twice is the same work, with the inputs of the first.

    `first` is where to begin: a line, or whatever its kind means by a cursor. `waiting` leaves the beginning to its
    person.
    """
    work = Job.at(operation=new_id())
    work.kind, work.title, work.business_id = KINDS[kind].name, title, business
    work.by, work.by_name = command.by.email, command.by.name or None
    work.state = State.WAITING if waiting else State.RUNNING
    work.started_at, work.cut_off = now(), None if waiting else now()
    work.ttl = int((now() + LIFE).timestamp())
    work.total, work.done, work.failed = len(inputs) if total is None else total, 0, 0
    work.cursor, work.about = first, about
    _put_down(work, inputs)
    transaction = Transaction(command)
    transaction.create(work)
    return transaction.commit(work)


def _put_down(work: Job, inputs: Sequence[dict[str, Any]]) -> None:
    """The lines first: work that is there has them all. Lines without work go with their time."""
    parts = [list(inputs[at : at + LINES_A_PART]) for at in range(0, len(inputs), LINES_A_PART)]
    writes = [partial(_put_part, work, number, lines) for number, lines in enumerate(parts)]
    for at in range(0, len(writes), AT_ONCE):
        gather_all(writes[at : at + AT_ONCE])


def _put_part(work: Job, number: int, lines: list[dict[str, Any]]) -> None:
    actions = [Input.lines.set(lines), Input.by.set(work.by), Input.ttl.set(work.ttl), Input.created_at.set(now())]
    write.touch(keys.OPERATION_INPUT.key(operation=work.id, part=number), actions)


def begin(work: Job) -> None:
    """Let what was waiting run; fine if it does already. What has counted before keeps the moment it began with."""
    _move(work, State.RUNNING, Job.state == State.WAITING, Job.cut_off.set(Job.cut_off | now()))


def stop(work: Job) -> None:
    """No further steps; what is done stays, and it can be continued. Fine if it has ended meanwhile."""
    _move(work, State.STOPPED, Job.state == State.RUNNING)


def resume(work: Job) -> None:
    """Go on where it was."""
    _move(work, State.RUNNING, (Job.state == State.STOPPED) | (Job.state == State.FAILED))


def try_failed_again(work: Job) -> None:
    """Go over the failures once more, from the first."""
    if KINDS[work.kind].again is None:
        raise Refused(_("This cannot be tried again."))
    again = [Job.cursor.set({RETRYING: ""}), Job.finished_at.remove()]
    _move(work, State.RUNNING, (Job.state == State.DONE) & (Job.failed > 0), *again)


def _move(work: Job, state: State, condition: Condition, *more: Any) -> None:
    write.touch(work.key, [Job.state.set(state), *more], (Job.by == work.by) & condition)
