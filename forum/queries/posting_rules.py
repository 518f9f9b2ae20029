"""The rules for new posts and comments: allowed domains and the filter."""

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
from forum.queries.filter import compile_filter


@dataclass(frozen=True)
class PostingRules:
    """The current rules for new posts and comments."""

    whitelist: Any
    version: int
    filter: FilterConfig

    def check_author(self, email: str) -> None:
        if not may_write(email, self.whitelist):
            raise Refused(_("Only e-mail addresses of allowed domains can post."), "author")


_cached: ContextVar[PostingRules | None] = ContextVar("posting_rules", default=None)


@contextmanager
def cached_posting_rules() -> Iterator[None]:
    """Read the rules only once for all posts in the block. For demo data, not for people."""
    rules, _none = load_posting_rules()
    token = _cached.set(rules)
    try:
        yield
    finally:
        _cached.reset(token)


@access_pattern("Which rules apply to new posts and comments?", keys.CONFIG, keys.POST)
def load_posting_rules(*other_keys: Any) -> tuple[PostingRules, list[Any]]:
    """The rules, and the items at the other keys, in one consistent call."""
    if (rules := _cached.get()) is not None:
        return rules, read.get_many(list(other_keys)) if other_keys else []
    keys_to_read = [keys.CONFIG.key(name=DOMAINS), keys.CONFIG.key(name=PROFANITY.name), *other_keys]
    domains, profanity, *other_items = read.get_many(keys_to_read)
    config = profanity if isinstance(profanity, Config) else None
    whitelist = domains.whitelist if isinstance(domains, Config) else None
    rules = PostingRules(whitelist, config.number if config else 0, compile_filter(PROFANITY.body_of(config)))
    return rules, other_items
