"""One entry of a business's `settings` as an attribute. Other entries are kept."""

from __future__ import annotations

import copy
from typing import Any

from dashboard.table.nested import StoredMap, is_map, text_of


class Setting:
    """`Setting("widget", "primaryColor")` reads the entry as text and writes it; an empty value removes it."""

    def __init__(self, *path: str) -> None:
        self.path = path

    def __get__(self, item: Any, owner: type | None = None) -> str | None:
        if item is None:
            return None  # Read on the class.
        value = item.settings
        for name in self.path:
            value = StoredMap.of(value).get(name)
        return text_of(value)

    def __set__(self, item: Any, value: str | None) -> None:
        if (value or None) == self.__get__(item):
            return  # Unchanged: keep the type that an outside writer gave it.
        self._put(item, value or None)

    def _put(self, item: Any, value: str | int | None) -> None:
        item.settings = parent = copy.deepcopy(item.settings) if item.settings else {}
        for name in self.path[:-1]:
            if not is_map(parent.get(name)):
                parent[name] = {}
            parent = parent[name]
        if value is not None:
            parent[self.path[-1]] = value
        else:
            parent.pop(self.path[-1], None)


class NumberSetting(Setting):
    """The same for a whole number. Another type reads as None, and is kept until a number is set."""

    def __get__(self, item: Any, owner: type | None = None) -> int | None:  # type: ignore[override]
        text = super().__get__(item, owner)
        return int(text) if text is not None and text.isdecimal() and len(text) < 10 else None

    def __set__(self, item: Any, value: int | None) -> None:  # type: ignore[override]
        if value != self.__get__(item):
            self._put(item, value)
