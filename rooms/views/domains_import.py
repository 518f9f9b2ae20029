"""Import of domains with a preview, and export."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.security_log.services import record_export
from dashboard.web.capacity import expensive
from dashboard.web.downloads import csv_file
from dashboard.web.errors import max_body_size
from dashboard.web.pages import add_refusal, page
from dashboard.web.sheets import MAX_BYTES, decode_text
from rooms import domains_import
from rooms.configs.domains import added, removed
from rooms.domains_import import ImportPlan, ParsedDomains
from rooms.forms.domains import DomainsImportForm
from rooms.permissions import Permission
from rooms.queries import domains as queries
from rooms.queries.domains import AllowedDomains
from rooms.views.domains import added_text
from rooms.views.domains_save import save

# Up to this size, a file that is too large gets an error at its field.
MAX_BODY = 8 * MAX_BYTES
# Domains and lines that the preview shows.
NAMED = 50
TEMPLATE = "rooms/domains_import.html"


@requires(Permission.DOMAINS)
@require_http_methods(["GET", "HEAD", "POST"])
@max_body_size(MAX_BODY)
@expensive(method="POST")
def upload(request: Request) -> HttpResponse:
    """Show a preview of the sent domains; save the previewed ones."""
    if request.method != "POST":
        form = DomainsImportForm(initial={"replace": "replace" in request.GET})
        return page(request, TEMPLATE, {"form": form})
    form = DomainsImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return page(request, TEMPLATE, {"form": form}, status=422)
    try:
        parsed = _parse(form)
    except Refused as refusal:
        add_refusal(form, refusal)
        return page(request, TEMPLATE, {"form": form}, status=422)
    allowed = queries.load_allowed_domains()
    parsed_before = domains_import.parse_names(form.cleaned_data["kept"])
    names, replace = parsed_before | parsed.names, form.cleaned_data["replace"]
    plan = ImportPlan.of(allowed, names, replace=replace)
    if "save" not in request.POST or parsed.names.keys() - parsed_before.keys() or plan.is_empty:
        return _preview(request, form, allowed, plan, names, parsed)
    if replace and form.cleaned_data["revision"] != allowed.revision:
        # The person has not seen everything that would be removed.
        form.add_error(None, _("The list has changed. Check again what is removed."))
        return _preview(request, form, allowed, plan, names, parsed, 409)
    try:
        return save(request, added(plan.new) | removed(plan.removed), _saved_text(plan), reverse("domains"))
    except Conflict:
        form.add_error(None, _("Someone else is saving right now. Try again."))
        return _preview(request, form, allowed, plan, names, parsed, 409)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _preview(request, form, allowed, plan, names, parsed, 422)


def _parse(form: DomainsImportForm) -> ParsedDomains:
    file = form.cleaned_data["file"]
    return domains_import.parse_text(
        decode_text(file.read(MAX_BYTES + 1) if file else form.cleaned_data["text"].encode())
    )


def _saved_text(plan: ImportPlan) -> str:
    sentences = [added_text(plan.new)] if plan.new else []
    if count := len(plan.removed):
        text = ngettext("%(count)s domain removed.", "%(count)s domains removed.", count)
        sentences.append(text % {"count": f"{count:,}"})
    return " ".join(sentences)


def _preview(
    request: Request,
    form: DomainsImportForm,
    allowed: AllowedDomains,
    plan: ImportPlan,
    names: dict[str, str],
    parsed: ParsedDomains,
    status: int = 200,
) -> HttpResponse:
    """The preview. Lines that cannot be read stay in the text field; the parsed domains are in a hidden field."""
    data = request.POST.copy()
    data["text"], data["kept"] = domains_import.problem_lines(parsed.problems), " ".join(names.values())
    data["revision"] = str(allowed.revision)
    form.data = data
    if parsed.problems:
        count = len(parsed.problems)
        text = ngettext("%(count)s line cannot be read.", "%(count)s lines cannot be read.", count)
        form.add_error("text", text % {"count": f"{count:,}"})
    elif not names:
        form.add_error("text", _("No domain found."))
    context: dict[str, Any] = {
        "form": form,
        "plan": plan if names else None,
        "new": plan.new[:NAMED],
        "new_more": max(0, len(plan.new) - NAMED),
        "removed": plan.removed[:NAMED],
        "removed_more": max(0, len(plan.removed) - NAMED),
        "problems": parsed.problems[:NAMED],
        "problems_more": max(0, len(parsed.problems) - NAMED),
    }
    return page(request, TEMPLATE, context, status=422 if form.errors and status == 200 else status)


@requires(Permission.DOMAINS)
@require_safe
@expensive()
def export(request: Request) -> HttpResponse:
    """The saved list: as CSV with the number of people, or as text with one domain per line."""
    record_export(request, "domains")
    allowed, file_type = queries.load_allowed_domains(), request.GET.get("as", "csv")
    if file_type == "csv":
        totals = allowed.totals
        rows = [(name, totals.people_of(name) if totals else None) for name in allowed.names]
        return csv_file("domains", ["domain", "people"], rows)
    if file_type != "txt":
        raise NotFound
    response = HttpResponse("".join(f"{name}\n" for name in allowed.names), content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="domains.txt"'
    response.headers["Cache-Control"] = "no-store, private"
    return response
