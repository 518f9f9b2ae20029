"""Demo data: only for a table on this machine."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from bookings import demo as bookings
from branding import demo as brands
from dashboard.accounts import demo as people
from dashboard.apikeys import demo as keys
from dashboard.businesses import demo as businesses
from forum import demo as forum
from rooms import demo as event


class Command(BaseCommand):
    help = "Add what is missing of the demo, from people and businesses to an event: the same each time."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--size", type=int, default=1, help="how many times as much (default 1)")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("Demo accounts have a password that everyone knows: not on this table.")
        size = options["size"]
        if not 1 <= size <= 1000:
            raise CommandError("The size is a number from 1 to 1000.")
        added = f"{people.seed(size)} people, {businesses.seed(size)} businesses, {keys.seed()} API keys"
        self.stdout.write(f"{added}, {brands.seed(size)} brand versions, {forum.seed(size)}")
        self.stdout.write(f"{event.seed(size)}, {bookings.seed()} added")
