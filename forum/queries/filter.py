"""Queries for the profanity filter."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from dashboard.platform.configs import queries as configs
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import digest
from dashboard.platform.configs.queries import ConfigState
from forum.configs.profanity import PROFANITY
from forum.profanity import FilterConfig


def load_filter_state(email: str) -> ConfigState:
    """The saved filter and this person's unsaved changes."""
    return configs.load_state(PROFANITY, email)


def current_filter() -> tuple[int, FilterConfig]:
    """The version and the filter that apply to new posts."""
    config = configs.current(PROFANITY)
    return config.number if config else 0, compile_filter(PROFANITY.body_of(config))


def compile_filter(body: Body) -> FilterConfig:
    """A compiled filter. Cached by content, not by version: outside writers do not count versions."""
    return _compile(_HashableBody(digest(body), body))


@dataclass(frozen=True)
class _HashableBody:
    digest: str
    body: Body = field(compare=False)


@lru_cache(maxsize=16)
def _compile(hashable: _HashableBody) -> FilterConfig:
    config = FilterConfig.from_body(hashable.body)
    # Compiles the matcher now, so that the first user of the cached filter does not wait for it.
    _ = config.matcher
    return config
