"""The table that a command works on, as it describes itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from dashboard.table import schema
from dashboard.table.keypattern import MAX_PK, MAX_SK
from dashboard.table.retries import BROKEN, RETRYABLE, Backoff, code_of


class Stopped(Exception):
    """The table does not answer, or not to us: what is done is kept, and the command can be run again."""


def patience() -> Backoff:
    """Nobody waits in front of a screen: about half a minute until a silent table stops a command."""
    return Backoff(tries=13, first=0.05, most=8)


def worth_another_try(error: ClientError | BotoCoreError) -> bool:
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
    def described(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self.client.describe_table(TableName=self.name)["Table"]
        except (ClientError, BotoCoreError) as error:
            raise Stopped(f"The table {self.name} at {self.endpoint} cannot be read: {error}") from error
        return found

    @property
    def identity(self) -> dict[str, str]:
        """Which table this is: one made anew under the same name is another."""
        made = self.described.get("TableId") or self.described.get("CreationDateTime")
        return {"table": self.name, "endpoint": self.endpoint, "made": str(made)}

    @cached_property
    def indexes(self) -> tuple[schema.Index, ...]:
        """The indexes of the schema that this table has; a table of activity has only one."""
        present = {index["IndexName"] for index in self.described.get("GlobalSecondaryIndexes", [])}
        return tuple(index for index in schema.INDEXES if index.name in present)

    @cached_property
    def key_limits(self) -> dict[str, int]:
        """The attributes that are a key somewhere, and how many bytes each may have."""
        limits = {schema.PK: MAX_PK, schema.SK: MAX_SK}
        for index in self.indexes:
            limits[index.pk] = MAX_PK
            if index.sk:
                limits[index.sk] = MAX_SK
        return limits

    def call(self, operation: str, **request: Any) -> dict[str, Any]:
        """Ask the table by name, again while that may help; a refusal is raised as it is."""
        backoff = patience()
        while True:
            try:
                answer: dict[str, Any] = getattr(self.client, operation)(TableName=self.name, **request)
                return answer
            except (ClientError, BotoCoreError) as error:
                if not worth_another_try(error):
                    raise
                if not backoff.wait():
                    raise Stopped(f"The table does not answer: {error}") from error
