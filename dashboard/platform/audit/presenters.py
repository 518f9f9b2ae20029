"""Audit entries as rows of the trail's pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict
from django.urls import NoReverseMatch, reverse

from dashboard.platform.accounts.middleware import Request, has_permission
from dashboard.platform.audit.diff import FieldChange, changes
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.labels import TARGET_PAGES
from dashboard.platform.audit.sentences import as_text, history_line
from dashboard.platform.table_health.history import key_of_target
from dashboard.platform.table_health.item_presenters import item_url
from dashboard.platform.table_health.permissions import Permission as TablePermission

# Separates the time and the id in the URL of an entry.
SEPARATOR = "_"


@dataclass(frozen=True)
class EntryRow:
    who: str
    initials: str
    email: str
    what: str
    note: str
    when: datetime | None
    action: str
    target: str
    target_id: str
    target_url: str
    operation: str
    request_id: str
    changes: list[FieldChange]
    url: str
    # URLs of the same list with only this person or target.
    by_person: str
    by_target: str
    # URLs of the target and of the entry itself in the viewer of items; empty for people who may not use it.
    target_item_url: str
    item_url: str


def entry_rows(request: Request, business: str, entries: list[AuditEntry]) -> list[EntryRow]:
    base = trail_url(business)
    query = request.GET.copy()
    for name in ("cursor", "shown"):
        query.pop(name, None)
    return [_entry_row(request, business, base, query, entry) for entry in entries]


def trail_url(business: str, name: str = "audit") -> str:
    """The URL of a page of a business's trail, or of the platform's."""
    return reverse(f"business_{name}", args=[business]) if business else reverse(name)


def _entry_row(request: Request, business: str, base: str, query: QueryDict, entry: AuditEntry) -> EntryRow:
    line, actor, target = history_line(entry), entry.person, entry.target_data
    email, target_id = as_text(actor.get("email")), as_text(target.get("id"))
    target_kind, sees_items = as_text(target.get("type")), has_permission(request, TablePermission.TABLE)
    target_key = key_of_target(target_kind, target_id, business) if sees_items else None
    return EntryRow(
        who=line.who,
        initials=line.initials,
        email=email,
        what=line.what,
        note=line.note,
        when=line.when,
        action=entry.action or "",
        target=as_text(target.get("title")) or target_id,
        target_id=target_id,
        target_url=_target_url(request, business, target_kind, target_id),
        operation=entry.operation or "",
        request_id=entry.request_id or "",
        changes=changes(entry),
        url=_entry_url(business, entry),
        by_person=_filter_url(base, query, "person", email),
        by_target=_filter_url(base, query, "target", target_id),
        target_item_url=item_url(target_key) if target_key else "",
        item_url=item_url(entry.key) if sees_items else "",
    )


def _entry_url(business: str, entry: AuditEntry) -> str:
    """Empty for an entry of an outside writer whose key lacks the time or the id."""
    if entry.place is None:
        return ""
    args = [business] if business else []
    try:
        return reverse("business_audit_entry" if business else "audit_entry", args=[*args, SEPARATOR.join(entry.place)])
    except NoReverseMatch:
        return ""


def _target_url(request: Request, business: str, kind: str, id: str) -> str:
    target_page = TARGET_PAGES.get(kind)
    if target_page is None or not id or not has_permission(request, target_page.permission):
        return ""
    # A target's id may begin with its kind, where things of several kinds have the same id.
    prefix, _, rest = id.partition(":")
    target_id = rest if prefix in TARGET_PAGES and rest else id
    inside = [business] if target_page.in_business else []
    try:
        return reverse(target_page.route, args=[*inside, *target_page.parts, target_id])
    except NoReverseMatch:
        return ""


def _filter_url(base: str, query: QueryDict, name: str, value: str) -> str:
    if not value:
        return ""
    narrowed = query.copy()
    narrowed[name] = value
    return f"{base}?{narrowed.urlencode()}"
