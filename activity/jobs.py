"""Jobs of activity: answering a question about closed days with Athena."""

from __future__ import annotations

from activity.permissions import Permission
from activity.warehouse import calculation
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import Step, job_kind


@job_kind(calculation.KIND, permission=Permission.ACTIVITY, result_template="activity/calculation_result.html")
def answer_question(job: Job) -> Step:
    return calculation.run_step(job)
