"""What a text has to pass to be written: its author's domain, and the filter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from dashboard.core.errors import Refused
from dashboard.platform.configs.items import Config
from dashboard.platform.event.domains import DOMAINS, may_write
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from forum.configs.profanity import PROFANITY
from forum.profanity import FilterConfig
from forum.queries.filter import filter_of


@dataclass(frozen=True)
class PostingRules:
    """What a text has to pass, as it stands now."""

    whitelist: Any
    version: int
    filter: FilterConfig

    def check_author(self, email: str) -> None:
        if not may_write(email, self.whitelist):
            raise Refused(_("Only addresses of the domains that are let in can write here."), "author")


_held: ContextVar[PostingRules | None] = ContextVar("gate", default=None)


@contextmanager
def one_gate() -> Iterator[None]:
    """Read the rules once for all that is written in the block: for what is made up by the hundred, not by people."""
    gate, _none = posting_rules()
    token = _held.set(gate)
    try:
        yield
    finally:
        _held.reset(token)


@access_pattern("What has to be passed by whoever writes here?", keys.CONFIG, keys.POST)
def posting_rules(*beside: Any) -> tuple[PostingRules, list[Any]]:
    """The rules for writing, with whatever else the writer needs, in one consistent trip."""
    if (held := _held.get()) is not None:
        return held, read.get_many(list(beside)) if beside else []
    wanted = [keys.CONFIG.key(name=DOMAINS), keys.CONFIG.key(name=PROFANITY.name), *beside]
    domains, profanity, *others = read.get_many(wanted)
    config = profanity if isinstance(profanity, Config) else None
    whitelist = domains.plain("whitelist") if isinstance(domains, Config) else None
    return PostingRules(whitelist, config.number if config else 0, filter_of(PROFANITY.body_of(config))), others
