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
Load = Callable[[Any], tuple[Page[Any], dict[str, Any]]]


@dataclass(frozen=True)
class Listing:
    """The context variable `listing` of a page that uses the list component."""

    rows: Sequence[Any]
    shown: int
    total: str
    next: str | None
    first: str | None
    filtered: bool
    clear: str


@dataclass(frozen=True)
class Tab:
    label: str
    url: str
    current: bool
    count: str = ""


def _url(request: HttpRequest, query: QueryDict) -> str:
    return f"{request.path}?{query.urlencode()}" if query else request.path


def listing(
    request: HttpRequest,
    rows: Sequence[Any],
    cursor: str | None,
    *,
    filters: Iterable[str] = (),
    total: str = "",
) -> Listing:
    """The listing of one page. `cursor` leads to the next one, `filters` are URL parameters that narrow the list."""
    query = request.GET.copy()
    is_first = "cursor" not in query
    before = query.get("shown", "")[:6]
    query.pop("cursor", None)
    query.pop("shown", None)
    filtered = any(query.get(name) for name in filters)
    first = _url(request, query)
    # A fragment is appended to the rows on the page, so their number is added.
    appended = getattr(request, "htmx", None) and before.isdecimal() and not is_first
    shown = len(rows) + (int(before) if appended else 0)
    url = None
    if cursor:
        query["cursor"], query["shown"] = cursor, str(shown)
        url = _url(request, query)
    for name in (*filters, "cursor", "shown"):
        query.pop(name, None)
    return Listing(rows, shown, total, url, None if is_first else first, filtered, _url(request, query))


def list_page(
    request: Any,
    template: str,
    load: Load,
    *,
    scope: tuple[str, ...],
    filters: Iterable[str] = (),
    total: str = "",
    partial: str | None = "list",
    status: int = 200,
) -> HttpResponse:
    """Render a page of a list; for htmx its partial `list`, or `rows` where a cursor leads on.

    `scope` names the list: a cursor works only for the same person and the same scope. `filters` are the URL
    parameters that narrow the list. Rows that differ from the items are set with `page.with_rows(rows)`.
    """
    scope = (request.person.email, *scope)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    found, context = load(start)
    following = cursors.encode(found.next, *scope) if found.next else None
    context = context | {"listing": listing(request, found.items, following, filters=filters, total=total)}
    return page(request, template, context, partial="rows" if start else partial, status=status)


def tabs(request: HttpRequest, name: str, choices: Iterable[tuple[str, str | Promise]]) -> list[Tab]:
    """Tabs over one parameter of the URL, keeping the others; the first choice is the default."""
    made: list[Tab] = []
    for value, label in choices:
        query = request.GET.copy()
        for gone in (name, "cursor", "shown"):
            query.pop(gone, None)
        if made:
            query[name] = value
        chosen = request.GET.get(name, "")
        made.append(Tab(str(label), _url(request, query), chosen == value or (not made and not chosen)))
    return made
