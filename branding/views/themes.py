"""The list of versions, and the actions in its rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_POST, require_safe

from branding import queries
from branding.forms.publishing import SourceForm
from branding.items import Theme, ThemeStatus
from branding.permissions import Permission
from branding.presenters import is_live_version_missing, publish_query, to_live_theme
from branding.queries import VersionPage
from branding.services import drafts
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page, gather_all
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.pages import bind, referring_page, see_other
from dashboard.web.toasts import toast

TABS: list[tuple[str, Promise, list[ThemeStatus]]] = [
    ("", pgettext_lazy("versions", "All"), []),
    ("drafts", gettext_lazy("Drafts"), [ThemeStatus.DRAFT]),
    ("published", pgettext_lazy("versions", "Published"), [ThemeStatus.PUBLISHED, ThemeStatus.SUPERSEDED]),
    ("discarded", pgettext_lazy("versions", "Discarded"), [ThemeStatus.DISCARDED]),
]


@requires(Permission.BRANDING)
@require_safe
def themes(request: Request, business: str) -> HttpResponse:
    """The live version, scheduled versions, and all versions, in one round trip."""
    status = request.GET.get("status", "")
    statuses = next((statuses for name, _label, statuses in TABS if name == status), None)
    if statuses is None:
        raise NotFound

    def load(start_key: Any) -> tuple[Page[Theme], dict[str, Any]]:
        reads: list[Callable[[], Any]] = [partial(queries.marker_and_schedules, business)]
        (marker, schedules), *results = gather_all([*reads, *queries.version_reads(business, statuses, start_key)])
        versions = queries.build_version_page(business, statuses, start_key, results)
        has_more = versions.next_start_key is not None
        is_first_of_all = not statuses and not start_key
        is_missing = is_first_of_all and is_live_version_missing(marker, versions.items, has_more=has_more)
        live = to_live_theme(marker, {each.number: each for each in versions.items}, is_missing=is_missing)
        context = {
            "live": live,
            "against": publish_query(live),
            "schedules": schedules,
            "titles": {each.number: each.title for each in versions.items},
            "tabs": build_tabs(request, "status", [(name, label) for name, label, _statuses in TABS]),
            "status": status,
            "reached": _reached(versions),
            "has_more_unpadded": versions.has_more_unpadded,
            "max_unpadded": queries.MAX_UNPADDED,
            "is_empty": marker is None and not versions.items and not status and not start_key,
        }
        return versions, context

    return list_page(
        request, "branding/themes.html", load, cursor_scope=("themes", business, status), filters=("status",)
    )


@requires(Permission.BRANDING)
@require_POST
def new(request: Request, business: str) -> HttpResponse:
    """Create a draft with the defaults, or a copy of the version in `from`."""
    form = SourceForm({"source": request.POST.get("from", "")})
    if not form.is_valid():
        raise Refused(str(form.errors["source"][0]))
    draft = drafts.create(business, source=form.cleaned_data["source"], command=command_of(request))
    undo = (_url("theme_discard", draft), {"revision": draft.revision})
    toast(request, _("Draft %(title)s created.") % {"title": draft.label}, undo=undo, of=draft)
    return see_other(request, _url("theme", draft))


@requires(Permission.BRANDING)
@require_POST
def disable_auto_delete(request: Request, business: str, version: int) -> HttpResponse:
    text = _("%(title)s will not be deleted automatically.")
    return _act(request, drafts.disable_auto_delete, business, version, text, "theme_let_go")


@requires(Permission.BRANDING)
@require_POST
def enable_auto_delete(request: Request, business: str, version: int) -> HttpResponse:
    text = _("%(title)s will be deleted automatically if nobody changes it.")
    return _act(request, drafts.enable_auto_delete, business, version, text, "theme_keep")


@requires(Permission.BRANDING)
@require_POST
def discard(request: Request, business: str, version: int) -> HttpResponse:
    return _act(request, drafts.discard, business, version, _("%(title)s discarded."), "theme_restore")


@requires(Permission.BRANDING)
@require_POST
def restore(request: Request, business: str, version: int) -> HttpResponse:
    return _act(request, drafts.restore, business, version, _("%(title)s restored."), "theme_discard")


def _act(
    request: Request, service: Callable[..., Theme], business: str, version: int, text: str, inverse: str
) -> HttpResponse:
    revision = bind(request, RevisionForm).number
    theme = service(business, version, revision=revision, command=command_of(request))
    toast(request, text % {"title": theme.label}, undo=(_url(inverse, theme), {"revision": theme.revision}), of=theme)
    return see_other(request, _return_url(request, theme))


def _return_url(request: Request, theme: Theme) -> str:
    """The page with the button: the filtered list or the page of the version."""
    list_url = reverse("branding", args=[theme.business])
    previous = referring_page(request)
    return previous if urlsplit(previous).path in {list_url, _url("theme", theme)} else list_url


def _url(route: str, theme: Theme) -> str:
    return reverse(route, args=[theme.business, theme.number])


def _reached(versions: VersionPage) -> int | None:
    """The oldest version that a filtered list has read, if it stopped before the end."""
    if versions.last_key_read is None:
        return None
    return Theme.new_at_key(versions.last_key_read).key_parts.get("version")  # type: ignore[return-value]
