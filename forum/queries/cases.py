"""The state that an action is based on."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.core.errors import NotFound
from dashboard.platform.configs.items import Config
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from forum.configs.reasons import REASONS
from forum.items import Comment, Post
from forum.states import State
from forum.targets import ForumTarget


@dataclass(frozen=True)
class Case:
    """The item and the reasons; for a comment also its post, whose comment count may change."""

    item: Post | Comment
    post: Post | None
    reasons: Config | None

    @property
    def state(self) -> State:
        return State.of(self.item)


@access_pattern("What is the target of this action, and which reasons are there?", keys.POST, keys.COMMENT, keys.CONFIG)
def load_case(target: ForumTarget) -> Case:
    """In one consistent round trip."""
    keys_to_read = list(dict.fromkeys([target.key, target.post_key, keys.CONFIG.key(name=REASONS.name)]))
    found = dict(zip(keys_to_read, read.get_many(keys_to_read), strict=True))
    item, post, config = found[target.key], found[target.post_key], found[keys_to_read[-1]]
    if not isinstance(item, Post | Comment):
        raise NotFound
    return Case(item, post if isinstance(post, Post) else None, config if isinstance(config, Config) else None)
