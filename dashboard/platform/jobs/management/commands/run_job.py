"""Finish a job whose page was closed, in the name of the person who started it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.platform.accounts.queries import load_person
from dashboard.platform.jobs import queries, runner
from dashboard.platform.jobs.items import JobState
from dashboard.platform.jobs.kinds import KINDS


class Command(BaseCommand):
    help = "Run a job until it is finished or another request takes over. A stopped job stays stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("job")

    def handle(self, *args: Any, **options: Any) -> None:
        job = queries.find_job(options["job"])
        if job is None or job.kind not in KINDS or not load_person(job.by).may(KINDS[job.kind].permission):
            raise CommandError("There is no such job, or the person who started it no longer has the permission.")
        while job.state == JobState.RUNNING and not job.is_leased:
            job = runner.advance(job)
        self.stdout.write(f"{job.state}: {job.done} done, {job.failed} failed of {job.total}.")
