"""The statuses of pages, as the website service writes them."""

from __future__ import annotations

from enum import StrEnum

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class PageStatus(StrEnum):
    DRAFT = "Draft"
    PUBLISHED = "Published"
    ARCHIVED = "Archived"

    @classmethod
    def read(cls, stored: str | None) -> str:
        """A stored status in our spelling; an unknown one as it is. A page without one is a draft."""
        known = (stored or cls.DRAFT).strip().capitalize()
        return cls(known) if known in set(cls) else str(stored)


PAGE_STATUS_LABELS = {
    PageStatus.DRAFT: pgettext_lazy("page", "Draft"),
    PageStatus.PUBLISHED: pgettext_lazy("page", "Published"),
    PageStatus.ARCHIVED: pgettext_lazy("page", "Archived"),
}
PAGE_STATUS_LEVELS: dict[str, str] = {
    PageStatus.DRAFT: "info",
    PageStatus.PUBLISHED: "good",
    PageStatus.ARCHIVED: "plain",
}
# The templates that a new page can be made from. Each value is stored on the page.
TEMPLATE_LABELS = {
    "home": pgettext_lazy("kind of page", "Home"),
    "contact": pgettext_lazy("kind of page", "Contact"),
    "about": pgettext_lazy("kind of page", "About us"),
    "landing": pgettext_lazy("kind of page", "Landing page"),
    "article": pgettext_lazy("kind of page", "Article"),
}
# Types that search engines know (schema.org), which a page can have.
SCHEMA_TYPE_LABELS = {
    "Article": _("Article"),
    "BlogPosting": _("Blog post"),
    "WebPage": _("Web page"),
    "AboutPage": _("About page"),
    "ContactPage": _("Contact page"),
    "FAQPage": _("Questions and answers"),
    "Product": _("Product"),
    "LocalBusiness": _("Local business"),
}
PAGE_TYPE_LABELS = {**TEMPLATE_LABELS, **SCHEMA_TYPE_LABELS}
