"""Repairs of configs: the event service knows only some of the attributes and writes whole items."""

from __future__ import annotations

from collections.abc import Iterable

from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.lost_attributes import restore_lost_attributes
from dashboard.platform.stream.rules import repairs_of

# `digest` then shows that the body is in no version, and the version numbers continue.
_OUR_ATTRIBUTES = ("version", "digest", "matching", "allowlist", "reasons")


@repairs_of("config")
def repair_config(change: Change, _: None) -> Iterable[Write]:
    yield from restore_lost_attributes(change, _OUR_ATTRIBUTES)
