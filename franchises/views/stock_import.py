"""Import of a file of stock: upload, preview, then a job. And the undo of a whole job of stores."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.previews import load_own_job_of_kind
from dashboard.platform.jobs.queries import LINES_A_PART
from dashboard.platform.security_log.services import record_export
from dashboard.table.read import gather
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.downloads import csv_file
from dashboard.web.errors import max_body_size
from dashboard.web.lists import Tab, build_listing
from dashboard.web.pages import add_refusal, page, see_other
from dashboard.web.sheets import decode_text
from franchises.forms.stock_import import StockImportForm
from franchises.import_plan import Catalog, ImportLine, LineStatus, plan_lines
from franchises.import_rows import VERDICT_LABELS, ImportRow, error_rows
from franchises.permissions import Permission
from franchises.presenters import display_number
from franchises.queries.branches import branches_of
from franchises.queries.franchises import find_franchise
from franchises.queries.whole_catalog import all_products
from franchises.services import bulk_undo
from franchises.services import stock_import as services
from franchises.stock_file import MAX_BYTES, MAX_LINES, parse_lines

# For a file up to this size the field shows the error; a larger request is refused.
MAX_BODY = 3 * MAX_BYTES
TEMPLATE = "franchises/stock_import.html"


@requires(Permission.STORES)
@require_http_methods(["GET", "HEAD", "POST"])
@max_body_size(MAX_BODY)
@expensive(method="POST")
def upload(request: Request, business: str) -> HttpResponse:
    if request.method != "POST":
        return page(request, TEMPLATE, {"form": StockImportForm(), "tab": "products"})
    form = StockImportForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            job = _prepare(request, business, form)
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return page(request, TEMPLATE, {"form": form, "tab": "products"}, status=422)
    return see_other(request, reverse("stores_import_preview", args=[business, job.id]))


def _prepare(request: Request, business: str, form: StockImportForm) -> Job:
    """Create a waiting job with the checked lines; nothing is changed yet."""
    file = form.cleaned_data["file"]
    content = file.read(MAX_BYTES + 1) if file else form.cleaned_data["text"].encode()
    lines = parse_lines(decode_text(content, MAX_BYTES), request.business.currency or None)
    franchise, branches, products = gather(
        partial(find_franchise, business), partial(branches_of, business), partial(all_products, business)
    )
    catalog = Catalog(branches, products, bool(franchise and franchise.allows_negative_stock))
    # Another file sent from the same form is another command.
    command = command_of(request).part(hashlib.sha256(content).hexdigest())
    return services.prepare(business, plan_lines(lines, catalog), file.name if file else "", command=command)


@requires(Permission.STORES)
@require_safe
def preview(request: Request, business: str, job_id: str) -> HttpResponse:
    """The lines of one verdict. The address names the position of the first, so that one round trip reads the page."""
    at = _position(request)
    job, first, second = gather(
        partial(load_own_job_of_kind, request, job_id, services.IMPORT, business),
        partial(job_queries.lines_of_part, job_id, at // LINES_A_PART),
        partial(job_queries.lines_of_part, job_id, at // LINES_A_PART + 1),
    )
    if job.state != JobState.WAITING:
        return see_other(request, job.url())
    counts: dict[str, Any] = (job.about or {}).get("counts", {})
    ranges = _ranges(counts)
    current = next((verdict for verdict, (start, end) in ranges.items() if start <= at < end), LineStatus.ERROR)
    end = ranges[current][1] if current in ranges else 0
    offset = at % LINES_A_PART
    lines: list[ImportLine] = (first + second)[offset : offset + min(LINES_A_PART, max(0, end - at))]
    following = at + len(lines) if lines and at + len(lines) < end else None
    listing = build_listing(request, [ImportRow(line, request.business.currency or "") for line in lines], None)
    url = reverse("stores_import_preview", args=[business, job.id])
    context = {
        "job": job,
        "total": display_number(job.total),
        "listing": listing,
        "errors": int(counts.get(LineStatus.ERROR, 0)),
        "unchanged": int(counts.get(LineStatus.UNCHANGED, 0)),
        "preview_tabs": _tabs(url, ranges, current),
        "following_url": f"{url}?{urlencode({'at': following})}" if following else "",
        "tab": "products",
    }
    return page(request, "franchises/stock_import_preview.html", context)


def _position(request: Request, name: str = "at") -> int:
    text = request.GET.get(name, "")[:6]
    return min(int(text), MAX_LINES) if text.isdecimal() and text.isascii() else 0


def _ranges(counts: dict[str, Any]) -> dict[LineStatus, tuple[int, int]]:
    """The positions of the lines of each verdict. Lines are stored in the order of the verdicts."""
    found, start = {}, 0
    for verdict in LineStatus:
        end = start + int(counts.get(verdict, 0))
        if end > start:
            found[verdict] = (start, end)
        start = end
    return found


def _tabs(url: str, ranges: dict[LineStatus, tuple[int, int]], current: LineStatus) -> list[Tab]:
    return [
        Tab(str(VERDICT_LABELS[verdict]), f"{url}?{urlencode({'at': start})}", verdict is current, f"{end - start:,}")
        for verdict, (start, end) in ranges.items()
    ]


@requires(Permission.STORES)
@require_safe
@expensive()
def errors(request: Request, business: str, job_id: str) -> HttpResponse:
    """Download all errors, each with its line and column."""
    record_export(request, "stock-errors", business=business)
    # The address has the number of lines to read: errors come first.
    _job, lines = gather(
        partial(load_own_job_of_kind, request, job_id, services.IMPORT, business),
        partial(job_queries.all_lines, job_id, _position(request, "lines") or MAX_LINES),
    )
    return csv_file("stock-errors", (_("line"), _("field"), _("problem"), _("branch"), _("product")), error_rows(lines))


@requires(Permission.STORES)
@require_POST
def confirm(request: Request, business: str, job_id: str) -> HttpResponse:
    job = load_own_job_of_kind(request, job_id, services.IMPORT, business)
    if not job.total:
        raise Refused(_("This file changes nothing."))
    job_services.confirm(job)
    return see_other(request, job.url())


@requires(Permission.STOCK)
@require_POST
def undo_job(request: Request, business: str, job_id: str) -> HttpResponse:
    """Undo a whole count, transfer or import."""
    job = job_queries.load_own_job(job_id, request.person.email, business)
    return see_other(request, bulk_undo.begin_undo(job, command=command_of(request)).url())
