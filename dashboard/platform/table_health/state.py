"""The state of the table that the checks examine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from dashboard.platform.stream.queries import FollowerState
from dashboard.platform.table_health.items import ReindexReport
from dashboard.table.differences import Description


class DescribeOutcome(StrEnum):
    """The outcome of a call about the table itself."""

    OK = "ok"
    UNSUPPORTED = "not supported by this engine"
    DENIED = "not allowed"
    MISSING = "no such table"


@dataclass(frozen=True)
class DescribeResult:
    """The answer to one call about the table. `content` is empty unless the outcome is OK."""

    outcome: DescribeOutcome
    content: Mapping[str, Any] = field(default_factory=dict)
    # The name that the server gives itself.
    server: str = ""


@dataclass(frozen=True)
class TableEndpoint:
    """Where the table is."""

    engine: str
    region: str
    url: str
    is_aws: bool


@dataclass(frozen=True)
class TableState:
    """Everything that the checks examine, read at one point in time."""

    name: str
    endpoint: TableEndpoint
    table: DescribeResult
    expiry: DescribeResult
    recovery: DescribeResult
    at: datetime
    # None if the follower's items cannot be read.
    follower: FollowerState | None = None
    # Of the log table of this month; None if there is no archive of activity.
    archive: FollowerState | None = None
    report: ReindexReport | None = None
    # The number of businesses and owners that other items name and that are not known here, up to one page.
    unknown_businesses: int = 0
    unknown_owners: int = 0
    has_more_owners: bool = False
    # Since when the oldest due task waits for `run_due`; None if nothing is due.
    oldest_due: datetime | None = None

    @property
    def description(self) -> Description:
        return dict(self.table.content)

    @property
    def has_follower_run(self) -> bool:
        """Whether a follower has ever run."""
        return self.follower is not None and self.follower.lag_seconds is not None

    @property
    def expiry_attribute(self) -> str | None:
        """The attribute by which expired items are deleted; None if this is off or unknown."""
        is_on = self.expiry.content.get("TimeToLiveStatus") in {"ENABLED", "ENABLING", "DISABLING"}
        return str(self.expiry.content.get("AttributeName")) if is_on else None

    @property
    def has_recovery(self) -> bool:
        described = self.recovery.content.get("PointInTimeRecoveryDescription", {})
        return bool(described.get("PointInTimeRecoveryStatus") == "ENABLED")

    @property
    def stream_view(self) -> str | None:
        """What the stream of the table delivers; None if it has no stream."""
        stream = self.description.get("StreamSpecification") or {}
        return str(stream.get("StreamViewType")) if stream.get("StreamEnabled") else None
