"""The events of the security log."""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import UnicodeAttribute

from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class SecurityEvent(Item):
    """One security event. Accounts are keyed hashes, so that the log contains no e-mail address."""

    key_pattern = keys.SECURITY_EVENT
    editable = False

    kind = UnicodeAttribute()
    at_time = TimestampAttribute(attr_name="timestamp")
    account = UnicodeAttribute(null=True)
    # Who did it, if it is not the account itself.
    actor = UnicodeAttribute(null=True)
    address = UnicodeAttribute(null=True)
    browser = UnicodeAttribute(null=True)
    request_id = UnicodeAttribute(null=True, attr_name="requestId")
    details = PlainMapAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        at, id = self.key_parts.get("at"), self.key_parts.get("id")
        yield from keys.SECURITY_EVENTS_OF_ACCOUNT.optional_key(account=self.account, at=at, id=id)
        yield from keys.SECURITY_EVENTS_BY_KIND.optional_key(kind=self.kind, at=at, id=id)
