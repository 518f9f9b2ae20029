"""The differences between two versions. Pure functions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from branding import metadata, tokens
from branding.items import ROLE_LABELS, Theme

# Values of outside writers can be long.
MAX_TEXT = 200


@dataclass(frozen=True)
class FieldValue:
    """The value of a field in one version."""

    text: str
    color: str | None = None
    # For an unknown value: the default that is displayed instead.
    shown_as: str = ""
    # The field is not set, and `text` is the default.
    is_default: bool = False


@dataclass(frozen=True)
class FieldComparison:
    """A field in both versions; `before` is None if there is no version to compare with."""

    label: str | Promise
    before: FieldValue | None
    after: FieldValue
    changed: bool


@dataclass(frozen=True)
class FileComparison:
    """The ids and names of a file in both versions."""

    label: str | Promise
    before: str | None
    after: str | None
    old_name: str = ""
    new_name: str = ""

    @property
    def changed(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True)
class Diff:
    """The comparison of two versions."""

    fields: list[FieldComparison]
    files: list[FileComparison]
    # Fields of outside writers.
    extra_fields: list[FieldComparison]

    @property
    def changed(self) -> list[FieldComparison]:
        return [line for line in self.fields if line.changed]

    @property
    def same(self) -> list[FieldComparison]:
        return [line for line in self.fields if not line.changed]

    @property
    def changed_files(self) -> list[FileComparison]:
        return [line for line in self.files if line.changed]

    @property
    def changed_extra_fields(self) -> list[FieldComparison]:
        return [line for line in self.extra_fields if line.changed]

    @property
    def is_empty(self) -> bool:
        return not (self.changed or self.changed_files or self.changed_extra_fields)


def diff(before: Theme | None, after: Theme, names: Mapping[str, str] | None = None) -> Diff:
    """Compare two versions; without the first, everything counts as changed. `names` are those of files, by id."""
    names = names or {}
    fields, files = list(_compare_fields(before, after)), list(_compare_files(before, after, names))
    return Diff(fields, files, list(_compare_extra_fields(before, after, names)))


def _compare_fields(before: Theme | None, after: Theme) -> Iterator[FieldComparison]:
    old, new = before.metadata if before else None, after.metadata
    for token in tokens.TOKENS:
        old_value = _field_value(token, metadata.value_of(old, token.name))
        new_value = _field_value(token, metadata.value_of(new, token.name))
        # An unset field equals the same default that was set.
        differs = (old_value.text, old_value.shown_as) != (new_value.text, new_value.shown_as)
        yield FieldComparison(token.label, old_value if before else None, new_value, differs or before is None)
    yield from _compare_text(before, _("Name"), (before.name or "") if before else "", after.name or "")


def _field_value(token: tokens.Token, value: Any) -> FieldValue:
    clean = token.clean(value)
    displayed = clean or token.default
    color = displayed if token.is_color else None
    if clean is None and value not in (None, ""):
        return FieldValue(to_text(value), color, shown_as=token.display(displayed))
    return FieldValue(token.display(displayed), color, is_default=clean is None)


def _compare_files(before: Theme | None, after: Theme, names: Mapping[str, str]) -> Iterator[FileComparison]:
    for role, label in ROLE_LABELS.items():
        old, new = before.asset_for(role) if before else None, after.asset_for(role)
        if old or new:
            yield FileComparison(label, old, new, file_name(before, old, names), file_name(after, new, names))


def file_name(theme: Theme | None, asset: str | None, names: Mapping[str, str]) -> str:
    """The name of a version's file. A file of an outside writer has the last part of its address, or only an id."""
    if theme is None or not asset:
        return ""
    uri = theme.asset_map(asset).text("uri")
    last_part = unquote(urlsplit(uri).path).rpartition("/")[2] if "/" in uri else ""
    return names.get(asset) or _truncate(last_part) or asset


def _compare_extra_fields(before: Theme | None, after: Theme, names: Mapping[str, str]) -> Iterator[FieldComparison]:
    old = metadata.extra_entries(before.metadata if before else None, tokens.BY_NAME)
    new = metadata.extra_entries(after.metadata, tokens.BY_NAME)
    for name in sorted({*old, *new}):
        yield from _compare_text(before, name, to_text(old.get(name)), to_text(new.get(name)))
    yield from _compare_text(before, _("Other files"), _extra_files(before, names), _extra_files(after, names))


def _compare_text(before: Theme | None, label: str | Promise, old: str, new: str) -> Iterator[FieldComparison]:
    """Compare two texts; nothing if both are empty."""
    if old or new:
        yield FieldComparison(
            label,
            FieldValue(_truncate(old)) if before else None,
            FieldValue(_truncate(new)),
            old != new or before is None,
        )


def _extra_files(theme: Theme | None, names: Mapping[str, str]) -> str:
    """The names of files without a role, of outside writers."""
    known = theme.assets_by_role.values() if theme else ()
    extra = [each for each in (theme.asset_ids if theme else ()) if each not in known]
    return ", ".join(file_name(theme, each, names) for each in extra)


def to_text(value: Any) -> str:
    """Any value of an outside writer as text."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    if isinstance(value, set):
        return ", ".join(sorted(map(str, value)))
    return "" if value is None else str(value)


def _truncate(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"
