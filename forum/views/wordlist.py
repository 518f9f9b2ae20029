"""The word lists of the profanity filter. Changes go into the person's draft and take effect when it is saved."""

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
from dashboard.web.lists import Tab, build_listing, build_tabs
from dashboard.web.pages import page, referring_page, see_other, wants_fragment
from dashboard.web.toasts import drop_pending_toasts
from forum import presenters
from forum.configs.profanity import (
    ALLOWED,
    MATCHINGS,
    PROFANITY,
    SEVERITIES,
    THRESHOLD,
    WORD,
    value_of,
    word_entry,
    word_of,
)
from forum.forms.add_words import AddAllowedForm, AddWordsForm, WordsForm
from forum.forms.profanity import ThresholdForm, TryForm, WordForm
from forum.permissions import Permission
from forum.profanity import Severity
from forum.queries import filter as queries
from forum.views.staged_changes import list_url, toast_staged

LISTS = {"": (WORD,), "allowed": (ALLOWED,), "changes": (WORD, ALLOWED)}
MAX_BULK = 1_000
# Ids of the fields in the dialog: the page behind it has a form with the same fields.
DIALOG_ID = "change_%s"


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def words(request: Request) -> HttpResponse:
    """The word lists with filters. A POST adds a word to the list that is shown."""
    show = request.GET.get("show", "")
    if show not in LISTS:
        raise NotFound
    state = queries.load_filter_state(request.person.email)
    form = _add_form(show, request.POST if request.method == "POST" else None, state)
    if not form.is_bound:
        return _list(request, state, show, form)
    if not form.is_valid():
        form.fields["word"].widget.attrs["autofocus"] = True
        return _list(request, state, show, form, 422)
    draft = drafts.stage(PROFANITY, form.values, command=command_of(request))
    url = request.get_full_path()
    # Words that are typed quickly are sent one after another. Only the last step can be undone.
    drop_pending_toasts(request)
    toast_staged(request, _added_text(form), draft, url)
    return see_other(request, url)


def _add_form(show: str, data: Any, state: ConfigState) -> WordsForm:
    if show == "allowed":
        allowed = [presenters.text_of(name) for name in state.edited if name.startswith(ALLOWED)]
        return AddAllowedForm(data, existing=allowed)
    return AddWordsForm(data, existing=presenters.words_of(state))


def _added_text(form: WordsForm) -> str:
    count = len(form.added)
    if count == 1:
        text = _("“%(word)s” added, not saved yet.") % {"word": form.added[0]}
    else:
        text = ngettext("%(count)s word added, not saved yet.", "%(count)s words added, not saved yet.", count)
        text %= {"count": count}
    if form.listed:
        text += " " + _("Already in the list: %(words)s.") % {"words": ", ".join(form.listed)[:200]}
    return text


def _list(request: Request, state: ConfigState, show: str, form: WordsForm, status: int = 200) -> HttpResponse:
    params = presenters.WordlistParams(
        request.GET.get("q", "")[:100],
        request.GET.get("severity", "") if show == "" else "",
        request.GET.get("matching", "") if show == "" else "",
        only_changes=show == "changes",
    )
    names = presenters.entry_names(state, LISTS[show], params)
    after = request.GET.get("cursor", "")[:400]
    rows, cursor = presenters.page_of(state, names, after)
    context = {
        "state": state,
        "show": show,
        "params": params,
        "listing": build_listing(request, rows, cursor, filters=("q", "severity", "matching"), total=f"{len(names):,}"),
        "tabs": _tabs(request, state),
        "threshold_change": state.changes.get(THRESHOLD),
        "discarded": _count_discarded(state),
        "severities": SEVERITIES.items(),
        "matchings": MATCHINGS.items(),
        "form": form,
        "threshold_form": _threshold_form(state),
        "try_form": TryForm(),
    }
    return page(request, "forum/profanity/words.html", context, partial="rows" if after else "list", status=status)


def _count_discarded(state: ConfigState) -> int:
    """The number of discarded changes that can still be brought back."""
    return len(unpack_changes(state.draft.before)) if state.draft and not state.staged else 0


