"""The reasons that moderators choose from (`CONFIG#reasons`): in order, in both languages."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.core.names import folded
from dashboard.platform.configs.changes import Changes, Entries, EntryChange, Value, apply_changes
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import ConfigKind, EntryLabels
from dashboard.table.nested import StoredMap, members_of, texts_in

LANGUAGES = tuple(dict(settings.LANGUAGES))
ORDER = "order"
Reason = dict[str, str]
_REASON = "reason:"

# The reasons before the first save.
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


def read_reasons(body: Body) -> list[Reason]:
    """The reasons as stored. Outside writers may store plain texts, or a single language."""
    found: dict[str, Reason] = {}
    for each in members_of(body.get("reasons")):
        if reason := _reason(each):
            found.setdefault(reason["id"], reason)
    return list(found.values())


def _reason(member: Any) -> Reason | None:
    """A member of the list as a reason; None where it has no text."""
    reason = StoredMap.of(dict.fromkeys(LANGUAGES, member) if texts_in([member]) else member)
    texts = {language: text for language in LANGUAGES if (text := reason.text(language)).strip()}
    if not texts:
        return None
    return {"id": reason.text("id") or slug(next(iter(texts.values()))), **texts}


def slug(text: str) -> str:
    """An id derived from the text."""
    return re.sub(r"[^a-z0-9]+", "-", folded(text)).strip("-")[:40] or "reason"


def _entries(body: Body) -> Entries:
    reasons = read_reasons(body)
    texts = {f"{_REASON}{each['id']}": {n: t for n, t in each.items() if n != "id"} for each in reasons}
    return texts | ({ORDER: [each["id"] for each in reasons]} if reasons else {})


def _apply(body: Body, changes: Changes) -> Body:
    entries = apply_changes(_entries(body), changes)
    texts_by_id = {name.removeprefix(_REASON): texts for name, texts in entries.items() if name.startswith(_REASON)}
    order = [name for name in entries.get(ORDER) or [] if name in texts_by_id]
    names = list(dict.fromkeys([*order, *texts_by_id]))
    # Additional attributes of a reason and members that we cannot read stay: outside writers wrote them.
    extra: dict[str, dict[str, Any]] = {}
    unreadable = []
    for each in members_of(body.get("reasons")):
        if (reason := _reason(each)) is None:
            unreadable.append(each)
        else:
            values = StoredMap.of(each).items()
            extra.setdefault(reason["id"], {name: value for name, value in values if name not in reason})
    return {
        **body,
        "reasons": [*({"id": name, **extra.get(name, {}), **texts_by_id[name]} for name in names), *unreadable],
    }


def _merge_orders(name: str, change: EntryChange, theirs: Value) -> Value | None:
    """Merge two orders if only one of them moved existing reasons. Additions and removals of both are applied."""
    if name != ORDER or theirs is None or change.now is None:
        return None
    was, mine = change.was or [], change.now
    common = [each for each in was if each in mine and each in theirs]
    if _restrict(mine, common) != common and _restrict(theirs, common) != common:
        return None
    leading, other = (mine, theirs) if _restrict(mine, common) != common else (theirs, mine)
    removed = [each for each in was if each not in mine or each not in theirs]
    return [each for each in dict.fromkeys([*leading, *other]) if each not in removed]


def _restrict(order: list[str], names: list[str]) -> list[str]:
    """The members of `order` that are in `names`, in their order."""
    return [each for each in order if each in names]


def _entry_labels(name: str, change: EntryChange) -> EntryLabels:
    if name == ORDER:
        return EntryLabels(_("Order"), _("Order"), _join_ids(change.was), _join_ids(change.now), "change")
    label = (change.now or change.was or {}).get("en") or name.removeprefix(_REASON)
    return EntryLabels(_("Reasons"), label, _join_texts(change.was), _join_texts(change.now), change.verb)


def _join_ids(names: Any) -> str:
    return ", ".join(map(str, names or []))


def _join_texts(texts: Any) -> str:
    return " · ".join(texts[language] for language in LANGUAGES if texts.get(language)) if texts else ""


def _totals(entries: Entries) -> dict[str, int]:
    return {"reasons": sum(name.startswith(_REASON) for name in entries)}


def reasons_of(body: Body) -> list[Reason]:
    """The reasons in order, each with its id and a text in both languages."""
    return [with_both_languages(each) for each in read_reasons(body)]


def with_both_languages(reason: Reason) -> Reason:
    """The reason with a text in each language; a missing one is copied from the other."""
    texts = [reason[language] for language in LANGUAGES if reason.get(language)]
    return {"id": reason["id"], **{language: reason.get(language) or texts[0] for language in LANGUAGES}}


def to_entries(reasons: list[Reason]) -> Entries:
    return _entries({"reasons": reasons})


REASONS = ConfigKind(
    name="reasons",
    title=gettext_lazy("Reasons"),
    route="reasons",
    fields=("reasons",),
    entries=_entries,
    apply=_apply,
    entry_labels=_entry_labels,
    totals=_totals,
    initial=_initial,
    merge_values=_merge_orders,
)
