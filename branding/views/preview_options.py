"""Where a look is watched: which sample screen, how wide, alone or beside what is live."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from branding import css, preview, queries
from branding.items import Role, Theme
from branding.permissions import Permission
from branding.preview import FIRST, SCREENS
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.pages import by_htmx, came_from

WIDTHS = {"375": _("Phone"), "768": _("Tablet"), "1280": _("Desktop")}
WIDEST = "1280"
VIEWS = {"draft": _("This version"), "side": _("Side by side"), "overlay": _("Before/after slider")}
ALONE = "draft"
MIDDLE = 50


@dataclass(frozen=True)
class Choice:
    """One of the things to watch, as a link."""

    id: str
    label: str | Promise
    url: str
    current: bool


@dataclass(frozen=True)
class Stage:
    """What is being watched: in the address of the page, so that it can be kept and sent."""

    path: str
    screen: str = FIRST
    width: str = WIDEST
    view: str = ALONE
    # How much of the overlay is what is live, in hundredths.
    split: int = MIDDLE

    @classmethod
    def of(cls, request: Any) -> Stage:
        """As the address says; for a form that a script sends, the address that stands in the browser."""
        said = dict(parse_qsl(urlsplit(came_from(request)).query)) if by_htmx(request) else request.GET
        split = said.get("split", "")
        return cls(
            request.path,
            _one_of(SCREENS, said.get("screen"), FIRST),
            _one_of(WIDTHS, said.get("width"), WIDEST),
            _one_of(VIEWS, said.get("view"), ALONE),
            # Without a script the frame is cut at a tenth: a style cannot stand in the page.
            min(10, round(int(split) / 10)) * 10 if split.isascii() and split.isdigit() and len(split) < 4 else MIDDLE,
        )

    def query(self, **changes: Any) -> str:
        """What differs from how every page begins."""
        begins = {"screen": FIRST, "width": WIDEST, "view": ALONE, "split": MIDDLE}
        said = {name: changes.get(name, getattr(self, name)) for name in begins}
        return urlencode({name: value for name, value in said.items() if value != begins[name]})

    def url(self, **changes: Any) -> str:
        query = self.query(**changes)
        return f"{self.path}?{query}" if query else self.path

    def page(self, theme: Theme) -> str:
        """The same stage for another version."""
        return Stage(reverse("theme", args=[theme.business, theme.number]), *self._watched).url()

    @property
    def _watched(self) -> tuple[str, str, str, int]:
        return self.screen, self.width, self.view, self.split

    def shown(self, at: queries.ThemeState, typed: dict[str, str]) -> dict[str, Any]:
        """What the template needs: the links, and the addresses of the frames."""
        theme, live = at.theme, at.in_force
        return {
            "action": self.url(),
            "screen": self.screen,
            "label": SCREENS[self.screen],
            "width": self.width,
            "view": self.view if live is not None else ALONE,
            "split": self.split,
            "path": self.path,
            "screens": self._choices("screen", SCREENS),
            "widths": self._choices("width", WIDTHS),
            "views": self._choices("view", VIEWS),
            "live": live,
            "live_title": at.marker.title if at.marker and at.marker.is_ours else "",
            "draft_src": _frame(theme.business, theme.number, self.screen, typed),
            "live_src": _frame(theme.business, live, self.screen, {}) if live is not None else "",
            "preview": reverse("theme_preview", args=[theme.business, theme.number]),
            "css": reverse("theme_css", args=[theme.business, theme.number]),
        }

    def _choices(self, name: str, labels: dict[str, Any]) -> list[Choice]:
        held = getattr(self, name)
        return [Choice(key, label, self.url(**{name: key}), key == held) for key, label in labels.items()]


def _one_of(known: dict[str, Any], given: str | None, otherwise: str) -> str:
    return given if given in known else otherwise


def _frame(business: str, version: int, screen: str, typed: dict[str, str]) -> str:
    return preview.with_query(reverse("theme_preview", args=[business, version]), screen=screen, **typed)


@requires(Permission.BRANDING)
@require_safe
def theme_preview(request: Request, business: str, version: int) -> HttpResponse:
    """A sample screen in this look, with what is being typed and chosen."""
    given = preview.typed(request.GET)
    wanted = queries.usable([given.get(role, "") for role in Role])
    try:
        found = gather(
            lambda: queries.standing(business, version).theme,
            lambda: {link.id: link for link in queries.files(business).items},
            lambda: queries.links(business, wanted) if wanted else {},
        )
    except NotFound as error:
        return preview.missing(request, str(error.text))
    theme: Theme = found[0]
    query = f"?{urlencode(given)}" if given else ""
    return preview.sample(
        request,
        theme.look.with_values(given),
        request.business.title,
        preview.showing(theme.shown_files, given, found[1] | found[2]),
        request.GET.get("screen", ""),
        reverse("theme_css", args=[business, version]) + query,
        request.path + query,
    )


@requires(Permission.BRANDING)
@require_safe
def theme_css(request: Request, business: str, version: int) -> HttpResponse:
    """The look as custom properties, with what is being typed."""
    look = queries.theme(business, version).look.with_values(request.GET)
    return HttpResponse(css.stylesheet(look), content_type="text/css; charset=utf-8")
