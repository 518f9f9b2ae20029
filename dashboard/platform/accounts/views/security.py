"""The page of the sign-in rules."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from dashboard.core.errors import Refused
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.forms import ConfirmForm, SecurityForm
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Permission, Role, requires
from dashboard.platform.accounts.queries import Coverage
from dashboard.platform.accounts.services import passwords
from dashboard.platform.accounts.services import security as services
from dashboard.platform.accounts.views.account import with_password
from dashboard.platform.audit.queries import history
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event
from dashboard.table.read import gather_all
from dashboard.web.commands import command_of
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

MAX_NAMED = 5


@requires(Permission.PEOPLE_MANAGE)
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def security(request: Request) -> HttpResponse:
    """Choose the roles that need a second factor, with the admin's own password."""
    if request.method != "POST":
        return _security_page(request)
    form, password_form = bind(request, SecurityForm), ConfirmForm(request.POST)

    def save(current: str) -> HttpResponse:
        passwords.confirm(request.person, current, session_id=request.session.id)
        return _save_rules(request, form)

    def render(status: int) -> HttpResponse:
        return _security_page(request, form, password_form, status=status)

    if not form.is_valid():
        return render(422)
    return with_password(request, password_form, save, render)


def _save_rules(request: Request, form: SecurityForm) -> HttpResponse:
    try:
        after = services.require_second_factor(
            form.roles, by=request.person, revision=form.cleaned_data["revision"], command=command_of(request)
        )
    except Refused as refusal:
        add_refusal(form, refusal)
        return _security_page(request, form, status=422)
    previous = after.outcome.result["before"]["roles"]
    if not after.outcome.is_no_change:
        roles = {"roles": " ".join(after.roles), "previous_roles": " ".join(previous)}
        record_event(request, EventKind.RULES_CHANGED, **roles)
    # Undo shows the previous rules and asks for the password again.
    undo = (reverse("security"), {**dict.fromkeys(previous, "on"), "revision": after.revision})
    toast(request, _("Sign-in rules saved. They apply immediately."), undo=undo, of=after)
    return see_other(request, reverse("security"))


def _security_page(
    request: Request,
    form: SecurityForm | None = None,
    password_form: ConfirmForm | None = None,
    status: int = 200,
) -> HttpResponse:
    reads: list[Any] = [queries.find_security, partial(history, services.TARGET)]
    reads += [partial(queries.coverage, role) for role in Role]
    rules, entries, *coverages = gather_all(reads)
    if form is None:
        initial = {str(role): bool(rules and role in rules.roles) for role in Role}
        form = SecurityForm(initial=initial | {"revision": rules.revision if rules else 0})
    for role, coverage in zip(Role, coverages, strict=True):
        form.fields[role].help_text = _coverage_text(coverage)
    context = {"form": form, "password_form": password_form or ConfirmForm(), "history": history_lines(entries)}
    return page(request, "accounts/security.html", context, status=status)


def _coverage_text(coverage: Coverage) -> str:
    if not coverage.counted:
        return _("Nobody has this role.")
    counts = {"having": coverage.with_factor, "of": coverage.counted}
    if coverage.has_more:
        text = _("%(having)s of the first %(of)s people have a second factor.") % counts
    else:
        text = ngettext(
            "%(having)s of %(of)s person has a second factor.",
            "%(having)s of %(of)s people have a second factor.",
            coverage.counted,
        )
        text %= counts
    if not coverage.names_without:
        return text
    names = ", ".join(coverage.names_without[:MAX_NAMED])
    left = len(coverage.names_without) - MAX_NAMED
    if left > 0 or coverage.has_more:
        return f"{text} " + _("Without: %(names)s and others.") % {"names": names}
    return f"{text} " + _("Without: %(names)s.") % {"names": names}
