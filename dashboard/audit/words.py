"""The audit trail's entries in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.accounts.permissions import ROLE_LABELS
from dashboard.audit.items import AuditEntry
from dashboard.names import initials

# What each action is called in a sentence: «Ana invited Luis».
SENTENCES = {
    "person.invite": gettext_lazy("invited %(target)s"),
    "person.invite_again": gettext_lazy("made a new invitation link for %(target)s"),
    "person.withdraw": gettext_lazy("withdrew the invitation of %(target)s"),
    "person.edit": gettext_lazy("edited %(target)s"),
    "person.disable": gettext_lazy("disabled %(target)s"),
    "person.enable": gettext_lazy("enabled %(target)s"),
    "person.reset": gettext_lazy("made a password link for %(target)s"),
    "person.end_sessions": gettext_lazy("signed %(target)s out everywhere"),
    "person.join": gettext_lazy("joined"),
    "person.new_password": gettext_lazy("changed the password of %(target)s"),
    "person.profile": gettext_lazy("changed the preferences of %(target)s"),
    "person.create": gettext_lazy("created the account of %(target)s"),
    "people.links": gettext_lazy("downloaded the invitation links of “%(target)s”"),
    "business.create": gettext_lazy("created the business %(target)s"),
}
# The same where someone did it to themselves.
OWN = {
    "person.new_password": gettext_lazy("chose a new password"),
    "person.profile": gettext_lazy("changed their preferences"),
    "person.end_sessions": gettext_lazy("signed out everywhere else"),
    "person.edit": gettext_lazy("edited their own account"),
}
# How a field's values read, where they are not plain text.
VALUES: dict[str, Any] = {
    "role": ROLE_LABELS,
    "state": {
        "active": gettext_lazy("active"),
        "invited": gettext_lazy("invited"),
        "disabled": gettext_lazy("disabled"),
    },
}
FIELDS = {
    "name": gettext_lazy("name"),
    "role": gettext_lazy("role"),
    "state": gettext_lazy("state"),
    "language": gettext_lazy("language"),
    "timezone": gettext_lazy("time zone"),
    "theme": gettext_lazy("appearance"),
}


@dataclass(frozen=True)
class Told:
    who: str
    what: str
    when: datetime
    note: str
    initials: str


def told(entries: Iterable[AuditEntry]) -> list[Told]:
    """Entries as the history component shows them."""
    return [_tell(entry) for entry in entries]


def _tell(entry: AuditEntry) -> Told:
    who = entry.actor.get("name") or entry.actor.get("email") or "?"
    own = entry.actor.get("email") == entry.target.get("id")
    words = SENTENCES | OWN if own else SENTENCES
    target = entry.target.get("title") or entry.target.get("id") or "?"
    # An action of another service is told by its own name.
    what = str(words[entry.action]) % {"target": target} if entry.action in words else f"{entry.action} {target}"
    changes = {name: (before, after) for name, before, after in entry.changed}
    changed = [_change(name, *changes[name]) for name in FIELDS if name in changes and changes[name][0]]
    return Told(who, what, entry.at_time, " · ".join(changed), initials(who))


def _change(name: str, before: Any, after: Any) -> str:
    words: dict[Any, Any] = VALUES.get(name, {})
    values = {"before": words.get(before, before or "–"), "after": words.get(after, after or "–")}
    return _("%(field)s: %(before)s → %(after)s") % {"field": FIELDS[name], **values}
