"""The page of the security log."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.security_log import queries
from dashboard.platform.security_log.forms import EventsForm
from dashboard.platform.security_log.permissions import Permission
from dashboard.platform.security_log.presenters import event_rows
from dashboard.platform.security_log.queries import EventPage
from dashboard.table.read import Page
from dashboard.web.lists import empty_list_page, list_page

FILTERS = ("person", "kind", "since", "until")


@requires(Permission.SECURITY_LOG)
@require_safe
def events(request: Request) -> HttpResponse:
    form = EventsForm(request.GET)
    if not form.is_valid():
        context = {"form": form, "reached": None}
        return empty_list_page(request, "security_log/events.html", context, filters=FILTERS)

    def load(start_key: Any) -> tuple[Page[Any], dict[str, Any]]:
        found = queries.events(form.filters, start_key)
        reached = found.reached if isinstance(found, EventPage) else None
        return found.with_rows(event_rows(found.items)), {"form": form, "reached": reached}

    cursor_scope = ("security_log", *form.filters.cursor_scope)
    return list_page(request, "security_log/events.html", load, cursor_scope=cursor_scope, filters=FILTERS)
