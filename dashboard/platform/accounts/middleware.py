"""Who is asking, and whether they may."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from dashboard.core.errors import NotAllowed, NotFound, Unavailable
from dashboard.platform.accounts.items import Person, Session
from dashboard.platform.accounts.permissions import API, PUBLIC, Role
from dashboard.platform.accounts.queries import Signed
from dashboard.platform.accounts.services import sessions
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.paths import business_in
from dashboard.table import tenancy
from dashboard.table.commands import Actor
from dashboard.web.api import for_api
from dashboard.web.errors import answer, set_up_first, signed_out
from dashboard.web.pages import came_from

logger = logging.getLogger("trastienda.permissions")
GetResponse = Callable[[HttpRequest], HttpResponseBase]
NOBODY = Actor("anonymous")


class Request(HttpRequest):
    """A request as the views see it. Only for type hints: Django makes its own."""

    person: Person
    session: Session  # type: ignore[assignment]
    actor: Actor
    # The business of the address: only there for someone who may enter it.
    business: Business
    # Whoever has given the password and not yet the code: nobody, for every view but the one that asks for it.
    halfway: Signed | None
    # Their role needs a second factor; without one, only what says `before_second_factor` opens.
    needs_second_factor: bool
    htmx: Any


def sign_in(get_response: GetResponse) -> GetResponse:
    """Put the person on the request: session, person and what is asked of them come in one trip."""

    def middleware(request: Any) -> HttpResponseBase:
        cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        request.session = request.person = request.business = request.halfway = None
        request.actor, request.needs_second_factor = NOBODY, False
        if for_api(request):
            return get_response(request)  # A key says who asks there; a cookie says nothing.
        try:
            found = sessions.find(cookie, business_in(request.path_info)) if cookie else None
        except Unavailable as error:
            return answer(request, error)
        if found and found.session.is_good_for(found.person):
            request.session, request.person = found.session, found.person
            request.actor, request.needs_second_factor = found.person.actor, found.needs_second_factor
            request.business = found.business if may_enter(found) else None
        else:
            request.halfway = found
        noted = sessions.note_use(request.session) if request.session else None
        with _within(request):
            response = get_response(request)
        if noted is not None and noted.exception() is not None:
            logger.warning("the use of a session was not noted")  # The next request tries again.
        if found is not None:
            # A page made for one person is nobody else's, and after signing out not even theirs.
            response.headers.setdefault("Cache-Control", "no-store, private")
        return response

    return middleware


class PermissionMiddleware:
    """Deny by default: only what a view declares, to whom it declares it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: Any, view: Callable[..., Any], args: Any, kwargs: Any) -> HttpResponseBase | None:
        permission = getattr(view, "permission", None)
        if permission == PUBLIC or (permission == API and for_api(request)):
            return None
        if permission in {None, API}:
            logger.error("view without a permission", extra={"view": getattr(view, "__qualname__", "?")})
            return answer(request, NotAllowed())
        if request.person is None:
            return _ask_to_sign_in(request)
        if not request.person.may(permission):
            return answer(request, NotAllowed())
        lacking = request.needs_second_factor and not request.person.has_second_factor
        if lacking and not getattr(view, "before_second_factor", False):
            return _ask_to_set_up(request)
        return _refused_entry(request) if business_in(request.path_info) else None


def _within(request: Any) -> AbstractContextManager[None]:
    """What a request inside a business can reach ends at that business."""
    if request.business is None:
        return nullcontext()
    return tenancy.bind(tenancy.Binding(request.business.id, request.person.email))


def may_enter(found: Signed) -> bool:
    """Admins enter every business, owners those they belong to."""
    if found.business is None or not tenancy.can_be_bound(found.business.id):
        return False
    return found.person.office_role == Role.ADMIN or found.member is not None


def _refused_entry(request: Any) -> HttpResponseBase | None:
    """404 for a business one does not belong to, as for one that does not exist; a closed one can only be read."""
    if request.business is None:
        return answer(request, NotFound())
    changes = request.method not in {"GET", "HEAD", "OPTIONS"}
    if changes and request.business.is_closed and request.person.office_role != Role.ADMIN:
        return answer(request, NotAllowed(request.business.closed_because))
    return None


def _ask_to_set_up(request: Any) -> HttpResponseBase:
    """To the page that sets the second factor up, and then back."""
    url = reverse("second_factor")
    if request.method not in {"GET", "HEAD"}:
        return set_up_first(request, url)
    if request.htmx:
        return HttpResponse(status=403, headers={"HX-Redirect": f"{url}?{urlencode({'next': came_from(request)})}"})
    return redirect(f"{url}?{urlencode({'next': request.get_full_path()})}")


def _ask_to_sign_in(request: Any) -> HttpResponseBase:
    """To the form and back; a form that was being sent stays where it is, with what was typed."""
    form = reverse("login_code" if request.halfway else "login")
    if request.method not in {"GET", "HEAD"} or for_api(request):
        return signed_out(request)
    if request.htmx:
        # The page that asked for a part of itself goes, and comes back whole.
        url = f"{form}?{urlencode({'next': came_from(request)})}"
        return HttpResponse(status=401, headers={"HX-Redirect": url})
    return redirect(f"{form}?{urlencode({'next': request.get_full_path()})}")


def set_cookie(response: HttpResponse, value: str) -> None:
    response.set_cookie(
        settings.SESSION_COOKIE_NAME,
        value,
        max_age=int(sessions.ABSOLUTE.total_seconds()),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def drop_cookie(response: HttpResponse) -> None:
    response.delete_cookie(settings.SESSION_COOKIE_NAME, samesite="Lax")
