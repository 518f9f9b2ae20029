"""What someone is about to change in the filter: looked at once more, saved, or put aside."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.accounts.middleware import Request
from dashboard.accounts.permissions import Permission, requires
from dashboard.configs.items import Config
from dashboard.configs.kinds import MAX_BYTES
from dashboard.configs.queries import Standing, authors
from dashboard.configs.services import drafts, saving
from dashboard.configs.services.saving import Overlapping, Why
from dashboard.configs.told import FIRST, decided, listed, met
from dashboard.configs.views import undo_of
from dashboard.errors import Refused
from dashboard.table.weights import weight
from dashboard.ui.operations import operation_of
from dashboard.ui.pages import add_refusal, bind, page, safe_next, see_other
from dashboard.ui.toasts import toast
from forum import queries
from forum.configs.profanity import PROFANITY
from forum.forms.profanity import SaveForm


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: Request) -> HttpResponse:
    """Every change, a note, and the button that makes them hold for the forum."""
    at = queries.filter_standing(request.person.email)
    if request.method != "POST":
        return _page(request, at, SaveForm(initial={"version": at.seen}))
    form = bind(request, SaveForm)
    if not form.is_valid():
        return _page(request, at, form, 422)
    said = decided(request.POST.dict())
    changes = said.of(at.staged)
    if at.staged and not changes:
        return discard(request)
    try:
        config = saving.save(
            PROFANITY,
            changes,
            why=Why(form.cleaned_data["note"]),
            seen=form.cleaned_data["version"],
            mine=said.mine,
            draft=at.draft,
            operation=operation_of(request),
        )
    except Overlapping:
        return _page(request, queries.filter_standing(request.person.email), form, 409)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _page(request, at, form, 422)
    _say(request, config)
    return see_other(request, reverse("profanity"))


def _page(request: Request, at: Standing, form: SaveForm, status: int = 200) -> HttpResponse:
    overlaps = at.merged.overlaps[:FIRST]
    who = authors(PROFANITY, at.config, [each.name for each in overlaps]) if overlaps else {}
    context: dict[str, Any] = {
        "at": at,
        "form": form,
        "listed": listed(PROFANITY, at.merged.changes, None if "all" in request.GET else FIRST),
        "overlaps": met(PROFANITY, overlaps, who),
        "size": -(-weight(at.wanted_body) // 1024),
        "most": MAX_BYTES // 1024,
    }
    return page(request, "forum/profanity/review.html", context, partial="form", status=status)


def _say(request: Request, config: Config) -> None:
    result = config.outcome.result
    number = result.get("version")
    text = _("Saved as version %(number)s. It holds for the forum now.") % {"number": number}
    if result.get("with"):
        text += " " + _("%(who)s had saved meanwhile: both are in.") % {"who": result["with"]}
    toast(request, text, undo=undo_of(PROFANITY, config), of=config)


@requires(Permission.FILTER)
@require_POST
def discard(request: Request) -> HttpResponse:
    draft = drafts.discard(PROFANITY, operation=operation_of(request))
    toast(
        request,
        _("Your changes are put aside: the list is as it is saved."),
        undo=(reverse("profanity_step_back"), {"version": draft.seen}),
        of=draft,
    )
    return see_other(request, safe_next(request, reverse("profanity")))


@requires(Permission.FILTER)
@require_POST
def step_back(request: Request) -> HttpResponse:
    """The way back from the last step of what is not saved yet; once more leads forward again."""
    form = bind(request, SaveForm)
    seen = form.cleaned_data["version"] if form.is_valid() else 0
    draft = drafts.step_back(PROFANITY, seen=seen, operation=operation_of(request))
    count = len(draft.staged)
    text = ngettext("%(count)s change is not saved yet.", "%(count)s changes are not saved yet.", count)
    back = safe_next(request, reverse("profanity"))
    undo = (reverse("profanity_step_back"), {"version": draft.seen, "next": back})
    toast(request, text % {"count": f"{count:,}"} if count else _("Nothing is left to save."), undo=undo, of=draft)
    return see_other(request, back)
