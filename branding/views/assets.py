"""The list of files and the page of a file: upload, replace, delete, restore."""

from __future__ import annotations

from functools import partial

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from branding import images, queries
from branding.forms.assets import ReplaceForm, UndoReplaceForm, UploadForm
from branding.items import ROLE_LABELS, Asset
from branding.outside_files import find_picture
from branding.permissions import Permission
from branding.presenters import to_asset_card, to_version_links
from branding.services import asset_replacement
from branding.services import assets as services
from branding.views import uploads
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table import cursors
from dashboard.table.read import gather
from dashboard.web.capacity import PICTURES, expensive
from dashboard.web.commands import command_of
from dashboard.web.errors import max_body_size
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import build_listing, build_tabs
from dashboard.web.pages import add_refusal, bind, by_htmx, page, see_other
from dashboard.web.toasts import toast

# Files above the limit get an error next to the field; the server refuses only much larger requests.
MAX_BODY = 11 * images.MAX_BYTES
UNUSED = "unused"


@requires(Permission.BRANDING)
@require_http_methods(["GET", "HEAD", "POST"])
@max_body_size(MAX_BODY)
@expensive(method="POST", turn=PICTURES)
def assets(request: Request, business: str) -> HttpResponse:
    """List and upload files."""
    if request.method != "POST":
        return _list_page(request, business, UploadForm())
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _list_page(request, business, form, status=422)
    role = form.cleaned_data["assetType"]
    results = [uploads.upload(request, business, file, role) for file in form.cleaned_data["file"]]
    refused = [each for each in results if each.asset is None]
    if by_htmx(request):
        status = 422 if refused else 200
        return page(request, "branding/assets.html", {"results": results}, partial="results", status=status)
    for each in results:
        if each.asset is not None:
            toast(request, each.text, undo=each.undo)
    for each in refused:
        form.add_error("file", f"{each.name}: {each.text}")
    return _list_page(request, business, form, status=422) if refused else see_other(request, request.path)


def _list_page(request: Request, business: str, form: UploadForm, status: int = 200) -> HttpResponse:
    """Not a `list_page`: the next page replaces this one, and its partial is always `list`."""
    scope = (request.person.email, "assets", business)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    filter_role = request.GET.get("role", "")
    found = queries.asset_links(business, start)
    newest = sorted(found.items, key=lambda link: (link.created_at is not None, link.created_at), reverse=True)
    cards = [to_asset_card(link, business) for link in newest]
    rows = [card for card in cards if filter_role in ("", card.role) or (filter_role == UNUSED and not card.versions)]
    cursor = cursors.encode(found.next_start_key, *scope) if found.next_start_key else None
    roles = [(role.value, str(label)) for role, label in ROLE_LABELS.items()]
    context = {
        "form": form,
        "listing": build_listing(request, rows, cursor, filters=("role",)),
        "tabs": build_tabs(request, "role", [("", _("All")), *roles, (UNUSED, _("Unused"))]),
        "is_empty": not found.items and not start,
    }
    return page(request, "branding/assets.html", context, partial="list", status=status)


@requires(Permission.BRANDING)
@require_safe
def asset(request: Request, business: str, asset: str) -> HttpResponse:
    return _asset_page(request, business, asset, ReplaceForm())


def _asset_page(request: Request, business: str, asset: str, form: ReplaceForm, status: int = 200) -> HttpResponse:
    """The file, the versions that use it and its history, in one round trip."""
    state, themes, entries = gather(
        partial(queries.asset_state, business, asset),
        partial(queries.recent_themes_using, business, asset),
        partial(queries.asset_history, business, asset),
    )
    if state.asset is None:
        raise NotFound
    context = {
        "asset": state.asset,
        "card": to_asset_card(state.link or state.asset, business),
        "versions": to_version_links(state.link, themes, business),
        "form": form,
        "history": history_lines(entries),
        "outside_picture": None if state.asset.file_name else find_picture(state.asset.uri),
    }
    return page(request, "branding/asset.html", context, partial="replace", status=status)


@requires(Permission.BRANDING)
@require_POST
@max_body_size(MAX_BODY)
@expensive(turn=PICTURES)
def replace(request: Request, business: str, asset: str) -> HttpResponse:
    """Upload a new file and use it in every draft that uses this one."""
    old_asset = queries.load_asset(business, asset)
    form = ReplaceForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            picture, name = uploads.read_picture(form.cleaned_data["file"][0], old_asset.role)
            command = command_of(request).part(picture.source)
            result = asset_replacement.replace(business, asset, picture, name=name, command=command)
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return _asset_page(request, business, asset, form, status=422)
    fields = {"instead": result.asset.id, "versions": ",".join(map(str, result.changed))}
    undo = (reverse("asset_put_back", args=[business, asset]), fields) if result.changed else None
    toast(request, uploads.replacement_text(result), undo=undo)
    return see_other(request, _url("asset", business, result.asset))


@requires(Permission.BRANDING)
@require_POST
def undo_replace(request: Request, business: str, asset: str) -> HttpResponse:
    """The Undo of `replace`."""
    form = UndoReplaceForm(request.POST)
    if queries.asset_state(business, asset).asset is None:
        raise NotFound
    if not form.is_valid():
        raise Refused(_("There is nothing to undo."))
    given = form.cleaned_data
    command = command_of(request)
    result = asset_replacement.undo_replace(business, asset, given["instead"], given["versions"], command=command)
    toast(request, uploads.undo_text(result))
    return see_other(request, _url("asset", business, result.asset))


@requires(Permission.BRANDING)
@require_POST
def delete(request: Request, business: str, asset: str) -> HttpResponse:
    revision = bind(request, RevisionForm).number
    deleted = services.delete(business, asset, revision=revision, command=command_of(request))
    undo = (_url("asset_restore", business, deleted), {"revision": deleted.revision})
    toast(request, _("%(name)s deleted.") % {"name": deleted.title}, undo=undo, of=deleted)
    return see_other(request, reverse("assets", args=[business]))


@requires(Permission.BRANDING)
@require_POST
def restore(request: Request, business: str, asset: str) -> HttpResponse:
    revision = bind(request, RevisionForm).number
    restored = services.restore(business, asset, revision=revision, command=command_of(request))
    undo = (_url("asset_delete", business, restored), {"revision": restored.revision})
    toast(request, _("%(name)s restored.") % {"name": restored.title}, undo=undo, of=restored)
    return see_other(request, _url("asset", business, restored))


def _url(route: str, business: str, asset: Asset) -> str:
    return reverse(route, args=[business, asset.id])
