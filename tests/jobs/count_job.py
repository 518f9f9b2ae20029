"""A kind of job for tests: each line writes one audit entry, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from dashboard.core.errors import Refused
from dashboard.core.ids import new_id
from dashboard.platform.audit.queries import history
from dashboard.platform.audit.services import record
from dashboard.platform.jobs import runner, services
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import line_job_kind
from dashboard.platform.jobs.permissions import Permission
from dashboard.table import tenancy
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.transactions import Transaction, idempotent

COUNT = "test.count"
# How often each target was tried, and what happens before and after each write.
tried: Counter[str] = Counter()
before: list[Callable[[str], None]] = []
after: list[Callable[[str], None]] = []
# Targets that no longer fail.
resolved: set[str] = set()


@line_job_kind(COUNT, permission=Permission.OPERATIONS, target=lambda line: str(line["name"]))
def count(line: dict[str, Any], command: Command) -> None:
    tried[line["name"]] += 1
    for hook in before:
        hook(line["name"])
    _note(line, command=command)
    for hook in after:
        hook(line["name"])


@idempotent
def _note(line: dict[str, Any], *, command: Command) -> None:
    if line.get("fails") and line["name"] not in resolved:
        raise Refused(f"{line['name']} cannot be counted.")
    if line.get("breaks"):
        raise ValueError("a mistake of ours")
    transaction = Transaction(command)
    binding = tenancy.bound.get()
    business = binding.business if binding else None
    record(transaction, "test.count", target=line["name"], kind="test", title=line["name"], business=business)
    transaction.commit(None)


def start_count(who: Actor, *lines: dict[str, Any], business: str | None = None) -> Job:
    return services.start(COUNT, "Count", command=new_command(who), inputs=lines, business=business)


def unfinished_job(who: Actor, business: str | None = None) -> Job:
    """A job that every role may run, started and not finished, with one failure."""
    lines = [{"name": f"target-{number:02}", "fails": number == 1} for number in range(20)]
    return runner.advance(start_count(who, *lines, business=business), seconds=0)


def lines(count: int, *, fails: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    return [{"name": f"{new_id()[-8:]}-{number:03}", "fails": number in fails} for number in range(count)]


def times_counted(target: str) -> int:
    """The number of audit entries of a target."""
    return len(history(target))
