"""Texts that a changed filter would no longer ban, and that would wait for review instead. Uses no table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dashboard.platform.configs.changes import EntryChange
from forum.configs.profanity import ALLOWED, THRESHOLD, word_entry
from forum.impact import Text
from forum.profanity import FilterConfig, FilterVerdict, Match, Matching, Severity, normalize_word, score

RANK = {Severity.LOW: 0, Severity.MEDIUM: 1, Severity.HIGH: 2}


def can_unban(name: str, change: EntryChange) -> bool:
    """Whether a text that was banned can wait for review after this change."""
    if name == THRESHOLD:
        return change.now is not None and change.was is not None and change.now > change.was
    if name.startswith(ALLOWED):
        return change.now is not None
    if change.now is None or change.was is None:
        return change.was is not None
    (old_severity, old_matching), (new_severity, new_matching) = change.was, change.now
    is_narrower = old_matching == Matching.INSIDE and new_matching != Matching.INSIDE
    return is_narrower or RANK[Severity(new_severity)] < RANK[Severity(old_severity)]


def find_unbanned(
    before: FilterConfig, after: FilterConfig, changes: Mapping[str, EntryChange], texts: Iterable[Text]
) -> Iterator[tuple[str, Text, FilterVerdict]]:
    """Each text that would wait instead of being banned, with each change that alone has this effect."""
    names = [name for name, change in changes.items() if can_unban(name, change)]
    for text in texts:
        was, now = before.judge(text.content), after.judge(text.content)
        if was.banned and now.waits:
            yield from ((name, text, now) for name in names if _waits(name, text, was, now, before, after, changes))


def _waits(
    name: str,
    text: Text,
    was: FilterVerdict,
    now: FilterVerdict,
    before: FilterConfig,
    after: FilterConfig,
    changes: Mapping[str, EntryChange],
) -> bool:
    """Whether the text would wait if this were the only change."""
    if name == THRESHOLD:
        return was.score < after.threshold
    matches = _matches_of_change(name, text, was, now, changes)
    return bool(matches) and score(matches) < before.threshold


def _matches_of_change(
    name: str, text: Text, was: FilterVerdict, now: FilterVerdict, changes: Mapping[str, EntryChange]
) -> list[Match]:
    if not name.startswith(ALLOWED):
        own = [each for each in now.matches if word_entry(each.word) == name]
        return [*own, *(each for each in was.matches if word_entry(each.word) != name)]
    if normalize_word(name.removeprefix(ALLOWED)) not in normalize_word(text.content):
        return list(was.matches)
    return [each for each in was.matches if each in now.matches or word_entry(each.word) in changes]
