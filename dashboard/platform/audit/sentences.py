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
from dashboard.platform.audit.labels import KindLabels, labels_of
from dashboard.table.masking import MASK, is_secret, masked_content
from dashboard.table.timestamps import from_wire
from dashboard.web.local_times import moment_text


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
    """One entry. In an entry of an outside writer, person, target or time may be missing."""
    actor, target_data = entry.person, entry.target_data
    who = as_text(actor.get("name") or actor.get("email") or "?")
    own = actor.get("email") is not None and actor.get("email") == target_data.get("id")
    target = as_text(target_data.get("title") or target_data.get("id") or "?")
    values = Named({**(entry.before or {}), **(entry.after or {}), "target": target})
    action = entry.action or "?"
    labels, verb = labels_of(action), action.partition(".")[2]
    sentence = (labels.own_actions.get(verb) if own else None) or labels.actions.get(verb)
    # An action without a label is one of an outside writer.
    what = str(sentence) % values if sentence else f"{action} {target}"
    changes = {name: (before, after) for name, before, after in entry.changed}
    changed = [
        _change(labels, name, *changes[name])
        for name in labels.fields
        if name in changes and _is_shown(labels, name, changes[name][0])
    ]
    return HistoryLine(who, what, entry.moment, " · ".join(changed), initials(who))


class Named(dict[str, Any]):
    """The values of a sentence. A value that was not stored is shown as an ellipsis."""

    def __missing__(self, name: str) -> str:
        return "…"


def _is_shown(labels: KindLabels, name: str, before: Any) -> bool:
    """A new value is shown only for the fields in `show_new_values`: the sentence describes new things."""
    return before not in (None, "") or name in labels.show_new_values


def _change(labels: KindLabels, name: str, before: Any, after: Any) -> str:
    label, new = labels.field_label(name), value_label(labels, name, after)
    if before in (None, ""):
        return _("%(field)s: %(value)s") % {"field": label, "value": new}
    values = {"before": value_label(labels, name, before) or "–", "after": new or "–"}
    return _("%(field)s: %(before)s → %(after)s") % {"field": label, **values}


def value_label(labels: KindLabels, name: str, value: Any) -> str:
    """A field's value as text; empty for no value."""
    if value is None or value == "":
        return ""
    if any(is_secret(part) for part in name.split(".")):
        return MASK
    value = masked_content(value)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple | set):
        texts = [value_label(labels, name, each) for each in value]
        return ", ".join(sorted(texts) if isinstance(value, set) else texts)
    if isinstance(value, dict):
        return as_json(value)
    if name in labels.moments:
        return _moment_label(as_text(value))
    known = labels.values.get(name) or labels.values.get(name.rpartition(".")[2]) or {}
    return str(known[value]) if value in known else as_text(value)


def _moment_label(text: str) -> str:
    """In the reader's time zone; a text that is no point in time stays as it is."""
    try:
        return moment_text(from_wire(text), timezone.get_current_timezone_name())
    except (ValueError, OverflowError):
        return text


def as_text(value: Any) -> str:
    """Any value as text; empty for None."""
    if isinstance(value, Binary | bytes):
        return bytes(value.value if isinstance(value, Binary) else value).hex()
    return "" if value is None else str(value)


def as_json(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, sort_keys=True, default=_as_json)


def _as_json(value: Any) -> Any:
    return sorted(as_text(each) for each in value) if isinstance(value, set) else as_text(value)
