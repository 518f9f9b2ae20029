"""The pages of the table: its health, and the viewer of its items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.table_health import queries, services
from dashboard.platform.table_health.checks import find_all
from dashboard.platform.table_health.forms import ItemKeyForm
from dashboard.platform.table_health.history import changes_of, log_url_of
from dashboard.platform.table_health.item_presenters import item_link, item_view
from dashboard.platform.table_health.permissions import Permission
from dashboard.platform.table_health.presenters import finding_rows, index_rows, kind_rows, setting_rows
from dashboard.table.commands import new_command
from dashboard.table.keypattern import Key
from dashboard.table.masking import masked_key
from dashboard.table.read import gather_all
from dashboard.web.pages import page


@requires(Permission.TABLE)
@require_safe
def table(request: Request) -> HttpResponse:
    state = queries.load_state()
    findings = find_all(state)
    context = {
        "state": state,
        "findings": finding_rows(findings),
        "to_do": sum(finding.is_to_do for finding in findings),
        "settings": setting_rows(state),
        "indexes": index_rows(state),
        "kinds": kind_rows(state),
        "report": state.report,
    }
    return page(request, "table_health/table.html", context)


@requires(Permission.TABLE)
@require_safe
def item(request: Request) -> HttpResponse:
    """The item at a key. Every view is recorded, also of a key without an item."""
    if not {"pk", "sk"} & request.GET.keys():
        return page(request, "table_health/item.html", {"form": ItemKeyForm(), "key": None, "item": None})
    form = ItemKeyForm(request.GET)
    if not form.is_valid():
        return page(request, "table_health/item.html", {"form": form, "key": None, "item": None}, status=422)
    key = form.key
    raw, before, after, changes = _load_and_record(request, key)
    context = {
        "form": form,
        "key": key,
        "title": services.item_title(key),
        "key_text": masked_key(key.sk),
        "item": item_view(raw) if raw else None,
        "before": [item_link(each) for each in reversed(before)],
        "after": [item_link(each) for each in after],
        "changes": history_lines(changes),
        "log_url": log_url_of(key),
    }
    return page(request, "table_health/item.html", context, status=200 if raw else 404)


def _load_and_record(request: Request, key: Key) -> list[Any]:
    """Read the item and record the view in one round trip. If the view cannot be recorded, nothing is shown."""
    command = new_command(request.actor)
    reads: list[Callable[[], Any]] = [
        lambda: queries.load_raw(key),
        lambda: queries.keys_before(key),
        lambda: queries.keys_after(key),
        lambda: changes_of(key),
        lambda: services.record_view(key, command=command),
    ]
    return gather_all(reads)[:4]
