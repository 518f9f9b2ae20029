"""Saves versions of the reasons and of the filter without the forms."""

from __future__ import annotations

from dashboard.platform.configs import queries
from dashboard.platform.configs.changes import EntryChange
from dashboard.platform.configs.services import config_writes
from dashboard.table.commands import Actor, new_command
from forum.configs.profanity import PROFANITY, word_entry
from forum.configs.reasons import REASONS
from tests.conftest import ACTOR

NAME = "reason:spam"


def save_reasons_version(text: str, by: Actor = ACTOR) -> int:
    """Save this text as the reason `spam`; return the number of the new version."""
    before = REASONS.entries_of(queries.current(REASONS))[NAME]
    change = EntryChange(before, {"en": text, "es": text})
    config = config_writes.save(REASONS, {NAME: change}, note="A better word", revision=None, command=new_command(by))
    return int(config.version or 0)


def save_filter_version(word: str, by: Actor = ACTOR) -> int:
    """Add this word to the filter; return the number of the new version."""
    change = EntryChange(None, ["high", "whole"])
    added = {word_entry(word): change}
    config = config_writes.save(PROFANITY, added, note="Seen on opening night", revision=None, command=new_command(by))
    return int(config.version or 0)
