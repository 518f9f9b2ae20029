"""The public URL of a file, and pictures in other buckets."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from branding import queries, storage
from branding.items import Asset
from branding.outside_files import find_picture
from branding.paths import file_url
from branding.permissions import Permission
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import public, requires
from dashboard.web.capacity import PICTURES, expensive

_TYPES = {"png": "image/png", "jpg": "image/jpeg"}
_SANDBOX = "default-src 'none'; sandbox"
# The content of a URL never changes: another file has another URL.
_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": _SANDBOX,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
}


@public
@require_safe
def brand_file(request: HttpRequest, asset: str) -> HttpResponse:
    """A file as it was encoded on upload; `?size=thumb` for the thumbnail."""
    found = queries.find_asset(asset)
    name = found.file_name if found and not found.is_deleted else None
    if found is None or name is None:
        raise NotFound
    is_small = request.GET.get("size") == "thumb"
    # A picture is compressed already, and compressing it again would change its ETag.
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    etag = f'"{_checksum(found)}{"-thumb" if is_small else ""}"'
    headers = _HEADERS | {"ETag": etag, "Content-Disposition": _disposition(found, name)}
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        for header, value in headers.items():
            unchanged.headers[header] = value
        return unchanged
    content = storage.read(storage.thumbnail_of(name) if is_small else name)
    if content is None:
        raise NotFound
    return HttpResponse(content, content_type=_TYPES[_extension(name)], headers=headers)


@requires(Permission.BRANDING)
@require_safe
@expensive(turn=PICTURES)
def outside_picture(request: Request, business: str, asset: str) -> HttpResponse:
    """The picture of a file in another bucket, for the list of files. A file of ours has a public URL."""
    state = queries.asset_state(business, asset)
    if state.asset and state.asset.file_name:
        return HttpResponseRedirect(file_url(asset), status=303)
    file = state.asset or state.link
    picture = find_picture(file.uri) if file else None
    if picture is None or not picture.content:
        raise NotFound
    headers = {"Cache-Control": "private, max-age=300", "Content-Security-Policy": _SANDBOX}
    return HttpResponse(picture.content, content_type=picture.content_type, headers=headers)


def _checksum(asset: Asset) -> str:
    """The checksum if it is valid in a header, else the id."""
    found = (asset.checksum or "").rpartition(":")[2][:32]
    return found if found.isascii() and found.isalnum() else asset.id


def _extension(name: str) -> str:
    return name.rpartition(".")[2]


def _disposition(asset: Asset, name: str) -> str:
    """Inline; a saved file gets the uploaded name with our extension."""
    stem = (asset.name or "file").rpartition(".")[0] or asset.name or "file"
    return content_disposition_header(as_attachment=False, filename=f"{stem}.{_extension(name)}") or "inline"
