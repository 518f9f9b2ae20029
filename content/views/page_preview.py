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
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from branding.public import THEME_PERMISSION, find_style, theme_choices
from content.items import Content
from content.page_contrast import check_contrast
from content.permissions import Permission
from content.presenters import build_finding_rows
from content.queries.pages import load_page
from content.statuses import PageStatus
from content.views.open_editor import OpenEditor
from content.views.shared import preview_context
from dashboard.platform.accounts.middleware import Request, has_permission
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.pages import page

WIDTHS = {"375": _("Phone"), "768": _("Tablet"), "1280": _("Desktop")}
DEFAULT_WIDTH = "1280"
LIVE = ""
# The parameter of a frame that shows the page as visitors see it now.
LIVE_PAGE = "live"
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
    number = _version(request.GET.get("theme", ""))
    current, themes, style = gather(
        partial(load_page, business, node),
        partial(theme_choices, business),
        partial(find_style, business, number),
    )
    width = request.GET.get("width", "")
    width = width if width in WIDTHS else DEFAULT_WIDTH
    chosen = next((each for each in themes if each.number == number), None)
    theme = str(chosen.number) if chosen is not None else LIVE
    findings = check_contrast(current.blocks, style, current.theme_override)
    can_publish = chosen is not None and chosen.can_publish and current.state != PageStatus.PUBLISHED
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
        "live_src": f"{frame_url}?{urlencode({LIVE_PAGE: 1})}",
        # The colours that were read are not those of the frame if the theme is none of the choices.
        "is_checked": number is None or chosen is not None,
        "findings": build_finding_rows(findings, reverse("page_edit", args=[business, node])),
        "can_publish": can_publish and has_permission(request, THEME_PERMISSION),
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
    if LIVE_PAGE in request.GET:
        return _in_frame(request, _live_context(request, current))
    is_sent = request.method == "POST"
    document = OpenEditor.sent(request.POST, current).form.document() if is_sent else current.blocks
    css_url = _css_url(business, request.GET.get("theme", ""))
    context = preview_context(current, document, request.business.title, css_url)
    return _in_frame(request, context)


def _live_context(request: Request, current: Content) -> dict[str, Any]:
    """The page as visitors see it now: nothing if it is not published."""
    css_url, shop = _css_url(request.business.id, LIVE), request.business.title
    if current.state == PageStatus.PUBLISHED:
        return preview_context(current, current.blocks, shop, css_url)
    text = gettext("Visitors do not see this page: it is not published.")
    return preview_context(current, [], shop, css_url, empty_text=text)


def _in_frame(request: Request, context: dict[str, Any]) -> HttpResponse:
    response = page(request, "content/preview/page.html", context)
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    response.headers["Referrer-Policy"] = "no-referrer"
    csp(POLICY)(lambda _request: response)(request)
    return response


def _version(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def _css_url(business: str, theme: str) -> str:
    version = _version(theme)
    if version is not None:
        return reverse("theme_css", args=[business, version])
    return reverse("visitor_theme", args=[business])
