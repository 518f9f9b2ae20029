"""The versions that a save adds to a config's history."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.core.clock import now
from dashboard.core.errors import StaleRevision
from dashboard.platform.configs.changes import Changes, count_verbs, pack
from dashboard.platform.configs.items import Body, Config, ConfigBody, ConfigVersion
from dashboard.platform.configs.kinds import ConfigKind, digest
from dashboard.table.transactions import Transaction

# The number of changed entries that a version and its audit entry name.
MAX_LABELS = 12
# Origins of a version that was not saved here.
INITIAL, PREEXISTING, OUTSIDE = "initial", "found", "elsewhere"


@dataclass(frozen=True)
class VersionNote:
    """A person's note, and the version that is restored or reverted."""

    text: str = ""
    restored: int | None = None
    reverted: int | None = None

    @property
    def action(self) -> str:
        return "restore" if self.restored is not None else "revert" if self.reverted is not None else "save"


def preserve_unversioned_body(transaction: Transaction, kind: ConfigKind, config: Config | None, newest: int) -> int:
    """Add a version for a current body that is in no version yet, so that it is not lost; the newest number."""
    body = kind.body_of(config)
    has_version = config.digest == digest(body) if config else not body
    if has_version:
        return newest
    version = _version(kind, newest + 1, body)
    version.origin = INITIAL if config is None else OUTSIDE if config.number else PREEXISTING
    if config is not None and not config.number:
        version.by, version.by_name = config.updated_by, config.updated_by_name
    _create(transaction, kind, version, body)
    return version.number


def add_version(
    transaction: Transaction, kind: ConfigKind, number: int, body: Body, changes: Changes, note: VersionNote
) -> None:
    version = _version(kind, number, body)
    version.by, version.by_name = transaction.command.by.email, transaction.command.by.name or None
    version.note = note.text or None
    version.restored, version.reverted = note.restored, note.reverted
    version.counts = count_verbs(changes)
    version.sample = [kind.entry_labels(name, changes[name]).label for name in list(changes)[:MAX_LABELS]]
    _create(transaction, kind, version, body)


def _version(kind: ConfigKind, number: int, body: Body) -> ConfigVersion:
    version = ConfigVersion.new(name=kind.name, version=number)
    version.version, version.created_at = number, now()
    version.totals = kind.totals(kind.entries(body))
    return version


def _create(transaction: Transaction, kind: ConfigKind, version: ConfigVersion, body: Body) -> None:
    item = ConfigBody.new(name=kind.name, version=version.number)
    item.packed = pack(body)
    transaction.create(version, on_failure=StaleRevision)
    transaction.create(item, on_failure=StaleRevision)
