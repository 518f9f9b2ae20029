"""The config of the allowed domains (`CONFIG#domains`): a list of names, each with an `@` in front."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform.configs.changes import Changes, Entries, EntryChange
from dashboard.platform.configs.items import Body, Config
from dashboard.platform.configs.kinds import ConfigKind, EntryLabels, NeedsConfirmation
from dashboard.platform.event.domains import Whitelist, normalise_domain
from dashboard.table.nested import texts_in, without_texts, words_of

_DOMAIN = "domain:"


def entry(name: str) -> str:
    return f"{_DOMAIN}{name}"


def name_of(entry: str) -> str:
    return entry.removeprefix(_DOMAIN)


def whitelist_of(config: Config | None) -> Whitelist:
    """The list as the forum reads it."""
    return Whitelist.from_stored(DOMAINS.body_of(config).get("whitelist"))


def added(names: Iterable[str]) -> Changes:
    return {entry(name): EntryChange(None, True) for name in names}


def removed(names: Iterable[str]) -> Changes:
    return {entry(name): EntryChange(True, None) for name in names}


def _entries(body: Body) -> Entries:
    texts = texts_in(words_of(body.get("whitelist")))
    return {entry(name): True for text in texts if (name := normalise_domain(text))}


def _apply(body: Body, changes: Changes) -> Body:
    """Add and remove domains; entries of outside writers that are no domains stay."""
    values = {name_of(name): change.now for name, change in changes.items()}
    members = words_of(body.get("whitelist"))
    present = {each: normalise_domain(each) for each in texts_in(members)}
    remaining = without_texts(members, {each for each, name in present.items() if values.get(name, True) is None})
    new_members = [f"@{name}" for name, value in values.items() if value is not None and name not in present.values()]
    return {**body, "whitelist": [*remaining, *new_members]}


def _entry_labels(name: str, change: EntryChange) -> EntryLabels:
    return EntryLabels(_("Domains"), name_of(name), "", "", change.verb)


def _confirmations(before: Body, after: Body, changes: Changes) -> Sequence[NeedsConfirmation]:
    # Imported here because it reads the table and imports this module.
    from rooms.confirmation import required_confirmations

    return required_confirmations(before, after, changes)


def _zone() -> str:
    # Imported here because Django has to load the items first.
    from rooms.queries.rooms import all_rooms
    from rooms.zones import event_zone

    return event_zone(all_rooms())


DOMAINS = ConfigKind(
    name="domains",
    title=gettext_lazy("Domains"),
    route="domains",
    fields=("whitelist",),
    entries=_entries,
    apply=_apply,
    entry_labels=_entry_labels,
    totals=lambda entries: {"domains": len(entries)},
    zone=_zone,
    confirmations=_confirmations,
)
