"""The long look at what a filter would change: begun for what somebody is about to save, and done piece by piece."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.configs.changes import packed, unpacked
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import digest
from dashboard.platform.configs.queries import ConfigState
from dashboard.platform.jobs import queries as works
from dashboard.platform.jobs import services
from dashboard.platform.jobs.items import Job, State
from dashboard.platform.jobs.kinds import Step
from dashboard.table.commands import Command
from dashboard.table.timestamps import to_wire
from forum.impact import Impact, replay
from forum.queries.filter import filter_of
from forum.queries.recent_texts import newest
from forum.targets import Kind

IMPACT = "forum.impact"
# So many of each, the newest, in pieces of so many.
MOST, PIECE = 2_000, 250
_ORDER = (Kind.POST, Kind.COMMENT)


def begin(at: ConfigState, *, command: Command) -> Job:
    """What is measured is frozen: who asks may go on changing the list, and others may save."""
    if not at.changes:
        raise Refused(_("Nothing is changed, so nothing would be."))
    bodies = [{"body": base64.b64encode(packed(body)).decode()} for body in (at.body, at.wanted_body)]
    about = {"version": at.number, "digest": digest(at.wanted_body), "changes": len(at.changes)}
    title = _("What your changes of the filter would do")
    return services.start(IMPACT, title, command=command, inputs=bodies, total=len(_ORDER) * MOST, about=about)


def step(work: Job) -> Step:
    """One piece: posts first, then comments. Where there are fewer than we would look at, that is the total."""
    at: dict[str, Any] = (
        work.cursor if isinstance(work.cursor, dict) else {"kind": Kind.POST, "looked": 0, "places": {}}
    )
    kind = Kind(at["kind"])
    before, after = (filter_of(body) for body in _frozen(work))
    limit = min(PIECE, MOST - int(at["looked"]))
    found = newest(kind, to_wire(work.cut_off or now()), at["places"], limit)
    impact = Impact.of(work.result) + replay(before, after, found.texts)
    looked = int(at["looked"]) + len(found.texts)
    cursor: dict[str, Any] | None = {"kind": kind, "looked": looked, "places": found.places}
    total = int(work.total or 0)
    if found.is_last or looked >= MOST:
        total -= MOST - looked
        cursor = _start(Kind.COMMENT) if kind is Kind.POST else None
    return Step(cursor, len(found.texts), result=impact.to_dict(), total=total)


def _start(kind: Kind) -> dict[str, Any]:
    return {"kind": kind, "looked": 0, "places": {}}


def _frozen(work: Job) -> tuple[Body, Body]:
    """The filter that held and the one that is wanted, as they were when it began."""
    lines, _more = works.lines_from(work, 0, 2)
    before, after = (unpacked(base64.b64decode(line["body"])) for line in lines)
    return before, after


@dataclass(frozen=True)
class Look:
    """What somebody found out about their changes, beside the changes as they are now."""

    work: Job
    at: ConfigState

    @property
    def is_done(self) -> bool:
        return self.work.state == State.DONE

    @property
    def version(self) -> int:
        """The one it was compared with."""
        return int((self.work.about or {}).get("version", 0))

    @property
    def others_saved(self) -> bool:
        return self.version != self.at.number

    @property
    def is_of_this(self) -> bool:
        """Whether it is about what would be saved now."""
        return bool((self.work.about or {}).get("digest") == digest(self.at.wanted_body))


def find(job_id: str, email: str) -> Job | None:
    """A person's own look; an address may name anything."""
    found = works.find_job(job_id) if job_id else None
    return found if found is not None and found.by == email and found.kind == IMPACT else None
