"""List pages: one call renders a page of a list, or the rows that follow it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.functional import Promise

from dashboard.table import cursors
from dashboard.table.read import Page
from dashboard.web.pages import page

# Reads the page that starts at a position, and returns it with the rest of the template's context.
LoadPage = Callable[[Any], tuple[Page[Any], dict[str, Any]]]


@dataclass(frozen=True)
class Listing:
    """The context variable `listing` of a page that uses the list component."""

    rows: Sequence[Any]
    shown: int
    total: str
    next_url: str | None
    first_url: str | None
    is_filtered: bool
    clear_url: str
    # Whether all rows of the list are on the page.
    is_complete: bool


@dataclass(frozen=True)
class Tab:
    label: str
    url: str
    is_current: bool
    count: str = ""


def _url(request: HttpRequest, query: QueryDict) -> str:
    return f"{request.path}?{query.urlencode()}" if query else request.path


def build_listing(
    request: HttpRequest,
    rows: Sequence[Any],
    cursor: str | None,
    *,
    filters: Iterable[str] = (),
    total: str = "",
) -> Listing:
    """Build the listing of one page. `cursor` is the position of the next page.

    `filters` are the URL parameters that narrow the list.
    """
    query = request.GET.copy()
    is_first = "cursor" not in query
    shown_before = query.get("shown", "")[:6]
    query.pop("cursor", None)
    query.pop("shown", None)
    is_filtered = any(query.get(name) for name in filters)
    first_url = _url(request, query)
    # A fragment is appended to the rows on the page, so their number is added.
    is_appended = bool(getattr(request, "htmx", None)) and shown_before.isdecimal() and not is_first
    shown = len(rows) + (int(shown_before) if is_appended else 0)
    next_url = None
    if cursor:
        query["cursor"], query["shown"] = cursor, str(shown)
        next_url = _url(request, query)
    for name in (*filters, "cursor", "shown"):
        query.pop(name, None)
    clear_url = _url(request, query)
    is_complete = not cursor and (is_first or is_appended)
    return Listing(rows, shown, total, next_url, None if is_first else first_url, is_filtered, clear_url, is_complete)


def list_page(
    request: Any,
    template: str,
    load: LoadPage,
    *,
    cursor_scope: tuple[str, ...],
    filters: Iterable[str] = (),
    total: str = "",
    partial: str | None = "list",
    status: int = 200,
) -> HttpResponse:
    """Render a page of a list; for htmx its partial `list`, or `rows` if the request has a cursor.

    `cursor_scope` names the list: a cursor works only for the same person and the same list. `filters` are the URL
    parameters that narrow the list. Rows that differ from the items are set with `page.with_rows(rows)`.
    """
    scope = (request.person.email, *cursor_scope)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    found, context = load(start)
    next_cursor = cursors.encode(found.next_start_key, *scope) if found.next_start_key else None
    context = context | {"listing": build_listing(request, found.items, next_cursor, filters=filters, total=total)}
    return page(request, template, context, partial="rows" if start else partial, status=status)


def empty_list_page(
    request: HttpRequest, template: str, context: dict[str, Any], *, filters: Iterable[str], status: int = 200
) -> HttpResponse:
    """Render a list page without rows: its filters are invalid, and their form shows why."""
    listing = build_listing(request, [], None, filters=filters)
    return page(request, template, context | {"listing": listing}, partial="list", status=status)


def build_tabs(request: HttpRequest, name: str, choices: Iterable[tuple[str, str | Promise]]) -> list[Tab]:
    """Build tabs that set one URL parameter and keep the others. The first choice is the default."""
    tabs: list[Tab] = []
    for value, label in choices:
        query = request.GET.copy()
        for removed in (name, "cursor", "shown"):
            query.pop(removed, None)
        if tabs:
            query[name] = value
        chosen = request.GET.get(name, "")
        tabs.append(Tab(str(label), _url(request, query), chosen == value or (not tabs and not chosen)))
    return tabs
