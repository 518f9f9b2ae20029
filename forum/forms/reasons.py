"""The reasons as one form: a row each, in order, in both languages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.core.names import folded
from dashboard.platform.configs.changes import Changes, between
from dashboard.platform.configs.forms import SaveForm
from dashboard.web.forms import LineField
from forum.configs.reasons import LANGUAGES, Reason, as_entries, in_both, read, slug

MOST = 50
LONGEST = 120
# Another service may have written more than we let people add; they are shown all the same.
_MOST_READ = 300
_NEW = "new:"
_LABELS = {"en": gettext_lazy("Reason %(number)s in English"), "es": gettext_lazy("Reason %(number)s in Spanish")}


@dataclass(frozen=True)
class ReasonRow:
    """A reason's line in the form."""

    key: str
    # Its name in the page: it stays with the reason when that moves, and so does the focus.
    dom: str
    number: int
    en: forms.BoundField
    es: forms.BoundField
    title: str


class ReasonsForm(SaveForm):
    """`reasons` are the rows as they are shown; `was` is what there was when the form was opened."""

    def __init__(self, data: Any = None, *, reasons: list[Reason], was: list[Reason] | None, **options: Any) -> None:
        super().__init__(data, **options)
        self.reasons, self.was = reasons, was
        for at, reason in enumerate(reasons):
            for language in LANGUAGES:
                self.fields[f"{language}_{at}"] = LineField(
                    max_length=LONGEST,
                    label=_LABELS[language] % {"number": at + 1},
                    initial=reason[language],
                    widget=forms.TextInput({"id": f"{language}-{self._dom(at)}", "lang": language}),
                    error_messages={"required": gettext_lazy("Write it in both languages.")},
                )

    def _dom(self, at: int) -> str:
        names = [slug(each["id"]) for each in self.reasons]
        return names[at] if names.count(names[at]) == 1 else f"{names[at]}-at-{at}"

    @property
    def rows(self) -> list[ReasonRow]:
        return [
            ReasonRow(
                reason["id"],
                self._dom(at),
                at + 1,
                self[f"en_{at}"],
                self[f"es_{at}"],
                reason["en"] or _("Reason %(number)s") % {"number": at + 1},
            )
            for at, reason in enumerate(self.reasons)
        ]

    @property
    def opened_on(self) -> str:
        """What the form was opened on, for the next time it is sent."""
        return json.dumps(self.was or [])

    @property
    def full(self) -> bool:
        return len(self.reasons) >= MOST

    def clean(self) -> dict[str, Any]:
        if self.was is None:
            raise forms.ValidationError(_("This form cannot be read any more. Load the page again."))
        if len(self.reasons) > max(MOST, len(self.was)):
            raise forms.ValidationError(_("There can be %(most)s reasons at the most.") % {"most": MOST})
        for language in LANGUAGES:
            self._tell_twins(language)
        return self.cleaned_data

    def _tell_twins(self, language: str) -> None:
        first: dict[str, int] = {}
        for at in range(len(self.reasons)):
            name = f"{language}_{at}"
            text = folded(self.cleaned_data.get(name) or "")
            if text and text in first:
                self.add_error(name, _("This is the same as reason %(number)s.") % {"number": first[text] + 1})
            first.setdefault(text, at)

    def typed(self) -> list[Reason]:
        """The rows as they were sent, cleaned, new ones with an id of their own."""
        rows = [
            {"id": each["id"], **{n: self.cleaned_data[f"{n}_{at}"] for n in LANGUAGES}}
            for at, each in enumerate(self.reasons)
        ]
        return named(rows, self.was or [])


def opened(reasons: list[Reason], revision: int) -> ReasonsForm:
    """The form on what stands now."""
    return ReasonsForm(reasons=[in_both(each) for each in reasons], was=reasons, initial={"revision": revision})


def sent(data: Mapping[str, Any]) -> tuple[list[Reason], list[Reason] | None]:
    """The rows of a form that was sent, and what it was opened on; none where that cannot be read."""
    rows: list[Reason] = []
    while f"key_{len(rows)}" in data and len(rows) < _MOST_READ:
        at = len(rows)
        rows.append({"id": data[f"key_{at}"][:200], **{n: data.get(f"{n}_{at}", "") for n in LANGUAGES}})
    try:
        was = json.loads(data.get("was", ""))
        # Half of a letter is none: it could not be shown.
        json.dumps(was, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return rows, None
    return rows, read({"reasons": was}) if isinstance(was, list) else None


def rearranged(rows: list[Reason], data: Mapping[str, Any]) -> list[Reason] | None:
    """The rows after the button that was pressed: one more, one less, or one moved; none where it was another."""
    if "add" in data:
        taken = {each["id"] for each in rows}
        key = next(key for n in range(1, len(rows) + 2) if (key := f"{_NEW}{n}") not in taken)
        return rows if len(rows) >= MOST else [*rows, {"id": key, "en": "", "es": ""}]
    if "remove" in data:
        return [each for each in rows if each["id"] != data["remove"]]
    if "move" in data:
        key, _colon, way = data["move"].rpartition(":")
        return _moved(rows, key, {"up": -1, "down": 1}.get(way, 0))
    return None


def in_its_place(rows: list[Reason], left: list[Reason], removed: str | None) -> str | None:
    """The row that stands where another was taken away: that is where one goes on."""
    at = next((at for at, each in enumerate(rows) if each["id"] == removed), None)
    return None if at is None or not left else left[min(at, len(left) - 1)]["id"]


def _moved(rows: list[Reason], key: str, step: int) -> list[Reason]:
    at = next((at for at, each in enumerate(rows) if each["id"] == key), None)
    if at is None or not 0 <= at + step < len(rows):
        return rows
    rest = [*rows[:at], *rows[at + 1 :]]
    return [*rest[: at + step], rows[at], *rest[at + step :]]


def named(rows: list[Reason], was: list[Reason]) -> list[Reason]:
    """The rows with ids: a new one is called by its English text, and never as one that was there."""
    free = {each["id"] for each in was}
    taken = set(free)
    made = []
    for row in rows:
        key = row["id"]
        if key in free:
            free.remove(key)
        else:
            base = slug(row["en"])
            names = [base, *(f"{base}-{n}" for n in range(2, len(taken) + 3))]
            key = next(name for name in names if name not in taken)
            taken.add(key)
        made.append(row | {"id": key})
    return made


def changed(was: list[Reason], rows: list[Reason]) -> Changes:
    """What leads from what the form was opened on to what was typed; what nobody touched is left as it is written."""
    before = {_shown(each): each for each in was}
    kept = [before.get(_shown(row), row) for row in rows]
    return between(as_entries(was), as_entries(kept))


def _shown(reason: Reason) -> tuple[str, ...]:
    """A reason as the form sends it back."""
    both = in_both(reason) if any(reason.get(n) for n in LANGUAGES) else reason
    return reason["id"], *(LineField().to_python(both[n]) for n in LANGUAGES)
