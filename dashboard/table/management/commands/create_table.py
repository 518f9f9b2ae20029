"""Create the table, or add what an existing one lacks, and the tables with the activity of this and the next month."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from dashboard.core.clock import now
from dashboard.table.admin import TableDiffers, create_log_table, create_table
from dashboard.table.schema import log_table_names


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
        for name in log_table_names(now()):
            report += create_log_table(name)
        for line in report:
            self.stdout.write(line)
