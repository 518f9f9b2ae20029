"""The forum through the API, with keys of the platform: posts, comments, likes, decisions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.shop import code_of, get, platform_key, send
from tests.forum.factories import CLEAN_TEXT, TEXT_TO_BAN, TEXT_TO_REVIEW, create_post, entries_of, reload_item
from tests.rooms.domains import allow_domains

pytestmark = pytest.mark.usefixtures("table")
ANA = {"author": "ana@example.com", "authorName": "Ana Soto"}


@pytest.fixture
def app(table: str) -> str:
    """The key of the app of the event."""
    return platform_key("read", "chat")


@pytest.fixture
def moderator(table: str) -> str:
    return platform_key("read", "moderate")


def write(app: str, text: str = CLEAN_TEXT, path: str = "posts", key: str = "", **more: Any) -> Any:
    return send(app, path, {**ANA, "text": text, **more}, key=key)


def decide(moderator: str, path: str, action: str, tag: str, **more: Any) -> Any:
    return send(moderator, f"{path}/decisions", {"action": action, **more}, **{"If-Match": tag})


def test_a_post_is_written_read_and_listed(app: str) -> None:
    created = write(app, images=["https://example.com/a.jpg"])
    assert created.status_code == 201
    body = created.json()
    assert (body["author"], body["authorName"], body["status"], body["likes"]) == (*ANA.values(), "active", 0)
    assert body["images"] == ["https://example.com/a.jpg"]
    read = get(app, f"posts/{body['id']}")
    assert read.json() == body and read.headers["ETag"] == created.headers["ETag"]
    assert get(app, "posts").json() == {"posts": [body], "next": None}


def test_comments_count_and_are_listed_in_order(app: str) -> None:
    path = f"posts/{write(app).json()['id']}"
    first = write(app, "uno", f"{path}/comments").json()
    second = write(app, "dos", f"{path}/comments", replyTo=first["id"]).json()
    assert second["replyTo"] == first["id"]
    assert get(app, path).json()["comments"] == 2
    pages = get(app, f"{path}/comments?limit=1").json()
    rest = get(app, f"{path}/comments?limit=1&cursor={pages['next']}").json()
    assert [each["text"] for each in (*pages["comments"], *rest["comments"])] == ["uno", "dos"]
    assert get(app, f"{path}/comments/{first['id']}").json() == first
    for missing in ("posts/none", "posts/none/comments", f"{path}/comments/none", "posts/a%23b"):
        assert code_of(get(app, missing)) == (404, "not_found")
    assert code_of(write(app, "tres", "posts/none/comments")) == (404, "not_found")


def test_likes_are_counted_once_for_each_key_and_never_below_zero(app: str) -> None:
    path = f"posts/{write(app).json()['id']}"
    for _ in range(2):
        assert send(app, f"{path}/likes", {}, key="like-1").json()["likes"] == 1
    assert send(app, f"{path}/likes", {"change": 1}).json()["likes"] == 2
    tag = get(app, path).headers["ETag"]
    for key in ("back-1", "back-2", "back-2"):
        answer = send(app, f"{path}/likes", {"change": -1}, key=key)
    assert answer.json()["likes"] == 0
    assert code_of(send(app, f"{path}/likes", {"change": -1})) == (409, "no_likes")
    assert code_of(send(app, f"{path}/likes", {"change": 5})) == (422, "invalid")
    assert get(app, path, **{"If-None-Match": tag}).json()["likes"] == 0


def test_lists_are_sorted_by_likes_and_comments(app: str) -> None:
    ids = [write(app, f"Texto {number}").json()["id"] for number in range(3)]
    send(app, f"posts/{ids[1]}/likes", {})
    write(app, "uno", f"posts/{ids[0]}/comments")
    for order, first in (("newest", ids[2]), ("oldest", ids[0]), ("likes", ids[1]), ("comments", ids[0])):
        assert get(app, f"posts?order={order}").json()["posts"][0]["id"] == first, order


def test_the_filter_bans_at_once_and_only_moderators_see_it(app: str, moderator: str) -> None:
    banned = write(app, TEXT_TO_BAN)
    assert (banned.status_code, banned.json()["status"]) == (201, "banned")
    assert not {"banReason", "score"} & banned.json().keys()
    path = f"posts/{banned.json()['id']}"
    assert code_of(get(app, path)) == (404, "not_found")
    assert code_of(get(app, "posts?status=banned")) == (403, "key_not_allowed")
    assert code_of(send(app, f"{path}/likes", {})) == (404, "not_found")
    seen = get(moderator, path).json()
    assert seen["banReason"] and seen["score"] > 0
    assert [each["id"] for each in get(moderator, "posts?status=banned").json()["posts"]] == [seen["id"]]
    assert get(moderator, "posts").json()["posts"] == []


def test_moderators_decide_at_the_revision_that_they_read(app: str, moderator: str) -> None:
    post = create_post(TEXT_TO_REVIEW)
    path = f"posts/{post.key_parts['post']}"
    tag = get(moderator, path).headers["ETag"]
    assert code_of(decide(moderator, path, "ban", tag)) == (422, "invalid")
    banned = decide(moderator, path, "ban", tag, reason="spam")
    assert (banned.status_code, banned.json()["status"]) == (200, "banned")
    assert code_of(decide(moderator, path, "delete", tag)) == (412, "stale_revision")
    restored = decide(moderator, path, "restore", banned.headers["ETag"])
    assert restored.json()["status"] == "active" and reload_item(post).status == "active"
    assert [each.action for each in entries_of(post)] == ["ban", "restore"]
    assert all(str(each.admin_id).startswith("key:") for each in entries_of(post))
    assert code_of(decide(app, path, "ban", tag, reason="spam")) == (403, "key_not_allowed")


def test_moderators_ban_comments_and_the_count_follows(app: str, moderator: str) -> None:
    post = f"posts/{write(app).json()['id']}"
    created = write(app, "uno", f"{post}/comments")
    path = f"{post}/comments/{created.json()['id']}"
    banned = decide(moderator, path, "ban", created.headers["ETag"], reason="spam")
    assert banned.json()["status"] == "banned"
    assert get(app, post).json()["comments"] == 0
    assert get(app, f"{post}/comments").json()["comments"] == []
    assert code_of(get(app, path)) == (404, "not_found")
    assert [each["id"] for each in get(moderator, f"{post}/comments?status=banned").json()["comments"]] == [
        created.json()["id"]
    ]


def test_only_allowed_domains_post(app: str) -> None:
    allow_domains("example.com")
    assert write(app).status_code == 201
    refused = write(app, author="eva@evil.example")
    assert (code_of(refused), refused.json()["field"]) == ((422, "invalid"), "author")


@pytest.mark.parametrize("given", [{"author": "a#b"}, {"text": ""}, {"text": "x" * 10_001}, {"images": ["x"] * 11}])
def test_what_is_written_has_bounds(app: str, given: dict[str, Any]) -> None:
    assert code_of(send(app, "posts", {**ANA, "text": "Hola", **given})) == (422, "invalid")
