"""Counts everything that a bulk action is for, page by page, before anything changes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import JobLine, Step
from dashboard.platform.jobs.parts import Walk, count_step
from dashboard.table.read import Page
from forum.actions import Action, is_possible
from forum.bulk.requests import BulkRequest
from forum.items import Comment, ModerationEntry, Post, score_in_key
from forum.queries import bulk, posts
from forum.queries.content_filters import ContentFilter, matching, read_candidates
from forum.queries.posts import Order
from forum.states import State
from forum.statuses import BOTH_KINDS, KINDS, POSTS, REVIEW_QUEUE
from forum.targets import ForumTarget

# A line is short: fifty of them are stored in one item.
EXCERPT, MAX_NAME = 120, 80

MatchPage = Page[Post] | Page[Comment] | Page[ModerationEntry]


def count(job: Job) -> Step:
    """Store the matching items of one page, with the progress. After the last page the job waits."""
    bulk_request = BulkRequest.from_dict(job.about)
    return count_step(job, _walks(bulk_request), partial(_lines, job, bulk_request))


def _walks(bulk_request: BulkRequest) -> list[Walk]:
    """The indexes to read, one after the other."""
    if bulk_request.version is not None:
        return [partial(bulk.bans_of, bulk_request.version)]
    if bulk_request.author:
        return [partial(posts.posts_of, bulk_request.author), partial(posts.comments_by, bulk_request.author)]
    kinds = KINDS if bulk_request.kind == BOTH_KINDS else [bulk_request.kind]
    if bulk_request.filters:
        filters = ContentFilter.from_dict(bulk_request.filters)
        return [partial(read_candidates, bulk_request.show, kind, Order.NEWEST, filters) for kind in kinds]
    return [_walk_of_list(bulk_request.show, kind) for kind in kinds]


def _walk_of_list(show: str, kind: str) -> Walk:
    if show == REVIEW_QUEUE:
        return posts.posts_to_review if kind == POSTS else posts.comments_to_review
    by_status: Any = posts.posts_by_status if kind == POSTS else posts.comments_by_status
    return lambda start_key, limit: by_status(show, start_key=start_key, limit=limit)


def _lines(job: Job, bulk_request: BulkRequest, page: MatchPage) -> Iterable[JobLine]:
    if bulk_request.version is not None:
        entries = [each for each in page.items if isinstance(each, ModerationEntry)]
        for entry, banned in bulk.still_banned(entries, bulk_request.version):
            if _is_old_enough(job, banned):
                yield line_of(banned) | {"entry": entry.address}
        return
    for item in _matching(bulk_request, page):
        if isinstance(item, ModerationEntry) or not item.key_parts:
            continue  # Without ids there is no target.
        if _is_old_enough(job, item) and _is_applicable(bulk_request, item):
            yield line_of(item)


def _matching(bulk_request: BulkRequest, page: MatchPage) -> list[Any]:
    if bulk_request.filters:
        return matching(bulk_request.show, ContentFilter.from_dict(bulk_request.filters), page.items)
    return posts.find(page.items, bulk_request.q) if bulk_request.q else page.items


def _is_old_enough(job: Job, item: Post | Comment) -> bool:
    """Items created after the request are not included."""
    return item.created_at is None or job.cut_off is None or item.created_at <= job.cut_off


def _is_applicable(bulk_request: BulkRequest, item: Post | Comment) -> bool:
    """An index may be behind, and an author has items of every status."""
    if bulk_request.action == Action.APPROVE:
        return score_in_key(item) is not None
    return is_possible(Action(bulk_request.action), State.of(item))


def line_of(item: Post | Comment, revision: int | None = None) -> JobLine:
    """What the action needs, and the text by which people recognise it."""
    target, text = ForumTarget.of(item), " ".join((item.content or "").split())
    score = item.profanity_score
    line = {
        "post": target.post,
        "comment": target.comment,
        "seen": item.revision if revision is None else revision,
        "text": text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…",
        "who": (item.author_name or item.user_id or "")[:MAX_NAME],
        "score": f"{score:.3f}".rstrip("0").rstrip(".") if score else "",
    }
    return {name: value for name, value in line.items() if value != ""}
