"""Numbers with their nouns. The end of a list shows them: `5 versions`."""

from __future__ import annotations

from typing import Any

from django.utils.translation import ngettext_lazy

# The texts for the argument `noun` of `ui/more.html` and its variants.
NOUNS: dict[str, Any] = {
    "addresses": ngettext_lazy("%(n)s address", "%(n)s addresses", "n"),
    "announcements": ngettext_lazy("%(n)s announcement", "%(n)s announcements", "n"),
    "attendees": ngettext_lazy("%(n)s attendee", "%(n)s attendees", "n"),
    "bookings": ngettext_lazy("%(n)s booking", "%(n)s bookings", "n"),
    "businesses": ngettext_lazy("%(n)s business", "%(n)s businesses", "n"),
    "comments": ngettext_lazy("%(n)s comment", "%(n)s comments", "n"),
    "conversations": ngettext_lazy("%(n)s conversation", "%(n)s conversations", "n"),
    "consents": ngettext_lazy("%(n)s consent", "%(n)s consents", "n"),
    "counts": ngettext_lazy("%(n)s count", "%(n)s counts", "n"),
    "customers": ngettext_lazy("%(n)s customer", "%(n)s customers", "n"),
    "deliveries": ngettext_lazy("%(n)s delivery", "%(n)s deliveries", "n"),
    "domains": ngettext_lazy("%(n)s domain", "%(n)s domains", "n"),
    "entries": ngettext_lazy("%(n)s entry", "%(n)s entries", "n"),
    "events": ngettext_lazy("%(n)s event", "%(n)s events", "n"),
    "failures": ngettext_lazy("%(n)s failure", "%(n)s failures", "n"),
    "franchises": ngettext_lazy("%(n)s franchise", "%(n)s franchises", "n"),
    "items": ngettext_lazy("%(n)s item", "%(n)s items", "n"),
    "jobs": ngettext_lazy("%(n)s job", "%(n)s jobs", "n"),
    "leads": ngettext_lazy("%(n)s lead", "%(n)s leads", "n"),
    "keys": ngettext_lazy("%(n)s key", "%(n)s keys", "n"),
    "lines": ngettext_lazy("%(n)s line", "%(n)s lines", "n"),
    "mails": ngettext_lazy("%(n)s mail", "%(n)s mails", "n"),
    "movements": ngettext_lazy("%(n)s movement", "%(n)s movements", "n"),
    "owners": ngettext_lazy("%(n)s owner", "%(n)s owners", "n"),
    "pages": ngettext_lazy("%(n)s page", "%(n)s pages", "n"),
    "people": ngettext_lazy("%(n)s person", "%(n)s people", "n"),
    "posts": ngettext_lazy("%(n)s post", "%(n)s posts", "n"),
    "posts and comments": ngettext_lazy("%(n)s post or comment", "%(n)s posts and comments", "n"),
    "products": ngettext_lazy("%(n)s product", "%(n)s products", "n"),
    "publications": ngettext_lazy("%(n)s publication", "%(n)s publications", "n"),
    "services": ngettext_lazy("%(n)s service", "%(n)s services", "n"),
    "staff": ngettext_lazy("%(n)s staff member", "%(n)s staff members", "n"),
    "versions": ngettext_lazy("%(n)s version", "%(n)s versions", "n"),
    "webhooks": ngettext_lazy("%(n)s webhook", "%(n)s webhooks", "n"),
    "words": ngettext_lazy("%(n)s word", "%(n)s words", "n"),
}


def count_text(number: int, noun: str) -> str:
    return str(NOUNS[noun] % {"n": number})
