"""The table falls silent after a decision was made: it is told as what it is, done."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.table import read
from dashboard.table.commands import new_command
from forum.items import Post
from forum.services import counters
from forum.targets import Target
from tests.conftest import ACTOR, sign_in
from tests.faults import bad_network, lose_request
from tests.forum.factories import CLEAN_TEXT, a_comment, a_post, entries_of, reloaded

on_dynoxide = pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
SILENCE = [lose_request] * 20


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


@on_dynoxide
@pytest.mark.parametrize("silent", ["GetItem", "UpdateItem"])
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_what_follows_a_ban_does_not_make_it_a_failure(
    table: str, marco: Client, silent: str, headers: dict[str, str]
) -> None:
    post = a_post(CLEAN_TEXT)
    comment = a_comment(post)
    a_comment(post)
    with bad_network() as network:
        network.next(silent, *SILENCE)
        url = f"/forum/posts/{Target.of(post).post}/comments/{Target.of(comment).comment}/ban/"
        answer = marco.post(url, {"reason": "spam", "revision": comment.revision}, headers=headers)
        network.stop_faults()
    assert answer.status_code == (200 if headers else 303)
    assert reloaded(comment).status == "banned"
    assert len(entries_of(comment)) == 1

    counters.like(Target.of(post), command=new_command(ACTOR))
    stands = read.get(Post, post.key)
    assert stands is not None and stands.comments_count == 1
    assert str(stands.gsi4sk).startswith("0000000001#"), "the next one to come puts it where it belongs"
