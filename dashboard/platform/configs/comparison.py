"""One version of a config beside another, and what can be done with it now."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dashboard.platform.configs.changes import Changes, Entries, Merged, between, counts, inverse, merge
from dashboard.platform.configs.items import Config, ConfigVersion
from dashboard.platform.configs.kinds import Kind
from dashboard.platform.configs.queries import Past
from dashboard.platform.configs.services.versions import AS_IT_COMES, FOUND

NOW = "now"


@dataclass(frozen=True)
class Comparison:
    """A version, what stands now, and the other that it is seen beside: a number, or none for what stands now."""

    kind: Kind
    number: int
    other: int | None
    there: dict[int, Past]
    config: Config | None

    @property
    def version(self) -> ConfigVersion:
        return self.there[self.number].version

    @cached_property
    def now(self) -> Entries:
        return self.kind.entries_of(self.config)

    @property
    def began(self) -> bool:
        """Whether it is what there was before anyone changed anything."""
        return self.version.origin in {AS_IT_COMES, FOUND}

    @property
    def whole(self) -> bool:
        """Whether it holds all there was, rather than what changed."""
        return self.began and self.other == self.number - 1

    @property
    def unknown(self) -> bool:
        """Whether the version before is not there: nobody can say what this one changed."""
        return self.other == self.number - 1 and not self._is_there(self.other)

    @property
    def ends(self) -> tuple[int, int | None]:
        """From the older to the newer; none is now."""
        if self.other is None:
            return self.number, None
        return min(self.number, self.other), max(self.number, self.other)

    @cached_property
    def changes(self) -> Changes:
        """What leads from the older to the newer."""
        if self.unknown:
            return {}
        before, after = self.ends
        return between(self._at(before), self.now if after is None else self._at(after))

    @cached_property
    def restoring(self) -> dict[str, int]:
        """How much of what stands now would change by going back to it."""
        return counts(between(self.now, self._at(self.number)))

    @cached_property
    def undoing(self) -> Merged:
        """What taking back its own changes would do to what stands now."""
        if self.began or not self._is_there(self.number - 1):
            return Merged({}, [])
        own = between(self._at(self.number - 1), self._at(self.number))
        return merge(self.now, inverse(own), self.kind.settle)

    @property
    def undoable(self) -> bool:
        return bool(self.undoing.changes) and not self.undoing.overlaps

    def stuck(self, most: int = 5) -> list[str]:
        """Entries that were changed again later, so that its changes cannot be taken back alone."""
        return [self.kind.entry_labels(each.name, each.change).label for each in self.undoing.overlaps[:most]]

    def _is_there(self, number: int) -> bool:
        return number == 0 or number in self.there

    def _at(self, number: int) -> Entries:
        return self.kind.entries(self.there[number].body) if number in self.there else {}
