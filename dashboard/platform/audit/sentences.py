"""Audit entries as sentences."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from boto3.dynamodb.types import Binary
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.core.names import initials
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.labels import FIELDS, FROM_NOTHING, MOMENTS, OWN, SENTENCES, VALUES
from dashboard.table.timestamps import from_wire
from dashboard.web.moments import spoken


@dataclass(frozen=True)
class HistoryLine:
    who: str
    what: str
    when: datetime | None
    note: str
    initials: str


def history_lines(entries: Iterable[AuditEntry]) -> list[HistoryLine]:
    """Entries as the history component shows them."""
    return [history_line(entry) for entry in entries]


def history_line(entry: AuditEntry) -> HistoryLine:
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
    changed = [_change(name, *changes[name]) for name in FIELDS if name in changes and _is_told(name, changes[name][0])]
    return HistoryLine(who, what, entry.moment, " · ".join(changed), initials(who))


class Named(dict[str, Any]):
    """What a sentence names, from before or after; an entry that was too long to keep leaves it out."""

    def __missing__(self, name: str) -> str:
        return "…"


def _is_told(name: str, before: Any) -> bool:
    """What comes with a new thing is in its sentence; a few fields say more than that."""
    return before not in (None, "") or name in FROM_NOTHING


def _change(name: str, before: Any, after: Any) -> str:
    if before in (None, ""):
        return _("%(field)s: %(value)s") % {"field": FIELDS[name], "value": value_in_words(name, after)}
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
    if name in MOMENTS:
        return _moment_in_words(as_text(value))
    words: dict[Any, Any] = VALUES.get(name) or VALUES.get(name.rpartition(".")[2]) or {}
    return str(words[value]) if value in words else as_text(value)


def _moment_in_words(text: str) -> str:
    """On the reader's clocks; what is no moment stays as it is."""
    try:
        return spoken(from_wire(text), timezone.get_current_timezone_name())
    except (ValueError, OverflowError):
        return text


def field_in_words(name: str) -> str:
    """What a field is called; one that has no name of its own keeps the table's, with its path."""
    return str(FIELDS.get(name, name))


def as_text(value: Any) -> str:
    """Whatever another service has put there; empty for nothing."""
    if isinstance(value, Binary | bytes):
        return bytes(value.value if isinstance(value, Binary) else value).hex()
    return "" if value is None else str(value)


def as_json(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, sort_keys=True, default=_as_json)


def _as_json(value: Any) -> Any:
    return sorted(as_text(each) for each in value) if isinstance(value, set) else as_text(value)
