"""The reasons that moderators choose from."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import presenters, queries
from dashboard.platform.configs.changes import count_verbs
from dashboard.platform.configs.items import Config
from dashboard.platform.configs.services import config_writes
from dashboard.platform.configs.services.config_writes import MergeConflict
from dashboard.platform.configs.views import toast_saved
from dashboard.web.commands import command_of
from dashboard.web.forms import submitted_revision
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast
from forum.configs.reasons import REASONS, read_reasons
from forum.forms.reasons import (
    MAX_REASONS,
    ReasonsForm,
    assign_ids,
    changes_between,
    form_for,
    parse_rows,
    rearrange,
    row_to_focus,
)
from forum.permissions import Permission


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def reasons(request: Request) -> HttpResponse:
    """All reasons in one form. Adding, removing and moving rows changes only the form until it is saved."""
    if request.method != "POST":
        config = queries.current(REASONS)
        form = form_for(read_reasons(REASONS.body_of(config)), config.revision if config else 0)
        return _show(request, form, config=config)
    rows, original = parse_rows(request.POST)
    arranged = rearrange(rows, request.POST)
    if arranged is not None:
        initial = {"revision": submitted_revision(request.POST), "note": request.POST.get("note", "")}
        form = ReasonsForm(reasons=arranged, original=original, initial=initial)
        if "add" in request.POST:
            form.fields[f"en_{len(arranged) - 1}"].widget.attrs["autofocus"] = True
        return _show(request, form, focused_row=row_to_focus(rows, arranged, request.POST.get("remove")))
    form = bind(request, ReasonsForm, reasons=rows, original=original)
    return _save(request, form) if form.is_valid() else _show(request, form, status=422)


def _save(request: Request, form: ReasonsForm) -> HttpResponse:
    choices = presenters.read_choices(request.POST)
    changes = choices.apply_to(changes_between(form.original or [], form.submitted()))
    if not changes:
        toast(request, _("Nothing was changed."))
        return see_other(request, reverse("reasons"))
    data = form.cleaned_data
    try:
        config = config_writes.save(
            REASONS,
            changes,
            note=data["note"],
            revision=data["revision"],
            overwrite=choices.mine,
            command=command_of(request),
        )
    except MergeConflict as error:
        return _show_conflicts(request, form, error)
    except Conflict:
        form.add_error(None, _("Someone else saved at the same moment. Save again."))
        return _show(request, form, status=409)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _show(request, form, status=422)
    toast_saved(request, REASONS, config)
    return see_other(request, reverse("reasons"))


def _show_conflicts(request: Request, form: ReasonsForm, error: MergeConflict) -> HttpResponse:
    """The form as submitted, with both values of each entry in conflict."""
    config = error.item if isinstance(error.item, Config) else None
    authors = queries.find_authors(REASONS, config, [each.name for each in error.conflicts])
    conflicts = presenters.conflict_rows(REASONS, error.conflicts, authors)
    return _show(request, form, status=409, conflicts=conflicts, revision=config.revision if config else 0)


def _show(request: Request, form: ReasonsForm, *, status: int = 200, **more: Any) -> HttpResponse:
    original = form.original or []
    pending = count_verbs(changes_between(original, assign_ids(form.reasons, original)))
    context = {"form": form, "pending": pending, "most": MAX_REASONS, **more}
    return page(request, "forum/reasons.html", context, status=status)
