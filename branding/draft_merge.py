"""The merge of a form with a draft that someone else has saved since the form was opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from branding.items import AssetRole, Theme
from branding.services import drafts
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.configs.changes import apply_changes, diff, merge

# For each field that others have changed: the e-mail address and the name of the person, empty if unknown.
FieldEditors = dict[str, list[str]]


@dataclass(frozen=True)
class DraftMerge:
    """The current values of the draft with the changes of the form."""

    values: dict[str, str]
    # The fields that others have changed. They keep the saved value.
    others_fields: list[str]


def merge_form(opened: Mapping[str, str], sent: Mapping[str, str], current: Mapping[str, str]) -> DraftMerge | None:
    """None if a field was changed both in the form and in the draft: then the person decides."""
    changes = diff(opened, sent)
    merged = merge(current, changes)
    if merged.conflicts:
        return None
    others_fields = [name for name in diff(opened, current) if name not in changes]
    return DraftMerge(apply_changes(current, merged.changes), others_fields)


def who_changed(theme: Theme, names: Iterable[str], history: list[AuditEntry]) -> FieldEditors:
    """Who saved the current values of these fields. `history` is in order, the newest entry first."""
    stored = drafts.form_values(theme)
    return {name: _last_editor(name, stored[name], history) for name in names}


def _last_editor(name: str, value: str, history: list[AuditEntry]) -> list[str]:
    """Unknown if the last recorded value is another one: then an outside writer has changed the field since."""
    for entry in history:
        before, after = _value(entry.before, name), _value(entry.after, name)
        if entry.action != "theme.save" or before == after:
            continue
        # Entries contain the names of files, not their ids.
        if after == value or name in set(AssetRole):
            return [str(entry.person.get("email") or ""), str(entry.person.get("name") or "")]
        break
    return ["", ""]


def _value(state: dict[str, Any] | None, name: str) -> Any:
    return (state or {}).get(name) or ""
