"""The former name of `run_job`, for scripts that still use it."""

from dashboard.platform.jobs.management.commands.run_job import Command as RunJob


class Command(RunJob):
    pass
