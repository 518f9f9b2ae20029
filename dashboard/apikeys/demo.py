"""A demo key, as the seed has it: it lists and shows, and opens nothing."""

from __future__ import annotations

from datetime import UTC, datetime

from dashboard.accounts.demo import ADMIN
from dashboard.apikeys.items import ApiKey, Status
from dashboard.table import keys, read
from dashboard.table.operations import new_operation
from dashboard.table.transactions import Transaction


def seed() -> int:
    """Add the key if it is missing; says how many."""
    at = keys.API_KEY.key(tenant="andina", key_id="key_001")
    if read.get(ApiKey, at) is not None:
        return 0
    key = ApiKey.at_key(at)
    key.tenant_id, key.api_key_id, key.api_key_hash = "andina", "key_001", "sha256_hash_here"
    key.status, key.allowed_origins, key.rate_limit = Status.ACTIVE, ["https://www.andina.cl"], 100
    key.created_at = datetime(2025, 1, 1, 10, tzinfo=UTC)
    transaction = Transaction(new_operation(ADMIN))
    transaction.create(key)
    transaction.commit(key)
    return 1
