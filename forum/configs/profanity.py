"""The profanity filter's config (`CONFIG#profanity`): words with their severity, words let through, a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from dashboard.platform.configs.changes import Change, Changes, Entries
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import EntryLabels, Kind, NeedsConfirmation
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
    """A word as an entry: a word is changed where either of these is."""
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
    """Only what changes is touched: a severity that we do not know stays beside its word."""
    words, allowed = _wanted(WORD, changes), _wanted(ALLOWED, changes)
    severity, matching = _mapped(body, "severity"), _mapped(body, "matching")
    for text, value in words.items():
        severity.pop(text, None)
        matching.pop(text, None)
        if value is None:
            continue
        severity[text], found_as = value
        if found_as == Matching.INSIDE:
            matching[text] = found_as
    after = {
        **body,
        "blacklist": _relisted(body.get("blacklist"), words),
        "severity": severity,
        "matching": matching,
        "allowlist": _relisted(body.get("allowlist"), allowed),
    }
    if THRESHOLD in changes:
        after["autoModerationThreshold"] = changes[THRESHOLD].now
    return after


def _wanted(prefix: str, changes: Changes) -> dict[str, Any]:
    """What changes in one of the lists, by the word: its new value, or none where it goes."""
    return {name.removeprefix(prefix): change.now for name, change in changes.items() if name.startswith(prefix)}


def _relisted(stored: Any, wanted: dict[str, Any]) -> list[Any]:
    """The list without what goes and with what comes; what another service keeps in it beside texts stays."""
    # A set of DynamoDB's has no order.
    members = sorted(stored, key=str) if isinstance(stored, set) else stored if isinstance(stored, list) else []
    there = {each for each in members if isinstance(each, str)}
    kept = [each for each in members if not isinstance(each, str) or wanted.get(each, True) is not None]
    return [*kept, *(text for text, value in wanted.items() if value is not None and text not in there)]


def _mapped(body: Body, name: str) -> dict[str, Any]:
    found = body.get(name)
    return dict(found) if isinstance(found, dict) else {}


def _entry_labels(name: str, change: Change) -> EntryLabels:
    if name == THRESHOLD:
        return EntryLabels(_("Threshold"), _("Threshold"), _number(change.was), _number(change.now), "change")
    if name.startswith(ALLOWED):
        return EntryLabels(_("Words let through"), name.removeprefix(ALLOWED), "", "", change.verb)
    return EntryLabels(_("Words"), name.removeprefix(WORD), _described(change.was), _described(change.now), change.verb)


def _number(value: Any) -> str:
    return "" if value is None else f"{value:g}"


def _described(value: Any) -> str:
    if value is None:
        return ""
    severity, matching = value
    return f"{SEVERITIES[Severity(severity)]} · {MATCHINGS[Matching(matching)]}"


def _totals(entries: Entries) -> dict[str, int]:
    words = sum(name.startswith(WORD) for name in entries)
    allowed = sum(name.startswith(ALLOWED) for name in entries)
    return {"words": words, "allowed": allowed}


def _guard(before: Body, after: Body, changes: Changes) -> Sequence[NeedsConfirmation]:
    # It knows the entries' names from here, and asks the table: nothing that only reads a config needs it.
    from forum.confirmation import holds

    return holds(before, after, changes)


PROFANITY = Kind(
    name="profanity",
    title=gettext_lazy("Profanity filter"),
    route="profanity",
    fields=("blacklist", "severity", "matching", "allowlist", "auto_moderation_threshold"),
    entries=_entries,
    apply=_apply,
    entry_labels=_entry_labels,
    totals=_totals,
    # Nobody has to write a list before the forum is guarded: until one is saved, the one that comes along holds.
    initial=lambda: starter().to_body(),
    guard=_guard,
    beside="forum/profanity/_banned.html",
)
