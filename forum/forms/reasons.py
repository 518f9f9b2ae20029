"""The form for all reasons: one row each, in order, in both languages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.core.names import folded
from dashboard.platform.configs.changes import Changes, diff
from dashboard.platform.configs.forms import SaveForm
from dashboard.web.forms import LineField
from forum.configs.reasons import LANGUAGES, Reason, read_reasons, slug, to_entries, with_both_languages

MAX_REASONS = 50
MAX_LENGTH = 120
# Outside writers may store more reasons than people can add; these are shown too.
_MAX_ROWS = 300
_NEW = "new:"
_LABELS = {"en": gettext_lazy("Reason %(number)s in English"), "es": gettext_lazy("Reason %(number)s in Spanish")}


@dataclass(frozen=True)
class ReasonRow:
    """A row of the form."""

    key: str
    # The suffix of its element ids. It stays the same when the row moves, so that the focus stays with the row.
    dom_id: str
    number: int
    en: forms.BoundField
    es: forms.BoundField
    title: str


class ReasonsForm(SaveForm):
    """`reasons` are the rows to show; `original` are the reasons when the form was opened."""

    def __init__(
        self, data: Any = None, *, reasons: list[Reason], original: list[Reason] | None, **options: Any
    ) -> None:
        super().__init__(data, **options)
        self.reasons, self.original = reasons, original
        for at, reason in enumerate(reasons):
            for language in LANGUAGES:
                self.fields[f"{language}_{at}"] = LineField(
                    max_length=MAX_LENGTH,
                    label=_LABELS[language] % {"number": at + 1},
                    initial=reason[language],
                    widget=forms.TextInput({"id": f"{language}-{self._dom_id(at)}", "lang": language}),
                    error_messages={"required": gettext_lazy("Enter the reason in both languages.")},
                )

    def _dom_id(self, at: int) -> str:
        names = [slug(each["id"]) for each in self.reasons]
        return names[at] if names.count(names[at]) == 1 else f"{names[at]}-at-{at}"

    @property
    def rows(self) -> list[ReasonRow]:
        return [
            ReasonRow(
                reason["id"],
                self._dom_id(at),
                at + 1,
                self[f"en_{at}"],
                self[f"es_{at}"],
                reason["en"] or _("Reason %(number)s") % {"number": at + 1},
            )
            for at, reason in enumerate(self.reasons)
        ]

    @property
    def original_json(self) -> str:
        """The original reasons for the hidden field."""
        return json.dumps(self.original or [])

    @property
    def is_full(self) -> bool:
        return len(self.reasons) >= MAX_REASONS

    def clean(self) -> dict[str, Any]:
        if self.original is None:
            raise forms.ValidationError(_("This form is not valid any more. Reload the page and try again."))
        if len(self.reasons) > max(MAX_REASONS, len(self.original)):
            raise forms.ValidationError(_("You can have up to %(most)s reasons.") % {"most": MAX_REASONS})
        for language in LANGUAGES:
            self._check_duplicates(language)
        return self.cleaned_data

    def _check_duplicates(self, language: str) -> None:
        first: dict[str, int] = {}
        for at in range(len(self.reasons)):
            name = f"{language}_{at}"
            text = folded(self.cleaned_data.get(name) or "")
            if text and text in first:
                self.add_error(name, _("This is the same as reason %(number)s.") % {"number": first[text] + 1})
            first.setdefault(text, at)

    def submitted(self) -> list[Reason]:
        """The submitted rows, cleaned, with ids for new ones."""
        rows = [
            {"id": each["id"], **{n: self.cleaned_data[f"{n}_{at}"] for n in LANGUAGES}}
            for at, each in enumerate(self.reasons)
        ]
        return assign_ids(rows, self.original or [])


def form_for(reasons: list[Reason], revision: int) -> ReasonsForm:
    """The form for the current reasons."""
    rows = [with_both_languages(each) for each in reasons]
    return ReasonsForm(reasons=rows, original=reasons, initial={"revision": revision})


def parse_rows(data: Mapping[str, Any]) -> tuple[list[Reason], list[Reason] | None]:
    """The submitted rows and the original reasons; None where these cannot be read."""
    rows: list[Reason] = []
    while f"key_{len(rows)}" in data and len(rows) < _MAX_ROWS:
        at = len(rows)
        rows.append({"id": data[f"key_{at}"][:200], **{n: data.get(f"{n}_{at}", "") for n in LANGUAGES}})
    try:
        original = json.loads(data.get("was", ""))
        # A lone surrogate cannot be encoded, and so not be shown.
        json.dumps(original, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return rows, None
    return rows, read_reasons({"reasons": original}) if isinstance(original, list) else None


def rearrange(rows: list[Reason], data: Mapping[str, Any]) -> list[Reason] | None:
    """The rows after Add, Remove or Move was pressed; None after another button."""
    if "add" in data:
        taken = {each["id"] for each in rows}
        key = next(key for n in range(1, len(rows) + 2) if (key := f"{_NEW}{n}") not in taken)
        return rows if len(rows) >= MAX_REASONS else [*rows, {"id": key, "en": "", "es": ""}]
    if "remove" in data:
        return [each for each in rows if each["id"] != data["remove"]]
    if "move" in data:
        key, _colon, direction = data["move"].rpartition(":")
        return _move(rows, key, {"up": -1, "down": 1}.get(direction, 0))
    return None


def row_to_focus(rows: list[Reason], left: list[Reason], removed: str | None) -> str | None:
    """The row at the position of the removed one, which gets the focus."""
    at = next((at for at, each in enumerate(rows) if each["id"] == removed), None)
    return None if at is None or not left else left[min(at, len(left) - 1)]["id"]


def _move(rows: list[Reason], key: str, step: int) -> list[Reason]:
    at = next((at for at, each in enumerate(rows) if each["id"] == key), None)
    if at is None or not 0 <= at + step < len(rows):
        return rows
    rest = [*rows[:at], *rows[at + 1 :]]
    return [*rest[: at + step], rows[at], *rest[at + step :]]


def assign_ids(rows: list[Reason], original: list[Reason]) -> list[Reason]:
    """The rows with ids. The id of a new row comes from its English text and differs from all original ids."""
    unused = {each["id"] for each in original}
    taken = set(unused)
    result = []
    for row in rows:
        key = row["id"]
        if key in unused:
            unused.remove(key)
        else:
            base = slug(row["en"])
            names = [base, *(f"{base}-{n}" for n in range(2, len(taken) + 3))]
            key = next(name for name in names if name not in taken)
            taken.add(key)
        result.append(row | {"id": key})
    return result


def changes_between(original: list[Reason], rows: list[Reason]) -> Changes:
    """The changes from the original reasons to the submitted rows. Untouched reasons keep their stored texts."""
    stored = {_as_submitted(each): each for each in original}
    reasons = [stored.get(_as_submitted(row), row) for row in rows]
    return diff(to_entries(original), to_entries(reasons))


def _as_submitted(reason: Reason) -> tuple[str, ...]:
    """A reason as the form submits it."""
    both = with_both_languages(reason) if any(reason.get(n) for n in LANGUAGES) else reason
    return reason["id"], *(LineField().to_python(both[n]) for n in LANGUAGES)
