"""Endpoints of the forum, for keys of the platform: posts, comments, likes, and the decisions of moderators."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import NotFound
from dashboard.platform.apikeys.calls import ApiCall
from dashboard.table.nested import texts_in
from dashboard.web.api.endpoints import KeyOwner, Scope, endpoint
from dashboard.web.api.messages import Input, Message, Moment, PageQuery, described
from dashboard.web.api.problems import ApiError, declare_problem
from forum.actions import Action
from forum.items import Comment, Post, non_negative
from forum.queries import posts as queries
from forum.queries.posts import Order
from forum.services import counters, decisions
from forum.services import posts as services
from forum.services.decisions import MAX_REASON
from forum.services.posts import MAX_ADDRESS, MAX_CONTENT, MAX_IMAGES
from forum.statuses import ACTIVE
from forum.targets import ForumTarget

NO_LIKES = declare_problem("no_likes", 409, "This post has no like to take back.")

# Without control characters and `#`, which separates the parts of keys.
Author = Annotated[str, msgspec.Meta(min_length=3, max_length=254, pattern=r"^[^\u0000-\u0020#\u007f]+$")]
Status = Literal["active", "banned", "deleted"]
ItemT = TypeVar("ItemT", Post, Comment)
Address = Annotated[str, msgspec.Meta(max_length=MAX_ADDRESS)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_CONTENT)]


class PostsQuery(PageQuery, frozen=True):
    order: Order = Order.NEWEST
    status: Annotated[Status, described("Other statuses than `active` need the scope `moderate`.")] = "active"


class CommentsQuery(PageQuery, frozen=True):
    status: Status = "active"


class ForumTextBody(Message):
    id: str
    author: str | None
    author_name: str | None
    text: str | None
    status: Annotated[str | None, described("A text that the filter bans is `banned` at once.")]
    created_at: Moment | None
    ban_reason: Annotated[
        str | msgspec.UnsetType | None, described("Only in answers to keys with the scope `moderate`.")
    ] = msgspec.UNSET
    score: float | msgspec.UnsetType | None = msgspec.UNSET


class PostBody(ForumTextBody, kw_only=True):
    images: list[str]
    likes: int
    comments: int
    is_announcement: bool


class PostPage(Message):
    posts: list[PostBody]
    next: str | None


class CommentBody(ForumTextBody, kw_only=True):
    post: str
    reply_to: str | None


class CommentPage(Message):
    comments: list[CommentBody]
    next: str | None


class NewPost(Input, frozen=True):
    author: Annotated[Author, described("The e-mail address of an attendee whose domain is allowed.")]
    text: Text
    author_name: Annotated[str, msgspec.Meta(max_length=200)] = ""
    images: Annotated[
        Annotated[list[Address], msgspec.Meta(max_length=MAX_IMAGES)], described("Addresses of pictures.")
    ] = []


class NewComment(Input, frozen=True):
    author: Author
    text: Text
    author_name: Annotated[str, msgspec.Meta(max_length=200)] = ""
    reply_to: Annotated[
        Annotated[str, msgspec.Meta(max_length=200)],
        described("The id of the comment of the same post that it replies to."),
    ] = ""


class Like(Input, frozen=True):
    change: Annotated[Literal[1, -1], described("-1 takes a like back. Who likes what is the app's business.")] = 1


class NewDecision(Input, frozen=True):
    action: Action
    reason: Annotated[
        Annotated[str, msgspec.Meta(max_length=MAX_REASON)],
        described("A ban needs one: a text, or the id of a preset."),
    ] = ""


@endpoint("GET", "posts", owner=KeyOwner.PLATFORM, scope=Scope.READ, summary=_("Posts of a status"))
def posts(call: ApiCall, query: PostsQuery) -> PostPage:
    _check_status(call, query.status)
    filters = (query.order.value, query.status)
    found = queries.posts_by_status(query.status, query.order, call.start_key(query, *filters), query.limit)
    return PostPage([_post(call, each) for each in found.items], call.cursor(found.next_start_key, *filters))


@endpoint("GET", "posts/<str:post>", owner=KeyOwner.PLATFORM, scope=Scope.READ, has_etag=True, summary=_("A post"))
def post(call: ApiCall, post: str) -> PostBody:
    return _post_answer(call, _load(call, ForumTarget(post), Post))


@endpoint(
    "POST",
    "posts",
    owner=KeyOwner.PLATFORM,
    scope=Scope.CHAT,
    status=201,
    has_etag=True,
    cost=2,
    summary=_("Write a post for an attendee"),
)
def create_post(call: ApiCall, body: NewPost) -> PostBody:
    created = services.write_post(
        body.author, body.text, name=body.author_name, images=body.images, command=call.command
    )
    return _post_answer(call, created)


@endpoint(
    "POST",
    "posts/<str:post>/likes",
    owner=KeyOwner.PLATFORM,
    scope=Scope.CHAT,
    has_etag=True,
    errors=(NO_LIKES,),
    cost=4,
    summary=_("Add a like to a post, or take one back"),
)
def like_post(call: ApiCall, post: str, body: Like) -> PostBody:
    target = ForumTarget(post)
    _load(call, target, Post)
    try:
        counters.like(target, body.change, command=call.command)
    except NotFound as error:
        raise ApiError(NO_LIKES if body.change < 0 else "conflict") from error
    return _post_answer(call, _load(call, target, Post))


@endpoint(
    "POST",
    "posts/<str:post>/decisions",
    owner=KeyOwner.PLATFORM,
    scope=Scope.MODERATE,
    has_etag=True,
    needs_revision=True,
    cost=3,
    summary=_("Ban, restore, delete, approve or reopen a post"),
)
def decide_post(call: ApiCall, post: str, body: NewDecision) -> PostBody:
    decided = _decide(call, ForumTarget(post), body)
    assert isinstance(decided, Post)
    return _post_answer(call, decided)


@endpoint(
    "GET",
    "posts/<str:post>/comments",
    owner=KeyOwner.PLATFORM,
    scope=Scope.READ,
    cost=2,
    summary=_("Comments of a post, the oldest first"),
)
def comments(call: ApiCall, post: str, query: CommentsQuery) -> CommentPage:
    _check_status(call, query.status)
    _load(call, ForumTarget(post), Post)
    found = queries.comments_of(post, query.status, call.start_key(query, post, query.status), query.limit)
    cursor = call.cursor(found.next_start_key, post, query.status)
    return CommentPage([_comment(call, each) for each in found.items], cursor)


@endpoint(
    "POST",
    "posts/<str:post>/comments",
    owner=KeyOwner.PLATFORM,
    scope=Scope.CHAT,
    status=201,
    has_etag=True,
    cost=4,
    summary=_("Write a comment for an attendee"),
)
def create_comment(call: ApiCall, post: str, body: NewComment) -> CommentBody:
    created = services.write_comment(
        ForumTarget(post),
        body.author,
        body.text,
        name=body.author_name,
        reply_to=body.reply_to,
        command=call.command,
    )
    return _comment_answer(call, created)


@endpoint(
    "GET",
    "posts/<str:post>/comments/<str:comment>",
    owner=KeyOwner.PLATFORM,
    scope=Scope.READ,
    has_etag=True,
    summary=_("A comment"),
)
def comment(call: ApiCall, post: str, comment: str) -> CommentBody:
    return _comment_answer(call, _load(call, ForumTarget(post, comment), Comment))


@endpoint(
    "POST",
    "posts/<str:post>/comments/<str:comment>/decisions",
    owner=KeyOwner.PLATFORM,
    scope=Scope.MODERATE,
    has_etag=True,
    needs_revision=True,
    cost=4,
    summary=_("Ban, restore, delete, approve or reopen a comment"),
)
def decide_comment(call: ApiCall, post: str, comment: str, body: NewDecision) -> CommentBody:
    decided = _decide(call, ForumTarget(post, comment), body)
    assert isinstance(decided, Comment)
    return _comment_answer(call, decided)


def _moderates(call: ApiCall) -> bool:
    return Scope.MODERATE in call.key.scopes


def _check_status(call: ApiCall, status: str) -> None:
    if status != ACTIVE and not _moderates(call):
        raise ApiError("key_not_allowed", f"Only a key with the scope “{Scope.MODERATE}” sees what is {status}.")


def _load(call: ApiCall, target: ForumTarget, kind: type[ItemT]) -> ItemT:
    """A post or comment that the key may see: others than active ones only if it moderates."""
    found = queries.load_item(target)
    if not isinstance(found, kind) or not (found.status == ACTIVE or _moderates(call)):
        raise NotFound
    return found


def _decide(call: ApiCall, target: ForumTarget, body: NewDecision) -> Post | Comment:
    return decisions.decide(target, body.action, reason=body.reason, revision=call.revision, command=call.command)


def _post_answer(call: ApiCall, post: Post) -> PostBody:
    call.answer_revision = post.revision
    return _post(call, post)


def _comment_answer(call: ApiCall, comment: Comment) -> CommentBody:
    call.answer_revision = comment.revision
    return _comment(call, comment)


def _post(call: ApiCall, post: Post) -> PostBody:
    return PostBody(
        **_texts(call, post),
        images=texts_in(post.images or []),
        likes=int(non_negative(post.likes)),
        comments=int(non_negative(post.comments_count)),
        is_announcement=bool(post.announcement),
    )


def _comment(call: ApiCall, comment: Comment) -> CommentBody:
    return CommentBody(
        **_texts(call, comment), post=str(comment.key_parts.get("post", "")), reply_to=comment.parent_id or None
    )


def _texts(call: ApiCall, item: Post | Comment) -> dict[str, Any]:
    found = {
        "id": ForumTarget.of(item).id,
        "author": item.user_id,
        "author_name": item.author_name,
        "text": item.content,
        "status": item.status,
        "created_at": item.created_at,
    }
    return found | ({"ban_reason": item.ban_reason, "score": item.profanity_score} if _moderates(call) else {})
