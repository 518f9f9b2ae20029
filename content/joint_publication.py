"""Publishes a page and a theme together, as a job: the page's transaction, then the theme's.

If the theme is refused, the job takes the change of the page back. Undo is the same job in the other direction.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from branding.public import PublishableTheme, publish_theme, withdraw_theme
from content.items import Content
from content.queries.pages import load_page
from content.queries.schedules import find_schedule
from content.services import schedules
from content.services.publishing import set_status
from content.statuses import PageStatus
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, DomainError, NotFound, Refused, Unavailable
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import FailedTarget, Step
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.timestamps import from_wire

PUBLISH, UNDO = "site.publish", "site.publish_undo"
# The cursors: what the next step does. The first two also name the two parts of the command.
PAGE, THEME, TAKE_BACK = "page", "theme", "take back"


@dataclass(frozen=True)
class JointChange:
    """The status of a page and the live theme of its brand, which change together or not at all."""

    node: str
    title: str
    revision: int
    status: str
    version: int
    theme_title: str
    # The version that was live when the person decided.
    expected: int | None
    theme_revision: int | None = None
    # Undo of a first publication: no version is live afterwards.
    is_withdrawal: bool = False
    # The command whose schedules of themes come back.
    restore: str = ""

    @classmethod
    def of(cls, job: Job) -> JointChange:
        about = job.about or {}
        texts = {name: str(about.get(name) or "") for name in ("node", "title", "status", "theme_title", "restore")}
        return cls(
            **texts,
            revision=int(about["revision"]),
            version=int(about["version"]),
            expected=_number(about.get("expected")),
            theme_revision=_number(about.get("theme_revision")),
            is_withdrawal=bool(about.get("is_withdrawal")),
        )

    def to_dict(self) -> dict[str, Any]:
        """Without empty values: some engines refuse an empty text in a map."""
        return {name: value for name, value in asdict(self).items() if value not in (None, "")}


def _number(value: Any) -> int | None:
    return None if value is None else int(value)


def begin(business: str, page: Content, theme: PublishableTheme, *, command: Command) -> Job:
    """Start the job, with the revisions that the person saw."""
    change = JointChange(
        page.node,
        page.display_title,
        page.revision,
        PageStatus.PUBLISHED,
        theme.number,
        theme.title,
        theme.live_number,
        theme.revision,
    )
    title = _("Publish “%(page)s” and %(theme)s") % {"page": change.title, "theme": change.theme_title}
    return _start(PUBLISH, title, business, change, command)


def begin_undo(job: Job, *, command: Command) -> Job:
    """Undo both, as another job."""
    change, result = JointChange.of(job), job.result or {}
    if job.kind != PUBLISH or job.business_id is None:
        raise NotFound
    if not can_undo(job):
        raise Refused(_("This cannot be undone."))
    theme = result[THEME]
    previous = _number(theme.get("previous"))
    inverse = replace(
        change,
        revision=int(result["revision"]),
        status=_known_status(result["previous"]),
        version=change.version if previous is None else previous,
        expected=change.version,
        theme_revision=None,
        is_withdrawal=previous is None,
        restore=theme.get("restore") or "",
    )
    return _start(UNDO, _("Undo: %(title)s") % {"title": job.title}, job.business_id, inverse, command)


def _start(kind: str, title: str, business: str, change: JointChange, command: Command) -> Job:
    about = change.to_dict()
    return job_services.start(kind, title, command=command, total=2, first=PAGE, business=business, about=about)


def can_undo(job: Job) -> bool:
    """Both were published, and a version was live before that still existed, or none."""
    theme = (job.result or {}).get(THEME)
    return job.kind == PUBLISH and job.state == JobState.DONE and theme is not None and bool(theme["has_previous"])


def step(job: Job) -> Step:
    """Change the page, then the theme. A crash repeats a step, whose command is executed once."""
    change, business = JointChange.of(job), str(job.business_id)
    if job.cursor == PAGE:
        return _change_page(job, business, change)
    if job.cursor == THEME:
        return _change_theme(job, business, change)
    return _take_back(job, business, change)


def _change_page(job: Job, business: str, change: JointChange) -> Step:
    command = job.command.part(PAGE)
    try:
        page = set_status(business, change.node, PageStatus(change.status), revision=change.revision, command=command)
    except Unavailable:
        raise
    except DomainError as refusal:
        return Step(failed=(FailedTarget(PAGE, str(refusal.text)),))
    made = page.outcome.result
    result = {"previous": made["previous"], "revision": page.revision, "schedule": made.get("schedule")}
    return Step(THEME, done=1, result=result)


def _change_theme(job: Job, business: str, change: JointChange) -> Step:
    command = job.command.part(THEME)
    try:
        if change.is_withdrawal:
            withdraw_theme(business, change.version, restore=change.restore, command=command)
            return Step(done=1)
        theme = publish_theme(
            business,
            change.version,
            expected_live_version=change.expected,
            revision=change.theme_revision,
            note=_("Published with the page “%(page)s”") % {"page": change.title} if job.kind == PUBLISH else "",
            restore=change.restore,
            command=command,
        )
    except Unavailable:
        raise
    except DomainError as refusal:
        # Saved before the page is taken back, so that no later attempt publishes the theme alone.
        return Step(TAKE_BACK, failed=(FailedTarget(THEME, str(refusal.text)),))
    return Step(done=1, result={**(job.result or {}), THEME: theme})


def _take_back(job: Job, business: str, change: JointChange) -> Step:
    """Give the page its earlier status. What others saved since stays."""
    result = job.result or {}
    try:
        page = retry_on(Conflict, lambda: _status_back(job, business, change, _known_status(result["previous"])))
        if result.get("schedule"):
            _schedule_again(job, business, page, result["schedule"])
    except Unavailable:
        raise
    except DomainError as refusal:
        return Step(failed=(FailedTarget(PAGE, str(refusal.text)),))
    return Step(done=-1, result={**result, "is_taken_back": True})


def _status_back(job: Job, business: str, change: JointChange, status: PageStatus) -> Content:
    """The page with its earlier status; as it is if somebody has changed the status since."""
    page = load_page(business, change.node)
    if page.state != change.status:
        return page
    command = job.command.part(TAKE_BACK)
    return set_status(business, change.node, status, revision=page.revision, command=command)


def _schedule_again(job: Job, business: str, page: Content, ended: dict[str, str]) -> None:
    """Publishing has ended the schedule of the page."""
    due_at = from_wire(ended["due_at"])
    if page.state == PageStatus.PUBLISHED or due_at <= now() or find_schedule(business, page.node) is not None:
        return
    command, zone = job.command.part("schedule"), ended["timezone"]
    schedules.schedule(business, page.node, due_at, zone, revision=page.revision, command=command)


def _known_status(status: Any) -> PageStatus:
    """An outside writer may have stored any text."""
    return PageStatus(status) if status in set(PageStatus) else PageStatus.DRAFT
