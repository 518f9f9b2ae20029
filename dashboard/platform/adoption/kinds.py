"""The kinds of item of unknown businesses: their names, their labels and the bounds of what is recorded."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from dashboard.table import keys
from dashboard.table.keypattern import Key

# Kinds that this product itself writes about every business.
OWN_KINDS = frozenset(
    {
        *("tenant", "ownerless business", "audit entry", "seal", "seal part", "sealing"),
        *("stock head", "stock movement", "branch total", "outside event", "daily usage", "monthly usage"),
    }
)
# Bounds of what is recorded.
MAX_KINDS, MAX_BUSINESSES, MAX_NAME = 30, 50, 100
KIND_LABELS = {
    "business": _("brand"),
    "theme": _("theme versions"),
    "published marker": _("live version"),
    "publication": _("publications"),
    "asset link": _("files"),
    "api key": _("API keys"),
    "member": _("members"),
    "service": _("services"),
    "provider": _("staff members"),
    "customer": _("customers"),
    "availability": _("opening hours"),
    "provider day": _("booked days"),
    "booking": _("bookings"),
    "booking by id": _("references to bookings"),
    "conversation": _("conversations"),
    "conversation message": _("messages"),
    "voice": _("leases of conversations"),
    "visitor hold": _("bookings that visitors have to confirm"),
    "content": _("pages"),
    "content card": _("cards of pages"),
    "cdn marker": _("markers for the public site"),
    "content version": _("versions of pages"),
    "page schedule": _("scheduled pages"),
    "page share link": _("links to unpublished pages"),
    "unsaved page": _("unsaved changes of pages"),
    "page presence": _("open editors of pages"),
    "route": _("routes"),
    "page comment": _("comments on pages"),
    "lead": _("leads"),
    "lead state": _("stages of leads"),
    "lead note": _("notes about leads"),
    "lead contact": _("earlier contacts of leads"),
    "consent day": _("counts of consents"),
    "context": _("contexts"),
    "resource": _("resources"),
    "signal": _("signals"),
    "site asset": _("media files"),
    "product": _("products"),
    "consent": _("consents"),
    "lead reminder": _("next steps of leads"),
    "comment presence": _("open cards of comments"),
    "product copy": _("copies of products"),
    "site category": _("categories"),
    "coupon": _("coupons"),
    "coupon code": _("codes of coupons"),
    "site order": _("orders"),
    "order of customer": _("orders of customers"),
    "site counter": _("counters of orders"),
    "product review": _("reviews of products"),
    "popup": _("popups"),
    "visitor form": _("forms for visitors"),
    "form address": _("addresses of forms"),
    "form entry": _("entries of forms"),
    "delivery rules": _("delivery rules"),
    "moved media": _("imported media"),
    "franchise": _("franchise"),
    "branch": _("branches"),
    "stock item": _("stock"),
    "stock head": _("stock ledgers"),
    "stock movement": _("stock movements"),
    "branch total": _("totals of branches"),
    "count sheet": _("stock counts"),
    "count line": _("counted products"),
    "tenant": _("businesses"),
    "ownerless business": _("businesses without an owner"),
    "admins": _("list of admins"),
    "slug": _("reserved addresses"),
    "domain": _("reserved domains"),
    "person": _("people"),
    "session": _("sessions"),
    "remaining owner": _("notes about remaining owners"),
    "security": _("security settings"),
    "throttle": _("request limits"),
    "security event": _("security events"),
    "audit entry": _("audit entries"),
    "seal": _("seals"),
    "seal part": _("parts of seals"),
    "sealing": _("progress of the seals"),
    "operation": _("jobs"),
    "done": _("completed commands"),
    "failure": _("failed lines of jobs"),
    "operation input": _("inputs of jobs"),
    "reindex report": _("report of reindex"),
    "found business": _("found businesses"),
    "outside owner": _("owners in other systems"),
    "stream shard": _("positions of the follower"),
    "archive task": _("task of the archive of activity"),
    "incoming file": _("new files of the archive of activity"),
    "sealed day": _("days of the archive of activity"),
    "activity result": _("results of questions about activity"),
    "activity results": _("task of the results about activity"),
    "stream totals": _("totals of the follower"),
    "scheduled publication": _("scheduled publications"),
    "share link": _("share links"),
    "asset": _("brand files"),
    "post": _("posts"),
    "comment": _("comments"),
    "decision": _("moderation decisions"),
    "moderation entry": _("moderation log entries"),
    "moderation day": _("moderation statistics"),
    "moderation rollup": _("progress of the moderation statistics"),
    "presence": _("open cards of moderators"),
    "config": _("configs"),
    "config version": _("versions of configs"),
    "config body": _("contents of config versions"),
    "config draft": _("unsaved changes of configs"),
    "domain count": _("count of people by domain"),
    "subtracted person": _("deleted people, subtracted from the count by domain"),
    "room": _("rooms"),
    "room content": _("contents of rooms"),
    "outgoing mail": _("mail"),
    "mail text": _("texts of mail"),
    "webhook": _("webhooks"),
    "webhook delivery": _("deliveries to webhooks"),
    "delivery order": _("order of deliveries"),
    "outside event": _("events of outside writers"),
    "daily usage": _("usage by day"),
    "monthly usage": _("usage by month"),
    "activity": _("activity events"),
    "outside activity": _("activity events of outside writers"),
    "activity minute": _("activity by minute"),
    "activity people": _("active people by minute"),
    "activity hour": _("activity by hour"),
}


def kind_in_list(key: Key) -> str:
    """The kind of an item; for an unknown one the first word of its sort key."""
    return keys.kind_of(key) or key.sk.partition("#")[0][:40] or "?"


def kind_label(kind: str) -> str:
    """The label of a kind; an unknown kind is named by the first word of its key."""
    return str(KIND_LABELS.get(kind, kind))


def kinds_text(kinds: Iterable[str]) -> str:
    return ", ".join(kind_label(kind) for kind in sorted(kinds))
