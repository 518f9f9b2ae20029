"""Helpers for the views of sites."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from content.blocks.nodes import Document
from content.blocks.rendering import render
from content.items import Content
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import bind

MAX_QUERY = 200


def query_param(request: Request, name: str = "q", most: int = MAX_QUERY) -> str:
    return request.GET.get(name, "").strip()[:most]


def required_revision(request: Request) -> int:
    """The revision that a button sent."""
    form = bind(request, RevisionForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    return form.number


def preview_context(
    page: Content, document: Document | None, shop: str, css_url: str, *, empty_text: str = ""
) -> dict[str, Any]:
    """What `content/preview/page.html` shows: a page with these blocks in the theme of a stylesheet."""
    return {
        "blocks": render(document),
        "title": page.display_title,
        "shop": shop,
        "css_url": css_url,
        "hide_nav": page.hide_nav,
        "hide_footer": page.hide_footer,
        "empty_text": empty_text,
    }
