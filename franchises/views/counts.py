"""Count sheets: the list, starting one, counting its lines, and applying or discarding it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import Conflict, Refused
from dashboard.core.names import folded
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table import cursors
from dashboard.table.read import Page, gather
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.lists import Tab, build_listing, list_page
from dashboard.web.pages import add_refusal, bind, page, see_other, wants_fragment
from dashboard.web.toasts import toast, toast_error
from franchises.count_rows import PAGE, TAB_LABELS, CountRow, CountSummary, CountTab, find_code, lines_of_tab
from franchises.forms.counts import CountLineForm, StartCountForm
from franchises.items import CountLine, StockItem
from franchises.permissions import Permission
from franchises.queries import counts as queries
from franchises.queries.branches import branches_of, load_branch
from franchises.queries.whole_catalog import products_of_branch
from franchises.services import counts as services
from franchises.views.shared import query_param, required_revision

TAB = "counts"


@requires(Permission.STOCK)
@require_http_methods(["GET", "HEAD", "POST"])
@expensive(method="POST")
def counts(request: Request, business: str) -> HttpResponse:
    """The counts of a business, and the form that starts one."""
    if request.method == "POST":
        return _start(request, business)

    def load(start_key: Any) -> tuple[Page[Any], dict[str, Any]]:
        branches, found = gather(partial(branches_of, business), partial(queries.sheets, business, start_key, PAGE))
        is_open = [branch for branch in branches if not branch.is_closed]
        form = StartCountForm(branches=is_open, initial={"branch": query_param(request, "branch", 250)})
        return found, {"form": form, "branches": is_open, "tab": TAB}

    return list_page(request, "franchises/counts.html", load, cursor_scope=(TAB, business))


def _start(request: Request, business: str) -> HttpResponse:
    branches = [branch for branch in branches_of(business) if not branch.is_closed]
    form = bind(request, StartCountForm, branches=branches)
    if form.is_valid():
        try:
            branch = load_branch(business, form.cleaned_data["branch"])
            products = _chosen(products_of_branch(business, branch.id), form.texts)
            sheet = services.start(business, branch, products, command=command_of(request))
            return see_other(request, reverse("count", args=[business, sheet.id]))
        except Refused as refusal:
            add_refusal(form, refusal)
    context = {"form": form, "branches": branches, "tab": TAB, "listing": build_listing(request, [], None)}
    return page(request, "franchises/counts.html", context, status=422)


def _chosen(products: list[StockItem], texts: list[str]) -> list[StockItem]:
    """The products that match one of the lines. A line without a match is an error."""
    if not texts:
        return products
    found: dict[str, StockItem] = {}
    missing = []
    for text in texts:
        exact = [each for each in products if text == each.id or folded(text) == folded(each.sku or "")]
        matches = exact or [each for each in products if folded(text) and folded(text) in folded(each.title)]
        found |= {each.id: each for each in matches}
        if not matches:
            missing.append(text[:60])
    if missing:
        names = ", ".join(f"“{each}”" for each in missing[:10])
        raise Refused(_("No product of this branch matches %(names)s.") % {"names": names}, field="products")
    return list(found.values())


@requires(Permission.STOCK)
@require_safe
def count(request: Request, business: str, count: str) -> HttpResponse:
    return _count_page(request, business, count)


def _count_page(
    request: Request, business: str, count: str, *, row: CountRow | None = None, status: int = 200
) -> HttpResponse:
    """One tab of the lines. `row` is a line that was not saved: it is shown first, with what was typed."""
    sheet, lines = gather(partial(queries.load_sheet, business, count), partial(queries.lines_of, business, count))
    code, q = query_param(request, "code"), query_param(request)
    at = query_param(request, "at", 250)
    if code:
        return _to_scanned(request, business, count, lines, code)
    tab = _tab(request, is_open=sheet.is_open)
    found = lines_of_tab(lines, tab, q)
    if at:
        # The line that was scanned comes first, whatever its tab.
        found = [line for line in lines if line.product_id == at] + [line for line in found if line.product_id != at]
    if row is not None:
        found = [line for line in found if line.product_id != row.line.product_id]
    scope = (request.person.email, TAB, business, count, tab, q)
    start: int = cursors.decode(request.GET.get("cursor", ""), *scope) or 0
    following = cursors.encode(start + PAGE, *scope) if start + PAGE < len(found) else None
    currency = request.business.currency or ""
    rows = [CountRow(line, currency) for line in found[start : start + PAGE]]
    listing = build_listing(request, [row, *rows] if row else rows, following, filters=("q",), total=f"{len(found):,}")
    context = {
        "sheet": sheet,
        "summary": CountSummary.of(lines, currency),
        "listing": listing,
        "count_tabs": _tabs(request, business, count, tab, q),
        "current_tab": tab.value,
        "q": q,
        "at": at,
        "tab": TAB,
    }
    partial_name = "rows" if start else "list"
    return page(request, "franchises/count.html", context, partial=partial_name, status=status)


def _tab(request: Request, *, is_open: bool) -> CountTab:
    try:
        return CountTab(request.GET.get("show", ""))
    except ValueError:
        return CountTab.OPEN if is_open else CountTab.DIFFERENCES


def _tabs(request: Request, business: str, count: str, current: CountTab, q: str) -> list[Tab]:
    url = reverse("count", args=[business, count])
    query = {"q": q} if q else {}
    return [
        Tab(str(label), f"{url}?{urlencode(query | {'show': tab.value})}", tab is current) for tab, label in TAB_LABELS
    ]


def _to_scanned(request: Request, business: str, count: str, lines: list[CountLine], code: str) -> HttpResponse:
    """Show the line of a scanned product first."""
    url, found = reverse("count", args=[business, count]), find_code(lines, code)
    if not found:
        toast_error(request, _("No product with the code %(code)s in this count.") % {"code": code})
        return see_other(request, url)
    return see_other(request, f"{url}?{urlencode({'at': found[0].product_id})}")


@requires(Permission.STOCK)
@require_POST
def line(request: Request, business: str, count: str, product: str) -> HttpResponse:
    """Save one line. With JavaScript only the line is replaced."""
    form = bind(request, CountLineForm)
    state = queries.load_line_state(business, count, product)
    currency = request.business.currency or ""
    typed = request.POST.get("counted", "")[:20]
    if not form.is_valid():
        errors = " ".join(str(error) for each in form.errors.values() for error in each)
        return _respond_line(request, business, count, CountRow(state.line, currency, typed, errors), 422)
    try:
        saved = services.count_line(
            business,
            count,
            product,
            counted=form.cleaned_data["counted"],
            revision=form.number,
            command=command_of(request),
        )
    except Conflict:
        current = queries.load_line_state(business, count, product).line
        return _respond_line(request, business, count, CountRow(current, currency, typed, conflict=current), 409)
    except Refused as refusal:
        return _respond_line(request, business, count, CountRow(state.line, currency, typed, str(refusal.text)), 422)
    if not wants_fragment(request):
        return see_other(request, _next_line_url(request, business, count))
    return _respond_line(request, business, count, CountRow(saved, currency), 200)


def _next_line_url(request: Request, business: str, count: str) -> str:
    show, q = request.POST.get("show", "")[:20], request.POST.get("q", "")[:100]
    query = urlencode({name: value for name, value in (("show", show), ("q", q)) if value})
    return f"{reverse('count', args=[business, count])}?{query}"


def _respond_line(request: Request, business: str, count: str, row: CountRow, status: int) -> HttpResponse:
    if not wants_fragment(request):
        return _count_page(request, business, count, row=row, status=status)
    context: dict[str, Any] = {"row": row, "sheet": queries.load_sheet(business, count), "saved": status == 200}
    context["at"] = ""
    context["current_tab"], context["q"] = request.POST.get("show", "")[:20], request.POST.get("q", "")[:100]
    return page(request, "franchises/count.html", context, partial="row", status=status)


@requires(Permission.STOCK)
@require_POST
def apply(request: Request, business: str, count: str) -> HttpResponse:
    job = services.apply(business, count, revision=required_revision(request), command=command_of(request))
    return see_other(request, job.url())


@requires(Permission.STOCK)
@require_POST
def discard(request: Request, business: str, count: str) -> HttpResponse:
    sheet = services.discard(business, count, revision=required_revision(request), command=command_of(request))
    undo = (reverse("count_reopen", args=[business, sheet.id]), {"revision": sheet.revision})
    toast(request, _("The count of %(branch)s was discarded.") % {"branch": sheet.title}, undo=undo, of=sheet)
    return see_other(request, reverse("counts", args=[business]))


@requires(Permission.STOCK)
@require_POST
def reopen(request: Request, business: str, count: str) -> HttpResponse:
    sheet = services.reopen(business, count, revision=required_revision(request), command=command_of(request))
    toast(request, _("The count of %(branch)s is open again.") % {"branch": sheet.title}, of=sheet)
    return see_other(request, reverse("count", args=[business, sheet.id]))
