"""The profanity filter's config (`CONFIG#profanity`): words with their severity, allowed words, a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from dashboard.platform.configs.changes import Changes, Entries, EntryChange
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import ConfigKind, EntryLabels, NeedsConfirmation
from dashboard.table.nested import StoredMap, members_of, texts_in, without_texts
from forum.profanity import FilterConfig, Matching, Severity, Word, starter

SEVERITIES = {
    Severity.HIGH: pgettext_lazy("severity", "High"),
    Severity.MEDIUM: pgettext_lazy("severity", "Medium"),
    Severity.LOW: pgettext_lazy("severity", "Low"),
}
MATCHINGS = {
    Matching.WHOLE: gettext_lazy("Whole word"),
    Matching.INSIDE: gettext_lazy("Also inside words"),
}

WORD, ALLOWED, THRESHOLD = "word:", "allowed:", "threshold"


def word_entry(text: str) -> str:
    return f"{WORD}{text}"


def allowed_entry(text: str) -> str:
    return f"{ALLOWED}{text}"


def value_of(word: Word) -> list[str]:
    """The value of a word's entry."""
    return [word.severity.value, word.matching.value]


def word_of(name: str, value: Any) -> Word:
    severity, matching = value
    return Word(name.removeprefix(WORD), Severity(severity), Matching(matching))


def _entries(body: Body) -> Entries:
    return entries_of(FilterConfig.from_body(body))


def entries_of(config: FilterConfig) -> Entries:
    words = {word_entry(word.text): value_of(word) for word in config.words}
    return {THRESHOLD: config.threshold, **words, **{allowed_entry(text): True for text in config.allowed}}


def _apply(body: Body, changes: Changes) -> Body:
    """Apply the changes and nothing else: unknown severities of other words stay."""
    words, allowed = _new_values(WORD, changes), _new_values(ALLOWED, changes)
    severity, matching = StoredMap.of(body.get("severity")), StoredMap.of(body.get("matching"))
    for text, value in words.items():
        severity.pop(text, None)
        matching.pop(text, None)
        if value is None:
            continue
        severity[text], matching_value = value
        if matching_value == Matching.INSIDE:
            matching[text] = matching_value
    after = {
        **body,
        "blacklist": _update_list(body.get("blacklist"), words),
        "severity": severity,
        "matching": matching,
        "allowlist": _update_list(body.get("allowlist"), allowed),
    }
    if THRESHOLD in changes:
        after["autoModerationThreshold"] = changes[THRESHOLD].now
    return after


def _new_values(prefix: str, changes: Changes) -> dict[str, Any]:
    """The new values of one list by word; None where a word is removed."""
    return {name.removeprefix(prefix): change.now for name, change in changes.items() if name.startswith(prefix)}


def _update_list(stored: Any, values: dict[str, Any]) -> list[Any]:
    """The list without removed words and with new ones."""
    members = members_of(stored)
    existing = set(texts_in(members))
    remaining = without_texts(members, {text for text, value in values.items() if value is None})
    return [*remaining, *(text for text, value in values.items() if value is not None and text not in existing)]


def _entry_labels(name: str, change: EntryChange) -> EntryLabels:
    if name == THRESHOLD:
        return EntryLabels(_("Threshold"), _("Threshold"), _number(change.was), _number(change.now), "change")
    if name.startswith(ALLOWED):
        return EntryLabels(_("Allowed words"), name.removeprefix(ALLOWED), "", "", change.verb)
    return EntryLabels(_("Words"), name.removeprefix(WORD), _describe(change.was), _describe(change.now), change.verb)


def _number(value: Any) -> str:
    return "" if value is None else f"{value:g}"


def _describe(value: Any) -> str:
    if value is None:
        return ""
    severity, matching = value
    return f"{SEVERITIES[Severity(severity)]} · {MATCHINGS[Matching(matching)]}"


def _totals(entries: Entries) -> dict[str, int]:
    words = sum(name.startswith(WORD) for name in entries)
    allowed = sum(name.startswith(ALLOWED) for name in entries)
    return {"words": words, "allowed": allowed}


def _confirmations(before: Body, after: Body, changes: Changes) -> Sequence[NeedsConfirmation]:
    # Imported here because `forum.confirmation` imports this module.
    from forum.confirmation import find_confirmations

    return find_confirmations(before, after, changes)


PROFANITY = ConfigKind(
    name="profanity",
    title=gettext_lazy("Profanity filter"),
    route="profanity",
    fields=("blacklist", "severity", "matching", "allowlist", "auto_moderation_threshold"),
    entries=_entries,
    apply=_apply,
    entry_labels=_entry_labels,
    totals=_totals,
    # The starter list applies until a list is saved.
    initial=lambda: starter().to_body(),
    confirmations=_confirmations,
    version_template="forum/profanity/_banned.html",
)
