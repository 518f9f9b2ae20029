"""A picture that is dropped or pasted into the editor of a page."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from branding.public import MAX_BYTES, clean_file_name
from content.permissions import Permission
from content.queries.pages import load_page
from content.services import media
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.capacity import PICTURES, expensive
from dashboard.web.commands import command_of
from dashboard.web.errors import max_body_size

# The server refuses only much larger requests, so that a file above the limit gets its reason.
MAX_BODY = 2 * MAX_BYTES


@requires(Permission.SITE)
@require_POST
@max_body_size(MAX_BODY)
@expensive(method="POST", turn=PICTURES)
def picture(request: Request, business: str, node: str) -> HttpResponse:
    """Store the picture among the media of the site. Adding it to the page is a change of the form."""
    load_page(business, node)
    file = request.FILES.get("file")
    try:
        if file is None:
            raise Refused(_("Choose a file."), "file")
        name = clean_file_name(file.name) or _("Picture")
        stored = media.store(business, file.read(media.READ_BYTES), name, command=command_of(request))
    except Refused as refusal:
        return JsonResponse({"error": str(refusal.text)}, status=422)
    return JsonResponse({"src": stored.address, "name": name})
