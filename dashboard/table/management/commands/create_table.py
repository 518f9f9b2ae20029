"""Create the table, or add what an existing one lacks."""

from typing import Any

from django.core.management.base import BaseCommand

from dashboard.table.admin import create_table


class Command(BaseCommand):
    help = "Create the table with its indexes, or add what an existing one lacks."

    def handle(self, *args: Any, **options: Any) -> None:
        for line in create_table():
            self.stdout.write(line)
