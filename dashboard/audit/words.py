"""The audit trail's entries in words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from boto3.dynamodb.types import Binary
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.accounts.permissions import ROLE_LABELS
from dashboard.audit.items import AuditEntry
from dashboard.businesses.items import PLAN_LABELS, STATUS_LABELS
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
    "apikey.issue": gettext_lazy("issued the API key %(target)s"),
    "apikey.edit": gettext_lazy("edited the API key %(target)s"),
    "apikey.revoke": gettext_lazy("revoked the API key %(target)s"),
    "apikey.restore": gettext_lazy("made the API key %(target)s active again"),
    "person.second_factor_on": gettext_lazy("switched on the second factor of %(target)s"),
    "person.second_factor_off": gettext_lazy("switched off the second factor of %(target)s"),
    "person.second_factor_reset": gettext_lazy("reset the second factor of %(target)s"),
    "person.recovery_codes": gettext_lazy("made new recovery codes for %(target)s"),
    "person.recovery_code": gettext_lazy("used a recovery code of %(target)s"),
    "security.second_factor": gettext_lazy("changed who needs a second factor"),
    "people.links": gettext_lazy("downloaded the invitation links of “%(target)s”"),
    "business.create": gettext_lazy("created the business %(target)s"),
    "business.edit": gettext_lazy("edited the business %(target)s"),
    "business.activate": gettext_lazy("made %(target)s active"),
    "business.trial": gettext_lazy("put %(target)s on trial"),
    "business.suspend": gettext_lazy("suspended %(target)s: %(reason)s"),
    "business.cancel": gettext_lazy("cancelled %(target)s: %(reason)s"),
    "member.add": gettext_lazy("added %(target)s to %(business)s"),
    "member.remove": gettext_lazy("removed %(target)s from %(business)s"),
    "sealing.begin": gettext_lazy("began to seal the trail of %(target)s"),
}
# The same where someone did it to themselves.
OWN = {
    "person.new_password": gettext_lazy("chose a new password"),
    "person.profile": gettext_lazy("changed their preferences"),
    "person.end_sessions": gettext_lazy("signed out everywhere else"),
    "person.edit": gettext_lazy("edited their own account"),
    "person.second_factor_on": gettext_lazy("switched on their second factor"),
    "person.second_factor_off": gettext_lazy("switched off their second factor"),
    "person.recovery_codes": gettext_lazy("made new recovery codes"),
    "person.recovery_code": gettext_lazy("signed in with a recovery code"),
}
# What the actions of one kind are about, by the word before the dot.
ABOUT = {
    "person": gettext_lazy("People"),
    "business": gettext_lazy("Businesses"),
    "member": gettext_lazy("Members"),
    "apikey": gettext_lazy("API keys"),
    "security": gettext_lazy("Security"),
    "operation": gettext_lazy("Operations"),
}
# How a field's values read, where they are not plain text.
VALUES: dict[str, Any] = {
    "role": ROLE_LABELS,
    "status": STATUS_LABELS,
    "plan": PLAN_LABELS,
    "roles": ROLE_LABELS,
    "state": {
        "active": gettext_lazy("active"),
        "invited": gettext_lazy("invited"),
        "disabled": gettext_lazy("disabled"),
        "revoked": gettext_lazy("revoked"),
    },
    "origins": {"none": gettext_lazy("none")},
}
FIELDS = {
    "name": gettext_lazy("name"),
    "role": gettext_lazy("role"),
    "state": gettext_lazy("state"),
    "language": gettext_lazy("language"),
    "timezone": gettext_lazy("time zone"),
    "theme": gettext_lazy("appearance"),
    "slug": gettext_lazy("slug"),
    "status": gettext_lazy("status"),
    "reason": gettext_lazy("reason"),
    "plan": gettext_lazy("plan"),
    "domain": gettext_lazy("domain"),
    "billing_email": gettext_lazy("billing e-mail"),
    "color": gettext_lazy("widget colour"),
    "position": gettext_lazy("widget position"),
    "origins": gettext_lazy("allowed origins"),
    "rate_limit": gettext_lazy("requests a minute"),
    "roles": gettext_lazy("roles"),
}


@dataclass(frozen=True)
class Told:
    who: str
    what: str
    when: datetime | None
    note: str
    initials: str


def told(entries: Iterable[AuditEntry]) -> list[Told]:
    """Entries as the history component shows them."""
    return [tell(entry) for entry in entries]


def tell(entry: AuditEntry) -> Told:
    """One entry; one of another service may leave out who, what or when."""
    actor, thing = entry.actor or {}, entry.target or {}
    who = as_text(actor.get("name") or actor.get("email") or "?")
    own = actor.get("email") is not None and actor.get("email") == thing.get("id")
    words = SENTENCES | OWN if own else SENTENCES
    target = as_text(thing.get("title") or thing.get("id") or "?")
    # An action of another service is told by its own name.
    values = Named({**(entry.before or {}), **(entry.after or {}), "target": target})
    action = entry.action or "?"
    what = str(words[action]) % values if action in words else f"{action} {target}"
    changes = {name: (before, after) for name, before, after in entry.changed}
    changed = [
        _change(name, *changes[name]) for name in FIELDS if name in changes and changes[name][0] not in (None, "")
    ]
    return Told(who, what, entry.moment, " · ".join(changed), initials(who))


class Named(dict[str, Any]):
    """What a sentence names, from before or after; an entry that was too long to keep leaves it out."""

    def __missing__(self, name: str) -> str:
        return "…"


def _change(name: str, before: Any, after: Any) -> str:
    values = {"before": value_in_words(name, before) or "–", "after": value_in_words(name, after) or "–"}
    return _("%(field)s: %(before)s → %(after)s") % {"field": FIELDS[name], **values}


def value_in_words(name: str, value: Any) -> str:
    """A field's value as people say it; empty for nothing."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple | set):
        said = [value_in_words(name, each) for each in value]
        return ", ".join(sorted(said) if isinstance(value, set) else said)
    if isinstance(value, dict):
        return as_json(value)
    words: dict[Any, Any] = VALUES.get(name) or VALUES.get(name.rpartition(".")[2]) or {}
    return str(words[value]) if value in words else as_text(value)


def field_in_words(name: str) -> str:
    """What a field is called; one that has no name of its own keeps the table's, with its path."""
    return str(FIELDS.get(name, name))


def as_text(value: Any) -> str:
    """Whatever another service has put there; empty for nothing."""
    if isinstance(value, Binary):
        return bytes(value.value).hex()
    return "" if value is None else str(value)


def as_json(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, sort_keys=True, default=_as_json)


def _as_json(value: Any) -> Any:
    return sorted(as_text(each) for each in value) if isinstance(value, set) else as_text(value)
