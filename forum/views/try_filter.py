"""Trying the filter on a text."""

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
def try_filter(request: Request) -> HttpResponse:
    """The matches, the score and its explanation. By POST, so that the text is not in a URL."""
    form = TryForm(request.POST if request.method == "POST" else None)
    context: dict[str, object] = {"try_form": form}
    text = form.cleaned_data["text"] if form.is_valid() else ""
    if text.strip():
        state = queries.load_filter_state(request.person.email)
        context["trial"] = presenters.try_text(queries.compile_filter(state.edited_body), text)
        if state.changes:
            context["saved"] = presenters.try_text(queries.compile_filter(state.body), text)
    status = 422 if form.errors else 200
    return page(request, "forum/profanity/try.html", context, partial="result", quiet=True, status=status)
