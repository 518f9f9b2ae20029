"""The list of leads, and the page of each."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from content import lead_bulk
from content.forms.leads import FILTERS, LeadFilterForm
from content.items import LeadState
from content.lead_fields import LEAD_FIELDS, NextStepForm, NoteForm, StageForm
from content.lead_lists import STEPS
from content.lead_people import people_choices
from content.lead_repairs import describe, stage_in
from content.lead_rows import LeadRow, contact_view
from content.lead_stages import STAGE_LABELS, LeadStage, stage_of
from content.permissions import Permission
from content.queries import leads as queries
from content.services import leads as services
from content.views.shared import query_param, required_revision
from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.businesses.queries import members
from dashboard.platform.jobs.queries import load_own_job
from dashboard.table.read import COUNT_LIMIT, Page, gather
from dashboard.table.search import SearchPage
from dashboard.web.commands import command_of
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.locale import zone
from dashboard.web.pages import bind, page, safe_next, see_other
from dashboard.web.toasts import toast

TAB = "leads"
TABS = (
    ("", STAGE_LABELS[LeadStage.NEW]),
    *((stage.value, label) for stage, label in STAGE_LABELS.items() if stage != LeadStage.NEW),
    (STEPS, gettext_lazy("Next steps")),
)
MAX_QUERY = 254
# In how many days a step that is put off is due.
SNOOZES = {"tomorrow": 1, "week": 7}


def today_of(request: Request) -> date:
    """The day in the time zone of the business."""
    return timezone.localdate(now(), zone(request.business.timezone))


@requires(Permission.VISITORS)
@require_safe
def leads(request: Request, business: str) -> HttpResponse:
    show = request.GET.get("show", "")
    if show not in dict(TABS):
        raise NotFound
    today, form = today_of(request), LeadFilterForm(request.GET)
    listed = form.lead_list(show, query_param(request, most=MAX_QUERY))

    def load(start_key: Any) -> tuple[Page[LeadRow], dict[str, Any]]:
        read, due = gather(partial(listed.read, business, start_key), partial(queries.count_due_steps, business, today))
        found = listed.page_of(read, today)
        tabs = build_tabs(request, "show", TABS)
        if due:
            tabs[-1] = replace(tabs[-1], count=f"{COUNT_LIMIT}+" if due >= COUNT_LIMIT else str(due))
        context = {
            "show": show,
            "q": listed.q,
            "tabs": tabs,
            "tab": TAB,
            "stages": list(STAGE_LABELS.items()),
            "search": found if isinstance(found, SearchPage) else None,
            "filter_form": form,
            "filters_are_set": listed.is_search,
            "kept_filters": [(name, request.GET[name]) for name in FILTERS[1:] if request.GET.get(name)],
            "kept": [(name, request.GET[name]) for name in ("show", "q") if request.GET.get(name)],
        }
        return found.with_rows([LeadRow(business, each, today) for each in found.items]), context

    scope = (TAB, business, *listed.scope, today.isoformat())
    return list_page(request, "content/leads.html", load, cursor_scope=scope, filters=FILTERS)


@requires(Permission.VISITORS)
@require_http_methods(["GET", "HEAD", "POST"])
def lead(request: Request, business: str, lead: str) -> HttpResponse:
    """A lead; a POST changes its next step."""
    if request.method != "POST":
        return lead_page(request, business, lead)
    (state, _exists), people = gather(partial(services.load_state, business, lead), partial(members, business))
    form = bind(request, NextStepForm, item=state, people=people_choices(people))
    if not form.is_valid():
        return lead_page(request, business, lead, step_form=form, status=422)
    saved = services.edit(
        business,
        lead,
        form.values,
        revision=form.revision,
        timezone=request.business.timezone,
        command=command_of(request),
    )
    return _step_answer(request, saved, _("Next step of %(name)s saved.") % {"name": saved.title})


@requires(Permission.VISITORS)
@require_POST
def step(request: Request, business: str, lead: str) -> HttpResponse:
    """The next step is done, or put off."""
    options: dict[str, Any] = {
        "revision": required_revision(request),
        "timezone": request.business.timezone,
        "command": command_of(request),
    }
    services.load_state(business, lead)
    chosen = request.POST.get("step", "")
    if chosen == "done":
        saved = services.complete_step(business, lead, **options)
        return _step_answer(request, saved, _("Next step of %(name)s done.") % {"name": saved.title})
    if chosen not in SNOOZES:
        raise Refused(_("Reload the page and try again."))
    day = (today_of(request) + timedelta(days=SNOOZES[chosen])).isoformat()
    saved = services.edit(business, lead, {"next_step_on": day}, **options)
    text = _("Next step of %(name)s put off to %(day)s.") % {"name": saved.title, "day": day}
    return _step_answer(request, saved, text)


def _step_answer(request: Request, saved: LeadState, text: str) -> HttpResponse:
    url = reverse("lead", args=[request.business.id, saved.id])
    before = saved.outcome.result.get("before", {})
    undo = {name: before.get(name, "") for name in LEAD_FIELDS.names} | {"revision": saved.revision}
    toast(request, text, undo=(url, undo), of=saved)
    return see_other(request, safe_next(request, url))


def lead_page(
    request: Request,
    business: str,
    lead: str,
    *,
    step_form: NextStepForm | None = None,
    note_form: NoteForm | None = None,
    status: int = 200,
) -> HttpResponse:
    state, rows, contacts, notes, entries, people = gather(
        partial(queries.find_state, business, lead),
        partial(queries.rows_of, business, lead),
        partial(queries.contacts_of, business, lead),
        partial(queries.notes_of, business, lead),
        partial(queries.history_of, business, lead),
        partial(members, business),
    )
    if state is None:
        if not rows:
            raise NotFound
        # The stream follower has not made it yet.
        state = LeadState.new(tenant=business, lead=lead)
        state.email, state.stored_stage = lead, stage_in(rows[0])
        for each in rows:
            describe(state, each)
    context = {
        "row": LeadRow(business, state, today_of(request)),
        "lead": state,
        "stages": list(STAGE_LABELS.items()),
        "step_form": step_form or NextStepForm(item=state, people=people_choices(people)),
        "step_person": dict(people_choices(people)).get(state.step_for or "", state.step_for or ""),
        "note_form": note_form or NoteForm(),
        "rows": rows,
        "contacts": [*map(contact_view, rows), *map(contact_view, contacts)],
        "notes": notes,
        "history": history_lines(entries),
        "tab": TAB,
    }
    return page(request, "content/lead.html", context, status=status)


@requires(Permission.VISITORS)
@require_POST
def set_stage(request: Request, business: str, lead: str) -> HttpResponse:
    form = bind(request, StageForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    stage = LeadStage(form.cleaned_data["stage"])
    saved = services.set_stage(business, lead, stage, revision=form.number, command=command_of(request))
    before = (saved.outcome.result.get("before") or {}) if not saved.outcome.is_no_change else {}
    undo = (request.path, {"stage": before["stage"], "revision": saved.revision}) if "stage" in before else None
    text = _("%(name)s: %(stage)s.") % {"name": saved.title, "stage": STAGE_LABELS[stage]}
    toast(request, text, undo=undo, of=saved)
    return see_other(request, reverse("lead", args=[business, lead]))


@requires(Permission.VISITORS)
@require_POST
def bulk(request: Request, business: str) -> HttpResponse:
    """Change the stage of the selected leads, as a job."""
    form = bind(request, StageForm)
    if "stage" in form.errors:
        raise Refused(_("Choose a stage."))
    lines = lead_bulk.selected(business, request.POST.getlist("selected"))
    stage, back = stage_of(request.POST.get("stage")), safe_next(request, "")
    return see_other(request, lead_bulk.begin(business, stage, lines, back, command=command_of(request)).url())


@requires(Permission.VISITORS)
@require_POST
def undo_bulk(request: Request, business: str, job_id: str) -> HttpResponse:
    job = load_own_job(job_id, request.person.email, business)
    return see_other(request, lead_bulk.begin_undo(job, command=command_of(request)).url())
