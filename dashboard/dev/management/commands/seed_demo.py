"""Adds the demo data to a table on this machine."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.platform.demos.registry import seed_all


class Command(BaseCommand):
    help = "Add the demo data that is missing: people, businesses and an event. Each run adds the same data."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--size", type=int, default=1, help="multiple of the usual amount of data (default 1)")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("Demo accounts have a public password. They are not added to this table.")
        size = options["size"]
        if not 1 <= size <= 1000:
            raise CommandError("The size is a number from 1 to 1000.")
        self.stdout.write(", ".join(seed_all(size)) + " added")
