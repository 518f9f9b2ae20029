"""The reasons that moderators choose from (`CONFIG#reasons`): in order, in both languages."""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.core.names import folded
from dashboard.platform.configs.changes import Change, Changes, Entries, Value, applied
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import EntryLabels, Kind

LANGUAGES = ("en", "es")
ORDER = "order"
Reason = dict[str, str]
_REASON = "reason:"

# What a forum meets first. Staff change them as they like.
PRESETS = [
    {"id": "insult", "en": "Insults someone", "es": "Insulta a alguien"},
    {"id": "hate", "en": "Hate against a group", "es": "Odio contra un grupo"},
    {"id": "profanity", "en": "Foul language", "es": "Lenguaje vulgar"},
    {"id": "harassment", "en": "Harassment or threat", "es": "Acoso o amenaza"},
    {"id": "sexual", "en": "Sexual content", "es": "Contenido sexual"},
    {"id": "spam", "en": "Spam or advertising", "es": "Spam o publicidad"},
    {"id": "private", "en": "Someone's private data", "es": "Datos privados de alguien"},
    {"id": "off-topic", "en": "Off topic", "es": "Fuera de tema"},
]


def _initial() -> Body:
    return {"reasons": [dict(each) for each in PRESETS]}


def read(body: Body) -> list[Reason]:
    """The reasons as they stand; another service may have written plain texts, or one language alone."""
    found: dict[str, Reason] = {}
    for each in _members(body):
        if reason := _reason(each):
            found.setdefault(reason["id"], reason)
    return list(found.values())


def _members(body: Body) -> list[Any]:
    members = body.get("reasons")
    return sorted(members, key=str) if isinstance(members, set) else members if isinstance(members, list) else []


def _reason(member: Any) -> Reason | None:
    """What one member of the list says; none where it says nothing to us."""
    if isinstance(member, str) and member.strip():
        member = dict.fromkeys(LANGUAGES, member)
    if not isinstance(member, dict):
        return None
    texts = {language: member[language] for language in LANGUAGES if isinstance(member.get(language), str)}
    if not any(text.strip() for text in texts.values()):
        return None
    return {"id": str(member.get("id") or slug(next(filter(None, texts.values())))), **texts}


def slug(text: str) -> str:
    """An id that says what the reason is."""
    return re.sub(r"[^a-z0-9]+", "-", folded(text)).strip("-")[:40] or "reason"


def _entries(body: Body) -> Entries:
    reasons = read(body)
    texts = {f"{_REASON}{each['id']}": {n: t for n, t in each.items() if n != "id"} for each in reasons}
    return texts | ({ORDER: [each["id"] for each in reasons]} if reasons else {})


def _apply(body: Body, changes: Changes) -> Body:
    entries = applied(_entries(body), changes)
    there = {name.removeprefix(_REASON): texts for name, texts in entries.items() if name.startswith(_REASON)}
    order = [name for name in entries.get(ORDER) or [] if name in there]
    names = list(dict.fromkeys([*order, *there]))
    # What another service keeps beside the texts stays, and so does what we cannot read.
    beside: dict[str, dict[str, Any]] = {}
    odd = []
    for each in _members(body):
        if (reason := _reason(each)) is None:
            odd.append(each)
        elif isinstance(each, dict):
            beside.setdefault(reason["id"], {name: value for name, value in each.items() if name not in reason})
    return {**body, "reasons": [*({"id": name, **beside.get(name, {}), **there[name]} for name in names), *odd]}


def _settle(name: str, change: Change, theirs: Value) -> Value | None:
    """Two orders are one where only one of the two has moved what was there; what either adds or removes counts."""
    if name != ORDER or theirs is None or change.now is None:
        return None
    was, mine = change.was or [], change.now
    both = [each for each in was if each in mine and each in theirs]
    if _among(mine, both) != both and _among(theirs, both) != both:
        return None
    leading, other = (mine, theirs) if _among(mine, both) != both else (theirs, mine)
    gone = [each for each in was if each not in mine or each not in theirs]
    return [each for each in dict.fromkeys([*leading, *other]) if each not in gone]


def _among(order: list[str], names: list[str]) -> list[str]:
    return [each for each in order if each in names]


def _entry_labels(name: str, change: Change) -> EntryLabels:
    if name == ORDER:
        return EntryLabels(_("Order"), _("Order"), _listed(change.was), _listed(change.now), "change")
    label = (change.now or change.was or {}).get("en") or name.removeprefix(_REASON)
    return EntryLabels(_("Reasons"), label, _both(change.was), _both(change.now), change.verb)


def _listed(names: Any) -> str:
    return ", ".join(map(str, names or []))


def _both(texts: Any) -> str:
    return " · ".join(texts[language] for language in LANGUAGES if texts.get(language)) if texts else ""


def _totals(entries: Entries) -> dict[str, int]:
    return {"reasons": sum(name.startswith(_REASON) for name in entries)}


def reasons_of(body: Body) -> list[Reason]:
    """In order, each with its id and a text in each language."""
    return [in_both(each) for each in read(body)]


def in_both(reason: Reason) -> Reason:
    """With a text in each language: the other one's where it has none."""
    texts = [reason[language] for language in LANGUAGES if reason.get(language)]
    return {"id": reason["id"], **{language: reason.get(language) or texts[0] for language in LANGUAGES}}


def as_entries(reasons: list[Reason]) -> Entries:
    return _entries({"reasons": reasons})


REASONS = Kind(
    name="reasons",
    title=gettext_lazy("Reasons"),
    route="reasons",
    fields=("reasons",),
    entries=_entries,
    apply=_apply,
    entry_labels=_entry_labels,
    totals=_totals,
    initial=_initial,
    settle=_settle,
)
