"""The items of seals: the seal of a day, the list that it covers, and the record of how far a trail is sealed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from dashboard.platform.audit.seals.canonical import as_text, is_signed, sha256, sign
from dashboard.table import keys
from dashboard.table.attributes import PlainListAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute, to_wire


@dataclass(frozen=True)
class SealedEntry:
    """One entry in the list of a day. Action and actor identify the entry if it is removed later."""

    position: str
    hash: str
    action: str
    actor: str


@dataclass(frozen=True)
class Part:
    """The number of one part of a day's list, its number of entries and the hash of its text."""

    part: int
    entries: int
    hash: str


@dataclass(frozen=True)
class SealReference:
    """A reference to a seal in the chain: its number, day and hash."""

    number: int
    day: str
    hash: str


NO_SEAL = SealReference(0, "", "")
# The key of a part has 8 digits for its number.
MAX_PART = 10**8


class SealPart(Item):
    """One part of a day's list. The size of an item limits its length."""

    key_pattern = keys.SYSTEM_SEAL_PART
    editable = False

    # The attempt to seal the day that wrote this part. Only one attempt succeeds.
    attempt = UnicodeAttribute()
    text = UnicodeAttribute()

    def lines(self) -> list[SealedEntry]:
        """Raises ValueError if the stored value was replaced with an invalid one."""
        try:
            lines = [SealedEntry(*json.loads(line)) for line in self.text.splitlines()]
        except TypeError as error:
            raise ValueError from error
        if not all(isinstance(each, str) for line in lines for each in astuple(line)):
            raise ValueError
        return lines

    @staticmethod
    def line(line: SealedEntry) -> str:
        return as_text(astuple(line)) + "\n"


class Seal(Item):
    """The seal of one day: the hashes of its list and the seal before. It is written once."""

    # For the platform's trail. The seal of a business is in the partition of the business.
    key_pattern = keys.SYSTEM_SEAL
    editable = False

    scope = UnicodeAttribute()
    day = UnicodeAttribute()
    number = NumberAttribute()
    entries = NumberAttribute()
    parts = PlainListAttribute()
    previous_day = UnicodeAttribute(null=True, attr_name="previousDay")
    previous_hash = UnicodeAttribute(null=True, attr_name="previousHash")
    sealed_at = TimestampAttribute(attr_name="sealedAt")
    hash = UnicodeAttribute()
    signature = UnicodeAttribute()

    @property
    def content(self) -> str:
        """The text that is hashed."""
        sealed_at = to_wire(self.sealed_at) if self.sealed_at else ""
        values = [self.scope, self.day, self.number, self.entries, self.parts]
        return as_text([*values, self.previous_day, self.previous_hash, sealed_at])

    def close(self, parts: list[Part], previous: SealReference) -> None:
        self.parts = [asdict(part) for part in parts]
        self.entries = sum(part.entries for part in parts)
        self.number = previous.number + 1
        self.previous_day, self.previous_hash = previous.day or None, previous.hash or None
        self.hash = sha256(self.content)
        self.signature = sign(self.hash)

    @property
    def is_intact(self) -> bool:
        return bool(self.hash == sha256(self.content))

    @property
    def has_valid_signature(self) -> bool:
        return is_signed(self.hash or "", self.signature or "")

    @property
    def previous(self) -> SealReference:
        return SealReference(int(self.number or 0) - 1, self.previous_day or "", self.previous_hash or "")

    @property
    def link(self) -> SealReference:
        return SealReference(int(self.number or 0), self.day or "", self.hash or "")

    def list_parts(self) -> list[Part]:
        """Raises ValueError if the stored value was replaced with an invalid one."""
        try:
            parts = [Part(**part) for part in self.parts or ()]
        except TypeError as error:
            raise ValueError from error
        if not all(isinstance(part.part, int) and 0 <= part.part < MAX_PART for part in parts):
            raise ValueError
        return parts


class Sealing(Item):
    """The record of how far a trail is sealed: the last day and the last seal. Due after the next day ends."""

    key_pattern = keys.SYSTEM_SEALING

    scope = UnicodeAttribute()
    began_at = TimestampAttribute(attr_name="beganAt")
    # Empty until the first day is examined.
    through = UnicodeAttribute(null=True)
    number = NumberAttribute()
    day = UnicodeAttribute(null=True)
    hash = UnicodeAttribute(null=True)
    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    signature = UnicodeAttribute()

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at:
            yield keys.DUE.key(due_at=self.due_at)

    @property
    def content(self) -> str:
        began_at = to_wire(self.began_at) if self.began_at else ""
        return as_text([self.scope, began_at, self.through, self.number, self.day, self.hash])

    def sign(self) -> None:
        self.signature = sign(self.content)

    @property
    def has_valid_signature(self) -> bool:
        return is_signed(self.content, self.signature or "")

    @property
    def head(self) -> SealReference:
        return SealReference(int(self.number or 0), self.day or "", self.hash or "")

    @head.setter
    def head(self, link: SealReference) -> None:
        self.number, self.day, self.hash = link.number, link.day or None, link.hash or None
