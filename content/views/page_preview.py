"""The preview of a page in the brand's live theme or another version of it, in a frame that runs nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from branding.public import theme_choices
from content.blocks.rendering import render
from content.permissions import Permission
from content.queries.pages import load_page
from content.views.page_editor import OpenEditor
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.pages import page

WIDTHS = {"375": _("Phone"), "768": _("Tablet"), "1280": _("Desktop")}
DEFAULT_WIDTH = "1280"
LIVE = ""
# No scripts and no forms. Pictures of the site are at addresses of other hosts.
POLICY: dict[str, Any] = {
    "default-src": [NONE],
    "style-src": [SELF],
    "img-src": [SELF, "https:"],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": [SELF],
    "sandbox": ["allow-same-origin"],
}


@dataclass(frozen=True)
class PreviewLink:
    """One value of an option of the preview, as a link."""

    id: str
    label: str | Promise
    url: str
    current: bool


@requires(Permission.SITE)
@require_safe
def preview(request: Request, business: str, node: str) -> HttpResponse:
    """The page as it is saved, in a frame of a chosen width and theme."""
    current, themes = gather(partial(load_page, business, node), partial(theme_choices, business))
    width = request.GET.get("width", "")
    width = width if width in WIDTHS else DEFAULT_WIDTH
    numbers = {str(theme.number) for theme in themes}
    theme = request.GET.get("theme", "")
    theme = theme if theme in numbers else LIVE
    titles = {LIVE: _("Live theme"), **{str(each.number): each.title for each in themes}}
    frame_url = reverse("page_preview_frame", args=[business, node])
    context = {
        "page": current,
        "tab": "pages",
        "width": width,
        "widths": _links(request.path, "width", WIDTHS, width, theme=theme),
        "themes": list(titles.items()),
        "theme": theme,
        "src": f"{frame_url}?{urlencode({'theme': theme})}" if theme else frame_url,
    }
    return page(request, "content/page_preview.html", context)


def _links(path: str, name: str, labels: dict[str, Any], chosen: str, **others: str) -> list[PreviewLink]:
    kept = {key: value for key, value in others.items() if value}
    return [
        PreviewLink(key, label, f"{path}?{urlencode({**kept, name: key})}", key == chosen)
        for key, label in labels.items()
    ]


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
def frame(request: Request, business: str, node: str) -> HttpResponse:
    """The page for a frame: as it is saved, or with the changes of the editor's form that was sent. Saves nothing."""
    current = load_page(business, node)
    is_sent = request.method == "POST"
    document = OpenEditor.sent(request.POST, current).form.document() if is_sent else current.blocks
    context = {
        "blocks": render(document),
        "title": current.display_title,
        "shop": request.business.title,
        "css_url": _css_url(business, request.GET.get("theme", "")),
        "hide_nav": current.hide_nav,
        "hide_footer": current.hide_footer,
    }
    response = page(request, "content/preview/page.html", context)
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    response.headers["Referrer-Policy"] = "no-referrer"
    csp(POLICY)(lambda _request: response)(request)
    return response


def _css_url(business: str, theme: str) -> str:
    if theme.isascii() and theme.isdigit() and len(theme) < 9:
        return reverse("theme_css", args=[business, int(theme)])
    return reverse("visitor_theme", args=[business])
