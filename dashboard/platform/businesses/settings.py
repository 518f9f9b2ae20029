"""One entry of a business's `settings` as an attribute: what stands beside it is left alone."""

from __future__ import annotations

import copy
from typing import Any


class Setting:
    """`Setting("widget", "primaryColor")`: read as text, written in its place, taken away when it is empty."""

    def __init__(self, *path: str) -> None:
        self.path = path

    def __get__(self, item: Any, owner: type | None = None) -> str | None:
        if item is None:
            return None  # Asked on the class: nothing to read.
        at = item.settings
        for name in self.path:
            at = at.get(name) if isinstance(at, dict) else None
        return None if at is None or isinstance(at, dict | list) else str(at)

    def __set__(self, item: Any, value: str | None) -> None:
        if (value or None) == self.__get__(item):
            return  # As it was, whatever type another service gave it.
        self._put(item, value or None)

    def _put(self, item: Any, value: str | int | None) -> None:
        item.settings = at = copy.deepcopy(item.settings) if item.settings else {}
        for name in self.path[:-1]:
            if not isinstance(at.get(name), dict):
                at[name] = {}
            at = at[name]
        if value is not None:
            at[self.path[-1]] = value
        else:
            at.pop(self.path[-1], None)


class NumberSetting(Setting):
    """The same for a whole number, 0 included; what is none reads as nothing, and stays until it is set."""

    def __get__(self, item: Any, owner: type | None = None) -> int | None:  # type: ignore[override]
        text = super().__get__(item, owner)
        return int(text) if text is not None and text.isdecimal() and len(text) < 10 else None

    def __set__(self, item: Any, value: int | None) -> None:  # type: ignore[override]
        if value != self.__get__(item):
            self._put(item, value)
