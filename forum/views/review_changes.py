"""What someone is about to change in the filter: looked at once more, saved, or discarded."""

from __future__ import annotations

from collections.abc import Sequence
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
from dashboard.platform.configs.presenters import FIRST, decided, listed, met
from dashboard.platform.configs.queries import ConfigState, authors
from dashboard.platform.configs.services import config_writes, drafts
from dashboard.platform.configs.services.config_writes import Held, Overlapping
from dashboard.platform.configs.services.versions import Why
from dashboard.platform.configs.views import toast_saved
from dashboard.table.item_size import in_kb, weight
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import add_refusal, bind, page, see_other
from forum import impact_job
from forum.configs.profanity import PROFANITY
from forum.impact_job import Look
from forum.permissions import Permission
from forum.queries import filter as queries
from forum.views.staged_changes import the_list, toast_staged

# Each has to be decided in one form, which has room for 2,000 fields: who is not asked could never save.
MOST_ASKED = 1_500


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: Request) -> HttpResponse:
    """Every change, a note, and the button that makes them hold for the forum."""
    at, look = _standing(request)
    if request.method != "POST":
        return _page(request, at, SaveForm(initial={"revision": at.revision}), look=look)
    form = bind(request, SaveForm)
    if not form.is_valid():
        return _page(request, at, form, 422, look=look)
    said = decided(request.POST.dict())
    changes = said.of(at.staged)
    if at.staged and not changes:
        return discard(request)
    try:
        config = config_writes.save(
            PROFANITY,
            changes,
            why=Why(form.cleaned_data["note"]),
            revision=form.cleaned_data["revision"],
            mine=said.mine,
            draft=at.draft,
            confirmed=request.POST.getlist("confirm"),
            command=command_of(request),
        )
    except Overlapping:
        at, look = _standing(request)
        return _page(request, at, form, 409, look=look)
    except Held as held:
        return _page(request, at, form, 422, look=look, holds=held.holds)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _page(request, at, form, 422, look=look)
    toast_saved(request, PROFANITY, config)
    return see_other(request, reverse("profanity"))


def _standing(request: Request) -> tuple[ConfigState, Look | None]:
    """What would be saved and, where the address names one, the look at what that would change."""
    email, named = request.person.email, request.GET.get("impact", "")
    if not named:
        return queries.filter_standing(email), None
    found = gather(lambda: queries.filter_standing(email), lambda: impact_job.find(named, email))
    return found[0], Look(found[1], found[0]) if found[1] else None


def _page(
    request: Request,
    at: ConfigState,
    form: SaveForm,
    status: int = 200,
    *,
    look: Look | None = None,
    holds: Sequence[NeedsConfirmation] = (),
) -> HttpResponse:
    overlaps = at.merged.overlaps[:MOST_ASKED]
    who = authors(PROFANITY, at.config, [each.name for each in overlaps]) if overlaps else {}
    context: dict[str, Any] = {
        "here": reverse("profanity_review") + (f"?impact={look.work.id}" if look else ""),
        "at": at,
        "form": form,
        "listed": listed(PROFANITY, at.merged.changes, None if "all" in request.GET else FIRST),
        "overlaps": met(PROFANITY, overlaps, who),
        "size": in_kb(weight(at.wanted_body)),
        "most": in_kb(MAX_BYTES),
        "look": look,
        "holds": holds,
        "confirmed": request.POST.getlist("confirm"),
    }
    return page(request, "forum/profanity/review.html", context, partial="form", status=status)


@requires(Permission.FILTER)
@require_POST
def impact(request: Request) -> HttpResponse:
    """Begin the look at what the changes would do; its own page goes through with it."""
    work = impact_job.begin(queries.filter_standing(request.person.email), command=command_of(request))
    return see_other(request, reverse("operation", args=[work.id]))


@requires(Permission.FILTER)
@require_POST
def discard(request: Request) -> HttpResponse:
    draft = drafts.discard(PROFANITY, command=command_of(request))
    toast_staged(request, _("Your changes are discarded: the list is as it is saved."), draft)
    return see_other(request, the_list(request))


@requires(Permission.FILTER)
@require_POST
def step_back(request: Request) -> HttpResponse:
    """The way back from the last step of what is not saved yet; once more leads forward again."""
    draft = drafts.step_back(PROFANITY, revision=bind(request, RevisionForm).number, command=command_of(request))
    count = len(draft.staged)
    said = ngettext("%(count)s change is not saved yet.", "%(count)s changes are not saved yet.", count)
    back = the_list(request)
    toast_staged(request, said % {"count": f"{count:,}"} if count else _("Nothing is left to save."), draft, back)
    return see_other(request, back)
