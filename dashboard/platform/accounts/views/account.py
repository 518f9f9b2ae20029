"""Pages of the own account."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.errors import Refused, TooMany
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.fields import PROFILE_FIELDS
from dashboard.platform.accounts.forms import ChangePasswordForm, ConfirmForm, ProfileForm, ThemeChoiceForm, ZoneForm
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.middleware import Request, set_cookie
from dashboard.platform.accounts.permissions import Permission, before_second_factor, requires
from dashboard.platform.accounts.requests import address, agent, device
from dashboard.platform.accounts.services import profile, sessions
from dashboard.platform.security_log import queries as security_log
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.presenters import event_rows
from dashboard.platform.security_log.services import record_event
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.forms import Form
from dashboard.web.locale import language_of
from dashboard.web.pages import add_refusal, bind, page, safe_next, see_other
from dashboard.web.toasts import toast

# The latest security events that the page shows.
MAX_EVENTS = 20


def _with_defaults(values: dict[str, Any]) -> dict[str, Any]:
    """The values as the form shows them. Language and appearance always have a value."""
    defaults = {"language": language_of(values["language"]) or get_language(), "theme": values["theme"] or "auto"}
    return {name: value or "" for name, value in values.items()} | defaults


def _account_page(request: Request, status: int = 200, **forms: Any) -> HttpResponse:
    person = request.person
    found, events = gather(
        lambda: queries.sessions(person.email), lambda: security_log.events_of(person.email, limit=MAX_EVENTS)
    )
    # Sessions that have ended stay in the table until they expire.
    valid = [each for each in found if each.is_good_for(person)]
    context = {
        "form": ProfileForm(item=person, initial=_with_defaults(PROFILE_FIELDS.values_of(person))),
        "password_form": ChangePasswordForm(),
        "end_sessions_form": ConfirmForm(auto_id="end_sessions_form_%s"),
        "sessions": [(each, device(each.agent)) for each in valid],
        "events": event_rows(events),
    }
    return page(request, "accounts/account.html", context | forms, status=status)


@requires(Permission.ACCOUNT)
@require_safe
def account(request: Request) -> HttpResponse:
    return _account_page(request)


@requires(Permission.ACCOUNT)
@require_POST
def edit(request: Request) -> HttpResponse:
    form = bind(request, ProfileForm, item=request.person)
    if not form.is_valid():
        return _account_page(request, form=form, status=422)
    person = profile.edit(request.person.email, revision=form.revision, command=command_of(request), **form.values)
    previous = _with_defaults(person.outcome.result["before"])
    undo = (reverse("account_edit"), previous | {"revision": person.revision})
    with override(person.language):
        toast(request, _("Account saved."), undo=undo, of=person)
    return see_other(request, reverse("account"), full_page=True)


@requires(Permission.ACCOUNT)
@sensitive_post_parameters()
@require_POST
def change_password(request: Request) -> HttpResponse:
    def change(current: str, password: str) -> HttpResponse:
        person = profile.change_password(
            request.person.email,
            current=current,
            new=password,
            session_id=request.session.id,
            command=command_of(request),
        )
        record_event(request, EventKind.NEW_PASSWORD)
        return _to_account(request, person, _("Password changed. Other browsers were signed out."))

    form = ChangePasswordForm(request.POST, person=request.person)
    return with_password(
        request, form, change, lambda status: _account_page(request, password_form=form, status=status)
    )


@requires(Permission.ACCOUNT)
@sensitive_post_parameters()
@require_POST
def end_sessions(request: Request) -> HttpResponse:
    def end(current: str) -> HttpResponse:
        person = profile.end_sessions(
            request.person.email, current=current, session_id=request.session.id, command=command_of(request)
        )
        record_event(request, EventKind.SESSIONS_ENDED)
        return _to_account(request, person, _("All other browsers were signed out."))

    form = ConfirmForm(request.POST, auto_id="end_sessions_form_%s")
    return with_password(
        request, form, end, lambda status: _account_page(request, end_sessions_form=form, status=status)
    )


def with_password(
    request: Request, form: Form, act: Callable[..., HttpResponse], render: Callable[[int], HttpResponse]
) -> HttpResponse:
    """Call `act` with the values of a form that asks for the password. A refusal is shown next to its field."""
    if not form.is_valid():
        return render(422)
    try:
        return act(**form.cleaned_data)
    except TooMany as refusal:
        record_event(request, EventKind.THROTTLED, step="password")
        form.add_error("current", str(refusal.text))
        response = render(429)
        response.headers["Retry-After"] = str(refusal.retry_after)
        return response
    except Refused as refusal:
        record_event(request, EventKind.WRONG_PASSWORD if refusal.field == "current" else EventKind.FACTOR_FAILED)
        add_refusal(form, refusal)
        return render(422)


@requires(Permission.ACCOUNT)
@require_POST
def end_session(request: Request, session_id: str) -> HttpResponse:
    sessions.end(request.person, session_id)
    toast(request, _("Browser signed out."))
    return see_other(request, reverse("account"))


def _to_account(request: Request, person: Person, text: str) -> HttpResponse:
    toast(request, text)
    return keep_signed_in(request, person, see_other(request, reverse("account")))


def keep_signed_in(request: Request, person: Person, response: HttpResponse) -> HttpResponse:
    """Give this browser a new session after all have ended, unless a repeated request has one already."""
    if not request.session.is_good_for(person):
        # The change was made in any case. If the account has changed again meanwhile, the person signs in again.
        with suppress(sessions.SignInExpired):
            set_cookie(response, sessions.open_session(person, address=address(request), agent=agent(request)))
    return response


@requires(Permission.ACCOUNT)
@require_POST
def set_theme(request: Request) -> HttpResponse:
    form = ThemeChoiceForm(request.POST)
    if form.is_valid():
        profile.prefer(request.person, theme=form.cleaned_data["theme"])
    return see_other(request, safe_next(request, reverse("account")))


@requires(Permission.ACCOUNT)
@before_second_factor
@require_POST
def suggest_zone(request: Request) -> HttpResponse:
    """Store the time zone that the browser reports."""
    form = ZoneForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=422)
    profile.suggest_zone(request.person, form.cleaned_data["timezone"])
    return HttpResponse(status=204)
