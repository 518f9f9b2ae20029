"""The words of the profanity filter: found, added, changed. Nothing holds for the forum before it is saved."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs.changes import unpack_changes
from dashboard.platform.configs.queries import ConfigState
from dashboard.platform.configs.services import drafts
from dashboard.web.commands import command_of
from dashboard.web.lists import Tab, listing, tabs
from dashboard.web.pages import came_from, page, see_other, wants_fragment
from forum import presenters
from forum.configs.profanity import (
    ALLOWED,
    MATCHINGS,
    PROFANITY,
    SEVERITIES,
    THRESHOLD,
    WORD,
    allowed_entry,
    value_of,
    word_entry,
    word_of,
)
from forum.forms.profanity import AllowedForm, ThresholdForm, TryForm, WordForm
from forum.permissions import Permission
from forum.profanity import Severity
from forum.queries import filter as queries
from forum.views.staged_changes import the_list, toast_staged

LISTS = {"": (WORD,), "allowed": (ALLOWED,), "changes": (WORD, ALLOWED)}
MAX_BULK = 1_000
# The form opens above a list that has one with the same fields.
IN_DIALOG = "change_%s"


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def words(request: Request) -> HttpResponse:
    """The lists, with what of them is asked for. By POST another word for the one that is shown."""
    show = request.GET.get("show", "")
    if show not in LISTS:
        raise NotFound
    at = queries.filter_standing(request.person.email)
    form = _add_form(show, request.POST if request.method == "POST" else None, at)
    if not form.is_bound:
        return _list(request, at, show, form)
    if not form.is_valid():
        # What is wrong stands beside the field, and writing goes on in it.
        form.fields["word"].widget.attrs["autofocus"] = True
        return _list(request, at, show, form, 422)
    text = form.cleaned_data["word"]
    wanted = {allowed_entry(text): True} if isinstance(form, AllowedForm) else {word_entry(text): value_of(form.wanted)}
    draft = drafts.stage(PROFANITY, wanted, command=command_of(request))
    here = request.get_full_path()
    toast_staged(request, _("“%(word)s” is added to your changes.") % {"word": text}, draft, here)
    return see_other(request, here)


def _add_form(show: str, data: Any, at: ConfigState) -> WordForm | AllowedForm:
    if show == "allowed":
        return AllowedForm(data, others=[presenters.text_of(name) for name in at.wanted if name.startswith(ALLOWED)])
    return WordForm(data, others=presenters.words_of(at))


def _list(
    request: Request, at: ConfigState, show: str, form: WordForm | AllowedForm, status: int = 200
) -> HttpResponse:
    wish = presenters.WordlistParams(
        request.GET.get("q", "")[:100],
        request.GET.get("severity", "") if show == "" else "",
        request.GET.get("matching", "") if show == "" else "",
        only_changes=show == "changes",
    )
    found = presenters.names(at, LISTS[show], wish)
    after = request.GET.get("cursor", "")[:400]
    some, cursor = presenters.page_of(at, found, after)
    context = {
        "at": at,
        "show": show,
        "wish": wish,
        "listing": listing(request, some, cursor, filters=("q", "severity", "matching"), total=f"{len(found):,}"),
        "tabs": _tabs(request, at),
        "threshold_change": at.changes.get(THRESHOLD),
        "aside": _aside(at),
        "severities": SEVERITIES.items(),
        "matchings": MATCHINGS.items(),
        "form": form,
        "threshold_form": _threshold_form(at),
        "try_form": TryForm(),
    }
    return page(request, "forum/profanity/words.html", context, partial="rows" if after else "list", status=status)


def _aside(at: ConfigState) -> int:
    """How many changes the person has discarded, and not begun others since."""
    return len(unpack_changes(at.draft.before)) if at.draft and not at.staged else 0


def _tabs(request: Request, at: ConfigState) -> list[Tab]:
    totals = PROFANITY.totals(at.wanted)
    counts = {
        "": totals["words"],
        "allowed": totals["allowed"],
        "changes": len(at.changes),
    }
    labels = [("", _("Words")), ("allowed", _("Allowed words")), ("changes", _("Not saved yet"))]
    found = tabs(request, "show", labels)
    return [
        Tab(tab.label, tab.url, tab.current, f"{counts[name]:,}" if counts[name] else "")
        for tab, (name, _label) in zip(found, labels, strict=True)
    ]


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def word(request: Request) -> HttpResponse:
    """One word: written otherwise, more or less severe, or taken out."""
    if "word" not in request.GET:
        return see_other(request, reverse("profanity"))
    at = queries.filter_standing(request.person.email)
    text = request.GET.get("word", "")
    name = word_entry(text)
    value = presenters.value_of(at, name)
    if value is None:
        raise NotFound(_("This word is not in the list."))
    before = word_of(name, value)
    context: dict[str, Any] = {
        "word": before,
        "name": name,
        "change": at.changes.get(name),
        "back": _behind(request),
        "in_dialog": wants_fragment(request),
    }
    if request.method != "POST":
        initial = {"word": text, "severity": before.severity, "matching": before.matching}
        context["form"] = WordForm(initial=initial, others=[], auto_id=IN_DIALOG)
        return page(request, "forum/profanity/word.html", context, partial="form")
    form = WordForm(request.POST, others=[each for each in presenters.words_of(at) if each != text], auto_id=IN_DIALOG)
    if not form.is_valid():
        return page(request, "forum/profanity/word.html", {**context, "form": form}, partial="form", status=422)
    # Written otherwise, it is another entry.
    wanted: dict[str, Any] = {name: None, word_entry(form.wanted.text): value_of(form.wanted)}
    draft = drafts.stage(PROFANITY, wanted, command=command_of(request))
    back = the_list(request)
    toast_staged(request, _("“%(word)s” is changed, and not saved yet.") % {"word": form.wanted.text}, draft, back)
    return see_other(request, back)


@requires(Permission.FILTER)
@require_POST
def bulk(request: Request) -> HttpResponse:
    """One action on the words selected: a severity, taken out, or left as it is saved."""
    names = list(dict.fromkeys(request.POST.getlist("selected")))
    action, _sign, value = request.POST.get("action", "").partition("=")
    if not 0 < len(names) <= MAX_BULK or any(not name.startswith((WORD, ALLOWED)) for name in names):
        raise Refused(_("Select between 1 and %(most)s words, then choose what to do.") % {"most": f"{MAX_BULK:,}"})
    command, count = command_of(request), len(names)
    if action == "keep":
        draft = drafts.unstage(PROFANITY, names, command=command)
        said = ngettext("%(count)s word is as it was saved.", "%(count)s words are as they were saved.", count)
    else:
        at = queries.filter_standing(request.person.email)
        draft = drafts.stage(PROFANITY, _wanted(at, names, action, value), command=command)
        said = ngettext(
            "%(count)s word is changed, and not saved yet.", "%(count)s words are changed, and not saved yet.", count
        )
    if action == "remove":
        said = ngettext(
            "%(count)s word is taken out, and not saved yet.",
            "%(count)s words are taken out, and not saved yet.",
            count,
        )
    back = the_list(request)
    toast_staged(request, said % {"count": f"{count:,}"}, draft, back)
    return see_other(request, back)


def _wanted(at: ConfigState, names: list[str], action: str, value: str) -> dict[str, Any]:
    there = [name for name in names if name in at.wanted]
    if action == "remove":
        return dict.fromkeys(there)
    if action == "severity" and value in set(Severity):
        return {name: [value, at.wanted[name][1]] for name in there if name.startswith(WORD)}
    raise Refused(_("That cannot be done with words."))


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def threshold(request: Request) -> HttpResponse:
    """From which score a text is banned without anyone looking at it."""
    template = "forum/profanity/threshold.html"
    if request.method != "POST":
        at = queries.filter_standing(request.person.email)
        return page(request, template, {"threshold_form": _threshold_form(at)})
    form = ThresholdForm(request.POST)
    if not form.is_valid():
        form.fields["threshold"].widget.attrs["autofocus"] = True
        return page(request, template, {"threshold_form": form, "back": the_list(request)}, partial="form", status=422)
    wanted = float(form.cleaned_data["threshold"])
    draft = drafts.stage(PROFANITY, {THRESHOLD: wanted}, command=command_of(request))
    back = the_list(request)
    toast_staged(request, _("The threshold is changed, and not saved yet."), draft, back)
    return see_other(request, back)


def _threshold_form(at: ConfigState) -> ThresholdForm:
    return ThresholdForm(initial={"threshold": f"{at.wanted[THRESHOLD]:g}"})


def _behind(request: Request) -> str:
    """The list that a word was opened from, as it was filtered."""
    came = request.POST.get("next") or came_from(request)
    return came if came.partition("?")[0] == reverse("profanity") else reverse("profanity")
