"""Items of a config: the config itself, its versions and the drafts of people."""

from __future__ import annotations

from typing import Any

from pynamodb.attributes import BinaryAttribute, UnicodeAttribute

from dashboard.platform.configs import changes
from dashboard.platform.configs.changes import Changes
from dashboard.table import keys
from dashboard.table.attributes import (
    LenientNumberAttribute,
    PlainListAttribute,
    PlainMapAttribute,
    WordListAttribute,
    from_attribute,
)
from dashboard.table.items import Item

Body = dict[str, Any]
# A version's number has eight digits in its key.
VERSION_LIMIT = 10**8
# No series of saves comes this close to the limit: a higher number is a mistake of an outside writer.
_MAX_SAVED_VERSION = VERSION_LIMIT - 1000


class Config(Item):
    """A config as the apps read it: allowed domains, opening times of rooms, words of the filter, reasons."""

    key_pattern = keys.CONFIG

    version = LenientNumberAttribute(null=True)
    # The digest of the body that we saved. If it does not match, an outside writer has changed the body since.
    digest = UnicodeAttribute(null=True)
    whitelist = WordListAttribute(null=True)
    sala_open_times = PlainMapAttribute(null=True, attr_name="salaOpenTimes")
    blacklist = PlainListAttribute(null=True)
    severity = PlainMapAttribute(null=True)
    matching = PlainMapAttribute(null=True)
    allowlist = PlainListAttribute(null=True)
    auto_moderation_threshold = LenientNumberAttribute(null=True, attr_name="autoModerationThreshold")
    reasons = PlainListAttribute(null=True)

    @property
    def number(self) -> int:
        """The version number; 0 where it is missing or out of range."""
        number = self.version or 0
        return int(number) if 0 < number < _MAX_SAVED_VERSION else 0

    def plain(self, name: str) -> Any:
        """The value of an attribute. One that its class does not accept is returned too: versions keep it."""
        attribute_name = str(self.get_attributes()[name].attr_name)
        return from_attribute(self.raw[attribute_name]) if attribute_name in self.mistyped else getattr(self, name)


class ConfigVersion(Item):
    """A version of a config, with what the list of versions shows."""

    key_pattern = keys.CONFIG_VERSION
    needs_key_parts = True
    editable = False

    version = LenientNumberAttribute(null=True)
    by = UnicodeAttribute(null=True)
    by_name = UnicodeAttribute(null=True, attr_name="byName")
    note = UnicodeAttribute(null=True)
    # Set for a version that was not saved here: the body existed before, or an outside writer wrote it.
    origin = UnicodeAttribute(null=True)
    # How many entries were added, changed and removed, and how many of each sort there are.
    counts = PlainMapAttribute(null=True)
    totals = PlainMapAttribute(null=True)
    # The labels of the first changed entries.
    sample = PlainListAttribute(null=True)
    # The version that this one restored or reverted.
    restored = LenientNumberAttribute(null=True)
    reverted = LenientNumberAttribute(null=True)

    @property
    def number(self) -> int:
        return int(str(self.key_parts["version"]))

    @property
    def who(self) -> str:
        return self.by_name or self.by or ""


class ConfigBody(Item):
    """The complete body of a version, compressed. Only comparing, restoring and reverting read it."""

    key_pattern = keys.CONFIG_BODY
    editable = False

    packed = BinaryAttribute(legacy_encoding=False, null=True)
    # The uncompressed format of the first design; still read.
    body = PlainMapAttribute(null=True)

    @property
    def content(self) -> Body | None:
        """None where it cannot be read."""
        content = self.body if self.packed is None else changes.unpack(self.packed)
        return content if isinstance(content, dict) else None


class ConfigDraft(Item):
    """One person's unsaved changes. Only that person's pages read it."""

    key_pattern = keys.CONFIG_DRAFT

    packed = BinaryAttribute(legacy_encoding=False, null=True)
    # The changes one step earlier, for undo.
    before = BinaryAttribute(legacy_encoding=False, null=True)

    @property
    def staged(self) -> Changes:
        return changes.unpack_changes(self.packed)
