"""How long work gets on: a lease, steps until the time is up, and progress that only the lease's holder writes."""

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
from dashboard.platform.jobs.items import Failure, Input, Job, State
from dashboard.platform.jobs.kinds import KINDS, MAX_FAILURES, Kind, Step, failure, input_of, is_retrying, try_again
from dashboard.table import keys, write
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction

logger = logging.getLogger("trastienda.operations")

# So long a request works before it answers and asks for the next one.
TIME_BOX = 1.5
# So long nobody else steps in for a request that fell silent: more than a step can take.
LEASE = timedelta(seconds=30)


class LeaseLost(DomainError):
    """Another request has taken over, or the work is gone: this one's step does not count."""


class StopRequested(DomainError):
    """Someone pressed Stop during this step: it counts, and is the last."""


def advance(work: Job, seconds: float | None = None) -> Job:
    """Work on it for a while, if nobody else does; gives it as it is then."""
    lease = new_id()
    held = _take(work, lease)
    if held is None:
        return _as_it_is(work)
    ends = time.monotonic() + (TIME_BOX if seconds is None else seconds)
    try:
        while not _one_step(held, lease, ends):
            pass
    except LeaseLost:
        return _as_it_is(work)
    except Unavailable:
        with suppress(DomainError):
            _let_go(held, lease)
        raise
    except Exception:
        logger.exception("long work broke", extra={"operation": work.id, "kind": work.kind})
        _let_go(held, lease, Job.state.set(State.FAILED))
        return _as_it_is(work)
    return held


def _one_step(held: Job, lease: str, ends: float) -> bool:
    """One step and its progress; true when this request has done enough."""
    kind = KINDS[held.kind]
    step = _step(kind, held)
    last = step.cursor is None or step.wait
    free = last or time.monotonic() >= ends
    try:
        _save(held, step, lease, free=free, running=True)
    except StopRequested:
        _save(held, step, lease, free=True, running=False)
        return True
    return free


def _step(kind: Kind, held: Job) -> Step:
    return try_again(kind, held) if is_retrying(held) else kind.step(held)


# --- The lease -----------------------------------------------------------------------------------
def _take(work: Job, lease: str) -> Job | None:
    """The work, ours alone for a while; none where someone else has it, or it does not run."""
    nobodys = Job.lease_until.does_not_exist() | (Job.lease_until <= now())
    actions = [Job.lease_by.set(lease), Job.lease_until.set(now() + LEASE)]
    alive = (Job.state == State.RUNNING) & (Job.ttl > int(now().timestamp()))
    raw = write.touch(work.key, actions, (Job.by == work.by) & alive & nobodys)
    if raw is not None:
        return Job.of(raw)
    # Our own success may be what we were refused for: its reply was lost, and the second try met the first.
    found = queries.find_job(work.id)
    return found if found is not None and found.lease_by == lease else None


def _let_go(held: Job, lease: str, *more: Any) -> None:
    write.touch(held.key, [Job.lease_by.remove(), Job.lease_until.remove(), *more], _ours(held, lease))


def _ours(held: Job, lease: str) -> Condition:
    """This person's work, and this request's turn at it."""
    return cast(Condition, (Job.by == held.by) & (Job.lease_by == lease))


def _as_it_is(work: Job) -> Job:
    found = queries.find_job(work.id)
    if found is None:
        raise NotFound
    return found


# --- Progress ------------------------------------------------------------------------------------
def _save(held: Job, step: Step, lease: str, *, free: bool, running: bool) -> None:
    """The step's progress and its failures in one write, if the lease still is ours."""
    if len(step.failed) + len(step.mended) + (step.part is not None) > MAX_FAILURES:
        raise RuntimeError(f"A step of {held.kind} has more than {MAX_FAILURES} failures: do fewer targets a step.")
    after = _counted(held, step)
    if step.cursor is None:
        after |= {"state": State.DONE, "finished_at": now()}
    elif step.wait:
        after |= {"state": State.WAITING}
    after |= {"lease_by": None, "lease_until": None} if free else {"lease_until": now() + LEASE}
    attributes = Job.get_attributes()
    actions = [attributes[n].remove() if value is None else attributes[n].set(value) for n, value in after.items()]
    ours = _ours(held, lease)
    condition = ours & (Job.state == State.RUNNING) if running else ours
    transaction = Transaction(held.command.part(f"progress {lease} {held.cursor}"))
    transaction.update(held.key, actions, condition, lambda now_is: _refused(now_is, lease))
    for each in step.failed:
        made = failure(held, each)
        fields = {"by": made.by, "reason": made.reason, "line": made.line, "ttl": made.ttl}
        known = type(made).get_attributes()
        puts = [known[name].set(value) for name, value in fields.items() if value is not None]
        transaction.update(made.key, puts, None, Conflict)
    if step.part is not None:
        # With the progress, not before it: whoever lost the lease puts nothing down over another's lines.
        put = input_of(held, *step.part)
        puts = [Input.by.set(put.by), Input.lines.set(put.lines), Input.ttl.set(put.ttl), Input.created_at.set(now())]
        transaction.update(put.key, puts, None, Conflict)
    for target in step.mended:
        own = Failure.pk.does_not_exist() | (Failure.by == held.by)
        transaction.remove(keys.FAILURE.key(operation=held.id, target=target), own)
    transaction.commit(None)
    for name, value in after.items():
        setattr(held, name, value)


def _counted(held: Job, step: Step) -> dict[str, Any]:
    after: dict[str, Any] = {"done": int(held.done) + step.done, "cursor": step.cursor}
    # In a second try whoever fails again is counted already.
    after["failed"] = int(held.failed) + (-len(step.mended) if is_retrying(held) else len(step.failed))
    if step.result is not None:
        after["result"] = step.result
    if step.total is not None:
        after["total"] = step.total
    return after


def _refused(now_is: Item | None, lease: str) -> DomainError:
    if isinstance(now_is, Job) and now_is.lease_by == lease and now_is.state == State.STOPPED:
        return StopRequested(_("Stopped."))
    return LeaseLost(_("Someone else goes on with this."))
