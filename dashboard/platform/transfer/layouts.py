"""Layouts of other services: how an item of one of their tables becomes items of this table.

An app declares its layouts in `layouts.py`. A converter has no side effects. It keeps every attribute in its form and
yields items at our keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from dashboard.core.names import printable_value
from dashboard.platform.transfer.values import BadLine
from dashboard.table import schema
from dashboard.table.items import Raw
from dashboard.table.keypattern import BadKey, Key, Part, Pattern

Converter = Callable[[Raw], Iterator[Raw]]

# Attributes of their items that have the names of our keys are left out.
_KEY_ATTRIBUTES = {schema.PK, schema.SK} | {
    name for index in schema.INDEXES if index.sk for name in (index.pk, index.sk)
}


@dataclass(frozen=True)
class Layout:
    """A table of another service."""

    name: str
    table_name: re.Pattern[str]
    convert: Converter


class ImportCheck(Protocol):
    """Looks at the items of one import, for what no single item shows."""

    def add(self, raw: Raw) -> None: ...
    def report_lines(self) -> list[str]: ...


LAYOUTS: list[Layout] = []
# Each import gets new checks.
CHECKS: list[Callable[[], ImportCheck]] = []


def register_layout(name: str, table_name: str) -> Callable[[Converter], Converter]:
    """Register the converter of a table. `table_name` is a pattern of the names that the table has in environments."""

    def register(convert: Converter) -> Converter:
        LAYOUTS.append(Layout(name, re.compile(table_name), convert))
        return convert

    return register


def find_layout(table_name: str) -> Layout | None:
    return next((each for each in LAYOUTS if each.table_name.fullmatch(table_name)), None)


def build_key(pattern: Pattern, **parts: Part) -> Key:
    """The key with these parts; raises BadLine if a part cannot be in a key."""
    try:
        return pattern.key(**parts)
    except BadKey as error:
        raise BadLine(str(error)) from None


def move_item(item: Raw, key: Key, **values: str) -> Raw:
    """The item at our key, with all its attributes except those that would be keys here, and with these texts."""
    kept = {name: value for name, value in item.items() if name not in _KEY_ATTRIBUTES}
    own = {schema.PK: key.pk, schema.SK: key.sk, **values}
    return kept | {name: {"S": text} for name, text in own.items()}


def text_of(item: Raw, *names: str) -> str:
    """The first of these attributes that is a text; raises BadLine if there is none."""
    for name in names:
        text = item.get(name, {}).get("S")
        if text:
            return str(text)
    raise BadLine(f"{' or '.join(printable_value(name) for name in names)} is missing")
