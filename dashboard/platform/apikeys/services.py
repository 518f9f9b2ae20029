"""What people do with API keys. Each change is one transaction with its entry in the business's trail."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.core.ids import new_id
from dashboard.platform.apikeys import queries
from dashboard.platform.apikeys.items import ApiKey, Status
from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, unchanged

# So many keys a business; beyond that, the one revoked longest ago makes room.
MOST_KEYS = 100


def hashed(secret: str) -> str:
    """What is stored of a key: nobody who reads the table can make a key of it."""
    return hmac.new(settings.API_KEY_PEPPER.encode(), secret.encode(), hashlib.sha256).hexdigest()


def secret_of(key: ApiKey, command: Command) -> str | None:
    """The key that this command issued, made anew and not stored; none where another did, or it is revoked."""
    secret = _secret(command)
    same = hmac.compare_digest((key.api_key_hash or "").encode(), hashed(secret).encode())
    return secret if same and key.is_active else None


@idempotent
def issue(business: str, *, name: str, origins: Sequence[str], rate_limit: int, command: Command) -> ApiKey:
    """A new key. Whoever asks again with the same form gets the same one."""
    secret = _secret(command)
    key = ApiKey.at(tenant=business, key_id=new_id())
    key.business_id, key.api_key_id, key.name = business, key.id, name
    key.api_key_public = _public(command)
    key.api_key_hash = hashed(secret)
    key.status, key.allowed_origins, key.rate_limit = Status.ACTIVE, list(origins), rate_limit
    transaction = Transaction(command)
    transaction.create(key)
    _make_room(transaction, business)
    _note(transaction, "apikey.issue", key, before=None)
    return transaction.commit(key)


@idempotent
def edit(
    business: str, key_id: str, *, name: str, origins: Sequence[str], rate_limit: int, revision: int, command: Command
) -> ApiKey:
    """Change what a key is called, where it may be used from and how often; it stays the same key."""
    key = queries.key(business, key_id)
    before, undo = _snapshot(key), _fields(key)
    key.name, key.allowed_origins, key.rate_limit = name or None, list(origins), rate_limit
    if _fields(key) == undo:
        return unchanged(key, {"before": undo}, command)
    transaction = Transaction(command)
    transaction.save(key, revision=revision)
    _note(transaction, "apikey.edit", key, before)
    return transaction.commit(key, {"before": undo})


@idempotent
def revoke(business: str, key_id: str, *, revision: int, command: Command) -> ApiKey:
    """The next request with this key is refused."""
    key = queries.key(business, key_id)
    if key.is_revoked:
        raise Conflict(key, _("This key is revoked already."))
    return _turn(key, Status.REVOKED, "apikey.revoke", revision, command)


@idempotent
def restore(business: str, key_id: str, *, revision: int, command: Command) -> ApiKey:
    """Undo a revocation: the key works again."""
    key = queries.key(business, key_id)
    if not key.is_revoked:
        raise Conflict(key, _("This key is not revoked."))
    return _turn(key, Status.ACTIVE, "apikey.restore", revision, command)


def _turn(key: ApiKey, status: Status, action: str, revision: int, command: Command) -> ApiKey:
    before = _snapshot(key)
    key.status = status
    transaction = Transaction(command)
    transaction.save(key, revision=revision)
    _note(transaction, action, key, before)
    return transaction.commit(key)


def _make_room(transaction: Transaction, business: str) -> None:
    """A business has so many keys and no more; what was done with one that goes stays in the trail."""
    there = queries.keys_of(business).items
    if len(there) < MOST_KEYS:
        return
    revoked = [key for key in there if key.is_revoked]
    if not revoked:
        text = _("This business has %(most)s keys in use. Revoke one that is not needed any more.")
        raise Refused(text % {"most": MOST_KEYS})
    oldest = min(revoked, key=lambda key: key.updated_at or key.created_at or now())
    meanwhile = _("Someone else did the same at this moment. Send it again.")
    transaction.delete(oldest, revision=oldest.revision, otherwise=lambda _: Refused(meanwhile))


def _secret(command: Command) -> str:
    return f"{_public(command)}_{command.secret('api key')}"


def _public(command: Command) -> str:
    """How the key begins; made apart from the rest, so that showing it gives nothing of that away."""
    return f"tk_{command.secret('how the api key begins')[:8]}"


def _fields(key: ApiKey) -> dict[str, Any]:
    """What a form can change, as it would send it."""
    return {"name": key.name or "", "origins": key.origins_text, "rate_limit": key.limit}


def _snapshot(key: ApiKey) -> dict[str, Any]:
    """What the trail says of a key: never its hash."""
    origins = ", ".join(key.origins_text.splitlines()) or "none"
    state = "revoked" if key.is_revoked else "active" if key.is_active else key.status
    return {"name": key.name, "origins": origins, "rate_limit": key.limit, "state": state}


def _note(transaction: Transaction, action: str, key: ApiKey, before: dict[str, Any] | None) -> None:
    record(
        transaction,
        action,
        target=key.id,
        kind="apikey",
        title=key.title,
        before=before,
        after=_snapshot(key),
        business=key.business,
    )
