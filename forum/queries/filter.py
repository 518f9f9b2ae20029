"""What is asked about the filter."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from dashboard.platform.configs import queries as configs
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import digest
from dashboard.platform.configs.queries import ConfigState
from forum.configs.profanity import PROFANITY
from forum.profanity import FilterConfig


def filter_standing(email: str) -> ConfigState:
    """The filter as it is saved, and what this person is about to change in it."""
    return configs.standing(PROFANITY, email)


def filter_in_force() -> tuple[int, FilterConfig]:
    """What posts are measured by now, and its version."""
    config = configs.current(PROFANITY)
    return config.number if config else 0, filter_of(PROFANITY.body_of(config))


def filter_of(body: Body) -> FilterConfig:
    """A filter ready to be used. By what stands in it, not by its number: other services write without counting."""
    return _compiled(_Known(digest(body), body))


@dataclass(frozen=True)
class _Known:
    digest: str
    body: Body = field(compare=False)


@lru_cache(maxsize=16)
def _compiled(known: _Known) -> FilterConfig:
    config = FilterConfig.from_body(known.body)
    # Compiled here, once, and not by whoever asks first.
    _ = config.matcher
    return config
