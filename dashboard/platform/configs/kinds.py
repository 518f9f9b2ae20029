"""Kinds of config: how a body is converted into entries, and changes are written back into it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from dashboard.platform.configs.changes import Changes, Entries, EntryChange, MergeValues, to_jsonable
from dashboard.platform.configs.items import Body, Config
from dashboard.table.equality import is_equal

# DynamoDB's limit for an item is 400 KB. The rest is for the other attributes and for further entries.
MAX_BYTES = 350 * 1024


@dataclass(frozen=True)
class EntryLabels:
    """A change of an entry as text: its group, its label, and the values before and after."""

    group: str
    label: str
    was: str
    now: str
    verb: str


@dataclass(frozen=True)
class NeedsConfirmation:
    """A change with such a large effect that a person has to confirm it before it is saved."""

    name: str
    change: EntryChange
    label: str
    # A sentence that describes the effect.
    effect: str
    # The short form for the audit entry.
    audit_text: str
    # Texts that the change affects, in pieces, as `configs/_confirmations.html` shows them.
    examples: Sequence[Mapping[str, Any]] = ()

    @property
    def token(self) -> str:
        """What a person confirms: this entry with this value. Another value needs another confirmation."""
        return f"{self.name}={json.dumps(self.change.now, ensure_ascii=False)}"


@dataclass(frozen=True)
class ConfigKind:
    """One config. A new body is derived from the current one, so that data of outside writers stays."""

    name: str
    title: Promise
    # The route of the page that edits it.
    route: str
    # Its attributes of `Config`.
    fields: tuple[str, ...]
    entries: Callable[[Body], Entries]
    apply: Callable[[Body, Changes], Body]
    entry_labels: Callable[[str, EntryChange], EntryLabels]
    # How many entries of each sort there are, for the history.
    totals: Callable[[Entries], dict[str, int]]
    # The body before the first save.
    initial: Callable[[], Body] = dict
    merge_values: MergeValues | None = None
    # A template that a version's page includes, with `line`.
    version_template: str = ""
    # Reads the time zone of the pages of its history; without it, they use the person's.
    zone: Callable[[], str] | None = None
    # Returns the changes that need confirmation, given the body before and after.
    confirmations: Callable[[Body, Body, Changes], Sequence[NeedsConfirmation]] | None = None

    def body_of(self, config: Config | None) -> Body:
        """The body by attribute names; the initial body where nothing is saved."""
        if config is None:
            return self.initial()
        values = ((self.attribute_name(name), config.plain(name)) for name in self.fields)
        return {name: value for name, value in values if value is not None}

    def write_body(self, config: Config, body: Body) -> None:
        """Set only the fields that differ: an unchanged field keeps the type that it has in the table."""
        for name in self.fields:
            value = body.get(self.attribute_name(name))
            if not is_equal(value, config.plain(name)):
                setattr(config, name, value)

    def entries_of(self, config: Config | None) -> Entries:
        return self.entries(self.body_of(config))

    @staticmethod
    def attribute_name(field: str) -> str:
        return str(Config.get_attributes()[field].attr_name)


def digest(body: Body) -> str:
    """The hash of a body. The order of its maps does not matter."""
    text = json.dumps(body, sort_keys=True, default=to_jsonable, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
