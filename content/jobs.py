"""Jobs of sites: comments, leads, and a page that is published with a theme."""

from __future__ import annotations

from branding.public import THEME_PERMISSION
from content import comment_bulk, joint_publication, lead_bulk
from content.permissions import Permission
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import Step, job_kind

_RESULT, _TARGET = "content/_comment_job_result.html", "content/_comment_job_target.html"
_LEAD_RESULT, _LEAD_TARGET = "content/_lead_job_result.html", "content/_lead_job_target.html"
_JOINT_RESULT, _JOINT_TARGET = "content/_joint_result.html", "content/_joint_target.html"


@job_kind(
    comment_bulk.DECIDE,
    permission=Permission.VISITORS,
    retry=comment_bulk.decide_on_current,
    result_template=_RESULT,
    confirm_page="comments_bulk_preview",
    target_template=_TARGET,
)
def decide_comments(job: Job) -> Step:
    return comment_bulk.step(job)


@job_kind(comment_bulk.UNDO, permission=Permission.VISITORS, result_template=_RESULT, target_template=_TARGET)
def undo_comments(job: Job) -> Step:
    return comment_bulk.undo_step(job)


@job_kind(lead_bulk.MOVE, permission=Permission.VISITORS, result_template=_LEAD_RESULT, target_template=_LEAD_TARGET)
def move_leads(job: Job) -> Step:
    return lead_bulk.step(job)


@job_kind(lead_bulk.UNDO, permission=Permission.VISITORS, result_template=_LEAD_RESULT, target_template=_LEAD_TARGET)
def undo_leads(job: Job) -> Step:
    return lead_bulk.undo_next(job)


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
