"""API keys of businesses and of the platform."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.platform.apikeys import origins
from dashboard.table import keys
from dashboard.table.attributes import LenientNumberAttribute, LenientUnicodeAttribute, PlainListAttribute
from dashboard.table.commands import Actor
from dashboard.table.items import Item
from dashboard.table.keypattern import Collection, IndexKey, Key, Parts
from dashboard.table.nested import texts_in
from dashboard.table.timestamps import TimestampAttribute
from dashboard.web.api.endpoints import SCOPE_LABELS, KeyOwner, Scope

# What queries and services get in place of a business, for the keys of the platform.
PLATFORM = ""
# In the index of hashes. No business can have this id.
_IN_INDEX = "SYSTEM"
# Requests per minute of a key that has no limit of its own.
DEFAULT_LIMIT = 100
# Above what the form accepts: an outside writer may store any number.
MAX_STORED_LIMIT = 1_000_000
# What the address of the actor begins with in the audit trail; the id of the key follows.
KEY_ACTOR = "key:"


class KeyType(StrEnum):
    # For servers.
    SECRET = "secret"  # noqa: S105
    # For browsers: everyone can read it in the source of a page.
    PUBLIC = "public"


KEY_TYPE_LABELS = {
    KeyType.SECRET: _("Secret key, for your servers"),
    KeyType.PUBLIC: _("Public key, for your website: it shows what can be booked, and books"),
}


class KeyStatus(StrEnum):
    ACTIVE = "ACTIVE"
    REVOKED = "REVOKED"


def key_at(business: str, key_id: str) -> Key:
    if business == PLATFORM:
        return keys.PLATFORM_API_KEY.key(key_id=key_id)
    return keys.API_KEY.key(tenant=business, key_id=key_id)


def keys_at(business: str) -> Collection:
    if business == PLATFORM:
        return keys.PLATFORM_API_KEY.collection()
    return keys.API_KEY.collection(tenant=business)


class ApiKey(Item):
    """A key of a business or of the platform. Only an HMAC of the secret is stored; outside writers store its SHA-256.

    Keys of the platform are secret: they act for attendees or moderate.
    """

    key_pattern = keys.API_KEY
    needs_key_parts = True
    attributes_from_key = {"tenantId": "tenant", "apiKeyId": "key_id"}

    business_id = LenientUnicodeAttribute(null=True, attr_name="tenantId")
    api_key_id = LenientUnicodeAttribute(null=True, attr_name="apiKeyId")
    name = LenientUnicodeAttribute(null=True)
    # The first characters of the key, to recognise it. They reveal nothing about the rest.
    api_key_public = LenientUnicodeAttribute(null=True, attr_name="apiKeyPublic")
    api_key_hash = LenientUnicodeAttribute(null=True, attr_name="apiKeyHash")
    # A public key itself, for the snippet of its website, where everyone can read it. Secret keys have none.
    embed_key = LenientUnicodeAttribute(null=True, attr_name="embedKey")
    # Our HMAC beside the SHA-256 of an outside writer, stored at the first use. Their hash stays.
    peppered_hash = LenientUnicodeAttribute(null=True, attr_name="pepperedHash")
    status = LenientUnicodeAttribute(null=True)
    allowed_origins = PlainListAttribute(null=True, attr_name="allowedOrigins")
    rate_limit = LenientNumberAttribute(null=True, attr_name="rateLimit")
    # Absent on keys that are older than types, and on those of outside writers: see `type`.
    key_type = LenientUnicodeAttribute(null=True, attr_name="keyType")
    stored_scopes = PlainListAttribute(null=True, attr_name="scopes")
    last_used_at = TimestampAttribute(null=True, attr_name="lastUsedAt")

    def index_keys(self) -> Iterator[IndexKey]:
        """Revoked keys too: a request with one gets its own error, and Undo works at once."""
        # The hash of an outside writer may contain `#`; such a key is not in the index.
        yield from keys.API_KEY_BY_HASH.optional_key(hash=self.stored_hash, tenant=self.business or _IN_INDEX)

    @property
    def key_parts(self) -> Parts:
        return super().key_parts or keys.PLATFORM_API_KEY.read(*self.key) or {}

    @property
    def stored_hash(self) -> str | None:
        """The hash that a secret must have. Ours counts only where an outside writer has removed theirs."""
        return self.api_key_hash or self.peppered_hash

    @property
    def business(self) -> str:
        return str(self.key_parts.get("tenant", PLATFORM))

    @property
    def owner(self) -> KeyOwner:
        return KeyOwner.BUSINESS if self.business else KeyOwner.PLATFORM

    @property
    def id(self) -> str:
        return str(self.key_parts["key_id"])

    @property
    def title(self) -> str:
        """The name, or what identifies it: outside writers set no name."""
        return self.name or self.api_key_public or self.id

    @property
    def is_active(self) -> bool:
        return self.status == KeyStatus.ACTIVE

    @property
    def is_revoked(self) -> bool:
        return self.status == KeyStatus.REVOKED

    @property
    def type(self) -> KeyType:
        """A key without a type is public if it names websites. Otherwise only servers could ever use it."""
        if self.owner == KeyOwner.PLATFORM:
            return KeyType.SECRET
        if self.key_type in set(KeyType):
            return KeyType(self.key_type)
        return KeyType.PUBLIC if self.allowed_origins else KeyType.SECRET

    @property
    def is_public(self) -> bool:
        return self.type == KeyType.PUBLIC

    @property
    def scopes(self) -> list[Scope]:
        """What a secret key may do. One without scopes reads."""
        if self.is_public:
            return []
        known = set(texts_in(self.stored_scopes or []))
        allowed = [each for each in SCOPE_LABELS[self.owner] if each in known]
        return [Scope.READ] if self.stored_scopes is None else allowed

    @scopes.setter
    def scopes(self, scopes: Sequence[str] | None) -> None:
        self.stored_scopes = [str(each) for each in scopes] if scopes else None

    @property
    def type_label(self) -> Any:
        return KEY_TYPE_LABELS[self.type]

    @property
    def scope_names(self) -> str:
        return ", ".join(self.scopes)

    @property
    def actor(self) -> Actor:
        """Who acts in the audit trail when the key is used."""
        return Actor(f"{KEY_ACTOR}{self.id}", self.title)

    @property
    def limit(self) -> int:
        return DEFAULT_LIMIT if self.rate_limit is None else max(0, min(int(self.rate_limit), MAX_STORED_LIMIT))

    @property
    def origins(self) -> list[str]:
        """The allowed origins, normalised; invalid ones are left out."""
        found = [origins.try_normalise(each) for each in texts_in(self.allowed_origins or [])]
        return [each for each in found if each]

    @property
    def allows_every_origin(self) -> bool:
        """Outside writers allow every website with an asterisk."""
        return origins.EVERY in (self.allowed_origins or [])

    def allows_origin(self, origin: str) -> bool:
        """Whether a browser may use the key on a site with this origin, in its normal form."""
        return self.allows_every_origin or origin in self.origins

    @property
    def more_origins(self) -> int:
        """The number of origins after the first."""
        return max(0, len(self.allowed_origins or []) - 1)

    @property
    def origins_text(self) -> str:
        """The origins as the form shows them: one per line."""
        return "\n".join(str(each) for each in self.allowed_origins or [])
