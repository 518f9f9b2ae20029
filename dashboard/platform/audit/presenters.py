"""Entries as the trail's pages show them: in words, with what they lead to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict
from django.urls import NoReverseMatch, reverse

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.audit.diff import Change, changes
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.labels import TARGET_PAGES
from dashboard.platform.audit.sentences import as_text, history_line

# Between the two parts of an entry's address; a moment holds none.
BETWEEN = "_"


@dataclass(frozen=True)
class Shown:
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
    changes: list[Change]
    url: str
    # The same list with only this person, or only this target.
    by_person: str
    by_target: str


def shown(request: Request, business: str, entries: list[AuditEntry]) -> list[Shown]:
    base = trail_url(business)
    query = request.GET.copy()
    for gone in ("cursor", "shown"):
        query.pop(gone, None)
    return [_shown(request, business, base, query, entry) for entry in entries]


def trail_url(business: str, name: str = "audit") -> str:
    """A page of the platform's trail, or the same of a business's."""
    return reverse(f"business_{name}", args=[business]) if business else reverse(name)


def _shown(request: Request, business: str, base: str, query: QueryDict, entry: AuditEntry) -> Shown:
    said, actor, target = history_line(entry), entry.actor or {}, entry.target or {}
    email, target_id = as_text(actor.get("email")), as_text(target.get("id"))
    return Shown(
        who=said.who,
        initials=said.initials,
        email=email,
        what=said.what,
        note=said.note,
        when=said.when,
        action=entry.action or "",
        target=as_text(target.get("title")) or target_id,
        target_id=target_id,
        target_url=_page_of(request, business, as_text(target.get("type")), target_id),
        operation=entry.operation or "",
        changes=changes(entry),
        url=_address(business, entry),
        by_person=_with(base, query, "person", email),
        by_target=_with(base, query, "target", target_id),
    )


def _address(business: str, entry: AuditEntry) -> str:
    """Empty for an entry of another service whose key names no moment or no id."""
    if entry.place is None:
        return ""
    args = [business] if business else []
    try:
        return reverse("business_audit_entry" if business else "audit_entry", args=[*args, BETWEEN.join(entry.place)])
    except NoReverseMatch:
        return ""


def _page_of(request: Request, business: str, kind: str, id: str) -> str:
    target_page = TARGET_PAGES.get(kind)
    if target_page is None or not id or not request.person.may(target_page.permission):
        return ""
    # What a target's id begins with where something else has the same id; hours are their provider's.
    head, _, rest = id.partition(":")
    own = rest if head in TARGET_PAGES and rest else id
    try:
        return reverse(target_page.route, args=[business, own] if target_page.in_business else [own])
    except NoReverseMatch:
        return ""


def _with(base: str, query: QueryDict, name: str, value: str) -> str:
    if not value:
        return ""
    narrowed = query.copy()
    narrowed[name] = value
    return f"{base}?{narrowed.urlencode()}"
