"""Due tasks: records of changes from which something follows."""

from __future__ import annotations

from dashboard.platform.due.registry import due
from dashboard.platform.outbox import services
from dashboard.platform.outbox.records import OutboxRecord


@due("audit entry")
@due("outside event")
@due("moderation entry")
@due("stock movement")
def queue_follow_up(record: OutboxRecord) -> str:
    return services.process(record)
