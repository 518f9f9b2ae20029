"""Template filters for actions and statuses."""

from __future__ import annotations

from django import template

from dashboard.platform.jobs.items import Job
from forum.actions import ACTIONS, actions_with_reason
from forum.statuses import status_count_texts

register = template.Library()


register.filter(actions_with_reason)
register.filter(status_count_texts)


@register.filter
def bulk_result(job: Job) -> str:
    """How many are done: "3 banned"."""
    spec = ACTIONS[(job.about or {})["action"]]
    return str(spec.bulk.done_text % {"count": int(job.done)}) if spec.bulk else ""
