"""Demo data: only for a table on this machine."""

from typing import Any

from django.core.management.base import BaseCommand

from dashboard.accounts import demo as people
from dashboard.businesses import demo as businesses


class Command(BaseCommand):
    help = "Add the demo people and businesses that are missing."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{people.seed()} people and {businesses.seed()} businesses added")
