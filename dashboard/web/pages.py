"""Responses: a whole page, or the fragment that htmx requests."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django import forms
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, get_urlconf, reverse
from django.utils.cache import patch_vary_headers
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme

from dashboard.core.errors import Refused
from dashboard.web.forms import Form

FormT = TypeVar("FormT", bound=Form)


# The id of the element that the response to a form replaces.
MAIN = "main"


def by_htmx(request: Any) -> bool:
    """Whether htmx sent the request. The page and its input are then still there."""
    return bool(getattr(request, "htmx", None)) and not request.htmx.history_restore_request


def wants_fragment(request: Any) -> bool:
    """Whether to render only a fragment. For a form, htmx takes `main` from the whole page."""
    return by_htmx(request) and not request.htmx.boosted and request.htmx.target != MAIN


def has_nothing_new(request: Any, fingerprint: str) -> bool:
    """Whether a polling page would show nothing new. `fingerprint` identifies the content that it shows."""
    return wants_fragment(request) and request.headers.get("X-Seen") == fingerprint and not len(get_messages(request))


def render_toasts_oob(request: HttpRequest) -> str:
    """The pending toasts as an out-of-band part of a fragment."""
    html = render_to_string("ui/toasts.html", {}, request).strip()
    return f'<div hx-swap-oob="beforeend:#toasts">{html}</div>' if html else ""


def page(
    request: HttpRequest,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    partial: str | None = None,
    quiet: bool = False,
    status: int = 200,
) -> HttpResponse:
    """Render a page; for htmx only its partial, with the pending toasts.

    `quiet` is for requests while a person types: they must not show a toast that belongs to the next page.
    """
    html: str
    if partial and wants_fragment(request):
        toasts = "" if quiet else render_toasts_oob(request)
        html = render_to_string(f"{template}#{partial}", context, request) + toasts
    else:
        html = render_to_string(template, context, request)
    response = HttpResponse(html, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def see_other(request: Any, url: str, *, full_page: bool = False) -> HttpResponse:
    """Redirect after a POST. `full_page` loads the whole page, for changes outside its content."""
    if by_htmx(request) and (full_page or not request.htmx.boosted):
        return HttpResponse(status=204, headers={"HX-Redirect": iri_to_uri(url)})
    response = redirect(url)
    response.status_code = 303
    return response


def safe_next(request: HttpRequest, fallback: str) -> str:
    """The URL in the parameter `next` if it is on this site, else `fallback`."""
    url = request.POST.get("next") or request.GET.get("next") or ""
    hosts = {request.get_host()}
    is_safe = url_has_allowed_host_and_scheme(url, allowed_hosts=hosts, require_https=request.is_secure())
    return url if is_safe and url.startswith("/") else fallback


def referring_page(request: Any) -> str:
    """The path and query of the page that a form was on; the home page for another host."""
    try:
        address = urlsplit(request.headers.get("HX-Current-URL") or request.headers.get("Referer") or "")
    except ValueError:
        return reverse("home")
    path = address.path
    if address.netloc != request.get_host() or not path.startswith("/") or path.startswith("//"):
        return reverse("home")
    return path + (f"?{address.query}" if address.query else "")


def bind(request: Any, form_class: type[FormT], data: Any = None, **options: Any) -> FormT:
    """The form bound to `data`, by default what was sent.

    It is kept on the request, because a conflict page shows it next to the saved version.
    """
    form = form_class(request.POST if data is None else data, **options)
    request.form = form
    return form


def add_refusal(form: forms.Form, refusal: Refused) -> None:
    """Show the text of a refusal at its field."""
    form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal.text))


def url_or_empty(route: str, *parts: str) -> str:
    """The address of a page, or an empty text where an id of an outside writer cannot be part of one.

    Browsers remove dots from a path: an action on a comment `..` would be applied to its post.
    """
    if not {".", ".."}.isdisjoint(parts):
        return ""
    try:
        return _address(get_urlconf(), route, parts)
    except NoReverseMatch:
        return ""


@lru_cache(maxsize=10_000)
def _address(urlconf: str | None, route: str, parts: tuple[str, ...]) -> str:
    """A row of a list has up to 15 addresses, and most of them were on the page before."""
    return reverse(route, urlconf, args=parts)
