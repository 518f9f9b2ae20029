"""The blocks of a new page, by its template. The texts are in the language of the person who creates the page."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from content.blocks.nodes import Document, Node, bullets, heading, paragraph, quote


def blocks_of(template: str) -> Document:
    """The blocks of a template; an empty document for an unknown template."""
    return _TEMPLATES[template]() if template in _TEMPLATES else []


def _plugin(type_: str, **attrs: object) -> Node:
    return {"type": type_, "attrs": attrs}


def _with_ids(*items: dict[str, object]) -> list[dict[str, object]]:
    return [{"id": str(number), **item} for number, item in enumerate(items, start=1)]


def _home() -> Document:
    return [
        _plugin(
            "hero",
            headline=_("Say what you do in one line"),
            subheadline=_("One sentence about who it is for and why they come back."),
            ctaText=_("Contact us"),
            ctaLink="/contact",
            imageSrc="",
            style="center",
            blockWidth="full",
        ),
        _plugin(
            "features",
            headline=_("Why people choose us"),
            subheadline="",
            items=_with_ids(
                {
                    "title": _("Close to you"),
                    "description": _("Where you are and when you are open."),
                    "icon": "MapPin",
                },
                {"title": _("Made with care"), "description": _("What you do differently."), "icon": "Heart"},
                {"title": _("Easy to reach"), "description": _("How to write or call."), "icon": "Phone"},
            ),
            columns="3",
            layout="stacked",
            iconSize="md",
            blockWidth="content",
        ),
        _plugin(
            "testimonials",
            headline=_("What our customers say"),
            subheadline="",
            items=_with_ids(
                {"quote": _("A short sentence from a customer."), "author": _("Name"), "role": _("Customer")}
            ),
            style="grid",
            blockWidth="full",
        ),
        _call_to_action(_("Come and see us"), _("Contact us")),
    ]


def _contact() -> Document:
    return [
        heading(1, _("Contact")),
        paragraph(_("Write to us and we will answer within one working day.")),
        _plugin(
            "contact",
            headline=_("Send us a message"),
            description="",
            buttonText=_("Send"),
            successMessage=_("Thank you. We will write to you soon."),
            tags="contact-form",
            blockWidth="content",
        ),
        _plugin(
            "faq",
            headline=_("Before you write"),
            items=_with_ids(
                {"question": _("When are you open?"), "answer": _("Monday to Saturday, 9:00 to 18:00.")},
                {"question": _("Where are you?"), "answer": _("Your address, and how to get there.")},
            ),
            blockWidth="content",
        ),
    ]


def _about() -> Document:
    return [
        heading(1, _("About us")),
        paragraph(_("How it began, in two or three sentences.")),
        heading(2, _("What matters to us")),
        bullets(_("Something you never compromise on"), _("Something your customers notice")),
        quote(_("A sentence that your team says often.")),
        heading(2, _("The team")),
        _plugin(
            "columns",
            columnCount="2",
            gap="md",
            columns=[
                {"id": "1", "width": "1/2", "content": _("Who they are and what they do.")},
                {"id": "2", "width": "1/2", "content": _("Who they are and what they do.")},
            ],
            blockWidth="content",
        ),
        _call_to_action(_("Get to know us"), _("Contact us")),
    ]


def _landing() -> Document:
    return [
        _plugin(
            "hero",
            headline=_("One offer, said plainly"),
            subheadline=_("What people get, and until when."),
            ctaText=_("Get the guide"),
            ctaLink="#",
            imageSrc="",
            style="split",
            blockWidth="full",
        ),
        _plugin(
            "pricing",
            headline=_("Prices"),
            subheadline="",
            plans=_with_ids(
                {
                    "title": _("Basic"),
                    "price": "$10",
                    "interval": _("month"),
                    "features": "\n".join((_("What is included"), _("Support by e-mail"))),
                    "buttonText": _("Choose"),
                    "buttonLink": "/contact",
                    "highlight": False,
                },
                {
                    "title": _("Complete"),
                    "price": "$25",
                    "interval": _("month"),
                    "features": "\n".join((_("All of Basic"), _("Support by phone"))),
                    "buttonText": _("Choose"),
                    "buttonLink": "/contact",
                    "highlight": True,
                },
            ),
            blockWidth="content",
        ),
        _plugin(
            "contact",
            headline=_("Questions? Write to us"),
            description="",
            buttonText=_("Send"),
            successMessage=_("Thank you. We will write to you soon."),
            tags="landing",
            blockWidth="content",
        ),
    ]


def _article() -> Document:
    return [
        heading(1, _("The title of the article")),
        paragraph(_("The most important sentence first: what readers will know at the end.")),
        heading(2, _("The first point")),
        paragraph(_("Explain it with an example.")),
        heading(2, _("The second point")),
        paragraph(_("Short paragraphs are easier to read on a phone.")),
        _plugin(
            "postGrid",
            headline=_("Read next"),
            filterTag="",
            limit=3,
            showImages=True,
            layout="grid",
            columns="3",
            blockWidth="content",
        ),
    ]


def _call_to_action(headline: str, button: str) -> Node:
    return _plugin(
        "cta",
        headline=headline,
        subheadline="",
        buttonText=button,
        buttonLink="/contact",
        style="band",
        blockWidth="full",
    )


_TEMPLATES: dict[str, Callable[[], Document]] = {
    "home": _home,
    "contact": _contact,
    "about": _about,
    "landing": _landing,
    "article": _article,
}
