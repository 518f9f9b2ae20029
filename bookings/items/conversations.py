"""Conversations with the booking agent."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.table import keys
from dashboard.table.attributes import LenientUnicodeAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class Conversation(Item):
    """The progress of a customer's conversation."""

    key_pattern = keys.CONVERSATION

    state = LenientUnicodeAttribute(null=True)
    service_id = LenientUnicodeAttribute(null=True, attr_name="serviceId")
    provider_id = LenientUnicodeAttribute(null=True, attr_name="providerId")
    slot_start = TimestampAttribute(null=True, attr_name="slotStart")
    slot_end = TimestampAttribute(null=True, attr_name="slotEnd")
    user_context = PlainMapAttribute(null=True, attr_name="userContext")

    def index_keys(self) -> Iterator[IndexKey]:
        business = self.key_parts["tenant"]
        yield from keys.CONVERSATIONS_BY_STATE.optional_key(
            tenant=business, state=self.state, updated_at=self.updated_at
        )
