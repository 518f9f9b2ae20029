"""Creates posts and comments with the services, without the screens."""

from __future__ import annotations

from typing import TypeVar

from dashboard.table import keys, read
from dashboard.table.commands import Actor, new_command
from forum.actions import Action
from forum.items import Comment, ModerationEntry, Post
from forum.queries.log import by_time
from forum.services import decisions, posts
from forum.targets import ForumTarget
from tests.conftest import ACTOR

WrittenT = TypeVar("WrittenT", bound=Post | Comment)
MARCO = Actor("marco@example.com", "Marco Peña")
# Has one medium word of the starter list: the post waits for review and is not banned.
TEXT_TO_REVIEW = "Qué puta espera en la fila"
# Above the threshold: the filter bans the post.
TEXT_TO_BAN = "hijo de puta, hijo de puta, hijo de puta"
CLEAN_TEXT = "Qué linda tarde en el escenario norte"


def create_post(
    content: str = TEXT_TO_REVIEW, author: str = "ana@example.com", name: str = "Ana Soto", **options: object
) -> Post:
    return posts.write_post(author, content, name=name, command=new_command(ACTOR), **options)  # type: ignore[arg-type]


def create_comment(
    post: Post,
    content: str = TEXT_TO_REVIEW,
    author: str = "beto@example.com",
    name: str = "Beto Díaz",
    reply_to: str = "",
) -> Comment:
    command = new_command(ACTOR)
    return posts.write_comment(ForumTarget.of(post), author, content, name=name, reply_to=reply_to, command=command)


def decide(item: Post | Comment, action: Action, reason: str = "spam", by: Actor = MARCO) -> Post | Comment:
    target = ForumTarget.of(item)
    return decisions.decide(target, action, reason=reason, revision=item.revision, command=new_command(by))


def reload_item(item: WrittenT) -> WrittenT:
    """The item as it is in the table now."""
    found = read.get(type(item), item.key)
    assert found is not None
    return found


def entries_of(item: Post | Comment) -> list[ModerationEntry]:
    """The log entries about a post or comment, oldest first."""
    collection = keys.MODERATION_OF_TARGET.collection(target=ForumTarget.of(item).id)
    return sorted(read.page(collection, ModerationEntry, limit=1000).items, key=by_time)
