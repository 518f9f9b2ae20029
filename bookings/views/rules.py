"""The booking rules of a business."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bookings.forms.rules import RulesForm
from bookings.permissions import Permission
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
        return page(request, "bookings/rules.html", {"form": RulesForm(item=request.business), "tab": "rules"})
    form = bind(request, RulesForm, item=request.business)
    if not form.is_valid():
        return page(request, "bookings/rules.html", {"form": form, "tab": "rules"}, status=422)
    saved = services.save(business, form.values, revision=form.revision, command=command_of(request))
    toast(request, _("Rules saved."), undo=undo_request(saved, request.path), of=saved)
    return see_other(request, request.path)
