"""Products, resources, contexts, signals and files of a site: the lists, the page of an item, and its changes."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from content import media_files
from content.items import LibraryItem, SignalStatus, SiteAsset
from content.library.forms import FORMS, MarkForm, SeenForm
from content.library.item_form import LibraryItemForm
from content.library.kind import LibraryKind
from content.library.kinds import FILES, SHOP_TAB, SIGNALS
from content.library.presenters import LibraryRow, library_rows
from content.library.shop_kinds import ALL_KINDS, SHOP
from content.permissions import Permission
from content.queries import library as queries
from content.services import library as services
from content.site_pictures import is_picture, keys_of
from dashboard.core.errors import NotAllowed, NotFound, Refused
from dashboard.platform.accounts.middleware import Request, has_permission
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.commands import Command
from dashboard.table.read import Page, gather
from dashboard.web.commands import command_of
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

MAX_QUERY, MAX_ID = 100, 200
# The parameter with which the page of a file shows its picture.
SHOW = "picture"
# A new product is not offered yet.
NEW_STATUS = "draft"
FOLLOWS_OTHERS = gettext_lazy("The website service keeps this together with others. It cannot be changed here.")
MARKED = {
    SignalStatus.NEW: gettext_lazy("%(name)s is marked as new."),
    SignalStatus.DRAFTED: gettext_lazy("%(name)s is marked as drafted."),
    SignalStatus.REPLIED: gettext_lazy("%(name)s is marked as replied."),
    SignalStatus.DISMISSED: gettext_lazy("%(name)s was dismissed."),
}


@requires(Permission.SITE)
@require_safe
def shop(request: Request, business: str) -> HttpResponse:
    """What the shop of the site consists of, as links to the lists."""
    kinds = [kind for kind in SHOP.values() if _may_see(request, kind)]
    return page(request, "content/shop.html", {"kinds": kinds, "tab": SHOP_TAB})


def _may_see(request: Request, kind: LibraryKind) -> bool:
    return not kind.is_personal or has_permission(request, Permission.VISITORS)


def _kind_of(request: Request, library: str) -> LibraryKind:
    kind = ALL_KINDS[library]
    if not _may_see(request, kind):
        raise NotAllowed
    return kind


@requires(Permission.SITE)
@require_safe
def items(request: Request, business: str, library: str) -> HttpResponse:
    """The list of one kind, newest first; a search or a status reads a bounded number of items."""
    kind = _kind_of(request, library)
    q, status = _param(request, "q"), _param(request, "status") if kind.statuses else ""

    def load(start_key: Any) -> tuple[Page[LibraryRow], dict[str, Any]]:
        if q or status:
            found: Page[Any] = queries.search(kind, business, start_key, q=q, status=status)
        else:
            found = queries.listed_items(kind, business, start_key)
        context = {
            "kind": kind,
            # None: a page of the list, not of a search.
            "searched": getattr(found, "searched", None),
            "searched_back_to": getattr(found, "searched_back_to", None),
            "q": q,
            "status": status,
            "tab": kind.tab_name,
            "tabs": tabs,
        }
        return found.with_rows(library_rows(kind, business, found.items)), context

    choices = [("", _("All")), *kind.statuses.items()]
    tabs = build_tabs(request, "status", choices) if kind.statuses else []
    scope = (kind.name, business, q, status)
    return list_page(request, "content/library.html", load, cursor_scope=scope, filters=("q",))


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str, library: str) -> HttpResponse:
    kind = _kind_of(request, library)
    if not kind.has_form:
        raise NotFound
    form_class = FORMS[kind.key]
    if request.method != "POST":
        currency = request.business.currency or ""
        return _new_page(request, kind, form_class(initial={"status": NEW_STATUS, "currency": currency}))
    form = bind(request, form_class)
    if form.is_valid():
        try:
            created = services.create(kind, business, form.values, command=command_of(request))
        except Refused as refusal:
            add_refusal(form, refusal)
        else:
            undo = (_url("site_item_delete", kind, created), {"revision": created.revision})
            toast(request, _("%(name)s added.") % {"name": kind.title_of(created)}, undo=undo, of=created)
            return see_other(request, _url("site_item", kind, created))
    return _new_page(request, kind, form, status=422)


def _new_page(request: Request, kind: LibraryKind, form: LibraryItemForm, *, status: int = 200) -> HttpResponse:
    return page(request, "content/library_new.html", {"form": form, "kind": kind, "tab": kind.tab_name}, status=status)


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
def item(request: Request, business: str, library: str, item: str) -> HttpResponse:
    """The documented fields of an item and all its other attributes."""
    kind = _kind_of(request, library)
    current, entries = gather(*queries.item_reads(kind, business, item))
    form_class = FORMS[kind.key]
    if request.method == "POST" and not kind.is_editable:
        raise Refused(FOLLOWS_OTHERS)
    form = bind(request, form_class, item=current) if request.method == "POST" else form_class(item=current)
    if form.is_bound and form.is_valid():
        command = command_of(request)
        try:
            saved = services.edit(
                kind,
                business,
                item,
                form.values,
                form.attributes,
                revision=form.revision,
                digest=form.digest,
                command=command,
            )
        except Refused as refusal:
            add_refusal(form, refusal)
        else:
            return _respond(request, kind, saved, _("Changes to %(name)s saved."), command)
    context = {
        "form": form,
        "kind": kind,
        "item": current,
        "item_id": kind.id_of(current),
        "title": kind.title_of(current),
        "address": kind.address_of(current),
        "marks": _marks(current) if kind is SIGNALS else [],
        "picture": _picture(request, current) if isinstance(current, SiteAsset) else None,
        "history": history_lines(entries),
        "tab": kind.tab_name,
    }
    return page(request, "content/library_item.html", context, status=422 if form.is_bound else 200)


def _picture(request: Request, asset: SiteAsset) -> dict[str, str] | None:
    """The picture. One on another host is loaded only when the person asks for it; None for another file."""
    own_path = media_files.path_of_key(str(asset.key_parts["tenant"]), asset.s3_key)
    if own_path:
        return {"address": own_path}
    if not is_picture(asset):
        return None
    address = f"{_url('site_file_picture', FILES, asset)}?key={keys_of(asset)[0]}" if SHOW in request.GET else ""
    return {"address": address, "show_address": f"{request.path}?{SHOW}=1"}


def _marks(signal: Any) -> list[tuple[str, str, str, str]]:
    """The statuses that a button sets: the status, its text, its icon and its key."""
    choices = (
        (SignalStatus.REPLIED, _("Mark as replied"), "send", "r"),
        (SignalStatus.DISMISSED, _("Dismiss"), "x", "d"),
        (SignalStatus.NEW, _("Mark as new"), "rotate-ccw", "w"),
    )
    return [choice for choice in choices if choice[0] != (signal.status or SignalStatus.NEW)]


@requires(Permission.SITE)
@require_POST
def mark(request: Request, business: str, signal: str) -> HttpResponse:
    """Set the status of a signal."""
    form = bind(request, MarkForm)
    if not form.is_valid():
        queries.load_item(SIGNALS, business, signal)
        raise Refused(_("Choose a status."))
    status, command = SignalStatus(form.cleaned_data["status"]), command_of(request)
    saved = services.mark(business, signal, status, revision=form.number, digest=form.seen_digest, command=command)
    return _respond(request, SIGNALS, saved, str(MARKED[status]), command)


@requires(Permission.SITE)
@require_POST
def undo(request: Request, business: str, library: str, item: str) -> HttpResponse:
    """Undo a change. Only the toast after a change leads here."""
    kind, command = _kind_of(request, library), command_of(request)
    saved = services.undo(
        kind, business, item, of=_command_id(request), revision=_seen(request).number, command=command
    )
    return _respond(request, kind, saved, _("The change to %(name)s was undone."), command)


@requires(Permission.SITE)
@require_POST
def delete(request: Request, business: str, library: str, item: str) -> HttpResponse:
    kind, command, form = _kind_of(request, library), command_of(request), _seen(request)
    if not kind.can_delete:
        raise Refused(FOLLOWS_OTHERS)
    services.remove(kind, business, item, revision=form.number, digest=form.seen_digest, command=command)
    undo_form = (reverse("site_item_restore", args=[business, kind.key, item]), {"of": command.id})
    toast(request, _("Deleted."), undo=undo_form)
    return see_other(request, reverse("site_library", args=[business, kind.key]))


@requires(Permission.SITE)
@require_POST
def restore(request: Request, business: str, library: str, item: str) -> HttpResponse:
    """Undo a deletion. Only the toast after deleting leads here."""
    kind = _kind_of(request, library)
    restored = services.restore(kind, business, item, of=_command_id(request), command=command_of(request))
    toast(request, _("%(name)s restored.") % {"name": kind.title_of(restored)}, of=restored)
    return see_other(request, _url("site_item", kind, restored))


def _respond(request: Request, kind: LibraryKind, saved: LibraryItem, text: str, command: Command) -> HttpResponse:
    """Show the item after a change, with a toast whose Undo refers to the command."""
    undo_form = (_url("site_item_undo", kind, saved), {"of": command.id, "revision": saved.revision})
    toast(request, text % {"name": kind.title_of(saved)}, undo=undo_form, of=saved)
    return see_other(request, _url("site_item", kind, saved))


def _seen(request: Request) -> SeenForm:
    """The revision and the content that a button sent."""
    form = bind(request, SeenForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    return form


def _command_id(request: Request) -> str:
    return request.POST.get("of", "")[:MAX_ID]


def _param(request: Request, name: str) -> str:
    return request.GET.get(name, "").strip()[:MAX_QUERY]


def _url(route: str, kind: LibraryKind, item: LibraryItem) -> str:
    parts = [kind.key] if route.startswith("site_item") else []
    return reverse(route, args=[item.key_parts["tenant"], *parts, kind.id_of(item)])
