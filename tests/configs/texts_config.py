"""The smallest possible config: a list of texts."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.configs import queries
from dashboard.platform.configs.changes import Changes, Entries, EntryChange, apply_changes
from dashboard.platform.configs.items import Body, Config
from dashboard.platform.configs.kinds import ConfigKind, EntryLabels
from dashboard.platform.configs.services import config_writes, drafts
from dashboard.table import keys, read
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.connection import table as connected
from tests.conftest import ACTOR

BRUNO = Actor("bruno@example.com", "Bruno Paz")


def _entries(body: Body) -> Entries:
    return {each: True for each in body.get("whitelist") or [] if isinstance(each, str)}


def _apply(body: Body, changes: Changes) -> Body:
    odd = [each for each in body.get("whitelist") or [] if not isinstance(each, str)]
    return {**body, "whitelist": [*apply_changes(_entries(body), changes), *odd]}


def _entry_labels(name: str, change: EntryChange) -> EntryLabels:
    return EntryLabels("Texts", name, "yes" if change.was else "", "yes" if change.now else "", change.verb)


TEXTS = ConfigKind(
    name="texts",
    title=_("Reasons"),
    route="home",
    fields=("whitelist",),
    entries=_entries,
    apply=_apply,
    entry_labels=_entry_labels,
    totals=lambda entries: {"texts": len(entries)},
)


def stage(*added: str, removed: tuple[str, ...] = (), by: Actor = ACTOR, kind: ConfigKind = TEXTS) -> None:
    wanted = dict.fromkeys(added, True) | dict.fromkeys(removed)
    drafts.stage(kind, wanted, command=new_command(by))


def save(by: Actor = ACTOR, note: str = "", overwrite: tuple[str, ...] = (), command: Command | None = None) -> Config:
    """Save the person's draft, as the page does."""
    at = queries.load_state(TEXTS, by.email)
    return config_writes.save(
        TEXTS,
        at.staged,
        note=note,
        revision=at.revision,
        overwrite=overwrite,
        draft=at.draft,
        command=command or new_command(by),
    )


def texts() -> list[str]:
    return sorted(TEXTS.entries_of(queries.current(TEXTS)))


def add(*names: str, removed: tuple[str, ...] = (), by: Any = ACTOR, note: str = "") -> int:
    stage(*names, removed=removed, by=by)
    return int(save(by, note).version or 0)


def audit_entries() -> list[AuditEntry]:
    return read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry, newest_first=True).items


def put_as_outside_writer(*members: Any, **others: Any) -> None:
    """Write the whole config in the seed's form."""
    raw = {"whitelist": to_attribute(list(members))} | {name: to_attribute(value) for name, value in others.items()}
    key = keys.CONFIG.key(name="texts")
    connected().put_item(key.pk, key.sk, attributes=raw)


def change_as_outside_writer(*members: Any) -> None:
    """Change only the list."""
    key = keys.CONFIG.key(name="texts")
    connected().update_item(key.pk, key.sk, actions=[Config.whitelist.set(list(members))])
