"""What is asked about the forum."""

from __future__ import annotations

from dashboard.configs import queries as configs
from dashboard.configs.items import Config
from dashboard.configs.queries import Standing
from forum.configs.profanity import PROFANITY
from forum.profanity import FilterConfig


def filter_standing(email: str) -> Standing:
    """The filter as it is saved, and what this person is about to change in it."""
    return configs.standing(PROFANITY, email)


def filter_in_force() -> tuple[int, FilterConfig]:
    """What posts are measured by now, and its version."""
    config: Config | None = configs.current(PROFANITY)
    return int(config.version or 0) if config else 0, FilterConfig.from_body(PROFANITY.body_of(config))
