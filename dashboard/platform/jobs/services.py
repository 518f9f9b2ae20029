"""Starting, stopping and continuing jobs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.jobs.interruptions import unlisting
from dashboard.platform.jobs.items import InputPart, Job, JobState
from dashboard.platform.jobs.kinds import KINDS, RETRYING
from dashboard.platform.jobs.parts import first_line, parts_of
from dashboard.platform.jobs.queries import LINES_A_PART
from dashboard.table import keys, write
from dashboard.table.commands import RECORD_LIFE, Command, new_command_id
from dashboard.table.read import gather_all
from dashboard.table.transactions import Transaction, idempotent

# The records that keep a target from being processed twice are created after the job, and so they outlive it.
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
    """Create a job. The same form sent twice gives the same job, with the inputs of the first.

    `first` is the first cursor: the number of a line, or what the kind defines. A `waiting` job starts when its person
    confirms it.
    """
    job = Job.new(operation=new_command_id())
    job.kind, job.title, job.business_id = KINDS[kind].name, title, business
    job.by, job.by_name = command.by.email, command.by.name or None
    job.state = JobState.WAITING if waiting else JobState.RUNNING
    job.started_at, job.cut_off = now(), None if waiting else now()
    job.ttl = int((now() + LIFE).timestamp())
    job.total, job.done, job.failed = len(inputs) if total is None else total, 0, 0
    job.cursor, job.about = first, about
    _store_inputs(job, inputs)
    transaction = Transaction(command)
    transaction.create(job)
    return transaction.commit(job)


def _store_inputs(job: Job, inputs: Sequence[dict[str, Any]]) -> None:
    """Write the lines before the job, so that a job has all of its lines. Lines without a job expire."""
    parts = [list(inputs[at : at + LINES_A_PART]) for at in range(0, len(inputs), LINES_A_PART)]
    writes = [partial(_store_part, job, number, lines) for number, lines in enumerate(parts)]
    for at in range(0, len(writes), AT_ONCE):
        gather_all(writes[at : at + AT_ONCE])


def _store_part(job: Job, number: int, lines: list[dict[str, Any]]) -> None:
    actions = [InputPart.lines.set(lines), InputPart.by.set(job.by), InputPart.ttl.set(job.ttl)]
    key = keys.OPERATION_INPUT.key(operation=job.id, part=number)
    write.update(key, [*actions, InputPart.created_at.set(now())])


def confirm(job: Job) -> None:
    """Start a waiting job; no effect if it runs already. A job that has counted its targets keeps its `cut_off`."""
    _set_state(job, JobState.RUNNING, Job.state == JobState.WAITING, Job.cut_off.set(Job.cut_off | now()))


def stop(job: Job) -> None:
    """Execute no further steps; the job can be continued. No effect if it has finished meanwhile."""
    _set_state(job, JobState.STOPPED, Job.state == JobState.RUNNING)


def resume(job: Job) -> None:
    """Continue a stopped or interrupted job."""
    is_paused = (Job.state == JobState.STOPPED) | (Job.state == JobState.FAILED)
    _set_state(job, JobState.RUNNING, is_paused, Job.dismissed_at.remove(), Job.dismissed_by.remove(), *unlisting())


def start_undo(kind: str, job: Job, *, command: Command) -> Job:
    """Undo everything that the job has done so far, as another job. A running job is stopped first."""
    if job.is_counting or job.state == JobState.WAITING:
        raise Refused(_("Nothing to undo yet."))
    stop(job)
    back = (job.about or {}).get("back")
    return start(
        kind,
        str(_("Undo: %(title)s")) % {"title": job.title},
        command=command,
        total=int(job.done),
        first=first_line(parts_of(job)),
        business=job.business_id,
        about={"of": job.id} | ({"back": back} if back else {}),
    )


def retry_failed(job: Job) -> None:
    """Process the failed targets again, from the first."""
    if KINDS[job.kind].retry is None:
        raise Refused(_("This cannot be retried."))
    actions = [Job.cursor.set({RETRYING: ""}), Job.finished_at.remove()]
    _set_state(job, JobState.RUNNING, (Job.state == JobState.DONE) & (Job.failed > 0), *actions)


def _set_state(job: Job, state: JobState, condition: Condition, *more: Any) -> None:
    write.update(job.key, [Job.state.set(state), *more], (Job.by == job.by) & condition)
