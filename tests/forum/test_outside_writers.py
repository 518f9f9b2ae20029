"""Posts, comments and log entries of outside writers: every page shows them, and actions on them work."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.items import Person
from dashboard.platform.jobs.items import JobState
from dashboard.table import keys, read
from dashboard.table.commands import new_command
from dashboard.table.connection import table as connected
from dashboard.table.timestamps import to_wire
from forum.items import Comment, Post
from forum.queries.recent_texts import newest_texts, sample_texts
from forum.services import counters
from forum.services.posts import MAX_CONTENT
from forum.targets import ForumTarget, TargetKind
from tests.conftest import ACTOR, real_engines, sign_in
from tests.forum.bulk_jobs import confirm_and_finish, progress_of, start_on_list
from tests.forum.factories import CLEAN_TEXT, TEXT_TO_REVIEW, create_comment
from tests.jobs.execution import reloaded
from tests.ui.html import forms, parse

AT = "2026-03-01T10:00:00Z"
AUTHOR = "u@example.com"


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def put(pk: str, sk: str, **attributes: Any) -> None:
    connected().put_item(pk, sk, attributes=attributes)


def text(value: str) -> dict[str, str]:
    return {"S": value}


def put_post(key: str, *, at: str = "", **more: Any) -> None:
    """Write a post that waits for review, with this key and its index keys."""
    places = {
        "GSI2": ("POSTS#active", AT),
        "GSIType": (f"AUTHOR#{AUTHOR}", f"POST#{AT}"),
        "GSIStatus": ("REVIEW#OPEN#POST", f"0500000000#{AT}"),
    }
    attributes = {f"{index}PK": text(pk) for index, (pk, _) in places.items()}
    attributes |= {f"{index}SK": text(sk) for index, (_, sk) in places.items()}
    attributes |= {
        "status": text("active"),
        "userId": text(AUTHOR),
        "content": text(TEXT_TO_REVIEW),
        "createdAt": text(AT),
    }
    put(key, at or key, **{name: value for name, value in (attributes | more).items() if value})


def put_entry(sk: str, day: str = "", **attributes: Any) -> None:
    """Write an entry of the log about the post p1."""
    at = sk.partition("#")[0]
    place = {"GSI1PK": text("MODTARGET#p1"), "GSI1SK": text(at), "GSITypePK": text("MODLOG#ban"), "GSITypeSK": text(at)}
    put(f"MODLOG#{day or at[:10]}", sk, **place | attributes)


def load_post(id: str = "p1") -> Post:
    found = read.get(Post, keys.POST.key(post=id))
    assert found is not None
    return found


# --- Keys in another format ----------------------------------------------------------------------
def test_posts_with_unknown_keys_are_shown_and_skipped_by_bulk_actions(marco: Client) -> None:
    put_post("POST#a#b")
    put_post("POST#a", at="POST#z")
    put_post("POST#good")
    for url in ("/forum/", "/forum/?show=active", "/forum/?show=active&q=fila", f"/forum/people/{AUTHOR}/"):
        page = parse(marco.get(url))
        assert len([li for li in page.all("li") if "data-card" in li.attrs]) == 3
        assert [box.attrs["value"] for box in page.all("input") if box.attrs.get("name") == "selected"] == ["0:good"]

    job = confirm_and_finish(start_on_list(author=AUTHOR))
    assert progress_of(reloaded(job)) == (JobState.DONE, 1, 1, 0)
    put_post("POST#new")
    assert {each.post for each in newest_texts(TargetKind.POST, to_wire(now()), {}, 50).texts} == {"new", "good"}
    assert [each.post for each in sample_texts()] == ["new"]


def test_a_comment_with_the_id_dot_dot_gets_no_link(marco: Client) -> None:
    """A browser changes `/posts/p1/comments/../ban/` into `/posts/p1/ban/`."""
    put_post("POST#p1")
    at = {"GSI3PK": text("POST#p1#COMMENTS#active"), "GSI3SK": text(AT)}
    put("POST#p1", "COMMENT#..", status=text("active"), content=text(TEXT_TO_REVIEW), createdAt=text(AT), **at)
    sent = {form.action for form in forms(marco.get("/forum/posts/p1/"))}
    assert not [url for url in sent if ".." in url]
    answer = marco.post("/forum/bulk/", {"action": "ban", "reason": "spam", "selected": "0:p1/.."}, follow=True)
    assert answer.status_code == 200


@pytest.mark.parametrize("id", ["two words", "a/b", "ñandú ✓", "50%", "a%2Fb", "..", "x" * 1000])
def test_a_post_with_any_id_can_be_selected(marco: Client, id: str) -> None:
    put_post(f"POST#{id}")
    (box,) = [each for each in parse(marco.get("/forum/")).all("input") if each.attrs.get("name") == "selected"]
    started = marco.post("/forum/bulk/", {"action": "ban", "reason": "spam", "selected": box.attrs["value"]})
    assert marco.post(f"{started.headers['Location']}next/").status_code == 303
    assert load_post(id).status == "banned"


# --- Values of another type ----------------------------------------------------------------------
def test_unreadable_matches_are_ignored(marco: Client) -> None:
    odd = {"M": {"severity": {"L": []}, "start": {"N": "0"}, "end": {"N": "2"}}}
    put_post("POST#p1", profanity={"M": {"matches": {"L": [odd]}}})
    assert marco.get("/forum/").status_code == 200


def test_comments_and_posts_can_be_banned_if_the_counters_are_text(table: str, marco: Client) -> None:
    put_post("POST#p1", commentsCount=text("twelve"), likes=text("many"))
    comment = create_comment(load_post(), CLEAN_TEXT)
    answer = marco.post(
        f"/forum/posts/p1/comments/{ForumTarget.of(comment).comment}/ban/", {"reason": "spam", "revision": 1}
    )
    assert answer.status_code == 303
    assert read.get(Comment, comment.key).status == "banned"  # type: ignore[union-attr]
    assert marco.post("/forum/posts/p1/ban/", {"reason": "spam", "revision": 0}).status_code == 303
    with pytest.raises(NotFound):
        counters.like(ForumTarget("p1"), command=new_command(ACTOR))


def test_a_post_with_a_status_of_another_type_can_be_banned(table: str, marco: Client) -> None:
    put_post("POST#p1", status={"N": "3"})
    assert marco.post("/forum/posts/p1/ban/", {"reason": "spam", "revision": 0}).status_code == 303
    assert load_post().status == "banned"


@real_engines
def test_a_ban_that_exceeds_the_item_size_shows_an_error(table: str, marco: Client) -> None:
    room = 409_600 - 700
    put_post("POST#p1", content=text("x" * (room - len(TEXT_TO_REVIEW) * 2)))
    answer = marco.post("/forum/posts/p1/ban/", {"other": "é" * 300, "revision": 0})
    assert answer.status_code == 422
    assert "exceed 400 KB" in parse(answer).text
    assert load_post().status == "active"


# --- Entries of the log --------------------------------------------------------------------------
@pytest.mark.parametrize(
    "before",
    [
        text("x"),
        {"L": []},
        {"M": {"status": {"L": []}, "banned_at": text("gestern"), "reviewed_at": {"N": "4"}, "banned_by": {"M": {}}}},
        {"M": {"status": text("active"), "banned_at": text("9999-12-31T23:59:59Z")}},
    ],
)
def test_an_entry_with_an_invalid_previous_state_can_be_undone(
    table: str, marco: Client, before: dict[str, Any]
) -> None:
    put_post("POST#p1", status=text("banned"))
    about = {"M": {"revision": {"N": "0"}, "before": before}}
    put_entry(f"{AT}#m#e1", action=text("ban"), targetType=text("post"), targetId=text("p1"), metadata=about)
    assert marco.post(f"/forum/log/{AT}_m_e1/undo/").status_code == 303
    assert load_post().status == "active"


@pytest.mark.parametrize("sk", ["gestern", f"{AT}#e1", f"{AT}#m#e1#more"])
def test_an_entry_with_an_incomplete_key_is_shown_in_the_history(marco: Client, sk: str) -> None:
    put_post("POST#p1")
    put_entry(sk, AT[:10], action=text("ban"), adminName=text("Somebody else"))
    assert "Somebody else" in parse(marco.get("/forum/posts/p1/")).text


@pytest.mark.parametrize("id", ["act_1", "_", "a%5Fb", "ñ ?"])
def test_an_entry_with_any_id_can_be_undone(marco: Client, id: str) -> None:
    put_post("POST#p1", status=text("banned"))
    put_entry(f"{AT}#mod_1#{id}", action=text("ban"), targetType=text("post"), targetId=text("p1"))
    undo_forms = [form for form in forms(marco.get("/forum/log/?target=p1")) if form.action.endswith("/undo/")]
    assert undo_forms[0].send(marco).status_code == 303
    assert load_post().status == "active"


def test_an_entry_in_the_partition_of_another_day_has_no_undo(marco: Client) -> None:
    put_post("POST#p1", status=text("banned"))
    put_entry(f"{AT}#m#e1", "2026-03-02", action=text("ban"), targetType=text("post"), targetId=text("p1"))
    assert not [form for form in forms(marco.get("/forum/log/?target=p1")) if form.action.endswith("/undo/")]


def test_a_job_on_one_person_leaves_a_similar_id_alone(marco: Client) -> None:
    """An outside writer stores the address with a space at its end."""
    put_post("POST#p1", userId=text(f"{AUTHOR} "), GSITypePK=text(f"AUTHOR#{AUTHOR} "))
    put_post("POST#p2")
    started = marco.post("/forum/bulk/", {"action": "delete", "everything": "1", "author": f"{AUTHOR} "})
    marco.post(f"{started.headers['Location']}next/")
    preview = marco.get(started.headers["Location"], follow=True).redirect_chain[-1][0]
    marco.post(f"{preview}begin/")
    marco.post(f"{started.headers['Location']}next/")
    assert (load_post("p1").status, load_post("p2").status) == ("deleted", "active")


def test_the_filter_checks_long_texts_only_up_to_the_maximum_length(table: str) -> None:
    put_post("POST#p1", content=text("p.u.t.a " * 20_000))
    assert [len(each.content) for each in sample_texts()] == [MAX_CONTENT]
