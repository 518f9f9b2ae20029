"""API keys: what lets a business's own programs in."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from dashboard.platform.apikeys import origins
from dashboard.table import keys
from dashboard.table.attributes import PlainListAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute

# Requests a minute where a key says nothing of it.
USUAL_LIMIT = 100
# More than any form takes: another service may write a number that fits nowhere else.
MOST = 1_000_000


class Status(StrEnum):
    ACTIVE = "ACTIVE"
    REVOKED = "REVOKED"


class ApiKey(Item):
    """A key of a business. The key itself is not stored, only an HMAC of it."""

    pattern = keys.API_KEY
    attributes_from_key = {"tenantId": "tenant", "apiKeyId": "key_id"}

    business_id = UnicodeAttribute(null=True, attr_name="tenantId")
    api_key_id = UnicodeAttribute(null=True, attr_name="apiKeyId")
    name = UnicodeAttribute(null=True)
    # How the key begins: enough to tell it from others, nothing to guess the rest by.
    api_key_public = UnicodeAttribute(null=True, attr_name="apiKeyPublic")
    api_key_hash = UnicodeAttribute(null=True, attr_name="apiKeyHash")
    status = UnicodeAttribute(null=True)
    allowed_origins = PlainListAttribute(null=True, attr_name="allowedOrigins")
    rate_limit = NumberAttribute(null=True, attr_name="rateLimit")
    last_used_at = TimestampAttribute(null=True, attr_name="lastUsedAt")

    # What lists show; never the hash.
    CARD = (
        "name",
        "apiKeyPublic",
        "status",
        "allowedOrigins",
        "rateLimit",
        "createdAt",
        "lastUsedAt",
        "updatedAt",
        "revision",
    )

    def index_keys(self) -> Iterator[IndexKey]:
        """Revoked keys too: whoever holds one reads that it was revoked, and an Undo works at once."""
        # Another service's hash may hold a `#`: then nothing finds it by that.
        yield from keys.API_KEY_BY_HASH.place(hash=self.api_key_hash, tenant=self.business)

    @property
    def business(self) -> str:
        return str(self.key_parts["tenant"])

    @property
    def id(self) -> str:
        return str(self.key_parts["key_id"])

    @property
    def title(self) -> str:
        """What to call it: other services give no names."""
        return self.name or self.api_key_public or self.id

    @property
    def is_active(self) -> bool:
        return self.status == Status.ACTIVE

    @property
    def is_revoked(self) -> bool:
        return self.status == Status.REVOKED

    @property
    def limit(self) -> int:
        return USUAL_LIMIT if self.rate_limit is None else min(int(self.rate_limit), MOST)

    @property
    def origins(self) -> list[str]:
        """The sites whose scripts may use it, as browsers write them; what is none is left out."""
        found = [origins.normalised(each) for each in self.allowed_origins or [] if isinstance(each, str)]
        return [each for each in found if each]

    @property
    def more_origins(self) -> int:
        """How many there are beside the first."""
        return max(0, len(self.allowed_origins or []) - 1)

    @property
    def origins_text(self) -> str:
        """The same as a form shows it: one a line."""
        return "\n".join(str(each) for each in self.allowed_origins or [])
