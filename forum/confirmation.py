"""Changes of the filter that need confirmation: they would ban many texts, or send many to review."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from dashboard.platform.configs.changes import Changes, EntryChange
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import NeedsConfirmation
from forum.configs.profanity import ALLOWED, THRESHOLD, WORD, word_entry
from forum.impact import Example, Text, build_example, percent
from forum.profanity import FilterConfig, FilterVerdict, Match, Matching, Severity, normalize_word, score
from forum.queries.filter import compile_filter
from forum.queries.recent_texts import sample_texts, sample_texts_of_all_statuses
from forum.unbanned_texts import RANK, can_unban, find_unbanned

# A change needs confirmation if it alone would ban, or send to review, more than this share of the latest texts, and
# at least this many.
MAX_SHARE, MAX_WAITING_SHARE, MIN_TEXTS = 0.01, 0.02, 3
MAX_EXAMPLES = 2


@dataclass
class AffectedSample:
    """A number of texts, and some of them."""

    count: int = 0
    examples: list[Example] = field(default_factory=list)

    def add(self, text: Text, verdict: FilterVerdict) -> None:
        self.count += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(build_example(text, verdict))

    def exceeds(self, share: float, checked: int) -> bool:
        return self.count >= MIN_TEXTS and self.count > share * checked


@dataclass
class Effect:
    """The texts that one change alone would ban, and those that it alone would send to review."""

    banned: AffectedSample = field(default_factory=AffectedSample)
    waiting: AffectedSample = field(default_factory=AffectedSample)
    # Those that it would send to review instead of banning them.
    unbanned: AffectedSample = field(default_factory=AffectedSample)

    def is_large(self, checked: Checked) -> bool:
        return (
            self.banned.exceeds(MAX_SHARE, checked.active)
            or self.waiting.exceeds(MAX_WAITING_SHARE, checked.active)
            or self.unbanned.exceeds(MAX_WAITING_SHARE, checked.of_all_statuses)
        )


@dataclass(frozen=True)
class Checked:
    """How many texts were checked. Texts that are banned now are only among those of all statuses."""

    active: int
    of_all_statuses: int


def find_confirmations(before: Body, after: Body, changes: Changes) -> list[NeedsConfirmation]:
    """The changes that need confirmation, tested on the latest texts; the largest effect first."""
    can_ban = any(can_ban_more(name, change) for name, change in changes.items())
    can_release = any(can_unban(name, change) for name, change in changes.items())
    active = sample_texts() if can_ban else []
    of_all_statuses = sample_texts_of_all_statuses() if can_release else []
    checked = Checked(len(active), len(of_all_statuses))
    filter_before, filter_after = compile_filter(before), compile_filter(after)
    effects = measure_effects(filter_before, filter_after, changes, active)
    for name, text, verdict in find_unbanned(filter_before, filter_after, changes, of_all_statuses):
        effects[name].unbanned.add(text, verdict)
    large = [(name, effect) for name, effect in effects.items() if effect.is_large(checked)]
    large.sort(key=lambda pair: (-pair[1].banned.count, -pair[1].waiting.count, -pair[1].unbanned.count, pair[0]))
    return [_confirmation(name, changes[name], effect, checked) for name, effect in large]


def _confirmation(name: str, change: EntryChange, effect: Effect, checked: Checked) -> NeedsConfirmation:
    what = name.partition(":")[2] or f"{change.now:g}"
    label = _label(name, change) % {"what": what}
    sentences, audit_texts, examples = [], [], []
    if effect.banned.exceeds(MAX_SHARE, checked.active):
        sentences.append(_ban_sentence(name) % _values(what, effect.banned, checked.active))
        audit_texts.append(f"{effect.banned.count}/{checked.active}")
        examples += effect.banned.examples
    if effect.waiting.exceeds(MAX_WAITING_SHARE, checked.active):
        sentences.append(_review_sentence(name) % _values(what, effect.waiting, checked.active))
        audit_texts.append(f"{effect.waiting.count}/{checked.active} review")
        examples += effect.waiting.examples
    if effect.unbanned.exceeds(MAX_WAITING_SHARE, checked.of_all_statuses):
        text = _(
            "%(what)s: %(count)s of the latest %(looked)s texts would wait for review instead of being banned"
            " (%(share)s %%)."
        )
        sentences.append(text % _values(capfirst(label), effect.unbanned, checked.of_all_statuses))
        audit_texts.append(f"{effect.unbanned.count}/{checked.of_all_statuses} review")
        examples += effect.unbanned.examples
    return NeedsConfirmation(
        name,
        change,
        label,
        " ".join(sentences),
        f"{what} ({', '.join(audit_texts)})",
        [each.to_dict() for each in examples[:MAX_EXAMPLES]],
    )


def _values(what: str, sample: AffectedSample, checked: int) -> dict[str, Any]:
    return {"what": what, "count": sample.count, "looked": checked, "share": percent(sample.count, checked)}


def _label(name: str, change: EntryChange) -> str:
    if name == THRESHOLD:
        return _("threshold %(what)s")
    if name.startswith(ALLOWED):
        return _("“%(what)s” no longer allowed") if change.now is None else _("“%(what)s” allowed")
    return _("“%(what)s” removed") if change.now is None else _("“%(what)s”")


def _ban_sentence(name: str) -> str:
    if name == THRESHOLD:
        return _("A threshold of %(what)s would ban %(count)s of the latest %(looked)s texts (%(share)s %%).")
    if name.startswith(ALLOWED):
        return _("Removing allowed “%(what)s” would ban %(count)s of the latest %(looked)s texts (%(share)s %%).")
    return _("“%(what)s” would ban %(count)s of the latest %(looked)s texts (%(share)s %%).")


def _review_sentence(name: str) -> str:
    """A lower threshold bans texts that waited for review; it sends no others there."""
    if name.startswith(ALLOWED):
        return _(
            "Removing allowed “%(what)s” would send %(count)s of the latest %(looked)s texts to review (%(share)s %%)."
        )
    return _("“%(what)s” would send %(count)s of the latest %(looked)s texts to review (%(share)s %%).")


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
    return is_wider or RANK[Severity(new_severity)] > RANK[Severity(old_severity)]


def measure_effects(
    before: FilterConfig, after: FilterConfig, changes: Mapping[str, EntryChange], texts: Iterable[Text]
) -> dict[str, Effect]:
    """For each change, which texts it would ban or send to review alone, of those that all changes together would."""
    effects: dict[str, Effect] = defaultdict(Effect)
    no_longer_allowed = {
        name: normalize_word(name.removeprefix(ALLOWED))
        for name, change in changes.items()
        if name.startswith(ALLOWED) and change.now is None
    }
    for text in texts:
        was, now = before.judge(text.content), after.judge(text.content)
        if was.banned or not now.matches:
            continue
        if now.banned and THRESHOLD in changes and was.matches and was.score >= after.threshold:
            effects[THRESHOLD].banned.add(text, now)
        for name in _causes(text, was, now, changes, no_longer_allowed):
            matches = _matches_of_change(name, was, now, changes)
            if score(matches) >= before.threshold:
                if now.banned:
                    effects[name].banned.add(text, now)
            elif matches and not was.matches:
                effects[name].waiting.add(text, now)
    return effects


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
