"""Due tasks of the forum: each night the log of the day before is counted."""

from __future__ import annotations

from dashboard.platform.due.registry import before_each_run, due
from forum.items import ModerationRollup
from forum.statistics import queries, services


@before_each_run
def ensure_moderation_statistics() -> str | None:
    if queries.rollup() is None and services.begin():
        return "began to count the moderation log"
    return None


@due("moderation rollup")
def count_moderation(rollup: ModerationRollup) -> str:
    done = services.roll_up(rollup)
    return f"counted {done} days of the moderation log, through {rollup.through or 'no day yet'}"
