"""A version that goes live later."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from branding import queries
from branding.contrast import Reading
from branding.forms.live import ScheduleForm
from branding.items import ScheduledPublication, Theme
from branding.permissions import Permission
from branding.services import publishing
from branding.services import schedules as services
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.moments import fields_of, spoken
from dashboard.web.pages import add_refusal, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.BRANDING)
@require_http_methods(["GET", "HEAD", "POST"])
def schedule(request: Request, business: str, version: int) -> HttpResponse:
    """The moment is chosen where the business is, unless someone says otherwise."""
    where = request.business.timezone
    if request.method != "POST":
        return _form_page(request, version, None)
    form = ScheduleForm(request.POST, where=where)
    low: list[Reading] = []
    if form.is_valid():
        try:
            made = _schedule(request, version, form)
        except publishing.BelowAA as below:
            low = below.readings
        except Refused as refusal:
            add_refusal(form, refusal)
        except Conflict as conflict:
            if not isinstance(conflict.item, Theme):
                raise
            return _form_page(request, version, form.knowing(conflict.item.revision), moved=conflict.item, status=409)
        else:
            return _set(request, made, form)
    return _form_page(request, version, form, low=low, status=422)


def _schedule(request: Request, version: int, form: ScheduleForm) -> ScheduledPublication:
    given = form.cleaned_data
    return services.schedule(
        request.business.id,
        version,
        due_at=form.moment.utc,
        zone=given["zone"],
        text=given["note"],
        accepted=request.POST.get("contrast") == "accepted",
        revision=given["revision"],
        command=command_of(request),
    )


def _set(request: Request, made: ScheduledPublication, form: ScheduleForm) -> HttpResponse:
    when = spoken(form.moment.utc, form.cleaned_data["zone"])
    text = _("v%(version)s goes live on %(when)s.") % {"version": made.number, "when": when}
    if form.moment.twice:
        text += " " + _("The clocks show that time twice that night: it is the first of the two.")
    toast(request, text, undo=(reverse("schedule_cancel", args=[made.business, made.entry]), {}), of=made)
    return see_other(request, reverse("branding", args=[made.business]))


def _form_page(
    request: Request,
    version: int,
    form: ScheduleForm | None,
    *,
    low: list[Reading] | None = None,
    moved: Theme | None = None,
    status: int = 200,
) -> HttpResponse:
    business = request.business
    found = gather(lambda: queries.theme(business.id, version), lambda: queries.schedules(business.id))
    theme, planned = found
    form = form or ScheduleForm(where=business.timezone, initial={"revision": theme.revision})
    context = {"theme": theme, "form": form, "low": low or [], "moved": moved, "schedules": planned}
    return page(request, "branding/schedule.html", context, status=status)


@requires(Permission.BRANDING)
@require_POST
def cancel(request: Request, business: str, schedule: str) -> HttpResponse:
    due_at, _line, number = schedule.rpartition("_")
    planned = services.cancel(business, due_at, int(number), command=command_of(request))
    missed = planned is not None and planned.schedule.missed
    text = _("v%(version)s is off the list.") if missed else _("The schedule of v%(version)s was cancelled.")
    toast(request, text % {"version": int(number)}, undo=_again(planned))
    return see_other(request, reverse("branding", args=[business]))


def _again(planned: queries.Planned | None) -> tuple[str, dict[str, Any]] | None:
    """The form that sets it once more, while that moment is still to come."""
    if planned is None or planned.theme is None:
        return None
    was = planned.schedule
    if was.missed or was.due_at is None or was.due_at <= now():
        return None
    fields = fields_of(was.due_at, was.timezone) | {"note": was.note or "", "revision": str(planned.theme.revision)}
    if was.below_aa:
        fields["contrast"] = "accepted"
    return reverse("theme_schedule", args=[was.business, was.number]), fields
