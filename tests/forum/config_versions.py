"""Reasons and words made past the forms."""

from __future__ import annotations

from dashboard.platform.configs import queries
from dashboard.platform.configs.changes import Change
from dashboard.platform.configs.services import config_writes
from dashboard.table.commands import Actor, new_command
from forum.configs.profanity import PROFANITY, word_entry
from forum.configs.reasons import REASONS
from tests.conftest import ACTOR

NAME = "reason:spam"


def a_version(text: str, by: Actor = ACTOR) -> int:
    """The reason against spam says this; the number of the version in which it does."""
    was = REASONS.entries_of(queries.current(REASONS))[NAME]
    change = Change(was, {"en": text, "es": text})
    config = config_writes.save(REASONS, {NAME: change}, note="A better word", revision=None, command=new_command(by))
    return int(config.version or 0)


def a_filter_version(word: str, by: Actor = ACTOR) -> int:
    """This word is in the list; the number of the version in which it is."""
    change = Change(None, ["high", "whole"])
    added = {word_entry(word): change}
    config = config_writes.save(PROFANITY, added, note="Seen on opening night", revision=None, command=new_command(by))
    return int(config.version or 0)
