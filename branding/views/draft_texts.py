"""The texts after a draft is saved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from branding.contrast import failing_pairs
from branding.draft_merge import FieldEditors
from branding.items import ROLE_LABELS, AssetRole, Theme
from branding.services import drafts
from branding.tokens import TOKENS, Style

FIELD_LABELS = {
    **{token.name: token.label for token in TOKENS},
    **{role.value: ROLE_LABELS[role] for role in AssetRole},
    "name": gettext_lazy("Name"),
}


def changed_fields_text(before: dict[str, Any], theme: Theme) -> str:
    """The labels of the fields that differ from these values."""
    after = drafts.form_values(theme)
    return ", ".join(str(label) for name, label in FIELD_LABELS.items() if after[name] != before.get(name, after[name]))


def merged_texts(fields: FieldEditors, viewer: str) -> list[str]:
    """For each person, which of their changes were kept."""
    people = dict.fromkeys(tuple(person) for person in fields.values())
    return [
        _merged_text(email, name, [field for field, person in fields.items() if tuple(person) == (email, name)], viewer)
        for email, name in people
    ]


def _merged_text(email: str, name: str, fields: Iterable[str], viewer: str) -> str:
    quoted = ", ".join(_("“%(what)s”") % {"what": FIELD_LABELS[field]} for field in fields)
    if email and email == viewer:
        return _("Your change of %(fields)s in another tab was kept as well.") % {"fields": quoted}
    if name or email:
        text = _("%(who)s's change of %(fields)s was kept as well.")
        return text % {"who": name or email, "fields": quoted}
    return _("A change of %(fields)s from an outside service was kept as well.") % {"fields": quoted}


def new_contrast_text(before: dict[str, Any], theme: Theme) -> str:
    """The pairs of colours that have failed only since these values; empty if there are none."""
    failed_before = {each.pair.id for each in failing_pairs(Style.of(before))}
    pairs = [str(each.pair.label) for each in failing_pairs(theme.style) if each.pair.id not in failed_before]
    return _("Too little contrast now: %(pairs)s.") % {"pairs": ", ".join(pairs)} if pairs else ""
