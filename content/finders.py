"""Pages in the search, inside the business in which a person searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from content.permissions import Permission
from content.presenters import PageRow
from content.queries.pages import pages
from dashboard.core.names import folded
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.businesses.queries import find_member
from dashboard.shell.finders import MAX_RESULTS, Finder, SearchResult, may_find, register_finder, searched_business


def page_reads(request: Request, query: str) -> Sequence[Callable[[], Any]]:
    """The membership, and pages with every word in the title or the address, among those that were changed last."""
    business = searched_business(request)
    if not business or not folded(query):
        return []
    return [
        partial(find_member, business, request.person.email),
        # One request, so that the search takes one round trip however many pages there are.
        partial(pages, business, text=query, limit=MAX_RESULTS, max_requests=1),
    ]


def page_results(request: Request, answers: Sequence[Any]) -> list[SearchResult]:
    member, found = answers
    if not may_find(request, member, Permission.SITE):
        return []
    business = searched_business(request)
    rows = [PageRow(business, card) for card in found.items]
    results = [
        SearchResult(row.title, " · ".join(filter(None, (row.slug, str(row.status)))), row.url, "globe")
        for row in rows
        if row.url
    ]
    if found.next_start_key is None:
        return results
    # There are pages that were not searched: the list goes further back, and says how far.
    query = request.GET.get("q", "").strip()[:100]
    url = f"{reverse('site', args=[business])}?{urlencode({'q': query})}"
    return [*results[: MAX_RESULTS - 1], SearchResult(_("Search in all pages of the site"), query, url, "search")]


# Apart from "Pages", which are those of this product.
register_finder(Finder(pgettext_lazy("search", "Pages of the site"), Permission.SITE, page_reads, page_results))