def _tabs(request: Request, state: ConfigState) -> list[Tab]:
    totals = PROFANITY.totals(state.edited)
    counts = {
        "": totals["words"],
        "allowed": totals["allowed"],
        "changes": len(state.changes),
    }
    labels = [("", _("Words")), ("allowed", _("Allowed words")), ("changes", _("Unsaved changes"))]
    plain_tabs = build_tabs(request, "show", labels)
    return [
        Tab(tab.label, tab.url, tab.is_current, f"{counts[name]:,}" if counts[name] else "")
        for tab, (name, _label) in zip(plain_tabs, labels, strict=True)
    ]


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def word(request: Request) -> HttpResponse:
    """One word: change its text, severity or matching, or remove it."""
    if "word" not in request.GET:
        return see_other(request, reverse("profanity"))
    state = queries.load_filter_state(request.person.email)
    text = request.GET.get("word", "")
    name = word_entry(text)
    value = presenters.value_of(state, name)
    if value is None:
        raise NotFound(_("This word is not in the list."))
    before = word_of(name, value)
    context: dict[str, Any] = {
        "word": before,
        "name": name,
        "change": state.changes.get(name),
        "back": _previous_list(request),
        "in_dialog": wants_fragment(request),
    }
    if request.method != "POST":
        initial = {"word": text, "severity": before.severity, "matching": before.matching}
        context["form"] = WordForm(initial=initial, existing=[], auto_id=DIALOG_ID)
        return page(request, "forum/profanity/word.html", context, partial="form")
    form = WordForm(
        request.POST, existing=[each for each in presenters.words_of(state) if each != text], auto_id=DIALOG_ID
    )
    if not form.is_valid():
        return page(request, "forum/profanity/word.html", {**context, "form": form}, partial="form", status=422)
    # A word with another text is another entry.
    values: dict[str, Any] = {name: None, word_entry(form.entry.text): value_of(form.entry)}
    draft = drafts.stage(PROFANITY, values, command=command_of(request))
    back = list_url(request)
    toast_staged(request, _("“%(word)s” changed, not saved yet.") % {"word": form.entry.text}, draft, back)
    return see_other(request, back)


@requires(Permission.FILTER)
@require_POST
def bulk(request: Request) -> HttpResponse:
    """Set the severity of the selected words, remove them, or revert their unsaved changes."""
    names = list(dict.fromkeys(request.POST.getlist("selected")))
    action, _sign, value = request.POST.get("action", "").partition("=")
    if not 0 < len(names) <= MAX_BULK or any(not name.startswith((WORD, ALLOWED)) for name in names):
        raise Refused(_("Select between 1 and %(most)s words, then choose an action.") % {"most": f"{MAX_BULK:,}"})
    command, count = command_of(request), len(names)
    if action == "keep":
        draft = drafts.unstage(PROFANITY, names, command=command)
        text = ngettext("%(count)s word reverted.", "%(count)s words reverted.", count)
    else:
        state = queries.load_filter_state(request.person.email)
        draft = drafts.stage(PROFANITY, _bulk_values(state, names, action, value), command=command)
        text = ngettext("%(count)s word changed, not saved yet.", "%(count)s words changed, not saved yet.", count)
    if action == "remove":
        text = ngettext("%(count)s word removed, not saved yet.", "%(count)s words removed, not saved yet.", count)
    back = list_url(request)
    toast_staged(request, text % {"count": f"{count:,}"}, draft, back)
    return see_other(request, back)


def _bulk_values(state: ConfigState, names: list[str], action: str, value: str) -> dict[str, Any]:
    existing = [name for name in names if name in state.edited]
    if action == "remove":
        return dict.fromkeys(existing)
    if action == "severity" and value in set(Severity):
        return {name: [value, state.edited[name][1]] for name in existing if name.startswith(WORD)}
    raise Refused(_("This action does not exist for words."))


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def threshold(request: Request) -> HttpResponse:
    """The score from which a text is banned automatically."""
    template = "forum/profanity/threshold.html"
    if request.method != "POST":
        state = queries.load_filter_state(request.person.email)
        return page(request, template, {"threshold_form": _threshold_form(state)})
    form = ThresholdForm(request.POST)
    if not form.is_valid():
        form.fields["threshold"].widget.attrs["autofocus"] = True
        return page(request, template, {"threshold_form": form, "back": list_url(request)}, partial="form", status=422)
    value = float(form.cleaned_data["threshold"])
    draft = drafts.stage(PROFANITY, {THRESHOLD: value}, command=command_of(request))
    back = list_url(request)
    toast_staged(request, _("Threshold changed, not saved yet."), draft, back)
    return see_other(request, back)


def _threshold_form(state: ConfigState) -> ThresholdForm:
    return ThresholdForm(initial={"threshold": f"{state.edited[THRESHOLD]:g}"})


def _previous_list(request: Request) -> str:
    """The URL of the list that the word was opened from, with its filters."""
    url = request.POST.get("next") or referring_page(request)
    return url if url.partition("?")[0] == reverse("profanity") else reverse("profanity")
