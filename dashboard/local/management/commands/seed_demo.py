"""Demo data: only for a table on this machine."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from dashboard.accounts import demo as people
from dashboard.apikeys import demo as keys
from dashboard.businesses import demo as businesses


class Command(BaseCommand):
    help = "Add the demo people and businesses that are missing."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("Demo accounts have a password that everyone knows: not on this table.")
        self.stdout.write(f"{people.seed()} people and {businesses.seed()} businesses added")
        keys.seed()
