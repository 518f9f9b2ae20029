"""Adds demo data, only to a local table."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.platform.demos.registry import seed_all


class Command(BaseCommand):
    help = "Add missing demo data: people, businesses and an event. Each run creates the same data."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--size", type=int, default=1, help="multiplies the amount of data (default 1)")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("Demo accounts have a public password, so they are not added in production.")
        size = options["size"]
        if not 1 <= size <= 1000:
            raise CommandError("--size must be a number from 1 to 1000.")
        self.stdout.write(", ".join(seed_all(size)) + " added")
