"""Posts, comments and entries as other services write them: every page shows them, and what can be done is done."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.items import Person
from dashboard.platform.jobs.items import State
from dashboard.table import keys, read
from dashboard.table.commands import new_command
from dashboard.table.connection import table as connected
from dashboard.table.timestamps import to_wire
from forum.items import Comment, Post
from forum.queries.recent_texts import newest_texts, sample_texts
from forum.services import counters
from forum.services.posts import MAX_CONTENT
from forum.targets import Kind, Target
from tests.conftest import ACTOR, real_engines, sign_in
from tests.forum.bulks import counted_and_done, counts, of_list
from tests.forum.factories import CLEAN_TEXT, TEXT_TO_REVIEW, a_comment
from tests.jobs.execution import reloaded
from tests.ui.html import forms, parse

AT = "2026-03-01T10:00:00Z"
U = "u@example.com"


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def put(pk: str, sk: str, **attributes: Any) -> None:
    connected().put_item(pk, sk, attributes=attributes)


def text(value: str) -> dict[str, str]:
    return {"S": value}


def put_post(key: str, *, at: str = "", **more: Any) -> None:
    """A post that waits for review, at this key and in the lists."""
    places = {
        "GSI2": ("POSTS#active", AT),
        "GSIType": (f"AUTHOR#{U}", f"POST#{AT}"),
        "GSIStatus": ("REVIEW#OPEN#POST", f"0500000000#{AT}"),
    }
    given = {f"{index}PK": text(pk) for index, (pk, _) in places.items()}
    given |= {f"{index}SK": text(sk) for index, (_, sk) in places.items()}
    given |= {"status": text("active"), "userId": text(U), "content": text(TEXT_TO_REVIEW), "createdAt": text(AT)}
    put(key, at or key, **{name: value for name, value in (given | more).items() if value})


def put_entry(sk: str, day: str = "", **attributes: Any) -> None:
    """An entry of the log about the post p1."""
    at = sk.partition("#")[0]
    place = {"GSI1PK": text("MODTARGET#p1"), "GSI1SK": text(at), "GSITypePK": text("MODLOG#ban"), "GSITypeSK": text(at)}
    put(f"MODLOG#{day or at[:10]}", sk, **place | attributes)


def the_post(id: str = "p1") -> Post:
    found = read.get(Post, keys.POST.key(post=id))
    assert found is not None
    return found


# --- Keys that are none of ours ------------------------------------------------------------------
def test_a_post_whose_key_is_none_of_ours_is_shown_and_stops_nobody(marco: Client) -> None:
    put_post("POST#a#b")
    put_post("POST#a", at="POST#z")
    put_post("POST#good")
    for url in ("/forum/", "/forum/?show=active", "/forum/?show=active&q=fila", f"/forum/people/{U}/"):
        page = parse(marco.get(url))
        assert len([li for li in page.all("li") if "data-card" in li.attrs]) == 3
        assert [box.attrs["value"] for box in page.all("input") if box.attrs.get("name") == "selected"] == ["0:good"]

    work = counted_and_done(of_list(author=U))
    assert counts(reloaded(work)) == (State.DONE, 1, 1, 0)
    put_post("POST#new")
    assert {each.post for each in newest_texts(Kind.POST, to_wire(now()), {}, 50).texts} == {"new", "good"}
    assert [each.post for each in sample_texts()] == ["new"]


def test_dots_in_an_id_never_lead_to_its_post(marco: Client) -> None:
    """A browser makes `/posts/p1/comments/../ban/` of it, which is `/posts/p1/ban/`."""
    put_post("POST#p1")
    at = {"GSI3PK": text("POST#p1#COMMENTS#active"), "GSI3SK": text(AT)}
    put("POST#p1", "COMMENT#..", status=text("active"), content=text(TEXT_TO_REVIEW), createdAt=text(AT), **at)
    sent = {form.action for form in forms(marco.get("/forum/posts/p1/"))}
    assert not [url for url in sent if ".." in url]
    answer = marco.post("/forum/bulk/", {"action": "ban", "reason": "spam", "selected": "0:p1/.."}, follow=True)
    assert answer.status_code == 200


@pytest.mark.parametrize("id", ["two words", "a/b", "ñandú ✓", "50%", "a%2Fb", "..", "x" * 1000])
def test_whatever_its_id_a_post_can_be_selected(marco: Client, id: str) -> None:
    put_post(f"POST#{id}")
    (box,) = [each for each in parse(marco.get("/forum/")).all("input") if each.attrs.get("name") == "selected"]
    begun = marco.post("/forum/bulk/", {"action": "ban", "reason": "spam", "selected": box.attrs["value"]})
    assert marco.post(f"{begun.headers['Location']}next/").status_code == 303
    assert the_post(id).status == "banned"


# --- Values of another type ----------------------------------------------------------------------
def test_matches_that_nobody_can_read_are_none(marco: Client) -> None:
    odd = {"M": {"severity": {"L": []}, "start": {"N": "0"}, "end": {"N": "2"}}}
    put_post("POST#p1", profanity={"M": {"matches": {"L": [odd]}}})
    assert marco.get("/forum/").status_code == 200


def test_a_comment_below_a_post_that_counts_in_words(table: str, marco: Client) -> None:
    put_post("POST#p1", commentsCount=text("twelve"), likes=text("many"))
    comment = a_comment(the_post(), CLEAN_TEXT)
    answer = marco.post(
        f"/forum/posts/p1/comments/{Target.of(comment).comment}/ban/", {"reason": "spam", "revision": 1}
    )
    assert answer.status_code == 303
    assert read.get(Comment, comment.key).status == "banned"  # type: ignore[union-attr]
    assert marco.post("/forum/posts/p1/ban/", {"reason": "spam", "revision": 0}).status_code == 303
    with pytest.raises(NotFound):
        counters.like(Target("p1"), command=new_command(ACTOR))


def test_a_status_of_another_type_can_be_decided_about(table: str, marco: Client) -> None:
    put_post("POST#p1", status={"N": "3"})
    assert marco.post("/forum/posts/p1/ban/", {"reason": "spam", "revision": 0}).status_code == 303
    assert the_post().status == "banned"


@real_engines
def test_a_post_without_room_for_a_reason_says_so(table: str, marco: Client) -> None:
    room = 409_600 - 700
    put_post("POST#p1", content=text("x" * (room - len(TEXT_TO_REVIEW) * 2)))
    answer = marco.post("/forum/posts/p1/ban/", {"other": "é" * 300, "revision": 0})
    assert answer.status_code == 422
    assert "exceed 400 KB" in parse(answer).text
    assert the_post().status == "active"


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
def test_an_entry_that_says_odd_things_of_what_was_is_undone(table: str, marco: Client, before: dict[str, Any]) -> None:
    put_post("POST#p1", status=text("banned"))
    about = {"M": {"revision": {"N": "0"}, "before": before}}
    put_entry(f"{AT}#m#e1", action=text("ban"), targetType=text("post"), targetId=text("p1"), metadata=about)
    assert marco.post(f"/forum/log/{AT}_m_e1/undo/").status_code == 303
    assert the_post().status == "active"


@pytest.mark.parametrize("sk", ["gestern", f"{AT}#e1", f"{AT}#m#e1#more"])
def test_an_entry_whose_key_leaves_something_out_is_part_of_the_history(marco: Client, sk: str) -> None:
    put_post("POST#p1")
    put_entry(sk, AT[:10], action=text("ban"), adminName=text("Somebody else"))
    assert "Somebody else" in parse(marco.get("/forum/posts/p1/")).text


@pytest.mark.parametrize("id", ["act_1", "_", "a%5Fb", "ñ ?"])
def test_whatever_its_id_an_entry_can_be_undone(marco: Client, id: str) -> None:
    put_post("POST#p1", status=text("banned"))
    put_entry(f"{AT}#mod_1#{id}", action=text("ban"), targetType=text("post"), targetId=text("p1"))
    ways = [form for form in forms(marco.get("/forum/log/?target=p1")) if form.action.endswith("/undo/")]
    assert ways[0].send(marco).status_code == 303
    assert the_post().status == "active"


def test_an_entry_in_another_day_than_its_own_offers_no_undo(marco: Client) -> None:
    put_post("POST#p1", status=text("banned"))
    put_entry(f"{AT}#m#e1", "2026-03-02", action=text("ban"), targetType=text("post"), targetId=text("p1"))
    assert not [form for form in forms(marco.get("/forum/log/?target=p1")) if form.action.endswith("/undo/")]


def test_everything_of_one_person_is_nobody_elses(marco: Client) -> None:
    """Another service keeps a space behind the address."""
    put_post("POST#p1", userId=text(f"{U} "), GSITypePK=text(f"AUTHOR#{U} "))
    put_post("POST#p2")
    begun = marco.post("/forum/bulk/", {"action": "delete", "everything": "1", "author": f"{U} "})
    marco.post(f"{begun.headers['Location']}next/")
    preview = marco.get(begun.headers["Location"], follow=True).redirect_chain[-1][0]
    marco.post(f"{preview}begin/")
    marco.post(f"{begun.headers['Location']}next/")
    assert (the_post("p1").status, the_post("p2").status) == ("deleted", "active")


def test_a_filter_is_tried_on_as_much_as_people_can_write(table: str) -> None:
    put_post("POST#p1", content=text("p.u.t.a " * 20_000))
    assert [len(each.content) for each in sample_texts()] == [MAX_CONTENT]
