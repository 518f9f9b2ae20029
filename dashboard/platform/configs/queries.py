"""Queries for configs, their versions and drafts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

from dashboard.core.errors import NotFound
from dashboard.platform.configs.changes import Changes, Entries, Merged, apply_changes, merge
from dashboard.platform.configs.items import VERSION_LIMIT, Body, Config, ConfigBody, ConfigDraft, ConfigVersion
from dashboard.platform.configs.kinds import ConfigKind
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.registry import access_pattern

PAGE = 20
# The number of versions that are searched for who changed an entry.
MAX_AUTHOR_VERSIONS = 12


@dataclass(frozen=True)
class ConfigState:
    """A saved config together with one person's unsaved changes."""

    kind: ConfigKind
    config: Config | None
    draft: ConfigDraft | None

    @property
    def revision(self) -> int:
        return self.config.revision if self.config else 0

    @property
    def number(self) -> int:
        """The current version; 0 where none is saved."""
        return self.config.number if self.config else 0

    @cached_property
    def body(self) -> Body:
        return self.kind.body_of(self.config)

    @cached_property
    def saved(self) -> Entries:
        return self.kind.entries(self.body)

    @cached_property
    def staged(self) -> Changes:
        """The person's changes, relative to the entries at the time they made them."""
        return self.draft.staged if self.draft else {}

    @cached_property
    def merged(self) -> Merged:
        """The person's changes merged with the saved entries, and the conflicts."""
        return merge(self.saved, self.staged, self.kind.merge_values)

    @cached_property
    def changes(self) -> Changes:
        """All changes of the person, including those in conflict."""
        in_conflict = {each.name: replace(each.change, was=each.theirs) for each in self.merged.conflicts}
        return self.merged.changes | in_conflict

    @cached_property
    def edited(self) -> Entries:
        """The entries with the person's changes."""
        return apply_changes(self.saved, self.changes)

    @cached_property
    def edited_body(self) -> Body:
        return self.kind.apply(self.body, self.changes) if self.changes else self.body


@access_pattern("What is in this config?", keys.CONFIG)
def current(kind: ConfigKind) -> Config | None:
    return read.get(Config, keys.CONFIG.key(name=kind.name))


@access_pattern("What is in this config, and what are this person's unsaved changes?", keys.CONFIG, keys.CONFIG_DRAFT)
def load_state(kind: ConfigKind, email: str) -> ConfigState:
    """The config and the person's draft, in one consistent call."""
    keys_to_read = [keys.CONFIG.key(name=kind.name), keys.CONFIG_DRAFT.key(name=kind.name, email=email)]
    config, draft = read.get_many(keys_to_read)
    return ConfigState(
        kind,
        config if isinstance(config, Config) else None,
        draft if isinstance(draft, ConfigDraft) else None,
    )


@access_pattern("What are this person's unsaved changes of this config?", keys.CONFIG_DRAFT)
def find_draft(kind: ConfigKind, email: str) -> ConfigDraft | None:
    return read.get(ConfigDraft, keys.CONFIG_DRAFT.key(name=kind.name, email=email))


@access_pattern("Which versions does this config have, newest first?", keys.CONFIG_VERSION, partition=True)
def history(kind: ConfigKind, start_key: Raw | None = None, limit: int = PAGE) -> read.Page[ConfigVersion]:
    collection = keys.CONFIG_VERSION.collection(name=kind.name)
    return read.page(collection, ConfigVersion, limit=limit, start_key=start_key, newest_first=True, consistent=True)


@access_pattern("What is the highest version number of this config?", keys.CONFIG_VERSION, partition=True)
def newest_number(kind: ConfigKind) -> int:
    found = history(kind, limit=1).items
    return found[0].number if found else 0


@dataclass(frozen=True)
class SavedVersion:
    """A version with its body."""

    version: ConfigVersion
    body: Body


def load_versions(kind: ConfigKind, *numbers: int) -> list[SavedVersion]:
    """The versions in the order of `numbers`, in one call. Version 0 is empty."""
    found = find_versions(kind, *numbers)
    if missing := [number for number in numbers if number > 0 and number not in found]:
        raise NotFound(f"v{missing[0]}")
    empty = ConfigVersion.new(name=kind.name, version=0)
    return [found.get(number) or SavedVersion(empty, {}) for number in numbers]


@access_pattern("What was in this config at these versions?", keys.CONFIG_VERSION, keys.CONFIG_BODY)
def find_versions(kind: ConfigKind, *numbers: int) -> dict[int, SavedVersion]:
    """The versions that exist, by number."""
    valid_numbers = [number for number in dict.fromkeys(numbers) if 0 < number < VERSION_LIMIT]
    if not valid_numbers:
        return {}
    items = read.get_many(
        [
            key
            for number in valid_numbers
            for key in (
                keys.CONFIG_VERSION.key(name=kind.name, version=number),
                keys.CONFIG_BODY.key(name=kind.name, version=number),
            )
        ]
    )
    found = {}
    for number, version, body in zip(valid_numbers, items[::2], items[1::2], strict=True):
        content = body.content if isinstance(body, ConfigBody) else None
        if isinstance(version, ConfigVersion) and content is not None:
            found[number] = SavedVersion(version, content)
    return found


def find_authors(kind: ConfigKind, config: Config | None, names: Collection[str]) -> dict[str, ConfigVersion]:
    """For each entry the version that gave it its current value, if it is one of the latest versions."""
    recent = [each.number for each in history(kind, limit=MAX_AUTHOR_VERSIONS).items]
    versions = find_versions(kind, *recent, recent[-1] - 1) if recent else {}
    entries = {number: kind.entries(saved.body) for number, saved in versions.items()}
    current_entries = kind.entries_of(config)
    authors = {}
    for name in names:
        for number in recent:
            # A value that is in no version comes from an outside writer.
            if number not in entries or entries[number].get(name) != current_entries.get(name):
                break
            if entries.get(number - 1, {}).get(name) != current_entries.get(name):
                authors[name] = versions[number].version
                break
    return authors
