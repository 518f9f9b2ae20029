"""Saving the domains, from whichever page: at once, with a way back, and asked again where it does much."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.configs.changes import Changes
from dashboard.platform.configs.services import config_writes
from dashboard.platform.configs.services.config_writes import ConfirmationRequired
from dashboard.platform.configs.views import toast_saved
from dashboard.web.commands import FIELD, command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import bind, page, see_other
from rooms.configs.domains import DOMAINS

# What the form that asks again has of its own.
_NOT_GIVEN = {FIELD, "csrfmiddlewaretoken", "confirm"}


def save(request: Request, changes: Changes, said: str, back: str) -> HttpResponse:
    """Make the changes on top of what stands; whoever saved something else meanwhile keeps it."""
    try:
        config = config_writes.save(
            DOMAINS,
            changes,
            revision=bind(request, RevisionForm).number,
            confirmed=request.POST.getlist("confirm"),
            command=command_of(request),
        )
    except ConfirmationRequired as error:
        return _ask(request, error)
    toast_saved(request, DOMAINS, config, said)
    return see_other(request, back)


def _ask(request: Request, error: ConfirmationRequired) -> HttpResponse:
    """The same form once more, with what it would do and a box to say that it is meant."""
    given = [(name, value) for name, values in request.POST.lists() if name not in _NOT_GIVEN for value in values]
    context = {
        "confirmations": error.confirmations,
        "confirmed": request.POST.getlist("confirm"),
        "given": given,
        "here": request.get_full_path(),
        "home": reverse("domains"),
    }
    return page(request, "rooms/domains_held.html", context, status=422)
