"""Which domains are let in (`CONFIG#domains`): a list, each with the sign before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform.configs.changes import Change, Changes, Entries
from dashboard.platform.configs.items import Body, Config
from dashboard.platform.configs.kinds import ConfigKind, EntryLabels, NeedsConfirmation
from dashboard.platform.event.domains import Whitelist, members_of, named

_DOMAIN = "domain:"


def entry(name: str) -> str:
    return f"{_DOMAIN}{name}"


def name_of(entry: str) -> str:
    return entry.removeprefix(_DOMAIN)


def whitelist_of(config: Config | None) -> Whitelist:
    """Who is let in, as the forum reads it."""
    return Whitelist.of(DOMAINS.body_of(config).get("whitelist"))


def added(names: Iterable[str]) -> Changes:
    return {entry(name): Change(None, True) for name in names}


def removed(names: Iterable[str]) -> Changes:
    return {entry(name): Change(True, None) for name in names}


def _entries(body: Body) -> Entries:
    texts = [each for each in members_of(body.get("whitelist")) if isinstance(each, str)]
    return {entry(name): True for text in texts if (name := named(text))}


def _apply(body: Body, changes: Changes) -> Body:
    """The list without what goes and with what comes; what another service keeps in it beside domains stays."""
    wanted = {name_of(name): change.now for name, change in changes.items()}
    members = members_of(body.get("whitelist"))
    there = {named(each) for each in members if isinstance(each, str)}
    kept = [each for each in members if not isinstance(each, str) or wanted.get(named(each), True) is not None]
    new = [f"@{name}" for name, value in wanted.items() if value is not None and name not in there]
    return {**body, "whitelist": [*kept, *new]}


def _entry_labels(name: str, change: Change) -> EntryLabels:
    return EntryLabels(_("Domains"), name_of(name), "", "", change.verb)


def _guard(before: Body, after: Body, changes: Changes) -> Sequence[NeedsConfirmation]:
    # It knows the entries from here, and asks the table: nothing that only reads the config needs it.
    from rooms.confirmation import find_confirmations

    return find_confirmations(before, after, changes)


DOMAINS = ConfigKind(
    name="domains",
    title=gettext_lazy("Domains"),
    route="domains",
    fields=("whitelist",),
    entries=_entries,
    apply=_apply,
    entry_labels=_entry_labels,
    totals=lambda entries: {"domains": len(entries)},
    guard=_guard,
)
