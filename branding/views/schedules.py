"""Schedule a version and cancel a schedule."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from branding import queries
from branding.contrast import PairContrast
from branding.forms.publishing import ACCEPTED, ScheduleForm
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
from dashboard.web.local_times import fields_of, moment_text
from dashboard.web.pages import add_refusal, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.BRANDING)
@require_http_methods(["GET", "HEAD", "POST"])
def schedule(request: Request, business: str, version: int) -> HttpResponse:
    """The default time zone is that of the business."""
    time_zone = request.business.timezone
    if request.method != "POST":
        return _form_page(request, version, None)
    form = ScheduleForm(request.POST, time_zone=time_zone)
    failing: list[PairContrast] = []
    if form.is_valid():
        try:
            made = _schedule(request, version, form)
        except publishing.LowContrast as error:
            failing = error.failing
        except Refused as refusal:
            add_refusal(form, refusal)
        except Conflict as conflict:
            if not isinstance(conflict.item, Theme):
                raise
            form = form.with_revision(conflict.item.revision)
            return _form_page(request, version, form, changed_theme=conflict.item, status=409)
        else:
            return _redirect_to_list(request, made, form)
    return _form_page(request, version, form, failing=failing, status=422)


def _schedule(request: Request, version: int, form: ScheduleForm) -> ScheduledPublication:
    given = form.cleaned_data
    return services.schedule(
        request.business.id,
        version,
        due_at=form.moment.utc,
        zone=given["zone"],
        note=given["note"],
        accept_low_contrast=request.POST.get("contrast") == ACCEPTED,
        revision=given["revision"],
        command=command_of(request),
    )


def _redirect_to_list(request: Request, made: ScheduledPublication, form: ScheduleForm) -> HttpResponse:
    when = moment_text(form.moment.utc, form.cleaned_data["zone"])
    text = _("v%(version)s will go live on %(when)s.") % {"version": made.number, "when": when}
    if form.moment.twice:
        text += " " + _("Clocks change that night and this time occurs twice. The first one is used.")
    toast(request, text, undo=(reverse("schedule_cancel", args=[made.business, made.url_id]), {}), of=made)
    return see_other(request, reverse("branding", args=[made.business]))


def _form_page(
    request: Request,
    version: int,
    form: ScheduleForm | None,
    *,
    failing: list[PairContrast] | None = None,
    changed_theme: Theme | None = None,
    status: int = 200,
) -> HttpResponse:
    business = request.business
    theme, schedules = gather(
        partial(queries.load_theme, business.id, version), partial(queries.schedules, business.id)
    )
    form = form or ScheduleForm(time_zone=business.timezone, initial={"revision": theme.revision})
    context = {
        "theme": theme,
        "form": form,
        "failing": failing or [],
        "changed_theme": changed_theme,
        "schedules": schedules,
        "titles": {theme.number: theme.title},
    }
    return page(request, "branding/schedule.html", context, status=status)


@requires(Permission.BRANDING)
@require_POST
def cancel(request: Request, business: str, schedule: str) -> HttpResponse:
    due_at, _line, number = schedule.rpartition("_")
    state = services.cancel(business, due_at, int(number), command=command_of(request))
    was_missed = state is not None and state.schedule.missed
    text = _("v%(version)s dismissed.") if was_missed else _("Schedule of v%(version)s cancelled.")
    toast(request, text % {"version": int(number)}, undo=_undo(state))
    return see_other(request, reverse("branding", args=[business]))


def _undo(state: queries.PublicationState | None) -> tuple[str, dict[str, Any]] | None:
    """Schedule it again, if its time is in the future."""
    if state is None or state.theme is None:
        return None
    schedule = state.schedule
    if schedule.missed or schedule.due_at is None or schedule.due_at <= now():
        return None
    fields = fields_of(schedule.due_at, schedule.timezone) | {
        "note": schedule.note or "",
        "revision": str(state.theme.revision),
    }
    if schedule.below_aa:
        fields["contrast"] = ACCEPTED
    return reverse("theme_schedule", args=[schedule.business, schedule.number]), fields
