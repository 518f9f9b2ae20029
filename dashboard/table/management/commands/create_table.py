"""Create the table, or add what an existing one lacks."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from dashboard.table.admin import TableDiffers, create_table


class Command(BaseCommand):
    help = "Create the table with its indexes, or add what an existing one lacks. Refuses a table that differs."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = create_table()
        except TableDiffers as refusal:
            lines = [f"The table {settings.DYNAMODB_TABLE} is not one of this product. Nothing was changed."]
            lines += [f"  {difference}" for difference in refusal.differences]
            lines.append("Set DYNAMODB_TABLE to another name, or run `manage.py doctor` to read what to do.")
            raise CommandError("\n".join(lines)) from refusal
        for line in report:
            self.stdout.write(line)
