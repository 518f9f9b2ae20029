"""Pages of the own second factor: set-up, recovery codes, turning it off."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.platform.accounts import codes
from dashboard.platform.accounts.forms import ConfirmForm, SetUpForm
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Permission, before_second_factor, requires
from dashboard.platform.accounts.services import second_factor as services
from dashboard.platform.accounts.views.account import keep_signed_in, with_password
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event
from dashboard.table.commands import Command
from dashboard.web.commands import command_of
from dashboard.web.pages import page, safe_next, see_other
from dashboard.web.toasts import toast


@requires(Permission.ACCOUNT)
@before_second_factor
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def second_factor(request: Request) -> HttpResponse:
    """The state of the second factor; the form turns it on."""
    if request.method != "POST":
        return _manage(request) if request.person.has_second_factor else _set_up(request, SetUpForm())
    command = command_of(request)

    def switch(**given: str) -> HttpResponse:
        person = services.switch_on(
            request.person.email, **given, seed=_seed(request), session_id=request.session.id, command=command
        )
        record_event(request, EventKind.FACTOR_ON)
        text = _("Second factor turned on. All other browsers were signed out.")
        return _codes_page(request, person, command, text)

    form = SetUpForm(request.POST)
    return with_password(request, form, switch, lambda status: _set_up(request, form, status=status))


@requires(Permission.ACCOUNT)
@never_cache
@sensitive_post_parameters()
@require_POST
def new_codes(request: Request) -> HttpResponse:
    command = command_of(request)

    def make(current: str) -> HttpResponse:
        person = services.new_recovery_codes(
            request.person.email, current=current, session_id=request.session.id, command=command
        )
        record_event(request, EventKind.RECOVERY_CODES_RENEWED)
        return _codes_page(request, person, command, _("Your previous recovery codes no longer work."))

    form = ConfirmForm(request.POST, auto_id="codes_form_%s")
    return with_password(request, form, make, lambda status: _manage(request, status=status, codes_form=form))


@requires(Permission.ACCOUNT)
@never_cache
@sensitive_post_parameters()
@require_POST
def switch_off(request: Request) -> HttpResponse:
    def switch(current: str) -> HttpResponse:
        person = services.switch_off(
            request.person.email, current=current, session_id=request.session.id, command=command_of(request)
        )
        record_event(request, EventKind.FACTOR_OFF)
        toast(request, _("Second factor turned off. All other browsers were signed out."), of=person)
        return keep_signed_in(request, person, see_other(request, reverse("account")))

    form = ConfirmForm(request.POST, auto_id="off_form_%s")
    return with_password(request, form, switch, lambda status: _manage(request, status=status, off_form=form))


def _seed(request: Request) -> str:
    """The seed of the submitted form, or that of the session."""
    email = request.person.email
    signed = codes.read_seed(email, request.POST.get("seed", "")[:300])
    return signed or codes.pending_seed(email, request.session.id)


def _set_up(request: Request, form: SetUpForm, status: int = 200) -> HttpResponse:
    email, seed = request.person.email, _seed(request)
    context = {
        "form": form,
        "seed": codes.signed_seed(email, seed),
        "qr_code": codes.qr_code(email, seed),
        "app_link": codes.app_link(email, seed),
        "secret": codes.in_groups(codes.secret_of(email, seed)),
        "next": safe_next(request, reverse("account")),
        # Without navigation if it is required, because no other page opens.
        "layout": "plain.html" if request.needs_second_factor else "base.html",
    }
    return page(request, "accounts/second_factor_set_up.html", context, status=status)


def _manage(request: Request, status: int = 200, **forms: Any) -> HttpResponse:
    context = {
        "codes_form": ConfirmForm(auto_id="codes_form_%s"),
        "off_form": ConfirmForm(auto_id="off_form_%s"),
        "required": request.needs_second_factor,
    }
    return page(request, "accounts/second_factor.html", context | forms, status=status)


def _codes_page(request: Request, person: Person, command: Command, text: str) -> HttpResponse:
    """Show the recovery codes, once: they are not stored."""
    recovery_codes = [codes.in_groups(code) for code in services.recovery_codes_of(person, command)]
    context = {"codes": recovery_codes, "text": text, "next": safe_next(request, reverse("account"))}
    return keep_signed_in(request, person, page(request, "accounts/recovery_codes.html", context))
