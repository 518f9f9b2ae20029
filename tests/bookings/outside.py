"""An outside writer in tests: writes raw items, and passes the stream's records to the follower."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from dashboard.platform.stream.batches import RepairTally, process
from dashboard.platform.stream.source import Stream
from dashboard.table import connection, keys
from dashboard.table.attributes import from_attribute, to_attribute
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.timestamps import to_wire
from tests.bookings.bookable_business import BUSINESS, HOUR


def booking_key(id: str, start: datetime | str, by: str = "maria") -> Key:
    return keys.BOOKING.key(tenant=BUSINESS, provider=by, start=start, booking=id)


def booking_values(id: str, start: datetime, by: str = "maria", **more: Any) -> dict[str, Any]:
    """The attributes of a booking as the booking service writes them. None is written as NULL."""
    return {
        "bookingId": id,
        "tenantId": BUSINESS,
        "serviceId": "masaje",
        "providerId": by,
        "roomId": None,
        "tenantId_providerId": f"{BUSINESS}_{by}",
        "start": isoformat(start),
        "startTime": isoformat(start),
        "endTime": isoformat(start + HOUR),
        "status": "CONFIRMED",
        "paymentStatus": "NONE",
        "createdAt": "2026-05-10T12:00:00.654321+00:00",
        "dteFolio": None,
        "customerId": "juan",
        "clientFirstName": "Rosa",
        "clientLastName": "Díaz",
        "clientEmail": "rosa@example.com",
    } | more


def isoformat(moment: datetime, offset: int = -3) -> str:
    """The time as Python's `isoformat` writes it, with an offset in hours."""
    text = (moment + timedelta(hours=offset)).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}{offset:+03d}:00"


def raw_at(key: Key) -> dict[str, Any]:
    """The plain attributes of an item; empty if there is none."""
    return {name: from_attribute(value) for name, value in (_get(key) or {}).items()}


def _get(key: Key) -> Raw | None:
    answer = connection.client().get_item(TableName=settings.DYNAMODB_TABLE, Key=_wire(key), ConsistentRead=True)
    found: Raw | None = answer.get("Item")
    return found


def _wire(key: Key) -> Raw:
    return {"PK": {"S": key.pk}, "SK": {"S": key.sk}}


class OutsideWriter:
    """Writes items as outside writers do. `follow` repairs what it has written since."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []

    def put(self, key: Key, **values: Any) -> None:
        """Put a whole item, which removes every attribute that it does not name."""
        item = _wire(key) | {name: to_attribute(value) for name, value in values.items()}
        answer = connection.client().put_item(TableName=settings.DYNAMODB_TABLE, Item=item, ReturnValues="ALL_OLD")
        self._record(key, answer.get("Attributes"), item)

    def put_booking(self, id: str, start: datetime, by: str = "maria", *, at: str = "", **values: Any) -> Key:
        """Put a booking; `at` is the start in its key if it is not in UTC."""
        key = booking_key(id, at or to_wire(start), by)
        self.put(key, **booking_values(id, start, by, **values))
        return key

    def update(self, key: Key, **values: Any) -> None:
        """Update some attributes; None removes one."""
        old = _get(key)
        setting = {name: to_attribute(value) for name, value in values.items() if value is not None}
        names = {f"#{name}": name for name in values}
        removing = [f"#{name}" for name, value in values.items() if value is None]
        expression = ("SET " + ", ".join(f"#{name} = :{name}" for name in setting)) if setting else ""
        expression += (" REMOVE " + ", ".join(removing)) if removing else ""
        placeholders = {"ExpressionAttributeValues": {f":{name}": value for name, value in setting.items()}}
        answer = connection.client().update_item(
            TableName=settings.DYNAMODB_TABLE,
            Key=_wire(key),
            UpdateExpression=expression,
            ExpressionAttributeNames=names,
            ReturnValues="ALL_NEW",
            **(placeholders if setting else {}),
        )
        self._record(key, old, answer["Attributes"])

    def delete(self, key: Key) -> None:
        answer = connection.client().delete_item(
            TableName=settings.DYNAMODB_TABLE, Key=_wire(key), ReturnValues="ALL_OLD"
        )
        if "Attributes" in answer:
            self._record(key, answer["Attributes"], None)

    def _record(self, key: Key, old: Raw | None, new: Raw | None) -> None:
        images = {"OldImage": old, "NewImage": new}
        self.records.append({"dynamodb": {"Keys": _wire(key)} | {name: it for name, it in images.items() if it}})

    def follow(self) -> RepairTally:
        records, self.records = self.records, []
        return _process(records)


class TableStream:
    """Reads the stream of a new table, like the follower."""

    def __init__(self) -> None:
        self._stream = Stream.of_table()
        self._iterators: list[str | None] = [self._stream.iterator(shard.id, None) for shard in self._stream.shards()]

    def follow(self) -> RepairTally:
        """Repair everything that was written since the last call, until the repairs themselves need none."""
        total = RepairTally()
        while True:
            records: list[Any] = []
            for number, iterator in enumerate(self._iterators):
                if iterator is not None:
                    found, self._iterators[number] = self._stream.records(iterator)
                    records += found
            if not records:
                return total
            tally = _process(records)
            total.records, total.repairs = total.records + tally.records, total.repairs + tally.repairs


def _process(records: list[Any]) -> RepairTally:
    tally = RepairTally()
    process(records, tally)
    assert tally.failures == []
    return tally
