"""A finding about the table: what people notice of it, and what to do."""

from __future__ import annotations

from dataclasses import dataclass, field

# Levels, the worst first. `info` asks nobody to do anything.
BAD, WARN, INFO = "bad", "warn", "info"
LEVELS = (BAD, WARN, INFO)

CREATE_TABLE = "manage.py create_table"
IMPORT = "manage.py import_items FILE"
REINDEX = "manage.py reindex"
FOLLOW_STREAM = "manage.py follow_stream"
ARCHIVE_ACTIVITY = "manage.py archive_activity"
RUN_DUE = "manage.py run_due"


def update_table(name: str, change: str) -> str:
    """The command for a change that `create_table` never makes: it can break another service."""
    return f"aws dynamodb update-table --table-name {name} {change}"


@dataclass(frozen=True)
class ExampleItem:
    """An item with a problem."""

    pk: str
    sk: str
    detail: str = ""


@dataclass(frozen=True)
class Finding:
    """Something about the table that people notice: its effect on them, and what to do."""

    code: str
    level: str
    title: str
    effect: str
    action: str
    # The command to run, or the name of the route to open, with its query.
    command: str = ""
    route: str = ""
    query: str = ""
    examples: tuple[ExampleItem, ...] = field(default=())

    @property
    def is_to_do(self) -> bool:
        return self.level != INFO
