"""Finish a job whose page was closed, in the name of the person who started it."""

from contextlib import nullcontext
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.queries import load_person
from dashboard.platform.businesses.queries import find_member
from dashboard.platform.jobs import queries, runner, services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import KINDS
from dashboard.table import tenancy


class Command(BaseCommand):
    help = (
        "Run a job until it is finished or another request takes over. "
        "An interrupted job continues; a stopped job stays stopped."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("job")

    def handle(self, *args: Any, **options: Any) -> None:
        job = queries.find_job(options["job"])
        if job is None or job.kind not in KINDS or not _is_permitted(job):
            raise CommandError("There is no such job, or the person who started it no longer has the permission.")
        binding = tenancy.bind(tenancy.Binding(job.business_id, job.by)) if job.business_id else nullcontext()
        with binding:
            if job.state == JobState.FAILED:
                services.resume(job)
                job = queries.load_own_job(job.id, job.by, job.business_id)
            while job.state == JobState.RUNNING and not job.is_leased:
                job = runner.advance(job)
        self.stdout.write(f"{job.state}: {job.done} done, {job.failed} failed of {job.total}.")


def _is_permitted(job: Job) -> bool:
    """Whether the person who started the job may still execute it, in its business if it has one."""
    permissions, person = KINDS[job.kind].permissions, load_person(job.by)
    is_allowed = all(map(person.may, permissions))
    if not is_allowed or job.business_id is None or person.office_role == Role.ADMIN:
        return is_allowed
    member = find_member(job.business_id, job.by)
    return member is not None and all(map(member.may, permissions))
