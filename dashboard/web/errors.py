"""Errors as pages and fragments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from dashboard.core.errors import (
    BadCursor,
    Busy,
    Conflict,
    DomainError,
    NotAllowed,
    NotFound,
    Refused,
    TooMany,
    Unavailable,
)
from dashboard.table import oplog
from dashboard.web import api
from dashboard.web.conflicts import conflict
from dashboard.web.pages import by_htmx, page, referring_page, render_toasts_oob
from dashboard.web.toasts import toast_error
from dashboard.web.visitors import for_visitors, visitor_error_page

View = TypeVar("View", bound=Callable[..., Any])
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


class ErrorMiddleware:
    """Converts domain errors into responses."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        return _wrong_method(request, response) if isinstance(response, HttpResponseNotAllowed) else response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        return error_response(request, error) if isinstance(error, DomainError) else None


def max_body_size(size: int) -> Callable[[View], View]:
    """Set how many bytes a view accepts, if more than the default."""

    def declare(view: View) -> View:
        view.max_body = size  # type: ignore[attr-defined]
        return view

    return declare


def body_limit_of(view: Any) -> int:
    return int(getattr(view, "max_body", settings.DATA_UPLOAD_MAX_MEMORY_SIZE))


class BodyLimit:
    """Refuses a body that is too large before it is read. Django's own limit does not include files."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponseBase | None:
        limit = body_limit_of(view)
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isascii() or not length.isdigit() or len(length) > 12 or int(length) > limit:
            return _error_page(request, 413)
        return None


def error_response(request: Any, error: DomainError) -> HttpResponse:
    """The page or fragment for a domain error; JSON for the API."""
    if api.for_api(request):
        return api.domain_error_json(request, error)
    if isinstance(error, Unavailable):
        return _unavailable(request, error.text)
    if isinstance(error, Busy):
        return _unavailable(request, error.text, advice=error.advice, retry_after=error.retry_after)
    if isinstance(error, Conflict):
        return conflict(request, error)
    if isinstance(error, Refused | TooMany) and by_htmx(request):
        return _error_toast(request, error)
    context: dict[str, Any] = {"text": error.text}
    if isinstance(error, BadCursor):
        context["back"] = _url_without(request, "cursor")
    response = _error_page(request, error.status, context)
    if isinstance(error, TooMany):
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _wrong_method(request: HttpRequest, refusal: HttpResponseNotAllowed) -> HttpResponse:
    """Django's own response has no text."""
    with translation.override(_language(request)):
        response = _error_page(request, 405)
    for name, value in refusal.headers.items():
        if name != "Content-Length":
            response.headers.setdefault(name, value)
    return response


def _error_page(request: Any, status: int, context: dict[str, Any] | None = None) -> HttpResponse:
    """An error page; for htmx a notice next to the form, which keeps its input."""
    if api.for_api(request):
        return api.error_json(request, status)
    if for_visitors(request):
        return visitor_error_page(request, status)
    template = f"{status}.html"
    if by_htmx(request) and not request.htmx.boosted:
        return HttpResponse(render_to_string(f"{template}#error", context, request), status=status)
    return page(request, template, context, status=status)


def _error_toast(request: Any, error: DomainError) -> HttpResponse:
    """Show the error as a toast and leave the page as it is."""
    toast_error(request, error.text)
    return HttpResponse(render_toasts_oob(request), status=error.status, headers={"HX-Reswap": "none"})


def _unavailable(request: Any, text: Any, *, advice: Any = "", retry_after: int = 5) -> HttpResponse:
    """The response if the table does not answer or is asked too much. It needs neither table nor session."""
    with translation.override(_language(request)):
        if text is Unavailable.text and _sent_no_write(request):
            text = _("The database is not answering, and nothing was saved this time. Your input is kept: try again.")
        context = {"request_id": getattr(request, "id", ""), "text": text, "next": advice}
        html = render_to_string("503.html", context)
        if by_htmx(request):
            html = render_to_string("ui/unavailable.html", context)
    headers = {"Retry-After": str(retry_after), "HX-Reswap": "none"}
    return HttpResponse(html, status=503, headers=headers)


def _sent_no_write(request: Any) -> bool:
    """Whether a form was sent and no call that writes has left this process, so that it certainly changed nothing."""
    log: oplog.Log | None = getattr(request, "oplog", None)
    return request.method not in SAFE_METHODS and log is not None and not log.has_sent_writes


def _language(request: Any) -> str:
    """The language of the response, also outside the language middleware."""
    return getattr(request, "LANGUAGE_CODE", None) or translation.get_language_from_request(request)


def _url_without(request: Any, name: str) -> str:
    query = {key: request.GET.getlist(key) for key in request.GET if key != name}
    return f"{request.path}?{urlencode(query, doseq=True)}" if query else request.path


def signed_out(request: Any) -> HttpResponse:
    """The response to a form whose session has ended. The input is kept."""
    if api.for_api(request):
        return api.error_json(request, 401)
    text = _("You are signed out. Sign in in another tab, then try again: what you typed is still here.")
    if by_htmx(request):
        toast_error(request, text)
        return HttpResponse(render_toasts_oob(request), status=401, headers={"HX-Reswap": "none"})
    return page(request, "401.html", status=401)


def second_factor_required(request: Any, url: str) -> HttpResponse:
    """The response to a person whose role requires a second factor that they have not set up."""
    text = _("Your role requires a second factor. Nothing was changed.")
    context = {
        "title": _("Set up a second factor first"),
        "text": text,
        "next": _("You need an authenticator app on your phone. It takes a minute."),
        "back": url,
        "back_label": _("Set it up"),
    }
    return _error_page(request, 403, context)


def csrf_failure(request: Any, reason: str = "") -> HttpResponse:
    """Usually the cookies were cleared after the form was loaded."""
    if api.for_api(request):
        return api.error_json(request, 403)
    text = _("This form has expired. Reload the page and try again.")
    if by_htmx(request):
        return _error_toast(request, NotAllowed(text))
    context = {"title": _("This form has expired"), "text": text, "next": " ", "back": referring_page(request)}
    return page(request, "403.html", context, status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return _error_page(request, 413)
    text = _("The browser sent a request that cannot be read.")
    return _error_page(request, 400, {"text": text})


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _error_page(request, 403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_response(request, NotFound())


def server_error(request: Any) -> HttpResponse:
    """It must work during any failure, so it uses no context processor and no table."""
    if api.for_api(request):
        return api.error_json(request, 500)
    html = render_to_string("500.html", {"request_id": getattr(request, "id", "")})
    return HttpResponse(html, status=500)
