"""The table that a command processes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from dashboard.table import schema
from dashboard.table.keypattern import MAX_PK, MAX_SK
from dashboard.table.retries import BROKEN, RETRYABLE, Backoff, code_of


class Stopped(Exception):
    """The table does not answer or refuses us. The command can be run again and continues."""


def command_backoff() -> Backoff:
    """Retries for about half a minute, because no person waits for a page."""
    return Backoff(tries=13, first=0.05, most=8)


def is_retryable(error: ClientError | BotoCoreError) -> bool:
    code = code_of(error)
    return code is None or code in RETRYABLE | BROKEN


@dataclass(frozen=True)
class Target:
    """A table at an endpoint."""

    name: str
    client: Any

    @property
    def endpoint(self) -> str:
        return str(self.client.meta.endpoint_url)

    @property
    def on_aws(self) -> bool:
        return "amazonaws." in self.endpoint

    @cached_property
    def description(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self.client.describe_table(TableName=self.name)["Table"]
        except (ClientError, BotoCoreError) as error:
            raise Stopped(f"The table {self.name} at {self.endpoint} cannot be read: {error}") from error
        return found

    @property
    def identity(self) -> dict[str, str]:
        """Identifies the table: one created again under the same name is another one."""
        created = self.description.get("TableId") or self.description.get("CreationDateTime")
        return {"table": self.name, "endpoint": self.endpoint, "made": str(created)}

    @cached_property
    def indexes(self) -> tuple[schema.Index, ...]:
        """The indexes of the schema that this table has; an activity table has only one."""
        present = {index["IndexName"] for index in self.description.get("GlobalSecondaryIndexes", [])}
        return tuple(index for index in schema.INDEXES if index.name in present)

    @cached_property
    def key_limits(self) -> dict[str, int]:
        """The key attributes and their maximum length in bytes."""
        limits = {schema.PK: MAX_PK, schema.SK: MAX_SK}
        for index in self.indexes:
            limits[index.pk] = MAX_PK
            if index.sk:
                limits[index.sk] = MAX_SK
        return limits

    def call(self, operation: str, **request: Any) -> dict[str, Any]:
        """Call the table, with retries. Errors that retries cannot solve are raised."""
        backoff = command_backoff()
        while True:
            try:
                answer: dict[str, Any] = getattr(self.client, operation)(TableName=self.name, **request)
                return answer
            except (ClientError, BotoCoreError) as error:
                if not is_retryable(error):
                    raise
                if not backoff.wait():
                    raise Stopped(f"The table does not answer: {error}") from error
