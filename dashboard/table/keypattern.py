"""The grammar of `keys.py`: builds a key from its parts, and reads the parts from a key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from dashboard.table.timestamps import to_wire

Part = str | int | datetime
Parts = dict[str, str | int]

# DynamoDB's own limits, in bytes.
MAX_PK = 2048
MAX_SK = 1024

# A negative number of kind `s10` is written as its complement to this.
_SIGNED_RANGE = 10**10

_FIELD = re.compile(r"\{(\w+)(?::(\w+))?\}")
_NUMBER = "[0-9]+"
_READ = {
    "": "[^#]+",
    "n8": _NUMBER,
    "n10": _NUMBER,
    "n": _NUMBER,
    "s10": f"-?{_NUMBER}",
    "rest": "(?s:.+)",
    "tail": "(?:#[^#]+)?",
}


class BadKey(ValueError):
    """A value that cannot be part of a key."""


class Key(NamedTuple):
    pk: str
    sk: str


@dataclass(frozen=True)
class IndexKey:
    """The key of an item in an index."""

    index: str
    pk: str
    sk: str | None


@dataclass(frozen=True)
class Collection:
    """A partition to query, in the table or an index, and the prefix of all its sort keys."""

    index: str | None
    pk: str
    prefix: str
    # The name of the table; empty for the main one.
    table: str = ""


class Template:
    """A key with fields: `THEME#{version:n8}`.

    `n8` pads a number, `s10` also accepts a negative one, `rest` may contain `#`, `tail` is optional.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.fields = dict[str, str](_FIELD.findall(text))
        literals = [re.escape(part) for part in re.split(r"\{[^}]+\}", text)]
        groups = [f"(?P<{name}>{_READ[kind]})" for name, kind in self.fields.items()] + [""]
        self._regex = re.compile("".join(a + b for a, b in zip(literals, groups, strict=True)))

    def __str__(self) -> str:
        return _FIELD.sub(lambda m: f"<{m[1]}>", self.text)

    def fill(self, parts: dict[str, Part]) -> str:
        return _FIELD.sub(lambda m: _write(m[1], m[2] or "", parts), self.text)

    def prefix(self, parts: dict[str, Part]) -> str:
        """The key up to the first field that has no given part."""
        known = self.text
        for match in _FIELD.finditer(self.text):
            if match[1] not in parts:
                known = self.text[: match.start()]
                break
        return Template(known).fill(parts) if known else ""

    def read(self, value: str) -> Parts | None:
        match = self._regex.fullmatch(value)
        if match is None:
            return None
        return {name: _read(self.fields[name], text) for name, text in match.groupdict().items()}


def _read(kind: str, text: str) -> str | int:
    if kind.startswith("n"):
        return int(text)
    if kind == "s10":
        return int(text[1:]) - _SIGNED_RANGE if text.startswith("-") else int(text)
    return text.removeprefix("#") if kind == "tail" else text


def _write(name: str, kind: str, parts: dict[str, Part]) -> str:
    value = parts.get(name, "" if kind == "tail" else None)
    if isinstance(value, datetime):
        return to_wire(value)
    if kind == "s10" and isinstance(value, int) and value < 0:
        # The complement: -5 is written as -9999999995, which sorts below -9999999999 (-1) and below every "0…".
        if value <= -_SIGNED_RANGE:
            raise BadKey(f"{name} has more than 10 digits: {value}")
        return f"-{_SIGNED_RANGE + value:010d}"
    if kind.startswith(("n", "s")):
        if not isinstance(value, int) or value < 0:
            raise BadKey(f"{name} must be a whole number, not {value!r}")
        width = int(kind[1:] or 0)
        if width and value >= 10**width:
            raise BadKey(f"{name} has more than {width} digits: {value} would sort below smaller numbers")
        return f"{value:0{width}d}"
    text = "" if value is None else str(value)
    if (not text and kind != "tail") or ("#" in text and kind != "rest"):
        # Without the value: it may be an e-mail address, and this message is logged.
        raise BadKey(f"{name} cannot be part of a key")
    return f"#{text}" if text and kind == "tail" else text


def _to_part(part: Part | float) -> Part:
    """Refuse maps and lists, and convert whole floats: PynamoDB reads `3.0` and `3E0` as floats."""
    if isinstance(part, dict | list | set | bytes | bool):
        raise BadKey(f"{type(part).__name__} is no part of a key")
    if isinstance(part, float):
        if not part.is_integer():
            raise BadKey(f"{part} is not a whole number")
        return int(part)
    return part


def _check_length(pk: str, sk: str) -> None:
    if len(pk.encode()) > MAX_PK or len(sk.encode()) > MAX_SK:
        raise BadKey(f"a key can have {MAX_PK} and {MAX_SK} bytes, not {len(pk.encode())} and {len(sk.encode())}")


@dataclass(frozen=True)
class Pattern:
    """The keys of one kind of item in the table."""

    kind: str
    pk: Template
    sk: Template

    def key(self, **parts: Part) -> Key:
        key = Key(self.pk.fill(parts), self.sk.fill(parts))
        _check_length(*key)
        return key

    def read(self, pk: str, sk: str) -> Parts | None:
        pk_parts, sk_parts = self.pk.read(pk), self.sk.read(sk)
        if pk_parts is None or sk_parts is None:
            return None
        if any(pk_parts[name] != sk_parts[name] for name in pk_parts.keys() & sk_parts.keys()):
            return None
        return pk_parts | sk_parts

    def collection(self, **parts: Part) -> Collection:
        """All items of this kind in one partition."""
        return Collection(None, self.pk.fill(parts), self.sk.prefix(parts))


@dataclass(frozen=True)
class IndexPattern:
    """The keys of one kind of item in an index."""

    index: str
    pk: Template
    sk: Template

    def key(self, **parts: Part) -> IndexKey:
        pk, sk = self.pk.fill(parts), self.sk.fill(parts)
        _check_length(pk, sk)
        return IndexKey(self.index, pk, sk)

    def optional_key(self, **parts: Part | float | None) -> Iterator[IndexKey]:
        """Yield the key; nothing where a part is missing or invalid, as outside writers may leave it."""
        try:
            key = self.key(**{name: _to_part(part) for name, part in parts.items() if part is not None})
        except BadKey:
            omitted = _omitted.get()
            if omitted is not None and None not in parts.values():
                omitted.append(self)
            return
        yield key

    def collection(self, **parts: Part) -> Collection:
        return Collection(self.index, self.pk.fill(parts), self.sk.prefix(parts))


# The index keys that were left out because a part is invalid, while somebody asks for them.
_omitted: ContextVar[list[IndexPattern] | None] = ContextVar("omitted", default=None)


@contextmanager
def omitted_keys() -> Iterator[list[IndexPattern]]:
    """Collect the patterns of the index keys that `optional_key` leaves out in the block, because a part is invalid."""
    found: list[IndexPattern] = []
    token = _omitted.set(found)
    try:
        yield found
    finally:
        _omitted.reset(token)


def pattern(kind: str, pk: str, sk: str) -> Pattern:
    return Pattern(kind, Template(pk), Template(sk))


def index(name: str, pk: str, sk: str) -> IndexPattern:
    return IndexPattern(name, Template(pk), Template(sk))
