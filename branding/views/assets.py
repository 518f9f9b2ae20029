"""The files of a business's look: uploaded, looked at, replaced and deleted."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from branding import images, queries
from branding.forms.assets import ROLE_LABELS, PutBackForm, ReplaceForm, UploadForm
from branding.items import Asset
from branding.permissions import Permission
from branding.services import asset_replacement
from branding.services import assets as services
from branding.views import uploads
from branding.views.asset_cards import card, versions_of
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table import cursors
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.errors import takes
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import listing, tabs
from dashboard.web.pages import add_refusal, bind, by_htmx, page, see_other
from dashboard.web.toasts import toast

# A file that is too large is told so beside its field, unless it is out of all proportion.
MAX_BODY = 11 * images.MAX_BYTES
UNUSED = "unused"


@requires(Permission.BRANDING)
@require_http_methods(["GET", "HEAD", "POST"])
@takes(MAX_BODY)
def assets(request: Request, business: str) -> HttpResponse:
    """Every file of the business; sent here, one becomes one of them."""
    if request.method != "POST":
        return _list_page(request, business, UploadForm())
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _list_page(request, business, form, status=422)
    sent = [uploads.take(request, business, file, form.cleaned_data["assetType"]) for file in form.cleaned_data["file"]]
    refused = [each for each in sent if each.asset is None]
    if by_htmx(request):
        return page(request, "branding/assets.html", {"sent": sent}, partial="sent", status=422 if refused else 200)
    for each in sent:
        if each.asset is not None:
            toast(request, each.text, undo=each.undo)
    for each in refused:
        form.add_error("file", f"{each.name}: {each.text}")
    return _list_page(request, business, form, status=422) if refused else see_other(request, request.path)


def _list_page(request: Request, business: str, form: UploadForm, status: int = 200) -> HttpResponse:
    scope = (request.person.email, "assets", business)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    wanted = request.GET.get("role", "")
    found = queries.files(business, start)
    newest = sorted(found.items, key=lambda link: (link.created_at is not None, link.created_at), reverse=True)
    cards = [card(link, business) for link in newest]
    shown = [each for each in cards if wanted in ("", each.role) or (wanted == UNUSED and not each.versions)]
    following = cursors.encode(found.next, *scope) if found.next else None
    roles = [(role.value, str(label)) for role, label in ROLE_LABELS.items()]
    context = {
        "form": form,
        "listing": listing(request, shown, following, filters=("role",)),
        "tabs": tabs(request, "role", [("", _("All")), *roles, (UNUSED, _("Unused"))]),
        "is_empty": not found.items and not start,
    }
    return page(request, "branding/assets.html", context, partial="list", status=status)


@requires(Permission.BRANDING)
@require_safe
def asset(request: Request, business: str, asset: str) -> HttpResponse:
    return _asset_page(request, business, asset, ReplaceForm())


def _asset_page(request: Request, business: str, asset: str, form: ReplaceForm, status: int = 200) -> HttpResponse:
    """The file, who shows it and what was done to it, side by side: one trip."""
    found = gather(
        lambda: queries.find_file(business, asset),
        lambda: queries.lately_showing(business, asset),
        lambda: queries.history_of_file(business, asset),
    )
    kept, themes, entries = found
    if kept.asset is None:
        raise NotFound
    context = {
        "asset": kept.asset,
        "card": card(kept.link or kept.asset, business),
        "versions": versions_of(kept.link, themes, business),
        "form": form,
        "history": history_lines(entries),
    }
    return page(request, "branding/asset.html", context, partial="replace", status=status)


@requires(Permission.BRANDING)
@require_POST
@takes(MAX_BODY)
def replace(request: Request, business: str, asset: str) -> HttpResponse:
    """A new file in its place, in every draft that can still change."""
    known = queries.find_file(business, asset).asset
    if known is None or known.is_deleted:
        raise NotFound
    form = ReplaceForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            picture, name = uploads.read(form.cleaned_data["file"][0], known.role)
            command = command_of(request).part(picture.source)
            done = asset_replacement.replace(business, asset, picture, name=name, command=command)
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return _asset_page(request, business, asset, form, status=422)
    fields = {"instead": done.asset.id, "versions": ",".join(map(str, done.moved))}
    undo = (reverse("asset_put_back", args=[business, asset]), fields) if done.moved else None
    toast(request, uploads.replaced_in_words(done), undo=undo)
    return see_other(request, _url("asset", business, done.asset))


@requires(Permission.BRANDING)
@require_POST
def put_back(request: Request, business: str, asset: str) -> HttpResponse:
    """The way back from replacing: the drafts show the old file again."""
    form = PutBackForm(request.POST)
    if queries.find_file(business, asset).asset is None:
        raise NotFound
    if not form.is_valid():
        raise Refused(_("There is nothing to put back."))
    given = form.cleaned_data
    command = command_of(request)
    done = asset_replacement.put_back(business, asset, given["instead"], given["versions"], command=command)
    toast(request, uploads.put_back_in_words(done))
    return see_other(request, _url("asset", business, done.asset))


@requires(Permission.BRANDING)
@require_POST
def delete(request: Request, business: str, asset: str) -> HttpResponse:
    gone = services.delete(business, asset, revision=bind(request, RevisionForm).number, command=command_of(request))
    undo = (_url("asset_restore", business, gone), {"revision": gone.revision})
    toast(request, _("%(name)s is deleted.") % {"name": gone.title}, undo=undo, of=gone)
    return see_other(request, reverse("assets", args=[business]))


@requires(Permission.BRANDING)
@require_POST
def restore(request: Request, business: str, asset: str) -> HttpResponse:
    back = services.restore(business, asset, revision=bind(request, RevisionForm).number, command=command_of(request))
    undo = (_url("asset_delete", business, back), {"revision": back.revision})
    toast(request, _("%(name)s restored.") % {"name": back.title}, undo=undo, of=back)
    return see_other(request, _url("asset", business, back))


def _url(route: str, business: str, asset: Asset) -> str:
    return reverse(route, args=[business, asset.id])
