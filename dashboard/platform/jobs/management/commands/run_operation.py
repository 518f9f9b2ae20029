"""Finish long work whose browser was closed, in the name of whoever started it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.platform.accounts.queries import person
from dashboard.platform.jobs import queries, runner
from dashboard.platform.jobs.items import State
from dashboard.platform.jobs.kinds import KINDS


class Command(BaseCommand):
    help = "Work on an operation until it is finished or someone else does. What was stopped stays stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("operation")

    def handle(self, *args: Any, **options: Any) -> None:
        work = queries.find_job(options["operation"])
        if work is None or work.kind not in KINDS or not person(work.by).may(KINDS[work.kind].permission):
            raise CommandError("There is no such operation, or the person who started it may not do that any more.")
        while work.state == State.RUNNING and not work.is_leased:
            work = runner.advance(work)
        self.stdout.write(f"{work.state}: {work.done} done, {work.failed} failed of {work.total}.")
