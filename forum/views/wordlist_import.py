"""Import and export of the filter's word list."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs.changes import EntryChange
from dashboard.platform.configs.presenters import change_list
from dashboard.platform.configs.queries import ConfigState
from dashboard.platform.configs.services import drafts
from dashboard.platform.security_log.services import record_export
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.downloads import csv_file
from dashboard.web.errors import max_body_size
from dashboard.web.pages import add_refusal, page, see_other
from dashboard.web.sheets import MAX_BYTES, decode_text
from dashboard.web.toasts import toast
from forum import presenters, wordlist_import
from forum.configs.profanity import PROFANITY, THRESHOLD, WORD, word_entry
from forum.forms.profanity import WordlistImportForm
from forum.permissions import Permission
from forum.profanity import FilterConfig
from forum.queries import filter as queries
from forum.views.staged_changes import toast_staged
from forum.word_rules import match_key

# A file over MAX_BYTES is an error of its field; a request over this limit is refused.
MAX_BODY = 8 * MAX_BYTES
# The number of lines with errors, and of duplicates, that are shown.
MAX_PROBLEMS, MAX_NAMED = 50, 100


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
@max_body_size(MAX_BODY)
@expensive(method="POST")
def upload(request: Request) -> HttpResponse:
    """Show the changes that the words of a file make. A second POST adds them to the person's draft."""
    if request.method != "POST":
        return _form_page(request, WordlistImportForm())
    form = WordlistImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form_page(request, form, 422)
    try:
        text = _submitted_text(form)
        parsed = wordlist_import.parse(text, split=form.cleaned_data["split"])
    except Refused as refusal:
        add_refusal(form, refusal)
        return _form_page(request, form, 422)
    _keep_text(form, request, text)
    if not parsed.entries or (parsed.problems and not form.cleaned_data["skip"]):
        _add_problems(form, parsed)
        return _form_page(request, form, 422, parsed)
    step = request.POST.get("step", "")
    if step == "edit":
        return _form_page(request, form)
    state = queries.load_filter_state(request.person.email)
    values = _values_of(parsed, state, replace=form.cleaned_data["replace"])
    if step != "add":
        return _preview(request, form, parsed, state, values)
    try:
        return _stage(request, state, values)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _form_page(request, form, 422)


def _form_page(
    request: Request,
    form: WordlistImportForm,
    status: int = 200,
    parsed: wordlist_import.ParsedWords | None = None,
) -> HttpResponse:
    problems = parsed.problems if parsed else []
    context = {
        "form": form,
        "problems": problems[:MAX_PROBLEMS],
        "more": max(0, len(problems) - MAX_PROBLEMS),
        "has_lists": parsed is not None and parsed.has_lists,
    }
    return page(request, "forum/profanity/import.html", context, status=status)


def _submitted_text(form: WordlistImportForm) -> str:
    file = form.cleaned_data["file"]
    return decode_text(file.read(MAX_BYTES + 1) if file else form.cleaned_data["text"].encode())


def _keep_text(form: WordlistImportForm, request: Request, text: str) -> None:
    """Put the file's text into the text field, where it can be corrected: a browser does not send the file again."""
    data = request.POST.copy()
    data["text"] = text
    form.data = data


def _add_problems(form: WordlistImportForm, parsed: wordlist_import.ParsedWords) -> None:
    if not parsed.entries and not parsed.problems:
        form.add_error("text", _("The file has no words."))
        return
    count = len(parsed.problems)
    message = ngettext("%(count)s line has an error.", "%(count)s lines have errors.", count)
    form.add_error("text", message % {"count": f"{count:,}"})


def _values_of(parsed: wordlist_import.ParsedWords, state: ConfigState, *, replace: bool) -> dict[str, Any]:
    """The entries to set, and with `replace` None for those to remove."""
    values = _with_listed_spelling(parsed.entries, state)
    if replace:
        values |= {name: None for name in state.edited if name not in values and name != THRESHOLD}
    return values


def _preview(
    request: Request,
    form: WordlistImportForm,
    parsed: wordlist_import.ParsedWords,
    state: ConfigState,
    values: dict[str, Any],
) -> HttpResponse:
    """The changes, the words that the list already has, and those that the file has more than once."""
    changes = {name: EntryChange(state.edited.get(name), value) for name, value in values.items()}
    listed = [presenters.text_of(name) for name, each in changes.items() if each.was == each.now and name != THRESHOLD]
    changes = {name: each for name, each in changes.items() if each.was != each.now}
    repeated = parsed.repeated
    context = {
        "form": form,
        "fields": [(name, form.data[name]) for name in ("replace", "skip", "split") if form.data.get(name)],
        "changes": change_list(PROFANITY, changes),
        "skipped": len(parsed.problems),
        "listed": listed[:MAX_NAMED],
        "more_listed": max(0, len(listed) - MAX_NAMED),
        "repeated": repeated[:MAX_NAMED],
        "more_repeated": max(0, len(repeated) - MAX_NAMED),
    }
    return page(request, "forum/profanity/import_preview.html", context)


def _stage(request: Request, state: ConfigState, values: dict[str, Any]) -> HttpResponse:
    draft = drafts.stage(PROFANITY, values, command=command_of(request))
    new = sum(state.edited.get(name) != value for name, value in values.items())
    if not new:
        toast(request, _("All words of the file are already in the list."), of=draft)
        return see_other(request, reverse("profanity"))
    text = ngettext("%(count)s change imported, not saved yet.", "%(count)s changes imported, not saved yet.", new)
    toast_staged(request, text % {"count": f"{new:,}"}, draft)
    return see_other(request, reverse("profanity_review"))


def _with_listed_spelling(entries: dict[str, Any], state: ConfigState) -> dict[str, Any]:
    """The entries in the spelling of the list: PUTA is the entry puta, not a second one."""
    listed = {match_key(text): word_entry(text) for text in presenters.words_of(state)}
    values = {}
    for name, value in entries.items():
        is_word = name.startswith(WORD)
        values[listed.setdefault(match_key(presenters.text_of(name)), name) if is_word else name] = value
    return values


@requires(Permission.FILTER)
@require_safe
@expensive()
def export(request: Request) -> HttpResponse:
    """The saved list as CSV, or as JSON in the format of the config."""
    record_export(request, "profanity")
    _version, config = queries.current_filter()
    file_format = request.GET.get("as", "csv")
    if file_format == "csv":
        return csv_file("profanity", ["word", "severity", "matching"], _csv_rows(config))
    if file_format != "json":
        raise NotFound
    response = HttpResponse(json.dumps(config.to_body(), ensure_ascii=False, indent=1), content_type="application/json")
    response.headers["Content-Disposition"] = 'attachment; filename="profanity.json"'
    response.headers["Cache-Control"] = "no-store, private"
    return response


def _csv_rows(config: FilterConfig) -> list[tuple[str, str, str]]:
    words = [(word.text, word.severity.value, word.matching.value) for word in config.words]
    return [*words, *((text, "allowed", "") for text in config.allowed)]
