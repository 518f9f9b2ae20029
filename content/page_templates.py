"""The templates of new pages: their title, their address and their blocks, in the language of the person.

The blocks use only nodes and attributes that the website service registers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from content.addresses import CONTACT, HOME
from content.statuses import TEMPLATE_LABELS

Blocks = list[dict[str, Any]]


@dataclass(frozen=True)
class PageTemplate:
    """A template. Without an address, the one of the new page follows from its title."""

    name: str
    build: Callable[[], Blocks]
    slug: str = ""
    schema_type: str = ""

    @property
    def label(self) -> str:
        return str(TEMPLATE_LABELS[self.name])


def _heading(text: str, level: int = 2) -> dict[str, Any]:
    return {"type": "heading", "attrs": {"level": level}, "content": [{"type": "text", "text": text}]}


def _paragraph(text: str = "") -> dict[str, Any]:
    return {"type": "paragraph", "content": [{"type": "text", "text": text}]} if text else {"type": "paragraph"}


def _items(*texts: str) -> list[dict[str, Any]]:
    return [
        {"id": f"item-{number}", "title": text, "description": _("Describe it in one sentence."), "icon": ""}
        for number, text in enumerate(texts, 1)
    ]


def _hero(headline: str, text: str) -> dict[str, Any]:
    attrs = {"headline": headline, "subheadline": text, "ctaText": _("Contact us"), "ctaLink": CONTACT}
    return {"type": "hero", "attrs": {**attrs, "imageSrc": "", "style": "center"}}


def _home() -> Blocks:
    offers = _items(_("First offer"), _("Second offer"), _("Third offer"))
    attrs = {"headline": _("What we offer"), "subheadline": "", "items": offers, "columns": "3"}
    return [
        _hero(_("Welcome"), _("Say in one sentence what you do and for whom.")),
        {"type": "features", "attrs": attrs},
        _paragraph(),
    ]


def _contact() -> Blocks:
    attrs = {
        "headline": _("Contact"),
        "description": _("We reply within one working day."),
        "buttonText": _("Send"),
        "successMessage": _("Thank you. We will get back to you soon."),
        "tags": "contact-form",
    }
    return [
        {"type": "contact", "attrs": attrs},
        _heading(_("Opening hours")),
        _paragraph(_("Monday to Friday")),
        _paragraph(),
    ]


def _about() -> Blocks:
    return [
        _heading(_("About us"), 1),
        _paragraph(_("Tell how the business began and what matters to it.")),
        _heading(_("The team")),
        _paragraph(_("Introduce the people whom customers meet.")),
    ]


def _landing() -> Blocks:
    call = {"headline": _("Ready to start?"), "subheadline": "", "buttonText": _("Contact us"), "buttonLink": CONTACT}
    question = {"id": "item-1", "question": _("How does it work?"), "answer": _("Answer in two sentences.")}
    return [
        _hero(_("One promise"), _("Say what the visitor gets.")),
        {"type": "faq", "attrs": {"headline": _("Questions"), "items": [question]}},
        {"type": "cta", "attrs": {**call, "style": "simple"}},
        _paragraph(),
    ]


def _article() -> Blocks:
    return [
        _heading(_("Title of the article"), 1),
        _paragraph(_("Begin with what the reader should remember.")),
        _heading(_("First part")),
        _paragraph(),
    ]


PAGE_TEMPLATES = {
    each.name: each
    for each in (
        PageTemplate("home", _home, HOME, "WebPage"),
        PageTemplate("contact", _contact, CONTACT, "ContactPage"),
        PageTemplate("about", _about, "", "AboutPage"),
        PageTemplate("landing", _landing, "", "WebPage"),
        PageTemplate("article", _article, "", "Article"),
    )
}
