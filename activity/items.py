"""Activity of people at the event, in one table per month (the event service)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from activity.archive.items import IncomingFile, SealedDay
from dashboard.table import keys
from dashboard.table.attributes import LenientUnicodeAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import from_wire

__all__ = ["Activity", "IncomingFile", "SealedDay"]


class Activity(Item):
    """One action of a person."""

    key_pattern = keys.ACTIVITY
    editable = False

    action = LenientUnicodeAttribute(null=True)
    sala_id = LenientUnicodeAttribute(null=True, attr_name="salaId")
    country = LenientUnicodeAttribute(null=True)
    metadata = PlainMapAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        at, shard = str(self.key_parts["at"]), self.key_parts["shard"]
        with suppress(ValueError, OverflowError):
            date = from_wire(at).date().isoformat()
            yield from keys.ACTIVITY_BY_COUNTRY.optional_key(country=self.country, date=date, shard=shard, at=at)
