"""The kinds of item that are found: their names, their labels and the bounds of what is recorded."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from dashboard.table import keys
from dashboard.table.keypattern import Key

# Kinds that this product itself writes about every business.
OWN_KINDS = frozenset({"tenant", "audit entry", "seal", "seal part", "sealing"})
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
    "content": _("pages"),
    "content card": _("cards of pages"),
    "content version": _("versions of pages"),
    "route": _("routes"),
    "page comment": _("comments on pages"),
    "lead": _("leads"),
    "context": _("contexts"),
    "resource": _("resources"),
    "signal": _("signals"),
    "site asset": _("media files"),
    "product": _("products"),
    "consent": _("consents"),
    "franchise": _("franchise"),
    "branch": _("branches"),
    "stock item": _("stock"),
}


def kind_in_list(key: Key) -> str:
    """The kind of an item; for an unknown one the first word of its sort key."""
    return keys.kind_of(key) or key.sk.partition("#")[0][:40] or "?"


def kind_label(kind: str) -> str:
    """The label of a kind; an unknown kind is named by the first word of its key."""
    return str(KIND_LABELS.get(kind, kind))


def kinds_text(kinds: Iterable[str]) -> str:
    return ", ".join(kind_label(kind) for kind in sorted(kinds))
