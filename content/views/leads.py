"""The list of leads, and the page of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from content.items import LeadState
from content.items.lists import folded_email
from content.lead_fields import LEAD_FIELDS, NextStepForm, NoteForm, StageForm
from content.lead_repairs import describe, stage_in
from content.lead_rows import LeadRow, contact_view
from content.lead_stages import STAGE_LABELS, LeadStage
from content.permissions import Permission
from content.queries import leads as queries
from content.services import leads as services
from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.read import COUNT_LIMIT, Page, gather
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.locale import zone
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast

TAB = "leads"
STEPS = "steps"
TABS = (
    ("", STAGE_LABELS[LeadStage.NEW]),
    *((stage.value, label) for stage, label in STAGE_LABELS.items() if stage != LeadStage.NEW),
    (STEPS, gettext_lazy("Next steps")),
)
MAX_QUERY = 254


def today_of(request: Request) -> date:
    """The day in the time zone of the business."""
    return timezone.localdate(now(), zone(request.business.timezone))


@requires(Permission.VISITORS)
@require_safe
def leads(request: Request, business: str) -> HttpResponse:
    show, q = request.GET.get("show", ""), request.GET.get("q", "").strip()[:MAX_QUERY]
    if show not in dict(TABS):
        raise NotFound
    today = today_of(request)

    def load(start_key: Any) -> tuple[Page[LeadRow], dict[str, Any]]:
        read_page: Callable[[], Page[LeadState]]
        if q:
            read_page = partial(queries.leads_by_address, business, folded_email(q), start_key)
        elif show == STEPS:
            read_page = partial(queries.leads_with_next_step, business, start_key)
        else:
            read_page = partial(queries.leads_by_stage, business, LeadStage(show or LeadStage.NEW), start_key)
        found, due = gather(read_page, partial(queries.count_due_steps, business, today))
        tabs = build_tabs(request, "show", TABS)
        if due:
            tabs[-1] = replace(tabs[-1], count=f"{COUNT_LIMIT}+" if due >= COUNT_LIMIT else str(due))
        context = {"show": show, "q": q, "tabs": tabs, "tab": TAB}
        return found.with_rows([LeadRow(business, each, today) for each in found.items]), context

    return list_page(request, "content/leads.html", load, cursor_scope=(TAB, business, show, q), filters=("q",))


@requires(Permission.VISITORS)
@require_http_methods(["GET", "HEAD", "POST"])
def lead(request: Request, business: str, lead: str) -> HttpResponse:
    """A lead; a POST changes its next step."""
    if request.method != "POST":
        return _lead_page(request, business, lead)
    state, _exists = services.load_state(business, lead)
    form = bind(request, NextStepForm, item=state)
    if not form.is_valid():
        return _lead_page(request, business, lead, step_form=form, status=422)
    saved = services.edit(business, lead, form.values, revision=form.revision, command=command_of(request))
    before = saved.outcome.result.get("before", {})
    undo = {name: before.get(name, "") for name in LEAD_FIELDS.names} | {"revision": saved.revision}
    toast(request, _("Next step of %(name)s saved.") % {"name": saved.title}, undo=(request.path, undo), of=saved)
    return see_other(request, request.path)


def _lead_page(
    request: Request,
    business: str,
    lead: str,
    *,
    step_form: NextStepForm | None = None,
    note_form: NoteForm | None = None,
    status: int = 200,
) -> HttpResponse:
    state, rows, contacts, notes, entries = gather(
        partial(queries.find_state, business, lead),
        partial(queries.rows_of, business, lead),
        partial(queries.contacts_of, business, lead),
        partial(queries.notes_of, business, lead),
        partial(queries.history_of, business, lead),
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
        "step_form": step_form or NextStepForm(item=state),
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
def add_note(request: Request, business: str, lead: str) -> HttpResponse:
    form = bind(request, NoteForm)
    if not form.is_valid():
        return _lead_page(request, business, lead, note_form=form, status=422)
    note = services.add_note(business, lead, form.cleaned_data["text"], command=command_of(request))
    at, note_id = note.ref
    undo = (reverse("lead_note_remove", args=[business, lead, at, note_id]), {"revision": note.revision})
    toast(request, _("Note added."), undo=undo, of=note)
    return see_other(request, reverse("lead", args=[business, lead]))


@requires(Permission.VISITORS)
@require_POST
def remove_note(request: Request, business: str, lead: str, at: str, note: str) -> HttpResponse:
    saved = services.remove_note(business, lead, at, note, revision=_revision(request), command=command_of(request))
    undo = (reverse("lead_note_restore", args=[business, lead, at, note]), {"revision": saved.revision})
    toast(request, _("Note removed."), undo=undo, of=saved)
    return see_other(request, reverse("lead", args=[business, lead]))


@requires(Permission.VISITORS)
@require_POST
def restore_note(request: Request, business: str, lead: str, at: str, note: str) -> HttpResponse:
    saved = services.restore_note(business, lead, at, note, revision=_revision(request), command=command_of(request))
    undo = (reverse("lead_note_remove", args=[business, lead, at, note]), {"revision": saved.revision})
    toast(request, _("Note restored."), undo=undo, of=saved)
    return see_other(request, reverse("lead", args=[business, lead]))


def _revision(request: Request) -> int:
    form = bind(request, RevisionForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    return form.number
