"""Schedules a page, and cancels its schedule."""

from __future__ import annotations

from functools import partial

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from content.forms.pages import PageScheduleForm
from content.permissions import Permission
from content.queries.pages import load_page
from content.queries.schedules import find_schedule
from content.services import schedules as services
from content.views.pages import TAB
from content.views.shared import required_revision
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.local_times import fields_of, moment_text
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
def schedule(request: Request, business: str, node: str) -> HttpResponse:
    """When a page is published by itself. The default time zone is that of the business."""
    current, existing = gather(partial(load_page, business, node), partial(find_schedule, business, node))
    time_zone = request.business.timezone
    if request.method == "POST":
        form = bind(request, PageScheduleForm, time_zone=time_zone)
        if form.is_valid():
            try:
                made = services.schedule(
                    business,
                    node,
                    form.moment.utc,
                    form.cleaned_data["zone"],
                    revision=form.cleaned_data["revision"],
                    command=command_of(request),
                )
            except Refused as refusal:
                add_refusal(form, refusal)
            else:
                when = moment_text(form.moment.utc, form.cleaned_data["zone"])
                text = _("%(title)s will be published on %(when)s.") % {"title": current.display_title, "when": when}
                if form.moment.twice:
                    text += " " + _("Clocks change that night and this time occurs twice. The first one is used.")
                undo = (reverse("page_schedule_cancel", args=[business, node]), {"revision": made.revision})
                toast(request, text, undo=undo, of=made)
                return see_other(request, reverse("page", args=[business, node]))
    else:
        opened = fields_of(existing.due_at, existing.timezone) if existing and existing.due_at else {}
        form = PageScheduleForm(time_zone=time_zone, initial=opened | {"revision": current.revision})
    context = {"form": form, "page": current, "schedule": existing, "tab": TAB}
    return page(request, "content/schedule.html", context, status=422 if form.is_bound else 200)


@requires(Permission.SITE)
@require_POST
def cancel(request: Request, business: str, node: str) -> HttpResponse:
    services.cancel(business, node, revision=required_revision(request), command=command_of(request))
    toast(request, _("The schedule was cancelled."))
    return see_other(request, reverse("page", args=[business, node]))
