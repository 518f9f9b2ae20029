"""Creates comments, leads and consents as the website service writes them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from content.comment_refs import CommentRef, encode_text
from content.items import Lead, PageComment
from content.items.consents import Consent
from dashboard.core.ids import new_id
from dashboard.table import keys, read
from dashboard.table.items import Raw
from tests.adoption.outside import follow, put_raw
from tests.content.site import BUSINESS, SITE

COMMENTS, LEADS, CONSENTS = (f"{SITE}{name}/" for name in ("comments", "leads", "consents"))
NODE = "9f2b6e10-d5a7-47c8-9b11-6a4e2c8d0f04"
AT = "2026-04-03T18:22:09.114Z"


def put_page(title: str = "Cómo teñir lana", *, node: str = NODE, business: str = BUSINESS, **values: Any) -> None:
    key = keys.CONTENT.key(tenant=business, node=node)
    page = {"nodeId": node, "slug": f"/{node}", "title": title, "status": "Published", "version": 1, "Type": "Page"}
    follow(put_raw(key, createdAt="2026-02-03T08:11:42.905Z", **page | values))


def put_comment(
    text: str = "¿Qué lana usaste?",
    *,
    status: str | None = "Pending",
    at: str = AT,
    node: str = NODE,
    business: str = BUSINESS,
    **values: Any,
) -> PageComment:
    ref = CommentRef(node, at)
    comment = {
        "id": new_id(),
        "tenantId": business,
        "pageId": node,
        "authorId": "104512345678901234567",
        "authorName": "Petra N.",
        "authorEmail": "petra.n@reader.example",
        "authorImage": "https://lh3.example/a/petra=s96-c",
        "content": text,
        "createdAt": at,
        "Type": "Comment",
    } | values
    if status is not None:
        comment["status"] = status
    raw = put_raw(ref.key(business), **{name: value for name, value in comment.items() if value is not None})
    follow(raw)
    return load(ref, business)


def load(ref: CommentRef, business: str = BUSINESS) -> PageComment:
    comment = read.get(PageComment, ref.key(business))
    assert comment is not None
    return comment


def comment_url(comment: PageComment, business: str = BUSINESS) -> str:
    return f"/b/{business}/site/comments/c/{comment.ref.token}/"


def put_lead(
    email: str = "otto@buyer.example", *, business: str = BUSINESS, old: Raw | None = None, **values: Any
) -> Raw:
    """A contact. The service overwrites the row, `old`, with each."""
    lead = {
        "id": new_id(),
        "tenantId": business,
        "email": email,
        "source": "contact-form",
        "status": "New",
        "createdAt": "2026-05-11T20:05:44.601Z",
        "Type": "Lead",
    } | values
    raw = put_raw(keys.LEAD.key(tenant=business, email=email), **lead)
    follow(raw, old)
    return raw


def load_row(email: str, business: str = BUSINESS) -> Lead:
    row = read.get(Lead, keys.LEAD.key(tenant=business, email=email))
    assert row is not None
    return row


def put_consent(
    visitor: str = "visitor_1779190000123_k3j9x0q2a",
    choice: str | None = "necessary",
    *,
    at: int = 1779190004571,
    business: str = BUSINESS,
    **values: Any,
) -> Consent:
    consent = {
        "visitorId": visitor,
        "timestamp": at,
        "userAgent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X)",
        "createdAt": datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "Type": "Consent",
    } | values
    if choice is not None:
        consent["choice"] = choice
    key = keys.CONSENT.key(tenant=business, visitor=visitor, at=str(at))
    follow(put_raw(key, **consent))
    found = read.get(Consent, key)
    assert found is not None
    return found


def lead_url(lead: str = "otto@buyer.example", business: str = BUSINESS) -> str:
    return f"/b/{business}/site/leads/l/{encode_text(lead)}/"


def visitor_url(visitor: str, business: str = BUSINESS) -> str:
    return f"/b/{business}/site/consents/v/{encode_text(visitor)}/"


def trips_of(answer: Any) -> int:
    """How many round trips to the table a page took."""
    return int(answer.wsgi_request.oplog.trips)
