"""Saving domains, for all pages: with undo, and with a confirmation page where the change needs it."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.configs.changes import Changes
from dashboard.platform.configs.services import config_writes
from dashboard.platform.configs.services.config_writes import ConfirmationRequired
from dashboard.platform.configs.views import toast_saved
from dashboard.web.commands import command_of, sent_fields
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import bind, page, see_other
from rooms.configs.domains import DOMAINS


def save(request: Request, changes: Changes, text: str, back: str) -> HttpResponse:
    """Apply the changes to the current list, which may have changed meanwhile."""
    try:
        config = config_writes.save(
            DOMAINS,
            changes,
            revision=bind(request, RevisionForm).number,
            confirmed=request.POST.getlist("confirm"),
            command=command_of(request),
        )
    except ConfirmationRequired as error:
        return _confirmation_page(request, error)
    toast_saved(request, DOMAINS, config, text)
    return see_other(request, back)


def _confirmation_page(request: Request, error: ConfirmationRequired) -> HttpResponse:
    """The page that shows the effects and sends the same form with a confirmation."""
    context = {
        "confirmations": error.confirmations,
        "confirmed": request.POST.getlist("confirm"),
        "fields": sent_fields(request, "confirm"),
        "current_url": request.get_full_path(),
        "domains_url": reverse("domains"),
    }
    return page(request, "rooms/domains_confirm.html", context, status=422)
