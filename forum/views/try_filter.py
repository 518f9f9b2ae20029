"""Trying the filter on a text: what it finds, what that adds up to, and why."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.pages import page
from forum import presenters
from forum.forms.profanity import TryForm
from forum.permissions import Permission
from forum.queries import filter as queries


@requires(Permission.FILTER)
@require_http_methods(["GET", "HEAD", "POST"])
def attempt(request: Request) -> HttpResponse:
    """By POST: a text that people try out does not belong into an address."""
    form = TryForm(request.POST if request.method == "POST" else None)
    context: dict[str, object] = {"try_form": form}
    text = form.cleaned_data["text"] if form.is_valid() else ""
    if text.strip():
        at = queries.filter_standing(request.person.email)
        context["trial"] = presenters.tried(queries.filter_of(at.wanted_body), text)
        if at.changes:
            context["saved"] = presenters.tried(queries.filter_of(at.body), text)
    status = 422 if form.errors else 200
    return page(request, "forum/profanity/try.html", context, partial="result", quiet=True, status=status)
