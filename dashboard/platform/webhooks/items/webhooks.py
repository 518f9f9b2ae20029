"""Webhooks."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from dashboard.core.clock import now
from dashboard.platform.webhooks import signatures
from dashboard.table import keys
from dashboard.table.attributes import LenientUnicodeAttribute, PlainListAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import Key, Parts
from dashboard.table.nested import texts_in
from dashboard.table.timestamps import TimestampAttribute

# How long the previous secret also signs after a rotation.
OVERLAP = timedelta(hours=24)
# A receiver that fails no longer than this is restarting.
SHORT_FAILURE = timedelta(hours=1)


class Webhook(Item):
    """An address of a business, or of the platform, that is told about events."""

    # That of the platform; those of a business are in its own partition.
    key_pattern = keys.SYSTEM_WEBHOOK

    name = LenientUnicodeAttribute(null=True)
    url = UnicodeAttribute()
    events = PlainListAttribute(null=True)
    # Encrypted. The previous secret also signs until its time.
    secret = UnicodeAttribute()
    previous_secret = UnicodeAttribute(null=True, attr_name="previousSecret")
    previous_until = TimestampAttribute(null=True, attr_name="previousUntil")
    # Set while it is switched off, and why: by a person, or because it failed for too long.
    off_at = TimestampAttribute(null=True, attr_name="offAt")
    off_reason = UnicodeAttribute(null=True, attr_name="offReason")
    # What `run_due` notes; it does not count revisions. While it is paused, nothing is sent.
    failures = NumberAttribute(null=True)
    failing_since = TimestampAttribute(null=True, attr_name="failingSince")
    paused_until = TimestampAttribute(null=True, attr_name="pausedUntil")

    IN_LISTS = ("name", "url", "events", "offAt", "offReason", "failingSince", "pausedUntil", "revision", "createdAt")

    @property
    def parts(self) -> Parts:
        return keys.SYSTEM_WEBHOOK.read(*self.key) or keys.WEBHOOK.read(*self.key) or {}

    @property
    def id(self) -> str:
        return str(self.parts["webhook"])

    @property
    def business(self) -> str:
        """Empty for the platform."""
        return str(self.parts.get("tenant", ""))

    @property
    def title(self) -> str:
        return self.name or self.url

    @property
    def event_names(self) -> list[str]:
        return texts_in(self.events or [])

    @property
    def is_on(self) -> bool:
        return self.off_at is None

    @property
    def off_text(self) -> str | Promise:
        return OFF_LABELS.get(self.off_reason or "", "")

    @property
    def is_failing(self) -> bool:
        return self.is_on and self.failing_since is not None

    @property
    def is_failing_for_long(self) -> bool:
        """Whether people should know: a short failure heals itself."""
        return self.is_failing and self.failing_since < now() - SHORT_FAILURE

    @property
    def has_previous_secret(self) -> bool:
        """Whether two secrets sign."""
        return bool(self.previous_secret) and self.previous_until is not None and self.previous_until > now()

    def secrets(self) -> list[str]:
        """The secrets that sign now, the current one first."""
        stored = [self.secret, *([self.previous_secret] if self.has_previous_secret else [])]
        decrypted = (signatures.decrypt(each or "", self.key) for each in stored)
        return [each for each in decrypted if each]


class OffReason(StrEnum):
    PERSON = "person"
    FAILED = "failed"
    GONE = "gone"


OFF_LABELS: dict[str, Promise] = {
    OffReason.PERSON: _("Switched off by a person"),
    OffReason.FAILED: _("Switched off because it failed for five days"),
    OffReason.GONE: _("Switched off because the receiver answered 410 Gone"),
}


def webhook_key(business: str, webhook_id: str) -> Key:
    if business:
        return keys.WEBHOOK.key(tenant=business, webhook=webhook_id)
    return keys.SYSTEM_WEBHOOK.key(webhook=webhook_id)
