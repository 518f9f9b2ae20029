"""Doing it to each line, and taking it back: a step is a few lines side by side."""

from __future__ import annotations

import time
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.platform.jobs import queries as operations
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import AT_ONCE, Line, LineAction, Step, attempt
from dashboard.table.commands import Command
from forum.actions import Action
from forum.bulk.requests import BulkRequest
from forum.queries import bulk, log, posts
from forum.services import decisions
from forum.targets import Target

# A stopped bulk ends its step first; so long until it is looked at again.
PATIENCE = 0.2
UNDO = "undo"


def target_of(line: Line) -> Target:
    return Target(line["post"], line.get("comment", ""))


def decide(line: Line, command: Command) -> None:
    """As it was seen: what a colleague has decided meanwhile stays."""
    _decide(line, int(line["seen"]), command)


def decide_as_it_is(line: Line, command: Command) -> None:
    """A second try is the person's wish, who has read what happened: it is about what stands now."""
    _decide(line, posts.load_item(target_of(line)).revision, command)


def _decide(line: Line, revision: int, command: Command) -> None:
    action, reason = Action(line["action"]), line.get("reason", "")
    decisions.decide(
        target_of(line), action, reason=reason, revision=revision, command=command, bulk_id=line["together"]
    )


def undo(line: Line, command: Command) -> None:
    """Take back what one entry of the log says."""
    decisions.undo(log.load_entry(line["entry"]), command=command, bulk_id=line["together"])


def undo_part(line: Line, command: Command) -> None:
    """Of what a bulk did each is taken back once, however often that is begun: the record is the bulk's own."""
    undo(line, Command(line["of"], command.by).part(f"{UNDO} {target_of(line).name}"))


def step(work: Job, act: LineAction) -> Step:
    """The next lines of its own."""
    wish = BulkRequest.from_dict(work.about)
    given = {"action": wish.action, "together": work.id} | ({"reason": wish.reason} if wish.reason else {})
    lines, cursor = _next(work, work.id)
    failed = attempt(work, act, [(target_of(line).name, line | given) for line in lines])
    return Step(cursor, len(lines) - len(failed), tuple(failed))


def undo_step(work: Job) -> Step:
    """The next lines of the bulk that is taken back, as far as they were done."""
    of = str((work.about or {})["of"])
    if work.cursor["at"] == work.cursor["part"] == 0 and _still_acts(of):
        time.sleep(PATIENCE)
        return Step(work.cursor)
    lines, cursor = _next(work, of)
    names = [target_of(line).name for line in lines]
    entries = bulk.done_parts(Command(of, work.command.by), names)
    there = [(name, line) for name, line in zip(names, lines, strict=True) if name in entries]
    given = [(name, line | {"of": of, "entry": entries[name], "together": work.id}) for name, line in there]
    failed = attempt(work, undo_part, given)
    done = len(given) - len(failed)
    # A bulk that died had done a little more than it had counted.
    total = work.handled + len(given) if cursor is None else None
    return Step(cursor, done, tuple(failed), total=total)


def _still_acts(of: str) -> bool:
    """Whether a request still works on it: what it does now would escape the undo."""
    bulk_work = operations.find_job(of)
    return bulk_work is not None and bulk_work.is_leased


def _next(work: Job, source: str) -> tuple[list[Line], dict[str, Any] | None]:
    """A few lines from the cursor on, of one part, and the cursor after them. A part is read once for many steps."""
    part, at, parts = work.cursor["part"], work.cursor["at"], work.cursor["parts"]
    known: tuple[int, list[Line]] | None = getattr(work, "_part", None)
    if known is None or known[0] != part:
        known = (part, operations.lines_of_part(source, part))
        work._part = known  # type: ignore[attr-defined]
    lines = known[1]
    if not lines:
        raise NotFound  # It is gone with its time: that is no success.
    if at + AT_ONCE < len(lines):
        return lines[at : at + AT_ONCE], {"part": part, "at": at + AT_ONCE, "parts": parts}
    following = {"part": part + 1, "at": 0, "parts": parts} if part + 1 < parts else None
    return lines[at:], following
