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
# The number of lines with errors that are shown.
MAX_PROBLEMS = 50


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
@max_body_size(MAX_BODY)
@expensive(method="POST")
def upload(request: Request) -> HttpResponse:
    """Add the words of a file to the person's draft; the review page shows each change."""
    if request.method != "POST":
        return page(request, "forum/profanity/import.html", {"form": WordlistImportForm()})
    form = WordlistImportForm(request.POST, request.FILES)
    problems: list[tuple[int, str]] = []
    if form.is_valid():
        try:
            text = _submitted_text(form)
            parsed = wordlist_import.parse(text)
            problems = parsed.problems
            if parsed.entries and (form.cleaned_data["skip"] or not problems):
                return _stage(request, parsed.entries, replace=form.cleaned_data["replace"])
            _show_problems(form, request, text, parsed)
        except Refused as refusal:
            add_refusal(form, refusal)
    context = {"form": form, "problems": problems[:MAX_PROBLEMS], "more": max(0, len(problems) - MAX_PROBLEMS)}
    return page(request, "forum/profanity/import.html", context, status=422)


def _submitted_text(form: WordlistImportForm) -> str:
    file = form.cleaned_data["file"]
    return decode_text(file.read(MAX_BYTES + 1) if file else form.cleaned_data["text"].encode())


def _show_problems(form: WordlistImportForm, request: Request, text: str, parsed: wordlist_import.ParsedWords) -> None:
    """Put the file's text into the text field, where it can be corrected: a browser does not send the file again."""
    data = request.POST.copy()
    data["text"] = text
    form.data = data
    if not parsed.entries and not parsed.problems:
        form.add_error("text", _("The file has no words."))
        return
    count = len(parsed.problems)
    message = ngettext("%(count)s line has an error.", "%(count)s lines have errors.", count)
    form.add_error("text", message % {"count": f"{count:,}"})


def _stage(request: Request, entries: dict[str, Any], *, replace: bool) -> HttpResponse:
    state = queries.load_filter_state(request.person.email)
    values = _with_listed_spelling(entries, state)
    if replace:
        values |= {name: None for name in state.edited if name not in values and name != THRESHOLD}
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
