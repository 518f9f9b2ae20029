"""What differs between two versions of a look. No table and no request in here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from branding import tokens
from branding.items import Role, Theme

ROLE_LABELS = {Role.LOGO: _("Logo"), Role.BANNER: _("Banner"), Role.ICON: _("Icon")}
# What another service keeps in a look can be long; here it only has to be told apart.
LONGEST = 200


@dataclass(frozen=True)
class Side:
    """A field as one version has it."""

    text: str
    color: str | None = None
    # The value is none of ours: what is drawn in its place.
    drawn_as: str = ""
    # Nobody has set it: what stands here is the default.
    unset: bool = False


@dataclass(frozen=True)
class FieldComparison:
    """A field of both versions; `before` is none where there is no version to compare with."""

    label: str | Promise
    before: Side | None
    after: Side
    changed: bool


@dataclass(frozen=True)
class FileLine:
    """A file of both versions, by its id."""

    label: str | Promise
    before: str | None
    after: str | None

    @property
    def changed(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True)
class Diff:
    """Two versions, field by field."""

    lines: list[FieldComparison]
    files: list[FileLine]
    # Fields that only other services know.
    others: list[FieldComparison]

    @property
    def changed(self) -> list[FieldComparison]:
        return [line for line in self.lines if line.changed]

    @property
    def same(self) -> list[FieldComparison]:
        return [line for line in self.lines if not line.changed]

    @property
    def changed_files(self) -> list[FileLine]:
        return [line for line in self.files if line.changed]

    @property
    def changed_others(self) -> list[FieldComparison]:
        return [line for line in self.others if line.changed]

    @property
    def is_empty(self) -> bool:
        return not (self.changed or self.changed_files or self.changed_others)


def diff(before: Theme | None, after: Theme) -> Diff:
    """From one version to the other; without the first, all of the second."""
    return Diff(list(_lines(before, after)), list(_files(before, after)), list(_others(before, after)))


def _lines(before: Theme | None, after: Theme) -> Iterator[FieldComparison]:
    old, new = _metadata(before), _metadata(after)
    for token in tokens.TOKENS:
        one, other = _side(token, old.get(token.name)), _side(token, new.get(token.name))
        # A default that nobody has set looks like one that somebody has.
        differs = (one.text, one.drawn_as) != (other.text, other.drawn_as)
        yield FieldComparison(token.label, one if before else None, other, differs or before is None)
    yield from _plain(before, _("Name"), (before.name or "") if before else "", after.name or "")


def _side(token: tokens.Token, said: Any) -> Side:
    clean = token.clean(said)
    drawn = clean or token.default
    color = drawn if token.is_color else None
    if clean is None and said not in (None, ""):
        return Side(text_of(said), color, drawn_as=token.shown(drawn))
    return Side(token.shown(drawn), color, unset=clean is None)


def _files(before: Theme | None, after: Theme) -> Iterator[FileLine]:
    for role, label in ROLE_LABELS.items():
        old, new = before.file(role) if before else None, after.file(role)
        if old or new:
            yield FileLine(label, old, new)


def _others(before: Theme | None, after: Theme) -> Iterator[FieldComparison]:
    old, new = _metadata(before), _metadata(after)
    for name in sorted({*old, *new} - tokens.BY_NAME.keys()):
        yield from _plain(before, name, text_of(old.get(name)), text_of(new.get(name)))
    yield from _plain(before, _("Other files"), _loose(before), _loose(after))


def _plain(before: Theme | None, label: str | Promise, old: str, new: str) -> Iterator[FieldComparison]:
    """One line of text; none where neither version has any."""
    if old or new:
        yield FieldComparison(label, Side(_cut(old)) if before else None, Side(_cut(new)), old != new or before is None)


def _loose(theme: Theme | None) -> str:
    """Files that have no part here: another service's."""
    shown = theme.shown_files.values() if theme else ()
    return ", ".join(each for each in (theme.files if theme else ()) if each not in shown)


def _metadata(theme: Theme | None) -> Mapping[str, Any]:
    found = theme.metadata if theme else None
    return found if isinstance(found, Mapping) else {}


def text_of(value: Any) -> str:
    """Whatever another service has put there, as text."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    if isinstance(value, set):
        return ", ".join(sorted(map(str, value)))
    return "" if value is None else str(value)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
