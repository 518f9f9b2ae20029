"""Changes of the filter that need confirmation because they would ban many texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from dashboard.platform.configs.changes import Changes, EntryChange
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import NeedsConfirmation
from forum.configs.profanity import ALLOWED, THRESHOLD, WORD, word_entry
from forum.impact import Example, Text, build_example, percent
from forum.profanity import FilterConfig, FilterVerdict, Match, Matching, Severity, normalize_word, score
from forum.queries.filter import compile_filter
from forum.queries.recent_texts import sample_texts

# A change needs confirmation if it alone would ban more than this share of the latest texts, and at least this many.
MAX_SHARE, MIN_TEXTS = 0.01, 3
MAX_EXAMPLES = 2
_RANK = {Severity.LOW: 0, Severity.MEDIUM: 1, Severity.HIGH: 2}


@dataclass
class Effect:
    """The texts that one change alone would ban."""

    count: int = 0
    examples: list[Example] = field(default_factory=list)

    def add(self, text: Text, verdict: FilterVerdict) -> None:
        self.count += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(build_example(text, verdict))


def find_confirmations(before: Body, after: Body, changes: Changes) -> list[NeedsConfirmation]:
    """The changes that need confirmation, tested on the latest texts; the largest effect first."""
    if not any(can_ban_more(name, change) for name, change in changes.items()):
        return []
    texts = sample_texts()
    effects = measure_effects(compile_filter(before), compile_filter(after), changes, texts)
    large = {
        name: effect
        for name, effect in effects.items()
        if effect.count >= MIN_TEXTS and effect.count > MAX_SHARE * len(texts)
    }
    largest_first = sorted(large.items(), key=lambda pair: (-pair[1].count, pair[0]))
    return [_confirmation(name, changes[name], effect, len(texts)) for name, effect in largest_first]


def _confirmation(name: str, change: EntryChange, effect: Effect, checked: int) -> NeedsConfirmation:
    values = {
        "what": name.partition(":")[2] or f"{change.now:g}",
        "count": effect.count,
        "looked": checked,
        "share": percent(effect.count, checked),
    }
    if name == THRESHOLD:
        label = _("threshold %(what)s") % values
        text = _("A threshold of %(what)s would ban %(count)s of the latest %(looked)s texts (%(share)s %%).") % values
    elif name.startswith(ALLOWED):
        label = _("“%(what)s” no longer allowed") % values
        text = (
            _("Removing allowed “%(what)s” would ban %(count)s of the latest %(looked)s texts (%(share)s %%).") % values
        )
    else:
        label = _("“%(what)s”") % values
        text = _("“%(what)s” would ban %(count)s of the latest %(looked)s texts (%(share)s %%).") % values
    examples = [each.to_dict() for each in effect.examples]
    return NeedsConfirmation(name, change, label, text, f"{values['what']} ({effect.count}/{checked})", examples)


def can_ban_more(name: str, change: EntryChange) -> bool:
    """Whether a change can ban a text that was not banned before."""
    if name == THRESHOLD:
        return change.now is not None and change.was is not None and change.now < change.was
    if name.startswith(ALLOWED):
        return change.now is None
    if change.now is None or change.was is None:
        return change.now is not None
    (old_severity, old_matching), (new_severity, new_matching) = change.was, change.now
    is_wider = new_matching == Matching.INSIDE and old_matching != Matching.INSIDE
    return is_wider or _RANK[Severity(new_severity)] > _RANK[Severity(old_severity)]


def measure_effects(
    before: FilterConfig, after: FilterConfig, changes: Mapping[str, EntryChange], texts: Iterable[Text]
) -> dict[str, Effect]:
    """For each change, which of the texts that all changes together would ban it would ban alone."""
    effects: dict[str, Effect] = defaultdict(Effect)
    no_longer_allowed = {
        name: normalize_word(name.removeprefix(ALLOWED))
        for name, change in changes.items()
        if name.startswith(ALLOWED) and change.now is None
    }
    for text in texts:
        was, now = before.judge(text.content), after.judge(text.content)
        if was.banned or not now.banned:
            continue
        if THRESHOLD in changes and was.matches and was.score >= after.threshold:
            effects[THRESHOLD].add(text, now)
        for name in _causes(text, was, now, changes, no_longer_allowed):
            if score(_matches_of_change(name, was, now, changes)) >= before.threshold:
                effects[name].add(text, now)
    return dict(effects)


def _causes(
    text: Text,
    was: FilterVerdict,
    now: FilterVerdict,
    changes: Mapping[str, EntryChange],
    no_longer_allowed: Mapping[str, str],
) -> set[str]:
    """The changed entries that find something new in a text."""
    new = {each.word for each in now.matches if each not in was.matches}
    causes = {word_entry(word) for word in new if word_entry(word) in changes}
    if no_longer_allowed and new - {name.removeprefix(WORD) for name in causes}:
        normalized = normalize_word(text.content)
        causes |= {name for name, allowed in no_longer_allowed.items() if allowed in normalized}
    return causes


def _matches_of_change(
    name: str, was: FilterVerdict, now: FilterVerdict, changes: Mapping[str, EntryChange]
) -> list[Match]:
    """The matches if this were the only change: its own ones replace the previous ones that they cover."""
    if name.startswith(WORD):
        own = [each for each in now.matches if word_entry(each.word) == name]
    else:
        own = [each for each in now.matches if each not in was.matches and word_entry(each.word) not in changes]
    rest = [each for each in was.matches if not any(one.start < each.end and each.start < one.end for one in own)]
    return [*own, *rest]
