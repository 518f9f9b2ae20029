"""What sealing writes: a day's seal, the list it seals, and how far a trail is sealed."""

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
    """One entry in a day's list. Action and actor are kept, so that an entry that is gone can still be named."""

    position: str
    hash: str
    action: str
    actor: str


@dataclass(frozen=True)
class Part:
    """Where a stretch of a day's list stands, and the hash of its text."""

    part: int
    entries: int
    hash: str


@dataclass(frozen=True)
class Link:
    """What must stand before something in the chain: the number, the day and the hash of the last seal."""

    number: int
    day: str
    hash: str


NO_SEAL = Link(0, "", "")
# What fits into the key of a part.
MAX_PART = 10**8


class SealPart(Item):
    """A stretch of a day's list, as long as an item may well be."""

    pattern = keys.SYSTEM_SEAL_PART
    editable = False

    # Which try to seal the day wrote it: only one of them succeeds.
    attempt = UnicodeAttribute()
    text = UnicodeAttribute()

    def lines(self) -> list[SealedEntry]:
        """Raises ValueError where somebody has written something else here."""
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
    """That these were the entries of a day, and which seal came before. Written once."""

    # Under `SYSTEM`; that of a business under its tenant.
    pattern = keys.SYSTEM_SEAL
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
        """All that the seal says, as it is hashed."""
        sealed_at = to_wire(self.sealed_at) if self.sealed_at else ""
        said = [self.scope, self.day, self.number, self.entries, self.parts]
        return as_text([*said, self.previous_day, self.previous_hash, sealed_at])

    def close(self, parts: list[Part], before: Link) -> None:
        self.parts = [asdict(part) for part in parts]
        self.entries = sum(part.entries for part in parts)
        self.number = before.number + 1
        self.previous_day, self.previous_hash = before.day or None, before.hash or None
        self.hash = sha256(self.content)
        self.signature = sign(self.hash)

    @property
    def is_intact(self) -> bool:
        return bool(self.hash == sha256(self.content))

    @property
    def has_valid_signature(self) -> bool:
        return is_signed(self.hash or "", self.signature or "")

    @property
    def before(self) -> Link:
        return Link(int(self.number or 0) - 1, self.previous_day or "", self.previous_hash or "")

    @property
    def link(self) -> Link:
        return Link(int(self.number or 0), self.day or "", self.hash or "")

    def list_parts(self) -> list[Part]:
        """Raises ValueError where somebody has written something else here."""
        try:
            parts = [Part(**part) for part in self.parts or ()]
        except TypeError as error:
            raise ValueError from error
        if not all(isinstance(part.part, int) and 0 <= part.part < MAX_PART for part in parts):
            raise ValueError
        return parts


class Sealing(Item):
    """How far a trail is sealed: through which day, up to which seal. Due when the next day is over."""

    pattern = keys.SYSTEM_SEALING

    scope = UnicodeAttribute()
    began_at = TimestampAttribute(attr_name="beganAt")
    # Empty until the first day is looked at.
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
    def head(self) -> Link:
        return Link(int(self.number or 0), self.day or "", self.hash or "")

    @head.setter
    def head(self, link: Link) -> None:
        self.number, self.day, self.hash = link.number, link.day or None, link.hash or None
