"""The attributes of a due task that `run_due` writes, and the time under which the task is listed.

A lease and the next attempt of a failed task are attributes of their own. Each names the time in the index for which it
holds, so that it loses its effect when the task is moved to another time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dashboard.table import keys
from dashboard.table.keypattern import IndexKey

# A run has the task until this time.
LEASE_UNTIL, LEASE_FOR = "leaseUntil", "leaseFor"
# A failed task is tried again at this time.
RETRY_AT, RETRY_FOR = "retryAt", "retryFor"
# All attributes of a due task, also of an item that is more than that, such as an audit entry.
ATTRIBUTES = frozenset({"dueAt", "outbox", LEASE_UNTIL, LEASE_FOR, RETRY_AT, RETRY_FOR})
# The queues by their names: another host that hangs delays only the tasks of its queue.
QUEUES_BY_NAME = {"tasks": keys.DUE, "outbox": keys.DUE_OUTBOX, "mail": keys.DUE_MAIL, "webhooks": keys.DUE_HOOK}
QUEUES = frozenset(queue.collection().pk for queue in QUEUES_BY_NAME.values())


def listed(key: IndexKey, raw: Mapping[str, dict[str, Any]]) -> IndexKey:
    """The index key of an item as it is stored: a due task that failed is listed at the time of its next attempt."""
    if key.pk not in QUEUES or key.index != keys.DUE.index:
        return key
    retry = raw.get(RETRY_AT, {}).get("S")
    return replace(key, sk=retry) if retry and raw.get(RETRY_FOR) == {"S": key.sk} else key
