"""The booking rules of a business."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bookings.forms.rules import RulesForm
from bookings.permissions import Permission
from bookings.rules import OPEN_PAGE
from bookings.services import rules as services
from bookings.views.shared import undo_request
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.commands import command_of
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.CATALOG)
@require_http_methods(["GET", "HEAD", "POST"])
def rules(request: Request, business: str) -> HttpResponse:
    if request.method != "POST":
        return _show(request, RulesForm(item=request.business))
    form = bind(request, RulesForm, item=request.business)
    if not form.is_valid():
        return _show(request, form, status=422)
    saved = services.save(business, form.values, revision=form.revision, command=command_of(request))
    toast(request, _("Rules saved."), undo=undo_request(saved, request.path), of=saved)
    return see_other(request, request.path)


def _show(request: Request, form: RulesForm, status: int = 200) -> HttpResponse:
    is_open = request.business.online_page == OPEN_PAGE
    page_url = settings.SITE_URL + reverse("online_booking", args=[request.business.id]) if is_open else ""
    return page(request, "bookings/rules.html", {"form": form, "tab": "rules", "page_url": page_url}, status=status)
