"""The moderation log: the page, and the export as CSV."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import queries as configs
from dashboard.platform.security_log.services import record_export
from dashboard.table import read
from dashboard.web.capacity import expensive
from dashboard.web.downloads import incomplete_file_line
from dashboard.web.lists import build_tabs, empty_list_page, list_page
from dashboard.web.pages import see_other
from dashboard.web.ranges import file_name, with_filters
from dashboard.web.streams import streamed
from forum import export
from forum.configs.reasons import REASONS
from forum.forms.log import LogForm
from forum.items import ModerationEntry
from forum.log_presenters import log_rows
from forum.permissions import Permission
from forum.queries import log as queries
from forum.queries.days import LogPage
from forum.reasons import ReasonChoices
from forum.statistics.counted_entries import log_entries

FILTERS = ("moderator", "action", "author", "target", "operation", "counted", "since", "until", "zone")


@requires(Permission.MODERATE)
@require_safe
def log(request: Request) -> HttpResponse:
    form = LogForm(request.GET)
    if not form.is_valid():
        return empty_list_page(request, "forum/log.html", _context(request, form), filters=FILTERS)

    def load(start_key: Any) -> tuple[read.Page[Any], dict[str, Any]]:
        found, reasons = _load(form, start_key)
        reached = found.reached if isinstance(found, LogPage) else None
        context = _context(request, form) | {"reached": reached}
        return found.with_rows(log_rows(request, found.items, reasons)), context

    return list_page(
        request, "forum/log.html", load, cursor_scope=("forum_log", *form.log_filter.scope), filters=FILTERS
    )


def _context(request: Request, form: LogForm) -> dict[str, Any]:
    return {
        "form": form,
        "tabs": build_tabs(request, "moderator", [("", _("Everyone")), (queries.FILTER, _("The filter"))]),
        "export": with_filters(request, reverse("forum_log_export"), FILTERS),
        "here": with_filters(request, request.path, FILTERS),
    }


def _load(form: LogForm, start_key: Any) -> tuple[read.Page[ModerationEntry], ReasonChoices]:
    presets = read.in_background(lambda: configs.current(REASONS))
    found = log_entries(form.log_filter, start_key)
    return found, ReasonChoices.of(presets.result())


@requires(Permission.MODERATE)
@require_safe
@expensive()
def export_csv(request: Request) -> HttpResponseBase:
    form = LogForm(request.GET)
    if not form.is_valid():
        # The page shows the error beside the field.
        return see_other(request, f"{reverse('forum_log')}?{request.GET.urlencode()}")
    record_export(request, "moderation-log")
    return streamed(
        request,
        export.lines(form.log_filter),
        name=file_name("moderation-log", form.cleaned_data),
        content_type="text/csv; charset=utf-8",
        broken=incomplete_file_line(),
    )
