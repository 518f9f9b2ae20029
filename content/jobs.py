"""Jobs of sites: decisions about comments, and a page that is published with a theme."""

from __future__ import annotations

from typing import Any

from branding.public import THEME_PERMISSION
from content import comment_bulk, joint_publication
from content.permissions import Permission
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import Step, job_kind, line_job_kind
from dashboard.table.commands import Command

_RESULT, _TARGET = "content/_comment_job_result.html", "content/_comment_job_target.html"
_JOINT_RESULT, _JOINT_TARGET = "content/_joint_result.html", "content/_joint_target.html"


@line_job_kind(
    comment_bulk.DECIDE,
    permission=Permission.VISITORS,
    target=comment_bulk.target_of,
    result_template=_RESULT,
    target_template=_TARGET,
)
def decide_comment(line: dict[str, Any], command: Command) -> None:
    comment_bulk.decide_line(line, command)


@job_kind(comment_bulk.UNDO, permission=Permission.VISITORS, result_template=_RESULT, target_template=_TARGET)
def undo_comments(job: Job) -> Step:
    return comment_bulk.undo_lines(job)


@job_kind(
    joint_publication.PUBLISH,
    permission=Permission.SITE,
    further_permissions=(THEME_PERMISSION,),
    result_template=_JOINT_RESULT,
    target_template=_JOINT_TARGET,
)
def publish_page_and_theme(job: Job) -> Step:
    return joint_publication.step(job)


@job_kind(
    joint_publication.UNDO,
    permission=Permission.SITE,
    further_permissions=(THEME_PERMISSION,),
    result_template=_JOINT_RESULT,
    target_template=_JOINT_TARGET,
)
def undo_page_and_theme(job: Job) -> Step:
    return joint_publication.step(job)
