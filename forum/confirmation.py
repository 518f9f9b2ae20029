"""Changes of the filter that would ban much of what people write: they are held until someone says it is meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from dashboard.platform.configs.changes import Change, Changes
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import NeedsConfirmation
from forum.configs.profanity import ALLOWED, THRESHOLD, WORD, word_entry
from forum.impact import Example, Text, example, share
from forum.profanity import FilterConfig, Match, Matching, Severity, Verdict, fold_word, score
from forum.queries.filter import filter_of
from forum.queries.recent_texts import sample

# A change is held that alone would ban more than this share of the latest texts, and no fewer than so many of them.
SHARE, LEAST = 0.01, 3
EXAMPLES = 2
_RANK = {Severity.LOW: 0, Severity.MEDIUM: 1, Severity.HIGH: 2}


@dataclass
class Weight:
    """What one change alone would ban."""

    count: int = 0
    examples: list[Example] = field(default_factory=list)

    def add(self, text: Text, verdict: Verdict) -> None:
        self.count += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(example(text, verdict))


def holds(before: Body, after: Body, changes: Changes) -> list[NeedsConfirmation]:
    """The changes that somebody has to confirm, by what was written last."""
    if not any(bans_more(name, change) for name, change in changes.items()):
        return []
    texts = sample()
    found = weigh(filter_of(before), filter_of(after), changes, texts)
    heavy = {name: each for name, each in found.items() if each.count >= LEAST and each.count > SHARE * len(texts)}
    worst_first = sorted(heavy.items(), key=lambda pair: (-pair[1].count, pair[0]))
    return [_hold(name, changes[name], each, len(texts)) for name, each in worst_first]


def _hold(name: str, change: Change, weight: Weight, looked: int) -> NeedsConfirmation:
    told = {
        "what": name.partition(":")[2] or f"{change.now:g}",
        "count": weight.count,
        "looked": looked,
        "share": share(weight.count, looked),
    }
    if name == THRESHOLD:
        label = _("threshold %(what)s") % told
        says = _("A threshold of %(what)s would ban %(count)s of the latest %(looked)s texts (%(share)s %%).") % told
    elif name.startswith(ALLOWED):
        label = _("“%(what)s” not let through") % told
        says = _("Not letting “%(what)s” through would ban %(count)s of the latest %(looked)s texts (%(share)s %%).")
        says %= told
    else:
        label = _("“%(what)s”") % told
        says = _("“%(what)s” would ban %(count)s of the latest %(looked)s texts (%(share)s %%).") % told
    examples = [each.to_dict() for each in weight.examples]
    return NeedsConfirmation(name, change, label, says, f"{told['what']} ({weight.count}/{looked})", examples)


def bans_more(name: str, change: Change) -> bool:
    """Whether a change can make anything be banned that was not."""
    if name == THRESHOLD:
        return change.now is not None and change.was is not None and change.now < change.was
    if name.startswith(ALLOWED):
        return change.now is None
    if change.now is None or change.was is None:
        return change.now is not None
    (was, found_as), (now, finds_as) = change.was, change.now
    wider = finds_as == Matching.INSIDE and found_as != Matching.INSIDE
    return wider or _RANK[Severity(now)] > _RANK[Severity(was)]


def weigh(
    before: FilterConfig, after: FilterConfig, changes: Mapping[str, Change], texts: Iterable[Text]
) -> dict[str, Weight]:
    """What each change alone would ban of what all of them together would."""
    weights: dict[str, Weight] = defaultdict(Weight)
    no_more = {name: fold_word(name.removeprefix(ALLOWED)) for name in changes if _is_taken_out(name, changes[name])}
    for text in texts:
        was, now = before.judge(text.content), after.judge(text.content)
        if was.banned or not now.banned:
            continue
        if THRESHOLD in changes and was.matches and was.score >= after.threshold:
            weights[THRESHOLD].add(text, now)
        for name in _causes(text, was, now, changes, no_more):
            alone = _alone(name, was, now, changes)
            if score(alone) >= before.threshold:
                weights[name].add(text, now)
    return dict(weights)


def _is_taken_out(name: str, change: Change) -> bool:
    return name.startswith(ALLOWED) and change.now is None


def _causes(
    text: Text, was: Verdict, now: Verdict, changes: Mapping[str, Change], no_more: Mapping[str, str]
) -> set[str]:
    """The changed entries that found something new in a text."""
    new = {each.word for each in now.matches if each not in was.matches}
    found = {word_entry(word) for word in new if word_entry(word) in changes}
    if no_more and new - {name.removeprefix(WORD) for name in found}:
        folded = fold_word(text.content)
        found |= {name for name, allowed in no_more.items() if allowed in folded}
    return found


def _alone(name: str, was: Verdict, now: Verdict, changes: Mapping[str, Change]) -> list[Match]:
    """What would be found by one change and nothing else: its own matches in the place of what they cover."""
    if name.startswith(WORD):
        own = [each for each in now.matches if word_entry(each.word) == name]
    else:
        own = [each for each in now.matches if each not in was.matches and word_entry(each.word) not in changes]
    rest = [each for each in was.matches if not any(one.start < each.end and each.start < one.end for one in own)]
    return [*own, *rest]
