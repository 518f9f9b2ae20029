"""The profanity filter's config (`CONFIG#profanity`): words with their severity, words let through, a threshold."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from dashboard.configs.changes import Change, Changes, Entries
from dashboard.configs.items import Body
from dashboard.configs.kinds import Kind, Told
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
    blacklist, allowlist = list(_listed(body, "blacklist")), list(_listed(body, "allowlist"))
    severity, matching = dict(_mapped(body, "severity")), dict(_mapped(body, "matching"))
    after = dict(body)
    gone: set[str] = set()
    added: dict[str, None] = {}
    for name, change in changes.items():
        if name == THRESHOLD:
            after["autoModerationThreshold"] = change.now
        elif name.startswith(WORD):
            _set_word(name.removeprefix(WORD), change, gone, added, severity, matching)
    there = set(_texts(blacklist))
    blacklist = [each for each in blacklist if not (isinstance(each, str) and each in gone)]
    after["blacklist"] = [*blacklist, *(text for text in added if text not in there)]
    after["severity"], after["matching"] = severity, matching
    after["allowlist"] = _allowed(allowlist, changes)
    return after


def _set_word(
    text: str,
    change: Change,
    gone: set[str],
    added: dict[str, None],
    severity: dict[str, Any],
    matching: dict[str, Any],
) -> None:
    if change.now is None:
        gone.add(text)
        severity.pop(text, None)
        matching.pop(text, None)
        return
    added[text] = None
    severity[text], wanted = change.now
    if wanted == Matching.INSIDE:
        matching[text] = wanted
    else:
        matching.pop(text, None)


def _allowed(allowlist: list[Any], changes: Changes) -> list[Any]:
    touched = {name.removeprefix(ALLOWED): change for name, change in changes.items() if name.startswith(ALLOWED)}
    gone = {text for text, change in touched.items() if change.now is None}
    there = set(_texts(allowlist))
    kept = [each for each in allowlist if not (isinstance(each, str) and each in gone)]
    return [*kept, *(text for text, change in touched.items() if change.now and text not in there)]


def _listed(body: Body, name: str) -> list[Any]:
    found = body.get(name)
    # A set of DynamoDB's has no order.
    return sorted(found, key=str) if isinstance(found, set) else found if isinstance(found, list) else []


def _mapped(body: Body, name: str) -> dict[str, Any]:
    found = body.get(name)
    return found if isinstance(found, dict) else {}


def _texts(members: list[Any]) -> list[str]:
    return [each for each in members if isinstance(each, str)]


def _told(name: str, change: Change) -> Told:
    if name == THRESHOLD:
        return Told(_("Threshold"), _("Threshold"), _number(change.was), _number(change.now), "change")
    if name.startswith(ALLOWED):
        return Told(_("Words let through"), name.removeprefix(ALLOWED), "", "", change.verb)
    return Told(_("Words"), name.removeprefix(WORD), _described(change.was), _described(change.now), change.verb)


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


PROFANITY = Kind(
    name="profanity",
    title=gettext_lazy("Profanity filter"),
    route="profanity",
    fields=("blacklist", "severity", "matching", "allowlist", "auto_moderation_threshold"),
    entries=_entries,
    apply=_apply,
    told=_told,
    totals=_totals,
    # Nobody has to write a list before the forum is guarded: until one is saved, the one that comes along holds.
    initial=lambda: starter().to_body(),
)
