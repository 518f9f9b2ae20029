"""The moderation log: to read, to take along, and with the way back from each entry."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import queries as configs
from dashboard.table import cursors, read
from dashboard.web.downloads import last_line_of_a_broken_file
from dashboard.web.lists import listing, tabs
from dashboard.web.pages import page, see_other
from dashboard.web.ranges import file_name, with_filters
from dashboard.web.streams import streamed
from forum import export
from forum.configs.reasons import REASONS
from forum.forms.log import LogForm
from forum.items import ModerationEntry
from forum.log_presenters import logged
from forum.permissions import Permission
from forum.queries import log as queries
from forum.queries.days import LogPage
from forum.reasons import Choices

FILTERS = ("moderator", "action", "author", "target", "operation", "since", "until")


@requires(Permission.MODERATE)
@require_safe
def log(request: Request) -> HttpResponse:
    form = LogForm(request.GET)
    found: read.Page[ModerationEntry] = LogPage([])
    start = cursor = None
    reasons = Choices({})
    if form.is_valid():
        scope = (request.person.email, "forum_log", *form.wanted.scope)
        start = cursors.decode(request.GET.get("cursor", ""), *scope)
        presets = read.in_background(lambda: configs.current(REASONS))
        found = queries.log(form.wanted, start)
        cursor = cursors.encode(found.next, *scope) if found.next else None
        reasons = Choices.of(presets.result())
    context = {
        "form": form,
        "listing": listing(request, logged(request, found.items, reasons), cursor, filters=FILTERS),
        "reached": found.reached if isinstance(found, LogPage) else None,
        "tabs": tabs(request, "moderator", [("", _("Everyone")), (queries.FILTER, _("The filter"))]),
        "export": with_filters(request, reverse("forum_log_export"), FILTERS),
        "here": with_filters(request, request.path, FILTERS),
    }
    return page(request, "forum/log.html", context, partial="rows" if start else "list")


@requires(Permission.MODERATE)
@require_safe
def export_csv(request: Request) -> HttpResponseBase:
    form = LogForm(request.GET)
    if not form.is_valid():
        # The page says what is wrong, beside the field.
        return see_other(request, f"{reverse('forum_log')}?{request.GET.urlencode()}")
    return streamed(
        request,
        export.lines(form.wanted),
        name=file_name("moderation-log", form.cleaned_data),
        content_type="text/csv; charset=utf-8",
        broken=last_line_of_a_broken_file(),
    )
