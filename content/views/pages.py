"""The list of pages of a site."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from content.permissions import Permission
from content.presenters import PageRow
from content.queries import pages as queries
from content.statuses import PAGE_STATUS_LABELS, PAGE_TYPE_LABELS, PageStatus
from content.views.shared import query_param
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page
from dashboard.web.lists import build_tabs, list_page

TAB = "pages"
_STATUSES = (("", pgettext_lazy("pages", "All")), *((str(key), label) for key, label in PAGE_STATUS_LABELS.items()))


@requires(Permission.SITE)
@require_safe
def site(request: Request, business: str) -> HttpResponse:
    """The pages of a site, from their cards."""
    status, page_type = query_param(request, "status"), query_param(request, "type")
    q = query_param(request)
    status = status if status in set(PageStatus) else ""

    def load(start_key: Any) -> tuple[Page[PageRow], dict[str, Any]]:
        found = queries.pages(business, start_key, status=status, text=q, page_type=page_type)
        context = {
            "q": q,
            "status": status,
            "type": page_type,
            "types": PAGE_TYPE_LABELS.items(),
            "tabs": build_tabs(request, "status", _STATUSES),
            "searched": getattr(found, "last_key_read", None),
            "tab": TAB,
        }
        return found.with_rows([PageRow(business, card) for card in found.items]), context

    scope = (TAB, business, status, q, page_type)
    return list_page(request, "content/pages.html", load, cursor_scope=scope, filters=("q", "type"))
