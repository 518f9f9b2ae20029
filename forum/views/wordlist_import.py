"""The filter's list from a file, and as a file."""

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
from dashboard.web.commands import command_of
from dashboard.web.downloads import csv_file
from dashboard.web.errors import takes
from dashboard.web.pages import add_refusal, page, see_other
from dashboard.web.sheets import MAX_BYTES, text_of
from dashboard.web.toasts import toast
from forum import presenters, wordlist_import
from forum.configs.profanity import PROFANITY, THRESHOLD, WORD, word_entry
from forum.forms.profanity import ImportForm
from forum.permissions import Permission
from forum.profanity import FilterConfig
from forum.queries import filter as queries
from forum.views.staged_changes import toast_staged
from forum.word_rules import same_as

# A file that is too large is told so beside its field, unless it is out of all proportion.
MAX_BODY = 8 * MAX_BYTES
# So many of the lines that cannot be read are named.
NAMED = 50


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
@takes(MAX_BODY)
def upload(request: Request) -> HttpResponse:
    """Words from a file become changes that are not saved yet: the review shows each of them."""
    if request.method != "POST":
        return page(request, "forum/profanity/import.html", {"form": ImportForm()})
    form = ImportForm(request.POST, request.FILES)
    problems: list[tuple[int, str]] = []
    if form.is_valid():
        try:
            text = _sent(form)
            read = wordlist_import.read(text)
            problems = read.problems
            if read.entries and (form.cleaned_data["skip"] or not problems):
                return _stage(request, read.entries, replace=form.cleaned_data["replace"])
            _ask_again(form, request, text, read)
        except Refused as refusal:
            add_refusal(form, refusal)
    context = {"form": form, "problems": problems[:NAMED], "more": max(0, len(problems) - NAMED)}
    return page(request, "forum/profanity/import.html", context, status=422)


def _sent(form: ImportForm) -> str:
    file = form.cleaned_data["file"]
    return text_of(file.read(MAX_BYTES + 1) if file else form.cleaned_data["text"].encode())


def _ask_again(form: ImportForm, request: Request, text: str, read: wordlist_import.Read) -> None:
    """What was in the file stands in the field now, where it can be corrected: no browser sends a file twice."""
    data = request.POST.copy()
    data["text"] = text
    form.data = data
    if not read.entries and not read.problems:
        form.add_error("text", _("There is no word in it."))
        return
    count = len(read.problems)
    said = ngettext("%(count)s line cannot be read.", "%(count)s lines cannot be read.", count)
    form.add_error("text", said % {"count": f"{count:,}"})


def _stage(request: Request, entries: dict[str, Any], *, replace: bool) -> HttpResponse:
    at = queries.filter_standing(request.person.email)
    wanted = _as_listed(entries, at)
    if replace:
        wanted |= {name: None for name in at.wanted if name not in wanted and name != THRESHOLD}
    draft = drafts.stage(PROFANITY, wanted, command=command_of(request))
    new = sum(at.wanted.get(name) != value for name, value in wanted.items())
    said = ngettext(
        "%(count)s change from the file is not saved yet.", "%(count)s changes from the file are not saved yet.", new
    )
    if not new:
        toast(request, _("Everything in the file is in the list already."), of=draft)
        return see_other(request, reverse("profanity"))
    toast_staged(request, said % {"count": f"{new:,}"}, draft)
    return see_other(request, reverse("profanity_review"))


def _as_listed(entries: dict[str, Any], at: ConfigState) -> dict[str, Any]:
    """The entries under the spelling that is in the list: PUTA is puta, and two of them would be one too many."""
    listed = {same_as(text): word_entry(text) for text in presenters.words_of(at)}
    wanted = {}
    for name, value in entries.items():
        is_word = name.startswith(WORD)
        wanted[listed.setdefault(same_as(presenters.text_of(name)), name) if is_word else name] = value
    return wanted


@requires(Permission.FILTER)
@require_safe
def export(request: Request) -> HttpResponse:
    """The list as it is saved: for a spreadsheet, or in the shape that the platform reads."""
    _version, config = queries.filter_in_force()
    wanted = request.GET.get("as", "csv")
    if wanted == "csv":
        return csv_file("profanity", ["word", "severity", "matching"], _lines(config))
    if wanted != "json":
        raise NotFound
    response = HttpResponse(json.dumps(config.to_body(), ensure_ascii=False, indent=1), content_type="application/json")
    response.headers["Content-Disposition"] = 'attachment; filename="profanity.json"'
    response.headers["Cache-Control"] = "no-store, private"
    return response


def _lines(config: FilterConfig) -> list[tuple[str, str, str]]:
    words = [(word.text, word.severity.value, word.matching.value) for word in config.words]
    return [*words, *((text, "allowed", "") for text in config.allowed)]
