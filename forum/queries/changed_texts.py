"""The state that the repair of a post or a comment is based on."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from forum.items import Decision, Post
from forum.queries.posting_rules import PostingRules, load_posting_rules
from forum.targets import ForumTarget


@dataclass(frozen=True)
class ChangedText:
    """The last decision about a text; if it has to be scored, also the rules, and for a comment its post."""

    decision: Decision | None
    rules: PostingRules | None = None
    post: Post | None = None


@access_pattern("Which decision was made last about this post or comment?", keys.DECISION)
def find_decision(target: ForumTarget) -> Decision | None:
    return read.get(Decision, target.decision_key)


@access_pattern("What was decided about this text?", keys.DECISION, keys.POST)
def load_changed_text(target: ForumTarget, *, with_rules: bool) -> ChangedText:
    """In one consistent call."""
    if not with_rules:
        return ChangedText(find_decision(target))
    keys_to_read = [target.decision_key] + ([target.post_key] if target.comment else [])
    rules, (decision, *posts) = load_posting_rules(*keys_to_read)
    post = next((each for each in posts if isinstance(each, Post)), None)
    return ChangedText(decision if isinstance(decision, Decision) else None, rules, post)
