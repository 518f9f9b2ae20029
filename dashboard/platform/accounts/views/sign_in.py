"""Pages of signing in and out."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.core.errors import NotFound, Refused, TooMany
from dashboard.platform.accounts import browsers, recovery_codes, tokens
from dashboard.platform.accounts.forms import CodeForm, LanguageForm, NewPasswordForm, SignInForm
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.middleware import Request, drop_cookie, set_cookie
from dashboard.platform.accounts.permissions import public
from dashboard.platform.accounts.requests import address, agent
from dashboard.platform.accounts.services import links, profile, second_factor, sessions
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event, record_sign_in
from dashboard.web.commands import command_of
from dashboard.web.forms import Form
from dashboard.web.pages import add_refusal, page, safe_next, see_other
from dashboard.web.toasts import toast, toast_error


@public
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def login(request: Request) -> HttpResponse:
    next_url = safe_next(request, reverse("home"))
    if request.method != "POST":
        return see_other(request, next_url) if request.person else _login_page(request, SignInForm(), next_url)
    form = SignInForm(request.POST)
    if not form.is_valid():
        return _login_page(request, form, next_url, status=422)
    given = form.cleaned_data
    try:
        person, cookie = sessions.sign_in(
            given["email"],
            given["password"],
            address=address(request),
            agent=agent(request),
            browser=browsers.find_id(request, given["email"]),
        )
    except TooMany as refusal:
        record_event(request, EventKind.THROTTLED, account=given["email"], step="password")
        return _too_many_tries(form, refusal, lambda: _login_page(request, form, next_url, status=429))
    except Refused as refusal:
        record_event(request, EventKind.SIGN_IN_FAILED, account=given["email"])
        add_refusal(form, refusal)
        return _login_page(request, form, next_url, status=422)
    return _redirect_with_session(request, person, next_url, cookie)


@public
@never_cache
@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
def login_code(request: Request) -> HttpResponse:
    """The second step of signing in: a code from the app, or a recovery code."""
    next_url = safe_next(request, reverse("home"))
    if request.person:
        return see_other(request, next_url)
    if request.pending_sign_in is None:
        is_form = request.method == "POST"
        return _sign_in_again(request, next_url) if is_form else see_other(request, _with_next("login", next_url))
    form = CodeForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _code_page(request, form, next_url, status=422 if form.is_bound else 200)
    code, person = form.cleaned_data["code"], request.pending_sign_in.person
    try:
        cookie = second_factor.sign_in(
            request.pending_sign_in,
            code,
            address=address(request),
            agent=agent(request),
            browser=browsers.find_id(request, browsers.code_subject(person)),
        )
    except TooMany as refusal:
        record_event(request, EventKind.THROTTLED, account=person.email, step="code")
        return _too_many_tries(form, refusal, lambda: _code_page(request, form, next_url, status=429))
    except sessions.SignInExpired:
        return _sign_in_again(request, next_url)
    except Refused as refusal:
        record_event(request, EventKind.FACTOR_FAILED, account=person.email)
        add_refusal(form, refusal)
        return _code_page(request, form, next_url, status=422)
    is_recovery = recovery_codes.is_recovery_code(code)
    record_event(request, EventKind.RECOVERY_CODE_USED if is_recovery else EventKind.FACTOR_USED, account=person.email)
    record_sign_in(request, person)
    if is_recovery:
        left = person.recovery_left - 1
        text = ngettext(
            "Recovery code used. %(count)s left.",
            "Recovery code used. %(count)s left.",
            left,
        )
        toast(request, text % {"count": left})
    response = see_other(request, next_url)
    set_cookie(response, cookie)
    browsers.remember(request, response, person)
    return response


def _too_many_tries(form: Form, refusal: TooMany, render: Callable[[], HttpResponse]) -> HttpResponse:
    minutes = max(1, round(refusal.retry_after / 60))
    if minutes < 120:
        form.add_error(None, _("Too many attempts. Try again in %(minutes)s min.") % {"minutes": minutes})
    else:
        hours = round(minutes / 60)
        form.add_error(None, _("Too many attempts. Try again in %(hours)s h.") % {"hours": hours})
    response = render()
    response.headers["Retry-After"] = str(refusal.retry_after)
    return response


def _sign_in_again(request: Request, next_url: str) -> HttpResponse:
    toast_error(request, str(sessions.SignInExpired().text))
    return see_other(request, _with_next("login", next_url))


def _code_page(request: Request, form: CodeForm, next_url: str, status: int = 200) -> HttpResponse:
    return page(request, "accounts/login_code.html", {"form": form, "next": next_url}, status=status)


def _redirect_with_session(request: Request, person: Person, next_url: str, cookie: str) -> HttpResponse:
    """Redirect with the new session, or to the code. The previous session of this browser ends."""
    record_sign_in(request, person, is_complete=not person.has_second_factor)
    _end_session(request)
    response = see_other(request, _with_next("login_code", next_url) if person.has_second_factor else next_url)
    set_cookie(response, cookie)
    if not person.has_second_factor:
        browsers.remember(request, response, person)
    return response


def _end_session(request: Request) -> None:
    session = request.pending_sign_in.session if request.pending_sign_in else request.session
    if session:
        sessions.sign_out(session)


def _with_next(name: str, next_url: str) -> str:
    return reverse(name) + (f"?{urlencode({'next': next_url})}" if next_url != reverse("home") else "")


def _login_page(request: HttpRequest, form: SignInForm, next_url: str, status: int = 200) -> HttpResponse:
    return page(request, "accounts/login.html", {"form": form, "next": next_url}, status=status)


@public
@require_POST
def logout(request: Request) -> HttpResponse:
    _end_session(request)
    response = see_other(request, reverse("login"))
    drop_cookie(response)
    return response


@public
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: Request, token: str) -> HttpResponse:
    """Set the password with a one-time link."""
    try:
        person: Person | None = links.load_person_by_token(token)
    except NotFound:
        person = None  # The link may have been used by this form, if the answer was lost.
    form = NewPasswordForm(request.POST or None, person=person)
    if request.method != "POST" or not form.is_valid():
        if person is None:
            return _reject_link(request, token)
        status = 422 if request.method == "POST" else 200
        return page(request, "accounts/join.html", {"form": form, "person": person}, status=status)
    password = form.cleaned_data["password"]
    try:
        person = links.open_account(token, password=password, command=command_of(request))
    except NotFound:
        return _reject_link(request, token)
    if not person.may_sign_in or not check_password(password, person.password_hash):
        # The form was sent again after the person was disabled or the password has changed.
        return _reject_link(request, token)
    record_event(request, EventKind.LINK_USED, account=person.email)
    try:
        # A password link does not replace the second factor.
        cookie = sessions.admit(person, address=address(request), agent=agent(request))
    except sessions.SignInExpired:
        return _sign_in_again(request, reverse("home"))
    toast(request, _("Welcome, %(name)s. Your password has been set.") % {"name": person.title})
    return _redirect_with_session(request, person, reverse("home"), cookie)


def _reject_link(request: Request, token: str) -> HttpResponse:
    email, _secret = tokens.unpack(token) or ("", "")
    record_event(request, EventKind.LINK_REJECTED, account=email)
    return page(request, "accounts/link_spent.html", status=404)


@public
@require_POST
def set_language(request: Request) -> HttpResponse:
    form = LanguageForm(request.POST)
    response = see_other(request, safe_next(request, reverse("home")))
    if form.is_valid():
        language = form.cleaned_data["language"]
        if request.person:
            profile.prefer(request.person, language=language)
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=31_536_000,
            samesite="Lax",
            httponly=True,
            secure=settings.SESSION_COOKIE_SECURE,
        )
    return response
