"""Private files for visitors: upload and download."""

from __future__ import annotations

from typing import cast

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from content import files
from content.items import Resource
from content.library.kinds import RESOURCES
from content.library.uploads import UploadResourceForm
from content.permissions import Permission
from content.queries.library import load_item
from content.services import library as services
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.attributes import to_attribute
from dashboard.web.commands import command_of
from dashboard.web.errors import max_body_size
from dashboard.web.pages import page, see_other
from dashboard.web.toasts import toast

MAX_BODY = files.MAX_BYTES + 100_000


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
@max_body_size(MAX_BODY)
def upload(request: Request, business: str) -> HttpResponse:
    """Store a file, then add its resource."""
    if request.method != "POST":
        return _upload_page(request, UploadResourceForm())
    form = UploadResourceForm(request.POST, request.FILES)
    if not form.is_valid():
        return _upload_page(request, form, status=422)
    file = form.cleaned_data["file"]
    content = file.read()
    key = files.key_for(business, file.name, content)
    files.put_file(key, content)
    stored = {"s3Key": to_attribute(key), "uploadedBy": to_attribute(request.person.email)}
    values = {"file_name": files.clean_name(file.name)}
    command = command_of(request).part(key)
    created = services.create(RESOURCES, business, values, stored, command=command)
    place = [business, RESOURCES.key, RESOURCES.id_of(created)]
    undo = (reverse("site_item_delete", args=place), {"revision": created.revision})
    toast(request, _("%(name)s uploaded.") % {"name": RESOURCES.title_of(created)}, undo=undo, of=created)
    return see_other(request, reverse("site_item", args=place))


def _upload_page(request: Request, form: UploadResourceForm, *, status: int = 200) -> HttpResponse:
    context = {"form": form, "kind": RESOURCES, "tab": RESOURCES.key}
    return page(request, "content/resource_new.html", context, status=status)


@requires(Permission.SITE)
@require_safe
def download(request: Request, business: str, resource: str) -> HttpResponse:
    """Lead to a signed address that expires. With `make run`, it is this one with a signature."""
    found = cast(Resource, load_item(RESOURCES, business, resource))
    name, signature = RESOURCES.title_of(found), request.GET.get("signature", "")
    if not signature:
        return see_other(request, files.signed_address(business, found.s3_key, name, request.path))
    response = HttpResponse(files.read_signed(business, found.s3_key, signature[:200]), content_type=files.UNKNOWN_TYPE)
    response.headers["Content-Disposition"] = files.attachment(name)
    response.headers["Cache-Control"] = "no-store, private"
    return response
