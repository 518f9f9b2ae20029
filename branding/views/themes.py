"""The versions of a business's look."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from branding import queries
from branding.forms.publishing import SourceForm
from branding.items import Status, Theme
from branding.permissions import Permission
from branding.presenters import in_force, is_missing
from branding.services import drafts
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table import cursors
from dashboard.table.read import Page, Sifted, gather
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import listing, tabs
from dashboard.web.pages import bind, came_from, page, see_other
from dashboard.web.toasts import toast

TABS: list[tuple[str, Promise, list[Status]]] = [
    ("", gettext_lazy("All"), []),
    ("drafts", gettext_lazy("Drafts"), [Status.DRAFT]),
    ("published", gettext_lazy("Published"), [Status.PUBLISHED, Status.SUPERSEDED]),
    ("discarded", gettext_lazy("Discarded"), [Status.DISCARDED]),
]


@requires(Permission.BRANDING)
@require_safe
def themes(request: Request, business: str) -> HttpResponse:
    """What is in force, what is to come, and every version: side by side, one trip."""
    status = request.GET.get("status", "")
    wanted = next((statuses for name, _label, statuses in TABS if name == status), None)
    if wanted is None:
        raise NotFound
    scope = (request.person.email, "themes", business, status)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)

    def versions() -> Page[Theme]:
        return queries.versions_that_are(business, wanted, start) if wanted else queries.versions(business, start)

    answers = gather(lambda: queries.marker(business), versions, lambda: [] if start else queries.schedules(business))
    marker, found, schedules = answers
    cursor = cursors.encode(found.next, *scope) if found.next else None
    missing = not wanted and not start and is_missing(marker, found)
    context = {
        "now": in_force(marker, {each.number: each for each in found.items}, missing=missing),
        "schedules": schedules,
        "listing": listing(request, found.items, cursor, filters=("status",)),
        "tabs": tabs(request, "status", [(name, label) for name, label, _statuses in TABS]),
        "status": status,
        "reached": _reached(found),
        # Not one version, and none marked: there is only how to begin.
        "blank": marker is None and not found.items and not status and not start,
    }
    return page(request, "branding/themes.html", context, partial="rows" if start else "list")


@requires(Permission.BRANDING)
@require_POST
def new(request: Request, business: str) -> HttpResponse:
    """A draft, from scratch or from the version that `from` names."""
    form = SourceForm({"source": request.POST.get("from", "")})
    if not form.is_valid():
        raise Refused(str(form.errors["source"][0]))
    draft = drafts.create(business, source=form.cleaned_data["source"], command=command_of(request))
    undo = (_url("theme_discard", draft), {"revision": draft.revision})
    toast(request, _("%(title)s is a new draft.") % {"title": draft.label}, undo=undo, of=draft)
    return see_other(request, _url("theme", draft))


@requires(Permission.BRANDING)
@require_POST
def keep(request: Request, business: str, version: int) -> HttpResponse:
    return _act(request, drafts.keep, business, version, _("%(title)s stays until you discard it."), "theme_let_go")


@requires(Permission.BRANDING)
@require_POST
def let_go(request: Request, business: str, version: int) -> HttpResponse:
    """The way back from `keep`."""
    said = _("%(title)s is deleted automatically if nobody changes it.")
    return _act(request, drafts.let_go, business, version, said, "theme_keep")


@requires(Permission.BRANDING)
@require_POST
def discard(request: Request, business: str, version: int) -> HttpResponse:
    return _act(request, drafts.discard, business, version, _("%(title)s is discarded."), "theme_restore")


@requires(Permission.BRANDING)
@require_POST
def restore(request: Request, business: str, version: int) -> HttpResponse:
    return _act(request, drafts.restore, business, version, _("%(title)s is a draft again."), "theme_discard")


def _act(
    request: Request, service: Callable[..., Theme], business: str, version: int, said: str, inverse: str
) -> HttpResponse:
    revision = bind(request, RevisionForm).number
    after = service(business, version, revision=revision, command=command_of(request))
    toast(request, said % {"title": after.label}, undo=(_url(inverse, after), {"revision": after.revision}), of=after)
    return see_other(request, _back(request, after))


def _back(request: Request, theme: Theme) -> str:
    """Where the button was: the list as it was filtered, or the version's own page."""
    everything = reverse("branding", args=[theme.business])
    pages = {everything, _url("theme", theme)}
    before = came_from(request)
    return before if urlsplit(before).path in pages else everything


def _url(route: str, theme: Theme) -> str:
    return reverse(route, args=[theme.business, theme.number])


def _reached(found: Page[Theme]) -> int | None:
    """The oldest version that a tab has looked at, where it stopped before the end."""
    if not isinstance(found, Sifted) or found.reached is None:
        return None
    return Theme.at_key(found.reached).key_parts.get("version")  # type: ignore[return-value]
