"""Many people from a file: sent, looked at, then invited as long work."""

from __future__ import annotations

import hashlib
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts import people_import, sheets
from dashboard.platform.accounts.forms import ImportForm
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.jobs import IMPORT, WITHDRAW
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Permission, requires
from dashboard.platform.accounts.services import links
from dashboard.platform.audit.services import record
from dashboard.platform.jobs import queries as operations
from dashboard.platform.jobs import services
from dashboard.platform.jobs.items import Job, State
from dashboard.table import cursors
from dashboard.table.commands import Command, new_command
from dashboard.table.read import gather
from dashboard.table.transactions import Transaction, idempotent
from dashboard.web.commands import command_of
from dashboard.web.downloads import csv_file
from dashboard.web.errors import takes
from dashboard.web.lists import listing
from dashboard.web.pages import add_refusal, page, see_other
from dashboard.web.sheets import MAX_BYTES, text_of

# A file that is too large is told so beside its field, unless it is out of all proportion.
MAX_BODY = 8 * MAX_BYTES
MAX_FILE_NAME = 80


@requires(Permission.PEOPLE_MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
@takes(MAX_BODY)
def upload(request: Request) -> HttpResponse:
    if request.method != "POST":
        return page(request, "accounts/import.html", {"form": ImportForm()})
    form = ImportForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            work = _prepare(request, form)
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return page(request, "accounts/import.html", {"form": form}, status=422)
    return see_other(request, reverse("people_import_preview", args=[work.id]))


def _prepare(request: Request, form: ImportForm) -> Job:
    """Put the lines down with what will become of each; nobody is invited yet."""
    file = form.cleaned_data["file"]
    content = file.read(MAX_BYTES + 1) if file else form.cleaned_data["text"].encode()
    lines = people_import.judged(sheets.rows_of(text_of(content)), form.cleaned_data["role"])
    good = sum(line["verdict"] == people_import.INVITE for line in lines)
    skipped = sum(line["verdict"] in people_import.SKIPPED for line in lines)
    # Another file in the same form is another wish.
    command = command_of(request).part(hashlib.sha256(content).hexdigest())
    return services.start(
        IMPORT,
        ngettext("Invite %(count)s person", "Invite %(count)s people", good) % {"count": good},
        command=command,
        inputs=lines,
        total=good,
        first=len(lines) - good,
        about={"leftOut": len(lines) - good, "skipped": skipped, "file": file.name[:MAX_FILE_NAME] if file else ""},
        waiting=True,
    )


def _own(request: Request, upload: str) -> Job:
    work = operations.own_job(upload, request.person.email)
    if work.kind != IMPORT:
        raise NotFound
    return work


@requires(Permission.PEOPLE_MANAGE)
@require_safe
def preview(request: Request, upload: str) -> HttpResponse:
    scope = (request.person.email, "import", upload)
    part: int = cursors.decode(request.GET.get("cursor", ""), *scope) or 0
    found = gather(lambda: _own(request, upload), lambda: operations.find_part(upload, part))
    work: Job = found[0]
    if work.state != State.WAITING:
        return see_other(request, reverse("operation", args=[work.id]))
    every = int(work.total or 0) + _left_out(work)
    more = cursors.encode(part + 1, *scope) if (part + 1) * operations.LINES_A_PART < every else None
    context = {
        "work": work,
        "listing": listing(request, [_told(line) for line in found[1]], more, total=str(every)),
        "left_out": _left_out(work),
        "bad": _left_out(work) - int((work.about or {}).get("skipped", 0)),
    }
    return page(request, "accounts/import_preview.html", context, partial="rows" if part else None)


def _left_out(work: Job) -> int:
    return int((work.about or {}).get("leftOut", 0))


def _told(line: people_import.Line) -> dict[str, Any]:
    verdict = line["verdict"]
    level = "good" if verdict == people_import.INVITE else "plain" if verdict in people_import.SKIPPED else "bad"
    return line | {"reason": people_import.reason(line), "role": people_import.role_label(line), "level": level}


@requires(Permission.PEOPLE_MANAGE)
@require_safe
def left_out(request: Request, upload: str) -> HttpResponse:
    """The lines that are left out, to be corrected; work and lines come side by side."""
    found = gather(lambda: _own(request, upload), lambda: operations.all_lines(upload, sheets.MAX_LINES))
    lines = found[1][: _left_out(found[0])]
    header = (_("line"), "email", "name", "role", _("reason"))
    rows = [(x["n"], x["email"], x["name"], x["role"], people_import.reason(x)) for x in lines]
    return csv_file("left-out", header, rows)


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def confirm(request: Request, upload: str) -> HttpResponse:
    work = _own(request, upload)
    if not work.total:
        raise Refused(_("There is nobody to invite in this file."))
    services.begin(work)
    return see_other(request, reverse("operation", args=[work.id]))


def _unused(work: Job) -> list[tuple[people_import.Line, Person, str]]:
    """Whom it has invited and who has not opened the account: the line, the person, and the link's token."""
    lines = operations.all_lines(work.id, sheets.MAX_LINES)[_left_out(work) :]
    people = people_import.known_people([line["email"] for line in lines])
    found = []
    for line in lines:
        person = people.get(line["email"])
        token = links.token_of(person, work.command.part(line["email"])) if person else None
        if person is not None and token is not None:
            found.append((line, person, token))
    return found


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def give_links(request: Request, upload: str) -> HttpResponse:
    """The links that are still good, for the one who made them. Who took them along is in the trail."""
    work = _own(request, upload)
    rows = [
        (person.email, person.name, person.role_label, _link(request, token), person.link_expires_at)
        for _line, person, token in _unused(work)
    ]
    # Each time, however often the form is sent: what was taken along differs.
    _note_links(work, command=new_command(request.actor))
    return csv_file("invitations", ("email", "name", "role", _("link"), _("good until")), rows)


def _link(request: Request, token: str) -> str:
    return request.build_absolute_uri(reverse("join", args=[token]))


@idempotent
def _note_links(work: Job, *, command: Command) -> None:
    transaction = Transaction(command)
    record(transaction, "people.links", target=work.id, kind="operation", title=work.title)
    transaction.commit(None)


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def withdraw(request: Request, upload: str) -> HttpResponse:
    """Take back what nobody has used: long work again, from the same lines."""
    work = _own(request, upload)
    if work.state in {State.WAITING, State.RUNNING}:
        raise Refused(_("Stop it first: it still invites."))
    lines = [{"n": line["n"], "email": line["email"], "import": work.id} for line, _person, _token in _unused(work)]
    if not lines:
        raise Refused(_("None of these invitations is left to withdraw."))
    title = ngettext("Withdraw %(count)s invitation", "Withdraw %(count)s invitations", len(lines))
    taking = services.start(
        WITHDRAW, title % {"count": len(lines)}, command=command_of(request), inputs=lines, about={"of": work.id}
    )
    return see_other(request, reverse("operation", args=[taking.id]))
