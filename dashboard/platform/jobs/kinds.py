"""The kinds of long work, and how one is written.

@work_on_lines("people.import", permission=Permission.PEOPLE_MANAGE, target=lambda line: line["email"])
def invite(line, command): ...          # one line; a DomainError is that line's failure

@work("forum.replay", permission=Permission.FORUM)
def replay(work): ...                     # one step of at most MAX_FAILURES failures; says where it got

A step that only finds out what there is to do puts it down (`part`) and, at the end of that, waits for its person.
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
from dashboard.platform.jobs.items import COUNTING, Failure, Input, Job
from dashboard.table.commands import Command
from dashboard.table.read import gather_all

logger = logging.getLogger("trastienda.operations")

# A step's failures are written with its progress, and a transaction has ten items: the record, the progress, these.
MAX_FAILURES = 8
# Targets that are worked on side by side.
AT_ONCE = MAX_FAILURES
# The cursor of a second try: after whom it goes on.
RETRYING = "failuresAfter"
BROKE = _("Something broke on our side.")

Line = dict[str, Any]
Act = Callable[[Line, Command], object]


@dataclass(frozen=True)
class Failed:
    """A target that did not work: its name, the reason in words, and what to try again with."""

    target: str
    reason: str
    line: Line = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """What one step did. No cursor: there is nothing left to do."""

    cursor: Any = None
    done: int = 0
    failed: tuple[Failed, ...] = ()
    # Failures from before that are none any more.
    mended: tuple[str, ...] = ()
    # What replaces the result so far, if anything.
    result: dict[str, Any] | None = None
    # How many there are in all, where that is known only now.
    total: int | None = None
    # Lines to put down with the progress, as the part of this number: what a later phase works on.
    part: tuple[int, list[Line]] | None = None
    # A phase ends here: its person looks at what there is to do, and begins the next one, which starts at the cursor.
    wait: bool = False


@dataclass(frozen=True)
class Kind:
    name: str
    permission: BasePermission
    step: Callable[[Job], Step]
    # What tries one failed target again; without it failures are final.
    again: Act | None = None
    # The template that shows what came of it, given `work`.
    result: str = ""
    # The name of the page where what is waiting is looked at and begun.
    waits_at: str = ""
    # The template that names a failed target, given `failure`; without it its name is shown.
    names: str = ""


KINDS: dict[str, Kind] = {}


def work(
    name: str,
    *,
    permission: BasePermission,
    again: Act | None = None,
    result: str = "",
    waits_at: str = "",
    names: str = "",
) -> Callable[[Callable[[Job], Step]], Callable[[Job], Step]]:
    """Register a kind by its step: a bounded piece of work from `work.cursor` on."""

    def register(step: Callable[[Job], Step]) -> Callable[[Job], Step]:
        KINDS[name] = Kind(name, permission, step, again, result, waits_at, names)
        return step

    return register


def work_on_lines(
    name: str, *, permission: BasePermission, target: Callable[[Line], str], result: str = "", waits_at: str = ""
) -> Callable[[Act], Act]:
    """Register a kind that does the same with each line of its input; a target's name is unique in the work."""

    def register(act: Act) -> Act:
        KINDS[name] = Kind(name, permission, partial(_next_lines, act, target), act, result, waits_at)
        return act

    return register


def _next_lines(act: Act, target: Callable[[Line], str], work: Job) -> Step:
    at = int(work.cursor or 0)
    lines, more = queries.lines_from(work, at, AT_ONCE)
    found = attempt(work, act, [(target(line), line) for line in lines])
    more = more and bool(lines)
    return Step(at + len(lines) if more else None, len(lines) - len(found), tuple(found))


def is_retrying(work: Job) -> bool:
    return isinstance(work.cursor, dict) and RETRYING in work.cursor


def try_again(kind: Kind, work: Job) -> Step:
    """A step over the failures, from the one after the cursor's."""
    assert kind.again is not None
    after = str(work.cursor[RETRYING])
    page = queries.failures_after(work.id, after, AT_ONCE)
    found = attempt(work, kind.again, [(each.target, each.line or {}) for each in page.items])
    still = {each.target for each in found}
    mended = tuple(each.target for each in page.items if each.target not in still)
    cursor = {RETRYING: page.items[-1].target} if page.next else None
    return Step(cursor, len(mended), tuple(found), mended)


def attempt(work: Job, act: Act, targets: list[tuple[str, Line]]) -> list[Failed]:
    """Do it to these, side by side; gives those for whom it did not work."""

    def one(name: str, line: Line) -> Failed | None:
        try:
            act(line, work.command.part(name))
        except Unavailable:
            raise  # Nobody's failure: the step is repeated.
        except DomainError as refusal:
            return Failed(name, str(refusal.text), line)
        except Exception:
            # One line that we cannot handle does not keep the others waiting.
            logger.exception("a target broke", extra={"operation": work.id, "kind": work.kind})
            return Failed(name, str(BROKE), line)
        return None

    found = gather_all([partial(one, *target) for target in targets])
    return [each for each in found if each is not None]


def counting(cursor: Any) -> dict[str, Any]:
    """The cursor of a step that finds out what there is to do, and does nothing yet."""
    return {COUNTING: cursor}


def input_of(work: Job, number: int, lines: list[Line]) -> Input:
    made = Input.at(operation=work.id, part=number)
    made.by, made.lines, made.ttl = work.by, lines, work.ttl
    return made


def failure(work: Job, failed: Failed) -> Failure:
    made = Failure.at(operation=work.id, target=failed.target)
    made.by, made.reason, made.line, made.ttl = work.by, failed.reason, failed.line or None, work.ttl
    return made
