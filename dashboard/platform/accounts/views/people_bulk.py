"""One action for all selected people."""

from __future__ import annotations

from functools import partial
from urllib.parse import unquote

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from dashboard.core.errors import DomainError, Refused, Unavailable
from dashboard.platform.accounts.forms import ConfirmForm
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Permission, requires
from dashboard.platform.accounts.services import passwords
from dashboard.platform.accounts.services import people as services
from dashboard.platform.accounts.views.account import with_password
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event
from dashboard.table.read import gather_all
from dashboard.web.commands import command_of, sent_fields
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import page, safe_next, see_other
from dashboard.web.toasts import toast, toast_error

MAX_BULK = 50
AT_ONCE = 8
MAX_NAMED = 8

BULK = {"disable": services.disable, "enable": services.enable, "end_sessions": services.end_sessions}
BULK_EVENTS = {"disable": EventKind.DISABLED, "enable": EventKind.ENABLED, "end_sessions": EventKind.SESSIONS_ENDED}
# Actions that need the admin's own password, asked for on a page of its own.
WITH_PASSWORD = {"end_sessions"}
INVERSE = {"disable": "enable", "enable": "disable"}


@requires(Permission.PEOPLE_MANAGE)
@sensitive_post_parameters()
@require_POST
def bulk(request: Request) -> HttpResponse:
    """Apply one action to the selected people. The toast names those for whom it failed."""
    action = request.POST.get("action", "")
    selected = [each.partition(":") for word in request.POST.getlist("selected") for each in word.split()]
    if action not in BULK or not selected or len(selected) > MAX_BULK:
        raise Refused(_("Select 1 to %(most)s people, then choose an action.") % {"most": MAX_BULK})
    if action not in WITH_PASSWORD:
        return _apply(request, action, selected)

    def confirm(current: str) -> HttpResponse:
        passwords.confirm(request.person, current, session_id=request.session.id)
        return _apply(request, action, selected)

    def render(status: int) -> HttpResponse:
        context = {"form": form, "count": len(selected), "fields": sent_fields(request, "current", "username")}
        return page(request, "accounts/bulk_sign_out.html", context, status=status)

    is_submitted = "current" in request.POST
    form = ConfirmForm(request.POST if is_submitted else None)
    return with_password(request, form, confirm, render) if is_submitted else render(200)


def _apply(request: Request, action: str, selected: list[tuple[str, str, str]]) -> HttpResponse:
    command = command_of(request)

    def act(revision: str, email: str) -> Person | str:
        try:
            return BULK[action](
                email, revision=RevisionForm({"revision": revision}).number, command=command.part(email)
            )
        except Unavailable:
            raise
        except DomainError as refusal:
            return f"{email}: {refusal.text}"

    results: list[Person | str] = []
    for start in range(0, len(selected), AT_ONCE):
        batch = selected[start : start + AT_ONCE]
        results += gather_all([partial(act, revision, unquote(address)) for revision, _colon, address in batch])
    for each in results:
        if isinstance(each, Person):
            record_event(request, BULK_EVENTS[action], account=each.email)
    _toast_results(request, action, results)
    return see_other(request, safe_next(request, reverse("people")))


def _toast_results(request: Request, action: str, results: list[Person | str]) -> None:
    done = [each for each in results if isinstance(each, Person)]
    refused = [each for each in results if isinstance(each, str)]
    if refused:
        toast_error(request, " ".join(refused[:MAX_NAMED]) + (" …" if len(refused) > MAX_NAMED else ""))
    if done:
        selection = " ".join(person.selection_value for person in done)
        inverse = INVERSE.get(action)
        undo = (reverse("people_bulk"), {"action": inverse, "selected": selection}) if inverse else None
        toast(request, _bulk_text(action, len(done)), undo=undo)


def _bulk_text(action: str, count: int) -> str:
    if action == "disable":
        text = ngettext("%(count)s person disabled.", "%(count)s people disabled.", count)
    elif action == "enable":
        text = ngettext("%(count)s person enabled.", "%(count)s people enabled.", count)
    else:
        text = ngettext("%(count)s person signed out.", "%(count)s people signed out.", count)
    return text % {"count": count}
