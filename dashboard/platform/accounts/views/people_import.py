"""Import of people from a file: upload, preview, then invitations as a job."""

from __future__ import annotations

import hashlib
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import Refused
from dashboard.platform.accounts import people_import, sheets
from dashboard.platform.accounts.forms import PeopleImportForm
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.jobs import IMPORT, WITHDRAW
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Permission, requires
from dashboard.platform.accounts.services import links
from dashboard.platform.audit.services import record
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.previews import load_own_job_of_kind, preview_page
from dashboard.platform.security_log.services import record_export
from dashboard.table.commands import Command, new_command
from dashboard.table.read import gather
from dashboard.table.transactions import Transaction, idempotent
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.downloads import csv_file
from dashboard.web.errors import max_body_size
from dashboard.web.pages import add_refusal, page, see_other
from dashboard.web.sheets import MAX_BYTES, decode_text

# For a file up to this size the field shows the error; a larger request is refused.
MAX_BODY = 8 * MAX_BYTES
MAX_FILE_NAME = 80


@requires(Permission.PEOPLE_MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
@max_body_size(MAX_BODY)
@expensive(method="POST")
def upload(request: Request) -> HttpResponse:
    if request.method != "POST":
        return page(request, "accounts/import.html", {"form": PeopleImportForm()})
    form = PeopleImportForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            job = _prepare(request, form)
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return page(request, "accounts/import.html", {"form": form}, status=422)
    return see_other(request, reverse("people_import_preview", args=[job.id]))


def _prepare(request: Request, form: PeopleImportForm) -> Job:
    """Create a waiting job with the checked lines; nobody is invited yet."""
    file = form.cleaned_data["file"]
    content = file.read(MAX_BYTES + 1) if file else form.cleaned_data["text"].encode()
    lines = people_import.check_lines(sheets.parse_rows(decode_text(content)), form.cleaned_data["role"])
    good = sum(line["verdict"] == people_import.INVITE for line in lines)
    skipped = sum(line["verdict"] in people_import.SKIPPED for line in lines)
    # Another file sent from the same form is another command.
    command = command_of(request).part(hashlib.sha256(content).hexdigest())
    return job_services.start(
        IMPORT,
        ngettext("Invite %(count)s person", "Invite %(count)s people", good) % {"count": good},
        command=command,
        inputs=lines,
        total=good,
        first=len(lines) - good,
        about={"leftOut": len(lines) - good, "skipped": skipped, "file": file.name[:MAX_FILE_NAME] if file else ""},
        waiting=True,
    )


@requires(Permission.PEOPLE_MANAGE)
@require_safe
def preview(request: Request, upload: str) -> HttpResponse:
    return preview_page(
        request,
        "accounts/import_preview.html",
        upload,
        IMPORT,
        cursor_scope="import",
        to_row=_preview_row,
        add_context=lambda job: {"invalid": job.excluded - int((job.about or {}).get("skipped", 0))},
    )


def _preview_row(line: people_import.PersonLine) -> dict[str, Any]:
    verdict = line["verdict"]
    level = "good" if verdict == people_import.INVITE else "plain" if verdict in people_import.SKIPPED else "bad"
    return line | {"reason": people_import.verdict_text(line), "role": people_import.role_label(line), "level": level}


@requires(Permission.PEOPLE_MANAGE)
@require_safe
@expensive()
def excluded_lines(request: Request, upload: str) -> HttpResponse:
    """Download the lines that invite nobody, to correct them."""
    record_export(request, "left-out")
    job, lines = gather(
        lambda: load_own_job_of_kind(request, upload, IMPORT), lambda: job_queries.all_lines(upload, sheets.MAX_LINES)
    )
    header = (_("line"), "email", "name", "role", _("reason"))
    rows = [
        (line["n"], line["email"], line["name"], line["role"], people_import.verdict_text(line))
        for line in lines[: job.excluded]
    ]
    return csv_file("left-out", header, rows)


@requires(Permission.PEOPLE_MANAGE)
@require_POST
def confirm(request: Request, upload: str) -> HttpResponse:
    job = load_own_job_of_kind(request, upload, IMPORT)
    if not job.total:
        raise Refused(_("This file has nobody to invite."))
    job_services.confirm(job)
    return see_other(request, reverse("operation", args=[job.id]))


def _unused_invitations(job: Job) -> list[tuple[people_import.PersonLine, Person, str]]:
    """The invitations of this import that nobody has used: the line, the person and the token of the link."""
    lines = job_queries.all_lines(job.id, sheets.MAX_LINES)[job.excluded :]
    people = people_import.known_people([line["email"] for line in lines])
    unused = []
    for line in lines:
        person = people.get(line["email"])
        token = links.token_of(person, job.command.part(line["email"])) if person else None
        if person is not None and token is not None:
            unused.append((line, person, token))
    return unused


@requires(Permission.PEOPLE_MANAGE)
@require_POST
@expensive()
def download_links(request: Request, upload: str) -> HttpResponse:
    """Download the links that still work. Each download is an audit entry."""
    job = load_own_job_of_kind(request, upload, IMPORT)
    record_export(request, "invitations")
    rows = [
        (person.email, person.name, person.role_label, _link(request, token), person.link_expires_at)
        for _line, person, token in _unused_invitations(job)
    ]
    # A new command each time: every download is recorded, even if the same form is sent again.
    _record_download(job, command=new_command(request.actor))
    return csv_file("invitations", ("email", "name", "role", _("link"), _("valid until")), rows)


def _link(request: Request, token: str) -> str:
    return request.build_absolute_uri(reverse("join", args=[token]))


@idempotent
def _record_download(job: Job, *, command: Command) -> None:
    transaction = Transaction(command)
    record(transaction, "people.links", target=job.id, kind="operation", title=job.title)
    transaction.commit(None)


@requires(Permission.PEOPLE_MANAGE)
@require_POST
@expensive()
def withdraw(request: Request, upload: str) -> HttpResponse:
    """Withdraw the invitations that nobody has used, as another job."""
    job = load_own_job_of_kind(request, upload, IMPORT)
    if job.state in {JobState.WAITING, JobState.RUNNING}:
        raise Refused(_("Stop the import first: it is still running."))
    lines = [
        {"n": line["n"], "email": line["email"], "import": job.id} for line, _person, _token in _unused_invitations(job)
    ]
    if not lines:
        raise Refused(_("All of these invitations have been used or withdrawn."))
    title = ngettext("Withdraw %(count)s invitation", "Withdraw %(count)s invitations", len(lines))
    withdrawal = job_services.start(
        WITHDRAW, title % {"count": len(lines)}, command=command_of(request), inputs=lines, about={"of": job.id}
    )
    return see_other(request, reverse("operation", args=[withdrawal.id]))
