"""The versions that saving a config leaves: what was changed and why, and the body to go back to."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.core.clock import now
from dashboard.core.errors import StaleRevision
from dashboard.platform.configs.changes import Changes, counts, packed
from dashboard.platform.configs.items import Body, Config, ConfigBody, ConfigVersion
from dashboard.platform.configs.kinds import Kind, digest
from dashboard.table.transactions import Transaction

# So many of the changed entries are named in a list of versions, and in the audit trail.
SAMPLE = 12
# Where a version came from that nobody saved here.
AS_IT_COMES, FOUND, ELSEWHERE = "initial", "found", "elsewhere"


@dataclass(frozen=True)
class Why:
    """What a version is for: a note, and the version that it brings back or takes back."""

    note: str = ""
    restored: int | None = None
    reverted: int | None = None

    @property
    def action(self) -> str:
        return "restore" if self.restored is not None else "revert" if self.reverted is not None else "save"


def keep_what_stands(transaction: Transaction, kind: Kind, config: Config | None, newest: int) -> int:
    """What stands there and is in no version yet becomes one: nothing is lost by saving over it. The newest number."""
    body = kind.body_of(config)
    is_known = config.digest == digest(body) if config else not body
    if is_known:
        return newest
    version = _version(kind, newest + 1, body)
    version.origin = AS_IT_COMES if config is None else ELSEWHERE if config.number else FOUND
    if config is not None and not config.number:
        version.by, version.by_name = config.updated_by, config.updated_by_name
    _create(transaction, kind, version, body)
    return version.number


def add_version(transaction: Transaction, kind: Kind, number: int, body: Body, changes: Changes, why: Why) -> None:
    version = _version(kind, number, body)
    version.by, version.by_name = transaction.command.by.email, transaction.command.by.name or None
    version.note = why.note or None
    version.restored, version.reverted = why.restored, why.reverted
    version.counts = counts(changes)
    version.sample = [kind.entry_labels(name, changes[name]).label for name in list(changes)[:SAMPLE]]
    _create(transaction, kind, version, body)


def _version(kind: Kind, number: int, body: Body) -> ConfigVersion:
    version = ConfigVersion.at(name=kind.name, version=number)
    version.version, version.created_at = number, now()
    version.totals = kind.totals(kind.entries(body))
    return version


def _create(transaction: Transaction, kind: Kind, version: ConfigVersion, body: Body) -> None:
    item = ConfigBody.at(name=kind.name, version=version.number)
    item.packed = packed(body)
    transaction.create(version, otherwise=StaleRevision)
    transaction.create(item, otherwise=StaleRevision)
