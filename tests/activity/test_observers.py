"""What people do in the product is logged from the stream of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

from activity.queries import now_counts, person_events
from dashboard.core.clock import now
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.stream.follower import Follower
from dashboard.table.commands import Command
from forum.actions import Action
from forum.services import decisions, posts
from forum.targets import ForumTarget
from tests.conftest import add_person, sign_in
from tests.table.notes import on_dynoxide, put
from tests.tables import SharedTable


def follow() -> Follower:
    follower = Follower()
    follower.catch_up()
    follower.release()
    return follower


def actions_of(user: str) -> Counter[str]:
    found = person_events(user, now() - timedelta(hours=1), now() + timedelta(hours=1))
    return Counter(event.action for event in found.items)


@on_dynoxide
def test_sign_ins_texts_and_decisions_are_logged_once(
    table: str, stream_table: SharedTable, command: Callable[[], Command]
) -> None:
    marco = add_person("marco@example.com", Role.MODERATOR, "Marco Peña")
    sign_in(marco)
    put({"PK": {"S": "CONFIG#domains"}, "SK": {"S": "CONFIG#domains"}, "whitelist": {"L": [{"S": "@empresa.test"}]}})
    post = posts.write_post("ana@empresa.test", "Hola a todos", command=command())
    target = ForumTarget.of(post)
    posts.write_comment(target, "ana@empresa.test", "Otra cosa", command=command())
    current = decisions.decide(target, Action.BAN, reason="spam", revision=post.revision, command=command())
    assert current.status == "banned"
    assert follow().failed == 0
    assert actions_of("marco@example.com") == Counter(sign_in=1)
    assert actions_of("ana@empresa.test") == Counter(post_created=1, comment_created=1)
    assert actions_of("alma@example.com") == Counter(post_banned=1)
    assert now_counts().posts == 2
