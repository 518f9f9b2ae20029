"""Executes jobs: a lease, steps until the time is up, and progress that only the holder of the lease writes."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from datetime import timedelta
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, DomainError, NotFound, Unavailable
from dashboard.core.ids import new_id
from dashboard.platform.jobs import queries
from dashboard.platform.jobs.interruptions import listing
from dashboard.platform.jobs.items import Failure, InputPart, Job, JobState
from dashboard.platform.jobs.kinds import (
    KINDS,
    MAX_FAILURES,
    Step,
    build_failure,
    build_input_part,
    is_retrying,
    retry_failures,
)
from dashboard.table import keys, write
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction

logger = logging.getLogger("trastienda.operations")

# Seconds that one request works before it answers.
TIME_BOX = 1.5
# How long a job stays with a request that stopped answering: longer than any step.
LEASE = timedelta(seconds=30)


class LeaseLost(DomainError):
    """Another request has taken over, or the job is gone: the step of this one does not count."""


class StopRequested(DomainError):
    """The person pressed Stop during this step: it counts, and it is the last one."""


def advance(job: Job, seconds: float | None = None) -> Job:
    """Execute steps for some seconds, unless another request does so; returns the job as it is afterwards."""
    lease = new_id()
    leased = _acquire_lease(job, lease)
    if leased is None:
        return _reload(job)
    deadline = time.monotonic() + (TIME_BOX if seconds is None else seconds)
    try:
        while not _run_step(leased, lease, deadline):
            pass
    except LeaseLost:
        return _reload(job)
    except Unavailable:
        with suppress(DomainError):
            _release_lease(leased, lease)
        raise
    except Exception:
        logger.exception("a job broke", extra={"operation": job.id, "kind": job.kind})
        _release_lease(leased, lease, Job.state.set(JobState.FAILED), *listing(leased))
        return _reload(job)
    return leased


def _run_step(job: Job, lease: str, deadline: float) -> bool:
    """Execute one step and save its progress; returns whether this request ends here."""
    kind = KINDS[job.kind]
    step = retry_failures(kind, job) if is_retrying(job) else kind.step(job)
    last = step.cursor is None or step.wait
    release = last or time.monotonic() >= deadline
    try:
        _save(job, step, lease, release=release, must_run=True)
    except StopRequested:
        _save(job, step, lease, release=True, must_run=False)
        return True
    return release


# --- The lease -----------------------------------------------------------------------------------
def _acquire_lease(job: Job, lease: str) -> Job | None:
    """The job under our lease; None where another request has it, or where it is not running."""
    is_free = Job.lease_until.does_not_exist() | (Job.lease_until <= now())
    actions = [Job.lease_by.set(lease), Job.lease_until.set(now() + LEASE)]
    is_running = (Job.state == JobState.RUNNING) & (Job.ttl > int(now().timestamp()))
    raw = write.update(job.key, actions, (Job.by == job.by) & is_running & is_free)
    if raw is not None:
        return Job.of(raw)
    # If the reply of our first attempt was lost, the second attempt is refused because of the first.
    current = queries.find_job(job.id)
    return current if current is not None and current.lease_by == lease else None


def _release_lease(job: Job, lease: str, *more: Any) -> None:
    write.update(job.key, [Job.lease_by.remove(), Job.lease_until.remove(), *more], _has_lease(job, lease))


def _has_lease(job: Job, lease: str) -> Condition:
    return cast(Condition, (Job.by == job.by) & (Job.lease_by == lease))


def _reload(job: Job) -> Job:
    current = queries.find_job(job.id)
    if current is None:
        raise NotFound
    return current


# --- Progress ------------------------------------------------------------------------------------
def _save(job: Job, step: Step, lease: str, *, release: bool, must_run: bool) -> None:
    """Write the progress of a step and its failures in one transaction, if we still have the lease."""
    if len(step.failed) + len(step.resolved) + (step.part is not None) > MAX_FAILURES:
        raise RuntimeError(f"A step of {job.kind} has more than {MAX_FAILURES} failures: do fewer targets a step.")
    after = _progress_after(job, step)
    if step.cursor is None:
        after |= {"state": JobState.DONE, "finished_at": now()}
    elif step.wait:
        after |= {"state": JobState.WAITING}
    after |= {"lease_by": None, "lease_until": None} if release else {"lease_until": now() + LEASE}
    attributes = Job.get_attributes()
    actions = [attributes[n].remove() if value is None else attributes[n].set(value) for n, value in after.items()]
    condition = _has_lease(job, lease)
    if must_run:
        condition = condition & (Job.state == JobState.RUNNING)
    transaction = Transaction(job.command.part(f"progress {lease} {job.cursor}"))
    transaction.update(job.key, actions, condition, lambda current: _refusal(current, lease))
    for each in step.failed:
        failure = build_failure(job, each)
        fields = {"by": failure.by, "reason": failure.reason, "line": failure.line, "ttl": failure.ttl}
        known = Failure.get_attributes()
        puts = [known[name].set(value) for name, value in fields.items() if value is not None]
        transaction.update(failure.key, puts, None, Conflict)
    if step.part is not None:
        # In the same transaction: a request that lost the lease must not overwrite the lines of another one.
        part = build_input_part(job, *step.part)
        puts = [InputPart.by.set(part.by), InputPart.lines.set(part.lines), InputPart.ttl.set(part.ttl)]
        transaction.update(part.key, [*puts, InputPart.created_at.set(now())], None, Conflict)
    for target in step.resolved:
        is_own = Failure.pk.does_not_exist() | (Failure.by == job.by)
        transaction.remove(keys.FAILURE.key(operation=job.id, target=target), is_own)
    transaction.commit(None)
    for name, value in after.items():
        setattr(job, name, value)


def _progress_after(job: Job, step: Step) -> dict[str, Any]:
    after: dict[str, Any] = {"done": int(job.done) + step.done, "cursor": step.cursor}
    # A target that fails again in a retry is counted already.
    after["failed"] = int(job.failed) + (-len(step.resolved) if is_retrying(job) else len(step.failed))
    if step.result is not None:
        after["result"] = step.result
    if step.total is not None:
        after["total"] = step.total
    return after


def _refusal(current: Item | None, lease: str) -> DomainError:
    if isinstance(current, Job) and current.lease_by == lease and current.state == JobState.STOPPED:
        return StopRequested(_("Stopped."))
    return LeaseLost(_("Another request continues this job."))
