"""Refusals and failures as pages and fragments, each with what to do next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from dashboard.errors import BadCursor, Conflict, DomainError, NotAllowed, NotFound, Refused, TooMany, Unavailable
from dashboard.table.items import Item
from dashboard.ui.pages import page, toasts_beside, wants_fragment
from dashboard.ui.toasts import toast_error


class ErrorMiddleware:
    """Turns what views and services refuse into its answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        return _wrong_method(request, response) if isinstance(response, HttpResponseNotAllowed) else response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        return answer(request, error) if isinstance(error, DomainError) else None


def answer(request: Any, error: DomainError) -> HttpResponse:
    """The page or fragment of a refusal."""
    if isinstance(error, Unavailable):
        return _unavailable(request, error)
    if isinstance(error, Conflict):
        return _conflict(request, error)
    if isinstance(error, Refused | TooMany) and wants_fragment(request):
        return _said_beside(request, error)
    context: dict[str, Any] = {"text": error.text}
    if isinstance(error, BadCursor):
        context["back"] = _without(request, "cursor")
    response = page(request, _template(error.status), context, partial="error", status=error.status)
    if isinstance(error, TooMany):
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _wrong_method(request: HttpRequest, refusal: HttpResponseNotAllowed) -> HttpResponse:
    """Django refuses without a word."""
    with translation.override(_language(request)):
        response = page(request, "405.html", partial="error", status=405)
    for name, value in refusal.headers.items():
        if name != "Content-Length":
            response.headers.setdefault(name, value)
    return response


def _template(status: int) -> str:
    return f"{status}.html"


def _said_beside(request: Any, error: DomainError) -> HttpResponse:
    """A refused click changes nothing on the page: the reason comes as a toast."""
    toast_error(request, error.text)
    return HttpResponse(toasts_beside(request), status=error.status, headers={"HX-Reswap": "none"})


def _unavailable(request: Any, error: Unavailable) -> HttpResponse:
    """Needs neither table nor session."""
    with translation.override(_language(request)):
        html = render_to_string("503.html", {"request_id": getattr(request, "id", ""), "text": error.text})
        if wants_fragment(request):
            html = render_to_string("ui/unavailable.html", {"text": error.text})
    headers = {"Retry-After": "5", "HX-Reswap": "none"}
    return HttpResponse(html, status=503, headers=headers)


def _language(request: Any) -> str:
    """The language of the answer, also where its own middleware is not at work: before it, or after."""
    return getattr(request, "LANGUAGE_CODE", None) or translation.get_language_from_request(request)


@dataclass(frozen=True)
class Difference:
    label: str
    yours: str
    theirs: str
    changed: bool


@dataclass(frozen=True)
class Clash:
    """Both versions, for the person to choose."""

    text: str
    who: str
    when: Any
    rows: list[Difference]
    action: str
    fields: dict[str, str]
    back: str


def _conflict(request: Any, error: Conflict) -> HttpResponse:
    item = error.item
    form: forms.Form | None = getattr(request, "form", None)
    clash = Clash(
        text=str(error.text),
        who=(item.updated_by or "") if item else "",
        when=item.updated_at if item else None,
        rows=_differences(form, item) if form is not None and item is not None else [],
        action=request.path,
        fields=_resent(request, item),
        back=_back(request),
    )
    return page(request, "409.html", {"conflict": clash}, partial="conflict", status=409)


def _differences(form: forms.Form, item: Item) -> list[Difference]:
    """What the person sent beside what stands now, field by field."""
    rows = []
    for bound in form:
        if bound.is_hidden:
            continue
        wire = getattr(form, "item_names", {}).get(bound.name, bound.name)
        yours, theirs = _shown(bound, bound.data), _shown(bound, getattr(item, wire, None))
        rows.append(Difference(str(bound.label), yours, theirs, yours != theirs))
    return rows


def _shown(bound: forms.BoundField, value: Any) -> str:
    """A value as its field would show it: the label of a choice, not its code."""
    choices = {str(key): str(label) for key, label in getattr(bound.field, "choices", [])}
    text = "" if value is None else str(value)
    return choices.get(text, text)


def _resent(request: Any, item: Item | None) -> dict[str, str]:
    """The form again, now knowing the newest version: to be sent on purpose."""
    skipped = {"csrfmiddlewaretoken", "operation", "version"}
    fields = {name: value for name, value in request.POST.items() if name not in skipped}
    return fields | {"version": str(item.seen if item else 0)}


def _back(request: Any) -> str:
    """The page the form was on, by its path: whatever else the header says stays out of the link."""
    try:
        came_from = urlsplit(request.headers.get("HX-Current-URL") or request.headers.get("Referer") or "")
    except ValueError:
        return reverse("home")
    path = came_from.path
    if came_from.netloc != request.get_host() or not path.startswith("/") or path.startswith("//"):
        return reverse("home")
    return path + (f"?{came_from.query}" if came_from.query else "")


def _without(request: Any, name: str) -> str:
    query = {key: request.GET.getlist(key) for key in request.GET if key != name}
    return f"{request.path}?{urlencode(query, doseq=True)}" if query else request.path


def signed_out(request: Any) -> HttpResponse:
    """A form arrives after its session has ended: nothing typed is lost, only the way in is needed."""
    text = _("You are signed out. Sign in in another tab, then send this again: what you typed is still here.")
    if wants_fragment(request):
        toast_error(request, text)
        return HttpResponse(toasts_beside(request), status=401, headers={"HX-Reswap": "none"})
    return page(request, "401.html", {"text": text}, status=401)


def csrf_failure(request: Any, reason: str = "") -> HttpResponse:
    """Usually a form from before the cookies were cleared."""
    text = _("This form could not be checked. Load the page again and repeat the change.")
    if wants_fragment(request):
        return _said_beside(request, NotAllowed(text))
    return page(request, "403.html", {"text": text}, status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent):
        return page(request, "413.html", partial="error", status=413)
    text = _("The browser sent something this site cannot read.")
    return page(request, "400.html", {"text": text}, partial="error", status=400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return page(request, "403.html", {}, partial="error", status=403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, NotFound())


def server_error(request: Any) -> HttpResponse:
    """Static: it must work when nothing else does."""
    html = render_to_string("500.html", {"request_id": getattr(request, "id", "")})
    return HttpResponse(html, status=500)
