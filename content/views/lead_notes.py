"""Notes about a lead."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from content.lead_fields import NoteForm
from content.permissions import Permission
from content.services import leads as services
from content.views.leads import lead_page
from content.views.shared import required_revision
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.commands import command_of
from dashboard.web.pages import bind, see_other
from dashboard.web.toasts import toast


@requires(Permission.VISITORS)
@require_POST
def add_note(request: Request, business: str, lead: str) -> HttpResponse:
    form = bind(request, NoteForm)
    if not form.is_valid():
        return lead_page(request, business, lead, note_form=form, status=422)
    note = services.add_note(business, lead, form.cleaned_data["text"], command=command_of(request))
    at, note_id = note.ref
    undo = (reverse("lead_note_remove", args=[business, lead, at, note_id]), {"revision": note.revision})
    toast(request, _("Note added."), undo=undo, of=note)
    return see_other(request, reverse("lead", args=[business, lead]))


@requires(Permission.VISITORS)
@require_POST
def remove_note(request: Request, business: str, lead: str, at: str, note: str) -> HttpResponse:
    saved = services.remove_note(
        business, lead, at, note, revision=required_revision(request), command=command_of(request)
    )
    undo = (reverse("lead_note_restore", args=[business, lead, at, note]), {"revision": saved.revision})
    toast(request, _("Note removed."), undo=undo, of=saved)
    return see_other(request, reverse("lead", args=[business, lead]))


@requires(Permission.VISITORS)
@require_POST
def restore_note(request: Request, business: str, lead: str, at: str, note: str) -> HttpResponse:
    saved = services.restore_note(
        business, lead, at, note, revision=required_revision(request), command=command_of(request)
    )
    undo = (reverse("lead_note_remove", args=[business, lead, at, note]), {"revision": saved.revision})
    toast(request, _("Note restored."), undo=undo, of=saved)
    return see_other(request, reverse("lead", args=[business, lead]))
