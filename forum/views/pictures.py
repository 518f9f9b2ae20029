"""A picture of a post: fetched from its host by the server, when a person asks for it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.pages import page
from forum.permissions import Permission
from forum.pictures import RETRY_AFTER, LoadedPicture, PictureError, PostPicture, pick_picture
from forum.queries import posts
from forum.targets import ForumTarget

_HEADERS = {
    # The script that shows it requests it once, and the `img` takes it from the browser's cache.
    "Cache-Control": "private, max-age=300",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Content-Disposition": "inline",
}


@requires(Permission.FORUM)
@require_safe
def picture(request: Request, post: str, picture: int) -> HttpResponse:
    """The picture itself with a valid `key`; without one, the page that asks whether to show it."""
    found = pick_picture(posts.load_item(ForumTarget(post)), picture)
    key = request.GET.get("key")
    if key is None:
        return page(request, "forum/picture.html", {"picture": found, "problem": ""})
    if not found.accepts(key):
        return _problem_page(request, found, _("This link to the picture is no longer valid."), 403)
    if found.is_own:
        return redirect(found.address)
    try:
        return _picture_response(request, found.load(request.person.email))
    except PictureError as refusal:
        response = _problem_page(request, found, str(refusal.text), 503 if refusal.is_busy else 422)
        if refusal.is_busy:
            response.headers["Retry-After"] = str(RETRY_AFTER)
        return response


def _picture_response(request: Any, loaded: LoadedPicture) -> HttpResponse:
    # It is compressed already.
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    response = HttpResponse(loaded.content, content_type=loaded.content_type, headers=_HEADERS)
    # The next person at this browser has another session.
    patch_vary_headers(response, ["Cookie"])
    return response


def _problem_page(request: Request, picture: PostPicture, text: str, status: int) -> HttpResponse:
    """The reason instead of the picture; for our script only the reason."""
    context = {"picture": picture, "problem": text}
    return page(request, "forum/picture.html", context, partial="problem", quiet=True, status=status)
