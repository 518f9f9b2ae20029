"""What is asked about a config: as it stands, what someone is about to change, what it was."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

from dashboard.core.errors import NotFound
from dashboard.platform.configs.changes import Changes, Entries, Merged, applied, merge
from dashboard.platform.configs.items import HIGHEST, Body, Config, ConfigBody, ConfigDraft, ConfigVersion
from dashboard.platform.configs.kinds import Kind
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.registry import access_pattern

PAGE = 20
# So many versions are looked through for who has changed an entry.
LOOKED_BACK = 12


@dataclass(frozen=True)
class ConfigState:
    """A config as it is saved, with what one person is about to change in it."""

    kind: Kind
    config: Config | None
    draft: ConfigDraft | None

    @property
    def revision(self) -> int:
        return self.config.revision if self.config else 0

    @property
    def number(self) -> int:
        """The version that is in force; 0 where nobody has saved one."""
        return self.config.number if self.config else 0

    @cached_property
    def body(self) -> Body:
        return self.kind.body_of(self.config)

    @cached_property
    def saved(self) -> Entries:
        return self.kind.entries(self.body)

    @cached_property
    def staged(self) -> Changes:
        """What the person has changed, against what stood there when they did."""
        return self.draft.staged if self.draft else {}

    @cached_property
    def merged(self) -> Merged:
        """The person's changes on top of what is saved now, and where someone else has touched the same."""
        return merge(self.saved, self.staged, self.kind.settle)

    @cached_property
    def changes(self) -> Changes:
        """Every change the person is about to make, also where it meets another."""
        overlapping = {each.name: replace(each.change, was=each.theirs) for each in self.merged.overlaps}
        return self.merged.changes | overlapping

    @cached_property
    def wanted(self) -> Entries:
        """The entries as this person would have them."""
        return applied(self.saved, self.changes)

    @cached_property
    def wanted_body(self) -> Body:
        return self.kind.apply(self.body, self.changes) if self.changes else self.body


@access_pattern("What does this config say?", keys.CONFIG)
def current(kind: Kind) -> Config | None:
    return read.get(Config, keys.CONFIG.key(name=kind.name))


@access_pattern("What does this config say, and what is this person about to change?", keys.CONFIG, keys.CONFIG_DRAFT)
def standing(kind: Kind, email: str) -> ConfigState:
    """Both as they are now, in one consistent trip."""
    wanted = [keys.CONFIG.key(name=kind.name), keys.CONFIG_DRAFT.key(name=kind.name, email=email)]
    config, draft = read.get_many(wanted)
    return ConfigState(
        kind,
        config if isinstance(config, Config) else None,
        draft if isinstance(draft, ConfigDraft) else None,
    )


@access_pattern("Which versions has this config, newest first?", keys.CONFIG_VERSION, partition=True)
def history(kind: Kind, start: Raw | None = None, limit: int = PAGE) -> read.Page[ConfigVersion]:
    where = keys.CONFIG_VERSION.under(name=kind.name)
    found = read.page(where, ConfigVersion, limit=limit, start=start, newest_first=True, consistent=True)
    return replace(found, items=[each for each in found.items if "version" in each.key_parts])


@access_pattern("Which version of this config has the highest number?", keys.CONFIG_VERSION, partition=True)
def newest_number(kind: Kind) -> int:
    found = history(kind, limit=1).items
    return found[0].number if found else 0


@dataclass(frozen=True)
class Past:
    """A version, and the body that it left."""

    version: ConfigVersion
    body: Body


def at_versions(kind: Kind, *numbers: int) -> list[Past]:
    """In the order asked for, in one trip; a version before the first was empty."""
    there = some_versions(kind, *numbers)
    if missing := [number for number in numbers if number > 0 and number not in there]:
        raise NotFound(f"v{missing[0]}")
    nothing = ConfigVersion.at(name=kind.name, version=0)
    return [there.get(number) or Past(nothing, {}) for number in numbers]


@access_pattern("What did this config say at these versions?", keys.CONFIG_VERSION, keys.CONFIG_BODY)
def some_versions(kind: Kind, *numbers: int) -> dict[int, Past]:
    """Those of them that there are."""
    wanted = [number for number in dict.fromkeys(numbers) if 0 < number < HIGHEST]
    if not wanted:
        return {}
    found = read.get_many(
        [
            key
            for number in wanted
            for key in (
                keys.CONFIG_VERSION.key(name=kind.name, version=number),
                keys.CONFIG_BODY.key(name=kind.name, version=number),
            )
        ]
    )
    there = {}
    for number, version, body in zip(wanted, found[::2], found[1::2], strict=True):
        content = body.content if isinstance(body, ConfigBody) else None
        if isinstance(version, ConfigVersion) and content is not None:
            there[number] = Past(version, content)
    return there


def authors(kind: Kind, config: Config | None, names: Collection[str]) -> dict[str, ConfigVersion]:
    """The version that made each of these entries what it is now, where that is one of the last few."""
    recent = [each.number for each in history(kind, limit=LOOKED_BACK).items]
    there = some_versions(kind, *recent, recent[-1] - 1) if recent else {}
    entries = {number: kind.entries(past.body) for number, past in there.items()}
    stands = kind.entries_of(config)
    found = {}
    for name in names:
        for number in recent:
            # What stands in no version was changed by another service since.
            if number not in entries or entries[number].get(name) != stands.get(name):
                break
            if entries.get(number - 1, {}).get(name) != stands.get(name):
                found[name] = there[number].version
                break
    return found
