"""The content of the sample screens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class SampleProduct:
    """A product; `art` is the name of its picture."""

    name: Promise
    art: str
    price: str
    old_price: str = ""
    offer: str = ""
    rating: str = "4.8"
    reviews: int = 126


@dataclass(frozen=True)
class SampleService:
    name: Promise
    text: Promise
    minutes: int
    price: str
    chosen: bool = False


@dataclass(frozen=True)
class SampleDay:
    name: Promise
    number: int
    chosen: bool = False
    closed: bool = False


@dataclass(frozen=True)
class SamplePost:
    author: str
    posted: Promise
    texts: tuple[Promise, ...]
    likes: int
    liked: bool = False
    # By someone who works in the shop.
    is_staff: bool = False

    @property
    def initial(self) -> str:
        return self.author[0]


MUG = SampleProduct(_("Stoneware mug"), "mug", "$18.00", "$24.00", "−25 %")
PRODUCTS = (
    MUG,
    SampleProduct(_("Desk lamp, linen shade"), "lamp", "$64.00", rating="4.6", reviews=58),
    SampleProduct(_("House blend, 250 g"), "bag", "$12.50", rating="4.9", reviews=342),
    SampleProduct(_("Fern in a clay pot"), "plant", "$29.00", "$34.00", "−15 %", rating="4.7", reviews=71),
)
SERVICES = (
    SampleService(_("First visit"), _("A first talk and a plan."), 30, "$20.00"),
    SampleService(_("Full session"), _("Our most booked service."), 60, "$45.00", chosen=True),
    SampleService(_("Workshop for two"), _("Bring a friend. Materials included."), 90, "$78.00"),
)
DAYS = (
    SampleDay(_("Mon"), 12),
    SampleDay(_("Tue"), 13),
    SampleDay(_("Wed"), 14, chosen=True),
    SampleDay(_("Thu"), 15),
    SampleDay(_("Fri"), 16),
    SampleDay(_("Sat"), 17),
    SampleDay(_("Sun"), 18, closed=True),
)
# Each time, and whether it is booked.
TIMES = (
    ("09:00", False),
    ("09:45", True),
    ("10:30", False),
    ("11:15", False),
    ("12:00", True),
    ("15:00", False),
    ("15:45", False),
    ("16:30", False),
)
TIME = "10:30"
POSTS = (
    SamplePost(
        "Camila Rojas",
        _("2 hours ago"),
        (
            _("I bought the stoneware mug last month and use it every day. Now I would like to take it camping."),
            _("Does it survive a day in a backpack, or should I rather look for something in steel?"),
        ),
        24,
        liked=True,
    ),
    SamplePost(
        "Diego Fuentes",
        _("1 hour ago"),
        (_("Mine has been to the coast and back, wrapped in a scarf. Not a scratch."),),
        11,
    ),
    SamplePost(
        "Valentina Soto",
        _("40 minutes ago"),
        (
            _(
                "For camping we recommend the enamel one: it weighs half as much. "
                "If yours ever chips, write to us, we repair it."
            ),
        ),
        17,
        is_staff=True,
    ),
)
TAGS = (_("Mugs"), _("Care"), _("Outdoors"))

_CONTENT: dict[str, dict[str, Any]] = {
    "home": {"products": PRODUCTS},
    "product": {"product": MUG, "related": PRODUCTS[1:]},
    "booking": {"services": SERVICES, "days": DAYS, "times": TIMES, "time": TIME},
    "forum": {"first": POSTS[0], "replies": POSTS[1:], "tags": TAGS},
}


# The part of the home screen that each field of a theme changes, as a CSS selector.
PART_OF_FIELD = {
    "primaryColor": ".s-head",
    "secondaryColor": ".s-band",
    "accentColor": ".s-offer",
    "backgroundColor": ".s-section-head",
    "surfaceColor": ".s-card",
    "textColor": "h1",
    "mutedColor": ".s-facts",
    "typography": ".s-hero-text",
    "headingTypography": "h1",
    "textSize": ".s-hero-text",
    "cornerRadius": ".s-button",
    "spacing": ".s-grid",
    "shadow": ".s-card",
    "buttonStyle": ".s-button",
    "logo": ".s-brand",
    "banner": ".s-banner",
    "icon": ".s-foot-brand",
}


def content(screen: str) -> dict[str, Any]:
    return _CONTENT[screen]
