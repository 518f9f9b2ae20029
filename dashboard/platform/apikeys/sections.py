"""Sections that apps add to the page of an API key, such as the code for a website. Apps: `key_sections.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.apikeys.items import ApiKey


@dataclass(frozen=True)
class KeySection:
    template: str
    # The context of the template; None for a key that does not have the section.
    build: Callable[[Request, ApiKey], dict[str, Any] | None]


SECTIONS: list[KeySection] = []


def register_key_section(template: str, build: Callable[[Request, ApiKey], dict[str, Any] | None]) -> None:
    SECTIONS.append(KeySection(template, build))


def sections_of(request: Request, key: ApiKey) -> list[tuple[str, dict[str, Any]]]:
    """The template and the context of each section of this key."""
    built = [(each.template, each.build(request, key)) for each in SECTIONS]
    return [(template, context) for template, context in built if context is not None]
