"""The registry of kinds of job, and the steps of a job.

@line_job_kind("people.import", permission=Permission.PEOPLE_MANAGE, target=lambda line: line["email"])
def invite(line, command): ...          # one line; a DomainError is the failure of that line

@job_kind("forum.replay", permission=Permission.FORUM)
def replay(job): ...                    # one step with at most MAX_FAILURES failures; returns a Step

A step that only counts the targets stores them (`part`). After the last of them the job waits for confirmation.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import DomainError, Unavailable
from dashboard.platform.accounts.permissions import BasePermission
from dashboard.platform.jobs import queries
from dashboard.platform.jobs.items import COUNTING, Failure, InputPart, Job
from dashboard.table.commands import Command
from dashboard.table.read import gather_all

logger = logging.getLogger("trastienda.operations")

# A step's failures are written with its progress. A transaction has ten items: the record, the progress and these.
MAX_FAILURES = 8
# Targets that are processed in parallel.
AT_ONCE = MAX_FAILURES
# The key of a cursor that retries failures. Its value is the last target that was retried.
RETRYING = "failuresAfter"
UNEXPECTED_ERROR = _("Something went wrong on our side.")

JobLine = dict[str, Any]
LineAction = Callable[[JobLine, Command], object]


@dataclass(frozen=True)
class FailedTarget:
    """A target that failed: its name, the reason, and the line to retry it with."""

    target: str
    reason: str
    line: JobLine = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """The result of one step. Without a cursor the job is finished."""

    cursor: Any = None
    done: int = 0
    failed: tuple[FailedTarget, ...] = ()
    # Targets that failed before and succeeded now.
    resolved: tuple[str, ...] = ()
    # Replaces the result of the job so far.
    result: dict[str, Any] | None = None
    # The number of targets, where only this step knows it.
    total: int | None = None
    # The number of a part and its lines, to store with the progress. A later phase processes them.
    part: tuple[int, list[JobLine]] | None = None
    # The phase ends here. The next one starts at the cursor, after the person has confirmed it.
    wait: bool = False


@dataclass(frozen=True)
class JobKind:
    name: str
    permission: BasePermission
    step: Callable[[Job], Step]
    # Retries one failed target. Without it, failures are final.
    retry: LineAction | None = None
    # The template that shows the result, given `job`.
    result_template: str = ""
    # The URL name of the page on which the person confirms a waiting job.
    confirm_page: str = ""
    # The template that names a failed target, given `failure`. Without it, the target's name is shown.
    target_template: str = ""
    # Permissions that the person needs besides.
    further_permissions: tuple[BasePermission, ...] = ()

    @property
    def permissions(self) -> tuple[BasePermission, ...]:
        """All permissions that the person needs."""
        return self.permission, *self.further_permissions


KINDS: dict[str, JobKind] = {}


def job_kind(
    name: str,
    *,
    permission: BasePermission,
    retry: LineAction | None = None,
    result_template: str = "",
    confirm_page: str = "",
    target_template: str = "",
    further_permissions: tuple[BasePermission, ...] = (),
) -> Callable[[Callable[[Job], Step]], Callable[[Job], Step]]:
    """Register a kind of job by its step: a bounded piece of work that starts at `job.cursor`."""

    def register(step: Callable[[Job], Step]) -> Callable[[Job], Step]:
        KINDS[name] = JobKind(
            name, permission, step, retry, result_template, confirm_page, target_template, further_permissions
        )
        return step

    return register


def line_job_kind(
    name: str,
    *,
    permission: BasePermission,
    target: Callable[[JobLine], str],
    result_template: str = "",
    confirm_page: str = "",
    target_template: str = "",
) -> Callable[[LineAction], LineAction]:
    """Register a kind that does the same with each line of its input. `target` names a line, uniquely in the job."""

    def register(action: LineAction) -> LineAction:
        step = partial(_process_lines, action, target)
        KINDS[name] = JobKind(name, permission, step, action, result_template, confirm_page, target_template)
        return action

    return register


def _process_lines(action: LineAction, target: Callable[[JobLine], str], job: Job) -> Step:
    at = int(job.cursor or 0)
    lines, more = queries.lines_from(job, at, AT_ONCE)
    failed = attempt(job, action, [(target(line), line) for line in lines])
    more = more and bool(lines)
    return Step(at + len(lines) if more else None, len(lines) - len(failed), tuple(failed))


def is_retrying(job: Job) -> bool:
    return isinstance(job.cursor, dict) and RETRYING in job.cursor


def retry_failures(kind: JobKind, job: Job) -> Step:
    """A step over the failures that follow the cursor's target."""
    assert kind.retry is not None
    after = str(job.cursor[RETRYING])
    page = queries.failures_after(job.id, after, AT_ONCE)
    failed = attempt(job, kind.retry, [(failure.target, failure.line or {}) for failure in page.items])
    failed_again = {each.target for each in failed}
    resolved = tuple(failure.target for failure in page.items if failure.target not in failed_again)
    cursor = {RETRYING: page.items[-1].target} if page.next_start_key else None
    return Step(cursor, len(resolved), tuple(failed), resolved)


def attempt(job: Job, action: LineAction, targets: list[tuple[str, JobLine]]) -> list[FailedTarget]:
    """Run the action for these targets in parallel; returns those that failed."""

    def attempt_one(name: str, line: JobLine) -> FailedTarget | None:
        try:
            action(line, job.command.part(name))
        except Unavailable:
            raise  # The whole step is repeated.
        except DomainError as refusal:
            return FailedTarget(name, str(refusal.text), line)
        except Exception:
            # An unexpected error in one target must not stop the others.
            logger.exception("a target broke", extra={"operation": job.id, "kind": job.kind})
            return FailedTarget(name, str(UNEXPECTED_ERROR), line)
        return None

    results = gather_all([partial(attempt_one, *target) for target in targets])
    return [result for result in results if result is not None]


def counting_cursor(cursor: Any) -> dict[str, Any]:
    """The cursor of a step that counts the targets and changes nothing."""
    return {COUNTING: cursor}


def build_input_part(job: Job, number: int, lines: list[JobLine]) -> InputPart:
    part = InputPart.new(operation=job.id, part=number)
    part.by, part.lines, part.ttl = job.by, lines, job.ttl
    return part


def build_failure(job: Job, failed: FailedTarget) -> Failure:
    failure = Failure.new(operation=job.id, target=failed.target)
    failure.by, failure.reason, failure.line, failure.ttl = job.by, failed.reason, failed.line or None, job.ttl
    return failure
