"""In and out."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.accounts.forms import LanguageForm, NewPasswordForm, SignInForm
from dashboard.accounts.items import Person
from dashboard.accounts.middleware import Request, drop_cookie, set_cookie
from dashboard.accounts.permissions import public
from dashboard.accounts.requests import address, agent
from dashboard.accounts.services import links, profile, sessions
from dashboard.errors import NotFound, Refused, TooMany
from dashboard.ui.operations import operation_of
from dashboard.ui.pages import add_refusal, page, safe_next, see_other
from dashboard.ui.toasts import toast


@public
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def login(request: Request) -> HttpResponse:
    onward = safe_next(request, reverse("home"))
    if request.method != "POST":
        return see_other(request, onward) if request.person else _login_page(request, SignInForm(), onward)
    form = SignInForm(request.POST)
    if not form.is_valid():
        return _login_page(request, form, onward, status=422)
    given = form.cleaned_data
    try:
        _person, cookie = sessions.sign_in(
            given["email"], given["password"], address=address(request), agent=agent(request)
        )
    except TooMany as refusal:
        minutes = max(1, round(refusal.retry_after / 60))
        form.add_error(None, _("Too many tries. Wait %(minutes)s min and try again.") % {"minutes": minutes})
        response = _login_page(request, form, onward, status=429)
        response.headers["Retry-After"] = str(refusal.retry_after)
        return response
    except Refused as refusal:
        add_refusal(form, refusal)
        return _login_page(request, form, onward, status=422)
    return _signed_in(request, onward, cookie)


def _signed_in(request: Request, onward: str, cookie: str) -> HttpResponse:
    """On with the new session; whatever session this browser had is over."""
    if request.person:
        sessions.sign_out(request.session)
    response = see_other(request, onward)
    set_cookie(response, cookie)
    return response


def _login_page(request: HttpRequest, form: SignInForm, onward: str, status: int = 200) -> HttpResponse:
    return page(request, "accounts/login.html", {"form": form, "next": onward}, status=status)


@public
@require_POST
def logout(request: Request) -> HttpResponse:
    if request.person:
        sessions.sign_out(request.session)
    response = see_other(request, reverse("login"))
    drop_cookie(response)
    return response


@public
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: Request, token: str) -> HttpResponse:
    """Open an account, or choose a new password, by a one-time link."""
    try:
        person: Person | None = links.person_of(token)
    except NotFound:
        person = None  # Used already: perhaps by this very form, whose answer was lost.
    form = NewPasswordForm(request.POST or None, person=person)
    if request.method != "POST" or not form.is_valid():
        if person is None:
            return page(request, "accounts/link_spent.html", status=404)
        status = 422 if request.method == "POST" else 200
        return page(request, "accounts/join.html", {"form": form, "person": person}, status=status)
    password = form.cleaned_data["password"]
    try:
        person = links.open_account(token, password=password, operation=operation_of(request))
    except NotFound:
        return page(request, "accounts/link_spent.html", status=404)
    if not check_password(password, person.password_hash):
        # The same form again, after the password was changed once more: it opens nothing now.
        return page(request, "accounts/link_spent.html", status=404)
    cookie = sessions.open_session(person, address=address(request), agent=agent(request))
    toast(request, _("Welcome, %(name)s. Your password is set.") % {"name": person.title})
    return _signed_in(request, reverse("home"), cookie)


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
