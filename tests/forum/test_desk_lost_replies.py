"""The table stops answering after a decision is written: the answer still says that the decision is done."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.table import read
from dashboard.table.commands import new_command
from forum.actions import Action
from forum.items import Post
from forum.services import counters
from forum.services.undo_last import undo_last
from forum.targets import ForumTarget
from tests.conftest import ACTOR, real_engines, sign_in
from tests.faults import bad_network, lose_reply, lose_request
from tests.forum.factories import CLEAN_TEXT, MARCO, create_comment, create_post, decide, entries_of, reload_item

on_dynoxide = pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
SILENCE = [lose_request] * 20


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


@on_dynoxide
@pytest.mark.parametrize("operation", ["GetItem", "UpdateItem"])
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_ban_is_reported_as_done_if_the_calls_after_it_fail(
    table: str, marco: Client, operation: str, headers: dict[str, str]
) -> None:
    post = create_post(CLEAN_TEXT)
    comment = create_comment(post)
    create_comment(post)
    with bad_network() as network:
        network.next(operation, *SILENCE)
        url = f"/forum/posts/{ForumTarget.of(post).post}/comments/{ForumTarget.of(comment).comment}/ban/"
        answer = marco.post(url, {"reason": "spam", "revision": comment.revision}, headers=headers)
        network.stop_faults()
    assert answer.status_code == (200 if headers else 303)
    assert reload_item(comment).status == "banned"
    assert len(entries_of(comment)) == 1

    counters.like(ForumTarget.of(post), command=new_command(ACTOR))
    stored = read.get(Post, post.key)
    assert stored is not None and stored.comments_count == 1
    assert str(stored.gsi4sk).startswith("0000000001#"), "the next write repairs the index key"


@real_engines
def test_an_undo_whose_reply_was_lost_undoes_one_decision(table: str) -> None:
    items = [decide(create_post(), Action.BAN) for _ in range(3)]
    command = new_command(MARCO)
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        undo_last(command=command)
        network.stop_faults()
    undo_last(command=command)
    assert sorted(str(reload_item(each).status) for each in items) == ["active", "banned", "banned"]
    assert sorted(len(entries_of(each)) for each in items) == [1, 1, 2]
