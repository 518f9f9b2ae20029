"""What is asked of people when they sign in."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from dashboard.core.errors import Refused
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.forms import SecurityForm
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Permission, Role, requires
from dashboard.platform.accounts.queries import Coverage
from dashboard.platform.accounts.services import security as services
from dashboard.platform.audit.queries import history
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.read import gather_all
from dashboard.web.commands import command_of
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

MAX_NAMED = 5


@requires(Permission.PEOPLE_MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def security(request: Request) -> HttpResponse:
    """Which roles need a second factor."""
    if request.method != "POST":
        return _security_page(request)
    form = bind(request, SecurityForm)
    if not form.is_valid():
        return _security_page(request, form, status=422)
    try:
        after = services.require_second_factor(
            form.roles, by=request.person, revision=form.cleaned_data["revision"], command=command_of(request)
        )
    except Refused as refusal:
        add_refusal(form, refusal)
        return _security_page(request, form, status=422)
    was = after.outcome.result["before"]["roles"]
    undo = (reverse("security"), {**dict.fromkeys(was, "on"), "revision": after.revision})
    toast(request, _("The sign-in rules are saved, and hold at once."), undo=undo, of=after)
    return see_other(request, reverse("security"))


def _security_page(request: Request, form: SecurityForm | None = None, status: int = 200) -> HttpResponse:
    reads: list[Any] = [queries.security, partial(history, services.TARGET)]
    reads += [partial(queries.coverage, role) for role in Role]
    stands, entries, *covered = gather_all(reads)
    if form is None:
        initial = {str(role): bool(stands and role in stands.roles) for role in Role}
        form = SecurityForm(initial=initial | {"revision": stands.revision if stands else 0})
    for role, coverage in zip(Role, covered, strict=True):
        form.fields[role].help_text = _in_words(coverage)
    context = {"form": form, "history": history_lines(entries)}
    return page(request, "accounts/security.html", context, status=status)


def _in_words(coverage: Coverage) -> str:
    """Whom the rule would meet."""
    if not coverage.counted:
        return _("Nobody has this role.")
    how_many = {"having": coverage.having, "of": coverage.counted}
    if coverage.more:
        text = _("%(having)s of the first %(of)s people have a second factor.") % how_many
    else:
        text = ngettext(
            "%(having)s of %(of)s person has a second factor.",
            "%(having)s of %(of)s people have a second factor.",
            coverage.counted,
        )
        text %= how_many
    if not coverage.lacking:
        return text
    names = ", ".join(coverage.lacking[:MAX_NAMED])
    left = len(coverage.lacking) - MAX_NAMED
    if left > 0 or coverage.more:
        return f"{text} " + _("Without: %(names)s and others.") % {"names": names}
    return f"{text} " + _("Without: %(names)s.") % {"names": names}
