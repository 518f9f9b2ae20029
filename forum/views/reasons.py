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
from dashboard.platform.configs.changes import counts
from dashboard.platform.configs.items import Config
from dashboard.platform.configs.services import config_writes
from dashboard.platform.configs.services.config_writes import Overlapping
from dashboard.platform.configs.services.versions import Why
from dashboard.platform.configs.views import toast_saved
from dashboard.web.commands import command_of
from dashboard.web.forms import submitted_revision
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast
from forum.configs.reasons import REASONS, read
from forum.forms.reasons import MOST, ReasonsForm, changed, in_its_place, named, opened, rearranged, sent
from forum.permissions import Permission


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def reasons(request: Request) -> HttpResponse:
    """All of them in one form. Rows come, go and move without being saved; Save saves."""
    if request.method != "POST":
        config = queries.current(REASONS)
        form = opened(read(REASONS.body_of(config)), config.revision if config else 0)
        return _show(request, form, config=config)
    rows, was = sent(request.POST)
    arranged = rearranged(rows, request.POST)
    if arranged is not None:
        kept = {"revision": submitted_revision(request.POST), "note": request.POST.get("note", "")}
        form = ReasonsForm(reasons=arranged, was=was, initial=kept)
        if "add" in request.POST:
            form.fields[f"en_{len(arranged) - 1}"].widget.attrs["autofocus"] = True
        return _show(request, form, in_its_place=in_its_place(rows, arranged, request.POST.get("remove")))
    form = bind(request, ReasonsForm, reasons=rows, was=was)
    return _save(request, form) if form.is_valid() else _show(request, form, status=422)


def _save(request: Request, form: ReasonsForm) -> HttpResponse:
    answers = presenters.decided(request.POST)
    changes = answers.of(changed(form.was or [], form.typed()))
    if not changes:
        toast(request, _("Nothing was changed."))
        return see_other(request, reverse("reasons"))
    given = form.cleaned_data
    try:
        config = config_writes.save(
            REASONS,
            changes,
            why=Why(given["note"]),
            revision=given["revision"],
            mine=answers.mine,
            command=command_of(request),
        )
    except Overlapping as error:
        return _ask(request, form, error)
    except Conflict:
        form.add_error(None, _("Others are saving at this moment. Nothing is lost: press Save again."))
        return _show(request, form, status=409)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _show(request, form, status=422)
    toast_saved(request, REASONS, config)
    return see_other(request, reverse("reasons"))


def _ask(request: Request, form: ReasonsForm, error: Overlapping) -> HttpResponse:
    """Someone has changed the same: both, entry by entry, with everything typed still there."""
    config = error.item if isinstance(error.item, Config) else None
    authors = queries.authors(REASONS, config, [each.name for each in error.overlaps])
    asked = {"overlaps": presenters.met(REASONS, error.overlaps, authors), "revision": config.revision if config else 0}
    return _show(request, form, status=409, **asked)


def _show(request: Request, form: ReasonsForm, *, status: int = 200, **more: Any) -> HttpResponse:
    pending = counts(changed(form.was or [], named(form.reasons, form.was or [])))
    context = {"form": form, "pending": pending, "most": MOST, **more}
    return page(request, "forum/reasons.html", context, status=status)
