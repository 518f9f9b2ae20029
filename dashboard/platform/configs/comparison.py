"""The comparison of a config's version with another one, and what can be done with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dashboard.platform.configs.changes import Changes, Entries, Merged, count_verbs, diff, inverse, merge
from dashboard.platform.configs.items import Config, ConfigVersion
from dashboard.platform.configs.kinds import ConfigKind
from dashboard.platform.configs.queries import SavedVersion
from dashboard.platform.configs.services.versions import INITIAL, PREEXISTING

# The URL parameter that compares a version with the current config.
NOW = "now"


@dataclass(frozen=True)
class Comparison:
    """A version and another one: `other` is its number, or None for the current config."""

    kind: ConfigKind
    number: int
    other: int | None
    versions: dict[int, SavedVersion]
    config: Config | None

    @property
    def version(self) -> ConfigVersion:
        return self.versions[self.number].version

    @cached_property
    def current(self) -> Entries:
        return self.kind.entries_of(self.config)

    @property
    def is_baseline(self) -> bool:
        """Whether the version holds the body that existed before the first save here."""
        return self.version.origin in {INITIAL, PREEXISTING}

    @property
    def shows_content(self) -> bool:
        """Whether the page lists all entries of a baseline, in place of changes."""
        return self.is_baseline and self.other == self.number - 1

    @property
    def is_previous_missing(self) -> bool:
        """Whether the previous version cannot be read, so that the changes are unknown."""
        return self.other == self.number - 1 and not self._has_version(self.other)

    @property
    def ends(self) -> tuple[int, int | None]:
        """The older and the newer number; None is the current config."""
        if self.other is None:
            return self.number, None
        return min(self.number, self.other), max(self.number, self.other)

    @cached_property
    def changes(self) -> Changes:
        """The changes from the older to the newer."""
        if self.is_previous_missing:
            return {}
        before, after = self.ends
        return diff(self._entries_at(before), self.current if after is None else self._entries_at(after))

    @cached_property
    def restore_counts(self) -> dict[str, int]:
        """How many current entries a restore of this version would change."""
        return count_verbs(diff(self.current, self._entries_at(self.number)))

    @cached_property
    def reverted(self) -> Merged:
        """The effect of undoing this version's own changes now."""
        if self.is_baseline or not self._has_version(self.number - 1):
            return Merged({}, [])
        own = diff(self._entries_at(self.number - 1), self._entries_at(self.number))
        return merge(self.current, inverse(own), self.kind.merge_values)

    @property
    def can_revert(self) -> bool:
        return bool(self.reverted.changes) and not self.reverted.conflicts

    def revert_conflicts(self, limit: int = 5) -> list[str]:
        """The labels of the first entries that were changed again later, so that this version cannot be undone."""
        return [self.kind.entry_labels(each.name, each.change).label for each in self.reverted.conflicts[:limit]]

    def _has_version(self, number: int) -> bool:
        return number == 0 or number in self.versions

    def _entries_at(self, number: int) -> Entries:
        return self.kind.entries(self.versions[number].body) if number in self.versions else {}
