"""Media that people upload for the pages of a site, and their public addresses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from branding.public import MAX_BYTES, clean_file_name
from content import media_files
from content.items import LibraryItem
from content.library.kinds import FILES, PRODUCTS
from content.library.presenters import library_rows
from content.library.uploads import UploadMediaForm
from content.media_uses import MAX_ADDRESS
from content.permissions import Permission
from content.presenters import PageRow
from content.queries.library import load_item
from content.queries.media import pages_with, products_with
from content.services import media
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import public, requires
from dashboard.table.read import gather
from dashboard.web.capacity import PICTURES, expensive
from dashboard.web.commands import command_of
from dashboard.web.errors import max_body_size
from dashboard.web.pages import by_htmx, page, see_other
from dashboard.web.toasts import toast

# Files above the limit get an error of their own; the server refuses only much larger requests.
MAX_BODY = 11 * MAX_BYTES
ALREADY_HERE = gettext_lazy("%(name)s is among the media already.")
_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
    "Content-Disposition": "inline",
}


@dataclass(frozen=True)
class UploadedMedia:
    """The result of one uploaded file."""

    name: str
    text: str | Promise
    url: str = ""
    thumbnail: str = ""
    item: LibraryItem | None = None
    undo: tuple[str, dict[str, Any]] | None = None


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
@max_body_size(MAX_BODY)
@expensive(method="POST", turn=PICTURES)
def upload(request: Request, business: str) -> HttpResponse:
    """Store pictures, each on its own: a refused one does not stop the others."""
    if request.method != "POST":
        return _upload_page(request, UploadMediaForm())
    form = UploadMediaForm(request.POST, request.FILES)
    if not form.is_valid():
        return _upload_page(request, form, status=422)
    results = [_upload(request, business, file) for file in form.cleaned_data["file"]]
    refused = [each for each in results if not each.url]
    if by_htmx(request):
        status = 422 if refused else 200
        return page(request, "content/media_new.html", {"results": results}, partial="results", status=status)
    for each in results:
        if each.url:
            toast(request, each.text, undo=each.undo, of=each.item)
    for each in refused:
        form.add_error("file", f"{each.name}: {each.text}")
    if refused:
        return _upload_page(request, form, status=422)
    return see_other(request, reverse("site_library", args=[business, FILES.key]))


def _upload(request: Request, business: str, file: UploadedFile[Any]) -> UploadedMedia:
    name = clean_file_name(file.name) or _("This file")
    try:
        stored = media.store(business, file.read(media.READ_BYTES), name, command=command_of(request))
    except Refused as refusal:
        return UploadedMedia(name, refusal.text)
    url = reverse("site_item", args=[business, FILES.key, stored.id])
    thumbnail = media_files.thumbnail_path(business, stored.key)
    if stored.item is None:
        return UploadedMedia(name, ALREADY_HERE % {"name": name}, url, thumbnail)
    undo = (reverse("site_item_delete", args=[business, FILES.key, stored.id]), {"revision": stored.item.revision})
    text = _("%(name)s uploaded.") % {"name": name}
    if stored.was_animated:
        text += " " + _("Only the first frame of the animation is used.")
    return UploadedMedia(name, text, url, thumbnail, stored.item, undo)


def _upload_page(request: Request, form: UploadMediaForm, *, status: int = 200) -> HttpResponse:
    context = {"form": form, "kind": FILES, "tab": FILES.key}
    return page(request, "content/media_new.html", context, status=status)


@requires(Permission.SITE)
@require_safe
def uses(request: Request, business: str, site_file: str) -> HttpResponse:
    """Where the file with this address is shown. The page of the file links here with its address."""
    address = request.GET.get("address", "")[:MAX_ADDRESS]
    pages, products, _file = gather(
        partial(pages_with, business, address),
        partial(products_with, business, address),
        partial(load_item, FILES, business, site_file),
    )
    context = {
        "site_file": site_file,
        "pages": [PageRow(business, card) for card in pages.items],
        "products": library_rows(PRODUCTS, business, products.items),
        "is_bounded": bool(pages.next_start_key or products.next_start_key),
        "tab": FILES.key,
    }
    return page(request, "content/media_uses.html", context, partial="uses")


@public
@require_safe
def media_file(request: HttpRequest, business: str, media_name: str) -> HttpResponse:
    """A file for everybody. Another content has another address, so it is never asked for again."""
    content = media_files.read(business, media_name)
    if content is None:
        raise NotFound
    # It is compressed already.
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    content_type = media_files.TYPES[media_name.rpartition(".")[2]]
    return HttpResponse(content, content_type=content_type, headers=_HEADERS)
