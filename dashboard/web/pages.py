"""The one way to answer: a whole page, or the fragment of it that htmx asked for."""

from __future__ import annotations

from typing import Any, TypeVar
from urllib.parse import urlsplit

from django import forms
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, reverse
from django.utils.cache import patch_vary_headers
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme

from dashboard.core.errors import Refused
from dashboard.web.forms import Form

FormT = TypeVar("FormT", bound=Form)


# What a form replaces with its answer: everything between the sidebar and the footer.
MAIN = "main"


def by_htmx(request: Any) -> bool:
    """Whether a script waits for the answer, with the page and what was typed still there."""
    return bool(getattr(request, "htmx", None)) and not request.htmx.history_restore_request


def wants_fragment(request: Any) -> bool:
    """Whether only a part of the page is to be answered; a form takes `main` out of the whole one."""
    return by_htmx(request) and not request.htmx.boosted and request.htmx.target != MAIN


def saw_it_all(request: Any, mark: str) -> bool:
    """Whether a page that looks again by itself would show nothing new: `mark` stands for all that it shows."""
    return wants_fragment(request) and request.headers.get("X-Seen") == mark and not len(get_messages(request))


def toasts_beside(request: HttpRequest) -> str:
    """What there is to say, as an addition to whatever fragment is answered."""
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
    """Render a page; for htmx only its partial, with what there is to say beside it.

    `quiet` is for what is asked while one types: sent beside a form, it would take the toast of the page that follows.
    """
    html: str
    if partial and wants_fragment(request):
        said = "" if quiet else toasts_beside(request)
        html = render_to_string(f"{template}#{partial}", context, request) + said
    else:
        html = render_to_string(template, context, request)
    response = HttpResponse(html, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def see_other(request: Any, url: str, *, whole: bool = False) -> HttpResponse:
    """On to the next page after a POST; `whole` where the shell around it changes too."""
    if by_htmx(request) and (whole or not request.htmx.boosted):
        return HttpResponse(status=204, headers={"HX-Redirect": iri_to_uri(url)})
    response = redirect(url)
    response.status_code = 303
    return response


def safe_next(request: HttpRequest, fallback: str) -> str:
    """Where `next` says, if that is on this site."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    here = {request.get_host()}
    good = url_has_allowed_host_and_scheme(wanted, allowed_hosts=here, require_https=request.is_secure())
    return wanted if good and wanted.startswith("/") else fallback


def came_from(request: Any) -> str:
    """The page a form was on, by its path: whatever else the header says stays out of the link."""
    try:
        address = urlsplit(request.headers.get("HX-Current-URL") or request.headers.get("Referer") or "")
    except ValueError:
        return reverse("home")
    path = address.path
    if address.netloc != request.get_host() or not path.startswith("/") or path.startswith("//"):
        return reverse("home")
    return path + (f"?{address.query}" if address.query else "")


def bind(request: Any, form_class: type[FormT], **options: Any) -> FormT:
    """The form as it was sent, remembered on the request: a conflict page shows it beside what stands now."""
    form = form_class(request.POST, **options)
    request.form = form
    return form


def add_refusal(form: forms.Form, refusal: Refused) -> None:
    """Put a rule's refusal beside the field it belongs to."""
    form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal.text))


def url_or_empty(route: str, *parts: str) -> str:
    """The address of a page, or an empty text where an id of an outside writer cannot be part of one.

    Browsers remove dots from a path: an action on a comment `..` would be applied to its post.
    """
    if not {".", ".."}.isdisjoint(parts):
        return ""
    try:
        return reverse(route, args=parts)
    except NoReverseMatch:
        return ""
