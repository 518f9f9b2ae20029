"""Changes to API keys. Each one is a transaction with its entry in the audit trail of the business."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.core.ids import new_id
from dashboard.core.rotation import peppers
from dashboard.platform.apikeys import queries
from dashboard.platform.apikeys.fields import KEY_FIELDS
from dashboard.platform.apikeys.items import ApiKey, KeyStatus, key_at
from dashboard.platform.apikeys.origins import EVERY
from dashboard.platform.audit.services import record
from dashboard.table import write
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, report_unchanged

# Keys per business, and of the platform. Beyond that, a new key replaces the one that was revoked longest ago.
MAX_KEYS = 100
_OWN_SECRET = re.compile("tk_[0-9a-f]{8}_[0-9a-f]{64}")


def hash_secret(secret: str) -> str:
    """The HMAC of a secret. It is stored instead of the secret."""
    return hashes_of(secret)[0]


def hashes_of(secret: str) -> list[str]:
    """The HMACs of a secret with the current pepper and with each previous one."""
    return [hmac.new(pepper.encode(), secret.encode(), hashlib.sha256).hexdigest() for pepper in peppers()]


def plain_hash_of(secret: str) -> str:
    """The SHA-256 of a secret: what outside writers store."""
    return hashlib.sha256(secret.encode()).hexdigest()


def is_own_format(secret: str) -> bool:
    """Whether the secret can be one that this product created. Only others can have a plain hash."""
    return _OWN_SECRET.fullmatch(secret) is not None


def is_hash_of(stored: str | None, hashes: Sequence[str]) -> bool:
    return any(hmac.compare_digest((stored or "").encode(), each.encode()) for each in hashes)


def secret_of(key: ApiKey, command: Command) -> str | None:
    """The secret of the key that this command created, computed again; None for another command or a revoked key."""
    secret = _secret(command)
    return secret if key.is_active and is_hash_of(key.api_key_hash, hashes_of(secret)) else None


@idempotent
def create(business: str, *, command: Command, **values: Any) -> ApiKey:
    """Create a key with the given fields (`KEY_FIELDS`). The same form sent again gives the same key."""
    secret = _secret(command)
    key = ApiKey.new_at_key(key_at(business, new_id()))
    key.business_id, key.api_key_id, key.status = business or None, key.id, KeyStatus.ACTIVE
    key.api_key_public = _public(command)
    key.api_key_hash = hash_secret(secret)
    _apply(key, values)
    key.embed_key = secret if key.is_public else None
    transaction = Transaction(command)
    transaction.create(key)
    _make_room(transaction, business)
    _record_change(transaction, "apikey.issue", key, before=None)
    return transaction.commit(key)


@idempotent
def edit(business: str, key_id: str, *, revision: int, command: Command, **values: Any) -> ApiKey:
    """Change the fields of a key (`KEY_FIELDS`). Its secret stays the same."""
    key = queries.load_key(business, key_id)
    # A key without a stored type keeps the one that it has had, whatever its websites become.
    values["key_type"] = key.type.value
    if EVERY in (values.get("origins") or ()) and not key.allows_every_origin:
        raise Refused(_("Name the websites that may use this key."), field="origins")
    before, previous = _audit_values(key), _undo_values(key)
    _apply(key, values)
    if _undo_values(key) == previous:
        return report_unchanged(key, {"before": previous}, command)
    transaction = Transaction(command)
    transaction.save(key, revision=revision)
    _record_change(transaction, "apikey.edit", key, before)
    return transaction.commit(key, {"before": previous})


@idempotent
def revoke(business: str, key_id: str, *, revision: int, command: Command) -> ApiKey:
    """Revoke a key: the next request with it is refused."""
    key = queries.load_key(business, key_id)
    if key.is_revoked:
        raise Conflict(key, _("This key has already been revoked."))
    return _set_status(key, KeyStatus.REVOKED, "apikey.revoke", revision, command)


@idempotent
def restore(business: str, key_id: str, *, revision: int, command: Command) -> ApiKey:
    """Make a revoked key active again."""
    key = queries.load_key(business, key_id)
    if not key.is_revoked:
        raise Conflict(key, _("This key is not revoked."))
    return _set_status(key, KeyStatus.ACTIVE, "apikey.restore", revision, command)


def rehash(key: ApiKey, digest: str, *, is_plain: bool) -> None:
    """Replace the hash made with a previous pepper by the current one. This is no edit: the revision stays.

    The plain hash of an outside writer stays, and ours is stored beside it.
    """
    is_unchanged = key.unchanged("apiKeyHash", "pepperedHash")
    if is_plain or not key.api_key_hash:
        key.peppered_hash = digest
    else:
        key.api_key_hash = digest
    key.set_index_keys()
    changed = key.changes()
    actions = [ApiKey.get_attributes()[name].set(value) for name, value in changed.items()]
    write.update(key.key, actions, is_unchanged)


def _apply(key: ApiKey, values: Mapping[str, Any]) -> None:
    """Set the given fields. A key without origins has an empty list."""
    KEY_FIELDS.apply(key, values)
    key.allowed_origins = key.allowed_origins or []
    key.key_type = key.type.value
    if key.is_public:
        key.scopes = None
        if not key.allowed_origins:
            raise Refused(_("A public key needs at least one website."), field="origins")
    elif key.allowed_origins:
        raise Refused(_("Browsers must not use a secret key. Create a public key for websites."), field="origins")
    elif not key.scopes or values.get("scopes") == []:
        raise Refused(_("Choose what the key may do."), field="scopes")


def _set_status(key: ApiKey, status: KeyStatus, action: str, revision: int, command: Command) -> ApiKey:
    before = _audit_values(key)
    key.status = status
    transaction = Transaction(command)
    transaction.save(key, revision=revision)
    _record_change(transaction, action, key, before)
    return transaction.commit(key)


def _make_room(transaction: Transaction, business: str) -> None:
    """Delete the oldest revoked key where the business has the maximum. Its audit entries stay."""
    existing = queries.keys_of(business).items
    if len(existing) < MAX_KEYS:
        return
    revoked = [key for key in existing if key.is_revoked]
    if not revoked:
        text = _("There are already %(most)s active keys. Revoke one that you no longer need.")
        raise Refused(text % {"most": MAX_KEYS})
    oldest = min(revoked, key=lambda key: key.updated_at or key.created_at or now())
    conflict = _("Someone else created a key at the same time. Try again.")
    transaction.delete(oldest, revision=oldest.revision, on_failure=lambda _: Refused(conflict))


def _secret(command: Command) -> str:
    return f"{_public(command)}_{command.secret('api key')}"


def _public(command: Command) -> str:
    """The first characters of the key. They are derived separately, so that they reveal nothing about the rest."""
    return f"tk_{command.secret('how the api key begins')[:8]}"


def _undo_values(key: ApiKey) -> dict[str, Any]:
    """The values of the form, as Undo sends them."""
    return {name: "" if value is None else value for name, value in KEY_FIELDS.values_of(key).items()}


def _audit_values(key: ApiKey) -> dict[str, Any]:
    """The values for the audit trail; never the hash."""
    values = KEY_FIELDS.values_of(key)
    origins = ", ".join(values["origins"].splitlines()) or "none"
    values["scopes"] = ", ".join(values["scopes"]) or "none"
    state = "revoked" if key.is_revoked else "active" if key.is_active else key.status
    return values | {"origins": origins, "state": state}


def _record_change(transaction: Transaction, action: str, key: ApiKey, before: dict[str, Any] | None) -> None:
    record(
        transaction,
        action,
        target=key.id,
        kind="apikey" if key.business else "platform_apikey",
        title=key.title,
        before=before,
        after=_audit_values(key),
        business=key.business or None,
    )
