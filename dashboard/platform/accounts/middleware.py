"""Authentication and permissions of requests."""

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
from dashboard.platform.accounts.permissions import API, BUSINESS_GRANTS, PUBLIC, BasePermission, Role
from dashboard.platform.accounts.queries import SignedIn
from dashboard.platform.accounts.services import sessions
from dashboard.platform.businesses.items import Business, Member
from dashboard.platform.businesses.paths import business_in_path
from dashboard.platform.businesses.services import members
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event
from dashboard.table import tenancy
from dashboard.table.commands import Actor
from dashboard.web.api import for_api
from dashboard.web.errors import error_response, second_factor_required, signed_out
from dashboard.web.pages import referring_page
from dashboard.web.visitors import for_visitors

logger = logging.getLogger("trastienda.permissions")
GetResponse = Callable[[HttpRequest], HttpResponseBase]
NOBODY = Actor("anonymous")


class Request(HttpRequest):
    """The request that views receive. Only for type hints."""

    person: Person
    session: Session  # type: ignore[assignment]
    actor: Actor
    # The business in the path, for a person who may open it.
    business: Business
    # The membership of the person in it; None for an admin who is not a member.
    member: Member | None
    # Set between the password and the code. Only the view that asks for the code uses it.
    pending_sign_in: SignedIn | None
    # The role needs a second factor. Without one, only views with `before_second_factor` open.
    needs_second_factor: bool
    # The business in the path exists, but the person may not open it.
    is_foreign_business: bool
    # The counts of the sidebar by route, on a page that has read them.
    navigation_counts: Any
    htmx: Any


def sign_in(get_response: GetResponse) -> GetResponse:
    """Set the person of the request. Session, person and sign-in rules are one read."""

    def middleware(request: Any) -> HttpResponseBase:
        cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        request.session = request.person = request.business = request.member = request.pending_sign_in = None
        request.actor, request.needs_second_factor, request.is_foreign_business = NOBODY, False, False
        if for_api(request) or for_visitors(request):
            return get_response(request)  # The API uses keys, and visitors of businesses have no account.
        try:
            found = sessions.find(cookie, business_in_path(request.path_info)) if cookie else None
        except Unavailable as error:
            return error_response(request, error)
        if found and found.session.is_good_for(found.person):
            request.session, request.person = found.session, found.person
            request.actor, request.needs_second_factor = found.person.actor, found.needs_second_factor
            request.business = found.business if may_open(found) else None
            request.member = found.member if request.business else None
            request.is_foreign_business = found.business is not None and request.business is None
        else:
            request.pending_sign_in = found
        recording = sessions.record_use(request.session) if request.session else None
        with _within(request):
            if request.member is not None and request.member.invited_at:
                members.record_first_use(request.member)
            response = get_response(request)
        if recording is not None and recording.exception() is not None:
            logger.warning("the use of a session was not recorded")  # The next request tries again.
        if found is not None:
            # Pages of a person are not cached, so that they cannot be shown after signing out.
            response.headers.setdefault("Cache-Control", "no-store, private")
        return response

    return middleware


class PermissionMiddleware:
    """Refuse a view that declares no permission, or one that the person does not have."""

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
            return error_response(request, NotAllowed())
        if request.person is None:
            return _ask_to_sign_in(request)
        if request.is_foreign_business:
            record_event(request, EventKind.FOREIGN_BUSINESS, business=business_in_path(request.path_info))
        if not request.person.may(permission):
            return error_response(request, NotAllowed())
        # A business of other people answers 404 to everyone: this refusal is for its members.
        if request.business is not None and not _may_inside(request, permission):
            return error_response(request, NotAllowed())
        is_missing = request.needs_second_factor and not request.person.has_second_factor
        if is_missing and not getattr(view, "before_second_factor", False):
            return _ask_to_set_up(request)
        return _refuse_business(request) if business_in_path(request.path_info) else None


def has_permission(request: Any, permission: BasePermission) -> bool:
    """Whether the person of this request has a permission. Permissions of a business depend on their role in it."""
    if request.person is None or not request.person.may(permission):
        return False
    return request.business is None or permission not in BUSINESS_GRANTS or _may_inside(request, permission)


def _may_inside(request: Any, permission: BasePermission) -> bool:
    if request.person.office_role == Role.ADMIN:
        return True
    return request.member is not None and request.member.may(permission)


def _within(request: Any) -> AbstractContextManager[None]:
    """Bind a request inside a business to that business."""
    if request.business is None:
        return nullcontext()
    return tenancy.bind(tenancy.Binding(request.business.id, request.person.email))


def may_open(found: SignedIn) -> bool:
    """Admins may open every business, other people those in which they are members."""
    if found.business is None or not tenancy.can_be_bound(found.business.id):
        return False
    return found.person.office_role == Role.ADMIN or found.member is not None


def _refuse_business(request: Any) -> HttpResponseBase | None:
    """404 for a business of other people, as for one that does not exist; 403 for a change of a closed one."""
    if request.business is None:
        return error_response(request, NotFound())
    changes = request.method not in {"GET", "HEAD", "OPTIONS"}
    if changes and request.business.is_closed and request.person.office_role != Role.ADMIN:
        return error_response(request, NotAllowed(request.business.closed_message))
    return None


def _ask_to_set_up(request: Any) -> HttpResponseBase:
    """Redirect to the set-up of the second factor, and back afterwards."""
    url = reverse("second_factor")
    if request.method not in {"GET", "HEAD"}:
        return second_factor_required(request, url)
    if request.htmx:
        return HttpResponse(
            status=403, headers={"HX-Redirect": f"{url}?{urlencode({'next': referring_page(request)})}"}
        )
    return redirect(f"{url}?{urlencode({'next': request.get_full_path()})}")


def _ask_to_sign_in(request: Any) -> HttpResponseBase:
    """Redirect to the sign-in form, and back afterwards. A form that was sent keeps its values."""
    form = reverse("login_code" if request.pending_sign_in else "login")
    if request.method not in {"GET", "HEAD"} or for_api(request):
        return signed_out(request)
    if request.htmx:
        # The whole page is loaded again after signing in.
        url = f"{form}?{urlencode({'next': referring_page(request)})}"
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
