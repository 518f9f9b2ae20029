"""The kinds of config: how each one's body is seen as entries, and written back from them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from dashboard.platform.configs.changes import Change, Changes, Entries, Settle, in_json
from dashboard.platform.configs.items import Body, Config

# An item ends at 400 KB. What is beside the body, and the next words, need room.
MAX_BYTES = 350 * 1024


@dataclass(frozen=True)
class EntryLabels:
    """An entry in words: what it is about, what it is called, and how it reads before and after."""

    group: str
    label: str
    was: str
    now: str
    verb: str


@dataclass(frozen=True)
class NeedsConfirmation:
    """A change that does so much that somebody has to say it is meant, before it is saved."""

    name: str
    change: Change
    # What it is called, and what it would do, in words; as the trail keeps it.
    label: str
    says: str
    noted: str
    # Where that can be seen: texts in pieces, as `configs/holds.html` shows them.
    examples: Sequence[Mapping[str, Any]] = ()

    @property
    def token(self) -> str:
        """What a person confirms: this change, to this value. Another one is asked for anew."""
        return f"{self.name}={json.dumps(self.change.now, ensure_ascii=False)}"


@dataclass(frozen=True)
class Kind:
    """One config. Bodies are written from the body that stands: what other services keep in it stays."""

    name: str
    title: Promise
    # Where people edit it.
    route: str
    # The attributes of the item that belong to it.
    fields: tuple[str, ...]
    entries: Callable[[Body], Entries]
    apply: Callable[[Body, Changes], Body]
    entry_labels: Callable[[str, Change], EntryLabels]
    # How many there are of what, as the history shows it.
    totals: Callable[[Entries], dict[str, int]]
    # What holds where nothing is saved yet.
    initial: Callable[[], Body] = dict
    settle: Settle | None = None
    # The template that stands beside a version's own ways back, given `line`: what a version has done elsewhere.
    beside: str = ""
    # What of a change from one body to another is held until somebody confirms it, given both and the changes.
    guard: Callable[[Body, Body, Changes], Sequence[NeedsConfirmation]] | None = None

    def body_of(self, config: Config | None) -> Body:
        """What stands in the item, by the names on the wire; what is in force where there is none."""
        if config is None:
            return self.initial()
        values = ((self.on_the_wire(name), config.plain(name)) for name in self.fields)
        return {name: value for name, value in values if value is not None}

    def put(self, config: Config, body: Body) -> None:
        """Write what differs: what we do not touch stays of the type that it is."""
        for name in self.fields:
            wanted = body.get(self.on_the_wire(name))
            if wanted != config.plain(name):
                setattr(config, name, wanted)

    def entries_of(self, config: Config | None) -> Entries:
        return self.entries(self.body_of(config))

    @staticmethod
    def on_the_wire(name: str) -> str:
        return str(Config.get_attributes()[name].attr_name)


def digest(body: Body) -> str:
    """Of what stands in a config, whatever the order of its maps."""
    text = json.dumps(body, sort_keys=True, default=in_json, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
