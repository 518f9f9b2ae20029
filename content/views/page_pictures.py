"""A picture that is dropped or pasted into the editor of a page."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from branding.public import MAX_PICTURE_BYTES, store_picture
from content.permissions import Permission
from content.queries.pages import load_page
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.commands import command_of


@requires(Permission.SITE)
@require_POST
def picture(request: Request, business: str, node: str) -> HttpResponse:
    """Store the picture among the files of the business. Adding it to the page is a change of the form."""
    load_page(business, node)
    file = request.FILES.get("file")
    try:
        if file is None:
            raise Refused(_("Choose a file."), "file")
        content = file.read(MAX_PICTURE_BYTES + 1)
        stored = store_picture(business, content, file.name, command=command_of(request))
    except Refused as refusal:
        return JsonResponse({"error": str(refusal.text)}, status=422)
    return JsonResponse({"src": request.build_absolute_uri(stored.path), "name": stored.name})
