"""The options of the preview: sample screen, width, and whether the live version is shown next to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from branding import css, preview, queries
from branding.items import UNPADDED, AssetRole, Theme
from branding.permissions import Permission
from branding.preview import DEFAULT_SCREEN, SCREENS
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.pages import by_htmx, referring_page

WIDTHS = {"375": _("Phone"), "768": _("Tablet"), "1280": _("Desktop")}
DEFAULT_WIDTH = "1280"
VIEWS = {"draft": _("This version"), "side": _("Side by side"), "overlay": _("Before/after slider")}
DEFAULT_VIEW = "draft"
DEFAULT_SPLIT = 50


@dataclass(frozen=True)
class PreviewChoice:
    """One value of an option, as a link."""

    id: str
    label: str | Promise
    url: str
    current: bool


@dataclass(frozen=True)
class PreviewOptions:
    """What the preview shows. The options are in the URL of the page, so that it can be bookmarked and sent."""

    path: str
    screen: str = DEFAULT_SCREEN
    width: str = DEFAULT_WIDTH
    view: str = DEFAULT_VIEW
    # The position of the before/after slider, in percent.
    split: int = DEFAULT_SPLIT

    @classmethod
    def from_request(cls, request: Any) -> PreviewOptions:
        """From the URL; for a form that htmx sends, from the URL in the browser."""
        params = dict(parse_qsl(urlsplit(referring_page(request)).query)) if by_htmx(request) else request.GET
        split = params.get("split", "")
        is_number = split.isascii() and split.isdigit() and len(split) < 4
        return cls(
            request.path,
            _one_of(SCREENS, params.get("screen"), DEFAULT_SCREEN),
            _one_of(WIDTHS, params.get("width"), DEFAULT_WIDTH),
            _one_of(VIEWS, params.get("view"), DEFAULT_VIEW),
            # Without JavaScript the stylesheet cuts the frame in steps of ten: inline styles are not allowed.
            min(10, round(int(split) / 10)) * 10 if is_number else DEFAULT_SPLIT,
        )

    def query(self, **changes: Any) -> str:
        """The options that differ from the defaults."""
        defaults = {"screen": DEFAULT_SCREEN, "width": DEFAULT_WIDTH, "view": DEFAULT_VIEW, "split": DEFAULT_SPLIT}
        values = {name: changes.get(name, getattr(self, name)) for name in defaults}
        return urlencode({name: value for name, value in values.items() if value != defaults[name]})

    def url(self, **changes: Any) -> str:
        query = self.query(**changes)
        return f"{self.path}?{query}" if query else self.path

    def page_url(self, theme: Theme) -> str:
        """The page of another version with the same options."""
        return replace(self, path=reverse("theme", args=[theme.business, theme.number])).url()

    def to_context(self, state: queries.ThemeState, unsaved: dict[str, str]) -> dict[str, Any]:
        """The links and frame URLs for the template."""
        theme, live_version, marker = state.theme, state.live_version, state.marker
        has_live = live_version is not None
        return {
            "page_url": self.url(),
            "screen": self.screen,
            "label": SCREENS[self.screen],
            "width": self.width,
            "view": self.view if has_live else DEFAULT_VIEW,
            "split": self.split,
            "path": self.path,
            "screens": self._choices("screen", SCREENS),
            "widths": self._choices("width", WIDTHS),
            "views": self._choices("view", VIEWS),
            "live_version": live_version,
            "live_title": marker.title if marker and marker.describes_live_version else "",
            "draft_src": _frame_url(theme.business, theme.number, self.screen, unsaved),
            "live_src": _frame_url(theme.business, live_version, self.screen, {}) if live_version is not None else "",
            "preview_url": reverse("theme_preview", args=[theme.business, theme.number]),
            "css_url": reverse("theme_css", args=[theme.business, theme.number]) + theme.key_query,
        }

    def _choices(self, name: str, labels: dict[str, Any]) -> list[PreviewChoice]:
        current = getattr(self, name)
        return [PreviewChoice(key, label, self.url(**{name: key}), key == current) for key, label in labels.items()]


def _one_of(known: dict[str, Any], value: str | None, default: str) -> str:
    return value if value in known else default


def _frame_url(business: str, version: int, screen: str, unsaved: dict[str, str]) -> str:
    return preview.with_query(reverse("theme_preview", args=[business, version]), screen=screen, **unsaved)


@requires(Permission.BRANDING)
@require_safe
def theme_preview(request: Request, business: str, version: int) -> HttpResponse:
    """A sample screen in this version, with the unsaved values of the query."""
    unsaved = preview.unsaved_values(request.GET)
    chosen = queries.valid_asset_ids([unsaved.get(role, "") for role in AssetRole])
    try:
        themes, links, chosen_links = gather(
            partial(queries.find_themes, business, version),
            partial(queries.asset_links, business),
            lambda: queries.asset_links_by_id(business, chosen) if chosen else {},
        )
        # A missing version may be the live one: the marker tells.
        theme = themes.get(version) or queries.load_theme_state(business, version).theme
    except NotFound as error:
        return preview.render_missing(request, str(error.text))
    links_by_id = {link.id: link for link in links.items} | chosen_links
    query = f"?{urlencode(unsaved)}" if unsaved else ""
    css_url = reverse("theme_css", args=[business, version]) + theme.key_query
    return preview.render_sample(
        request,
        theme.style.with_values(unsaved),
        request.business.title,
        preview.displayed_assets(theme.assets_by_role, unsaved, links_by_id),
        request.GET.get("screen", ""),
        preview.with_query(css_url, **unsaved) if unsaved else css_url,
        request.path + query,
    )


@requires(Permission.BRANDING)
@require_safe
def theme_css(request: Request, business: str, version: int) -> HttpResponse:
    """The stylesheet of this version, with the unsaved values of the query."""
    theme = queries.load_theme(business, version, is_unpadded=UNPADDED in request.GET)
    style = theme.style.with_values(request.GET)
    return HttpResponse(css.stylesheet(style), content_type="text/css; charset=utf-8")
