"""Many posts and comments at once, and bulk work on them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.test import Client

from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.jobs import services as works
from dashboard.platform.jobs.items import Job, State
from dashboard.table import connection, keys, read
from dashboard.table.commands import Actor, new_command
from dashboard.table.items import Item
from forum.bulk.requests import BulkRequest, Chosen
from forum.items import Comment, ModerationEntry, Post
from forum.queries.log import by_time
from forum.services import bulk
from forum.statuses import ACTIVE
from forum.targets import Target
from tests.forum.factories import MARCO, TEXT_TO_REVIEW
from tests.jobs.execution import finish, reloaded
from tests.ui.html import forms

URL = "/forum/bulk/"
ANA = "ana@example.com"


def put_all(items: list[Item]) -> None:
    """As they are, without a transaction for each."""
    raws = []
    for item in items:
        item.set_index_keys()
        raws.append({"PutRequest": {"Item": item.serialize()}})
    for at in range(0, len(raws), 25):
        connection.client().batch_write_item(RequestItems={settings.DYNAMODB_TABLE: raws[at : at + 25]})


def _written(item: Any, number: int, author: str) -> Any:
    item.user_id, item.author_name, item.content = author, "Ana Soto", f"{TEXT_TO_REVIEW} {number}"
    item.status, item.created_at, item.revision = ACTIVE, now() - timedelta(minutes=number), 1
    item.profanity_score = 0.3 + number % 50 / 100
    return item


def many_posts(count: int, author: str = ANA, **more: Any) -> list[Post]:
    """Active posts that wait for review."""
    made = []
    for number in range(count):
        post = _written(Post.new(post=new_id()), number, author)
        post.likes = post.comments_count = 0
        for name, value in more.items():
            setattr(post, name, value)
        made.append(post)
    put_all(list(made))
    return made


def many_comments(posts: list[Post], each: int, author: str = ANA) -> list[Comment]:
    """So many below each post, and counted there."""
    made = []
    for post in posts:
        made += [
            _written(Comment.new(post=Target.of(post).post, comment=new_id()), number, author) for number in range(each)
        ]
        post.comments_count = each
    put_all([*posts, *made])
    return made


def raw(item: Item) -> dict[str, Any]:
    """All that stands in the table of it but for who touched it last."""
    return raws([item])[0]


def raws(items: list[Any]) -> list[dict[str, Any]]:
    """The same of many, in a few calls."""
    last = {"stored_revision", "updated_at", "updated_by", "updated_by_name"}
    found = read.get_many([each.key for each in items])
    return [
        {name: value for name, value in each.attribute_values.items() if name not in last and value is not None}
        for each in found
        if isinstance(each, Item)
    ]


def picks(items: Any) -> list[str]:
    return [f"{each.revision}:{Target.of(each).path}" for each in items]


def of_list(by: Actor = MARCO, action: str = "ban", reason: str = "spam", **where: Any) -> Job:
    """Everything of a list, begun to be counted."""
    wish = BulkRequest(action, reason if action == "ban" else "", **(where or {"show": "review", "kind": "posts"}))
    return bulk.begin_with_all(wish, command=new_command(by))


def of_chosen(items: Any, by: Actor = MARCO, action: str = "ban", reason: str = "spam") -> Job:
    chosen = [Chosen(Target.of(each), each.revision) for each in items]
    return bulk.begin_with(BulkRequest(action, reason), chosen, command=new_command(by))


def a_counted_bulk(by: Actor = MARCO) -> Job:
    """Counted, and waiting for its person."""
    author = f"{new_id()[-8:]}@example.com"
    many_posts(2, author)
    return finish(of_list(by, author=author))


def undo_of(work: Job, by: Actor = MARCO) -> Job:
    return bulk.begin_undo(reloaded(work), command=new_command(by))


def counted_and_done(work: Job) -> Job:
    """Counted, looked at, begun, done."""
    waiting = finish(work)
    assert waiting.state == State.WAITING
    works.confirm(waiting)
    return finish(reloaded(waiting))


def counts(work: Job) -> tuple[str, int, int, int]:
    return work.state, int(work.total or 0), int(work.done), int(work.failed)


def together(work: Job) -> list[ModerationEntry]:
    """What the log has under the work's one id."""
    collection, start_key, found = keys.MODERATION_OF_OPERATION.collection(operation=work.id), None, []
    while True:
        page = read.page(collection, ModerationEntry, limit=500, start_key=start_key)
        found += page.items
        start_key = page.next_start_key
        if start_key is None:
            return sorted(found, key=by_time)


def press_on(browser: Client, url: str, tries: int = 60) -> Any:
    """Without scripts: the page's Continue until there is none; gives the last page."""
    for _ in range(tries):
        page = browser.get(url, follow=True)
        going = [form for form in forms(page) if form.action.endswith("/next/")]
        if not going:
            return page
        assert going[0].send(browser).status_code == 303
    raise AssertionError("it does not come to an end")
