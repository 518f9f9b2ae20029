"""Review of a person's unsaved changes of the filter: save, check the impact, discard."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs.forms import SaveForm
from dashboard.platform.configs.kinds import MAX_BYTES, NeedsConfirmation
from dashboard.platform.configs.presenters import MAX_ROWS, change_list, conflict_rows, read_choices
from dashboard.platform.configs.queries import ConfigState, find_authors
from dashboard.platform.configs.services import config_writes, drafts
from dashboard.platform.configs.services.config_writes import ConfirmationRequired, MergeConflict
from dashboard.platform.configs.views import toast_saved
from dashboard.table.item_size import in_kb, size_of
from dashboard.table.read import gather
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import add_refusal, bind, page, see_other
from forum import impact_job
from forum.configs.profanity import PROFANITY
from forum.impact_job import ImpactCheck
from forum.permissions import Permission
from forum.queries import filter as queries
from forum.views.staged_changes import list_url, toast_staged

# Django accepts 2,000 fields in a form, and each conflict is one of them.
MAX_CONFLICTS = 1_500


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: Request) -> HttpResponse:
    """All changes, with a note and the button that saves them."""
    state, check = _load(request)
    if request.method != "POST":
        return _page(request, state, SaveForm(initial={"revision": state.revision}), check=check)
    form = bind(request, SaveForm)
    if not form.is_valid():
        return _page(request, state, form, 422, check=check)
    choices = read_choices(request.POST.dict())
    changes = choices.apply_to(state.staged)
    if state.staged and not changes:
        return discard(request)
    try:
        config = config_writes.save(
            PROFANITY,
            changes,
            note=form.cleaned_data["note"],
            revision=form.cleaned_data["revision"],
            overwrite=choices.mine,
            draft=state.draft,
            confirmed=request.POST.getlist("confirm"),
            command=command_of(request),
        )
    except MergeConflict:
        state, check = _load(request)
        return _page(request, state, form, 409, check=check)
    except ConfirmationRequired as error:
        return _page(request, state, form, 422, check=check, confirmations=error.confirmations)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _page(request, state, form, 422, check=check)
    toast_saved(request, PROFANITY, config)
    return see_other(request, reverse("profanity"))


def _load(request: Request) -> tuple[ConfigState, ImpactCheck | None]:
    """The filter with the person's changes and, if the URL names one, the impact check."""
    email, job_id = request.person.email, request.GET.get("impact", "")
    if not job_id:
        return queries.load_filter_state(email), None
    state, job = gather(partial(queries.load_filter_state, email), partial(impact_job.find_impact_job, job_id, email))
    return state, ImpactCheck(job, state) if job else None


def _page(
    request: Request,
    state: ConfigState,
    form: SaveForm,
    status: int = 200,
    *,
    check: ImpactCheck | None = None,
    confirmations: Sequence[NeedsConfirmation] = (),
) -> HttpResponse:
    conflicts = state.merged.conflicts[:MAX_CONFLICTS]
    authors = find_authors(PROFANITY, state.config, [each.name for each in conflicts]) if conflicts else {}
    context: dict[str, Any] = {
        "url": reverse("profanity_review") + (f"?impact={check.job.id}" if check else ""),
        "state": state,
        "form": form,
        "changes": change_list(PROFANITY, state.merged.changes, None if "all" in request.GET else MAX_ROWS),
        "conflicts": conflict_rows(PROFANITY, conflicts, authors),
        "size": in_kb(size_of(state.edited_body)),
        "most": in_kb(MAX_BYTES),
        "check": check,
        "confirmations": confirmations,
        "confirmed": request.POST.getlist("confirm"),
    }
    return page(request, "forum/profanity/review.html", context, partial="form", status=status)


@requires(Permission.FILTER)
@require_POST
@expensive()
def impact(request: Request) -> HttpResponse:
    """Start the impact check and show its job."""
    job = impact_job.start(queries.load_filter_state(request.person.email), command=command_of(request))
    return see_other(request, reverse("operation", args=[job.id]))


@requires(Permission.FILTER)
@require_POST
def discard(request: Request) -> HttpResponse:
    draft = drafts.discard(PROFANITY, command=command_of(request))
    toast_staged(request, _("Changes discarded."), draft)
    return see_other(request, list_url(request))


@requires(Permission.FILTER)
@require_POST
def step_back(request: Request) -> HttpResponse:
    """Undo the last step of the draft; called again, it redoes that step."""
    draft = drafts.step_back(PROFANITY, revision=bind(request, RevisionForm).number, command=command_of(request))
    count = len(draft.staged)
    text = ngettext("Undone. %(count)s unsaved change.", "Undone. %(count)s unsaved changes.", count)
    back = list_url(request)
    toast_staged(request, text % {"count": f"{count:,}"} if count else _("Undone. No unsaved changes."), draft, back)
    return see_other(request, back)
