"""The templates of new pages: their address, their type and their blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from content.addresses import CONTACT, HOME
from content.blocks.templates import blocks_of
from content.statuses import TEMPLATE_LABELS


@dataclass(frozen=True)
class PageTemplate:
    """A template. Without an address, the one of the new page follows from its title."""

    name: str
    slug: str = ""
    schema_type: str = ""

    @property
    def label(self) -> str:
        return str(TEMPLATE_LABELS[self.name])

    def build(self) -> list[Any]:
        """The blocks, in the language of the person."""
        return blocks_of(self.name)


PAGE_TEMPLATES = {
    each.name: each
    for each in (
        PageTemplate("home", HOME, "WebPage"),
        PageTemplate("contact", CONTACT, "ContactPage"),
        PageTemplate("about", "", "AboutPage"),
        PageTemplate("landing", "", "WebPage"),
        PageTemplate("article", "", "Article"),
    )
}
