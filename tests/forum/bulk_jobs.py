"""Creates many posts and comments, and bulk jobs on them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.test import Client

from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.table import connection, keys, read
from dashboard.table.commands import Actor, new_command
from dashboard.table.items import Item
from forum.bulk.requests import BulkRequest, Chosen
from forum.items import Comment, ModerationEntry, Post
from forum.queries.log import by_time
from forum.services import bulk
from forum.statuses import ACTIVE
from forum.targets import ForumTarget
from tests.forum.factories import MARCO, TEXT_TO_REVIEW
from tests.jobs.execution import finish, reloaded
from tests.ui.html import forms

URL = "/forum/bulk/"
ANA = "ana@example.com"


def put_all(items: list[Item]) -> None:
    """Write the items as they are, without a transaction for each."""
    requests = []
    for item in items:
        item.set_index_keys()
        requests.append({"PutRequest": {"Item": item.serialize()}})
    for at in range(0, len(requests), 25):
        connection.client().batch_write_item(RequestItems={settings.DYNAMODB_TABLE: requests[at : at + 25]})


def _fill(item: Any, number: int, author: str) -> Any:
    item.user_id, item.author_name, item.content = author, "Ana Soto", f"{TEXT_TO_REVIEW} {number}"
    item.status, item.created_at, item.revision = ACTIVE, now() - timedelta(minutes=number), 1
    item.profanity_score = 0.3 + number % 50 / 100
    return item


def create_posts(count: int, author: str = ANA, **more: Any) -> list[Post]:
    """Create active posts that wait for review."""
    created = []
    for number in range(count):
        post = _fill(Post.new(post=new_id()), number, author)
        post.likes = post.comments_count = 0
        for name, value in more.items():
            setattr(post, name, value)
        created.append(post)
    put_all(list(created))
    return created


def create_comments(posts: list[Post], each: int, author: str = ANA) -> list[Comment]:
    """Create this many comments below each post; the post counts them."""
    created = []
    for post in posts:
        created += [
            _fill(Comment.new(post=ForumTarget.of(post).post, comment=new_id()), number, author)
            for number in range(each)
        ]
        post.comments_count = each
    put_all([*posts, *created])
    return created


def stored_values(item: Item) -> dict[str, Any]:
    """The stored attributes of an item, except those that say who changed it last."""
    return stored_values_of([item])[0]


def stored_values_of(items: list[Any]) -> list[dict[str, Any]]:
    """The stored attributes of many items, read in a few calls."""
    ignored = {"stored_revision", "updated_at", "updated_by", "updated_by_name"}
    found = read.get_many([each.key for each in items])
    return [
        {name: value for name, value in each.attribute_values.items() if name not in ignored and value is not None}
        for each in found
        if isinstance(each, Item)
    ]


def checkbox_values(items: Any) -> list[str]:
    return [f"{each.revision}:{ForumTarget.of(each).path}" for each in items]


def start_on_list(by: Actor = MARCO, action: str = "ban", reason: str = "spam", **where: Any) -> Job:
    """Start a job on all posts of a list. It counts them first."""
    request = BulkRequest(action, reason if action == "ban" else "", **(where or {"show": "review", "kind": "posts"}))
    return bulk.begin_with_all(request, command=new_command(by))


def start_on_selection(items: Any, by: Actor = MARCO, action: str = "ban", reason: str = "spam") -> Job:
    chosen = [Chosen(ForumTarget.of(each), each.revision) for each in items]
    return bulk.begin_with(BulkRequest(action, reason), chosen, command=new_command(by))


def create_counted_bulk(by: Actor = MARCO) -> Job:
    """A job that has counted its posts and waits for confirmation."""
    author = f"{new_id()[-8:]}@example.com"
    create_posts(2, author)
    return finish(start_on_list(by, author=author))


def start_undo(job: Job, by: Actor = MARCO) -> Job:
    return bulk.begin_undo(reloaded(job), command=new_command(by))


def confirm_and_finish(job: Job) -> Job:
    """Let the job count, confirm it, and run it to the end."""
    waiting = finish(job)
    assert waiting.state == JobState.WAITING
    job_services.confirm(waiting)
    return finish(reloaded(waiting))


def progress_of(job: Job) -> tuple[str, int, int, int]:
    return job.state, int(job.total or 0), int(job.done), int(job.failed)


def log_entries_of_job(job: Job) -> list[ModerationEntry]:
    """The entries of the moderation log that have the id of this job."""
    collection, start_key, found = keys.MODERATION_OF_OPERATION.collection(operation=job.id), None, []
    while True:
        page = read.page(collection, ModerationEntry, limit=500, start_key=start_key)
        found += page.items
        start_key = page.next_start_key
        if start_key is None:
            return sorted(found, key=by_time)


def press_continue(browser: Client, url: str, tries: int = 60) -> Any:
    """As without JavaScript: press Continue until the page has no such button, and return the last page."""
    for _ in range(tries):
        page = browser.get(url, follow=True)
        continue_forms = [form for form in forms(page) if form.action.endswith("/next/")]
        if not continue_forms:
            return page
        assert continue_forms[0].send(browser).status_code == 303
    raise AssertionError("the job does not end")
