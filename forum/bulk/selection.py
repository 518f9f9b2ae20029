"""Everything that a list shows, found page by page: what there is to do, before anything is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from dashboard.platform.jobs.items import COUNTING, Job
from dashboard.platform.jobs.kinds import Line, Step, counting_cursor
from dashboard.platform.jobs.queries import LINES_A_PART
from dashboard.table.read import Page
from forum.actions import Action, is_possible
from forum.bulk.requests import BulkRequest
from forum.items import Comment, ModerationEntry, Post, score_in_key
from forum.queries import bulk, posts
from forum.states import State
from forum.statuses import POSTS, REVIEW
from forum.targets import Target

# What a line shows of itself: fifty of them stand in one item.
EXCERPT, MAX_NAME = 120, 80

Found = Page[Post] | Page[Comment] | Page[ModerationEntry]
Walk = Callable[[Any, int], Found]


def beginning() -> dict[str, Any]:
    """Where counting starts: the first page of the first index."""
    return counting_cursor({"walk": 0, "parts": 0})


def first_line(parts: int) -> dict[str, Any]:
    """Where acting starts. Parts may be short: a page has what belongs to the wish, and no more."""
    return {"part": 0, "at": 0, "parts": parts}


def parts_of(work: Job) -> int:
    """In how many parts its lines stand: as it counted them, or as many as a selection fills."""
    counted = (work.result or {}).get("parts")
    return int(counted) if counted else -(-int(work.total or 0) // LINES_A_PART)


def count(work: Job) -> Step:
    """One page of the index; what belongs to the wish is put down with the progress. After the last it waits."""
    wish, at = BulkRequest.from_dict(work.about), work.cursor[COUNTING]
    walks = _walks(wish)
    page = walks[at["walk"]](at.get("start"), LINES_A_PART)
    lines = list(_lines(work, wish, page))
    total, parts = int(work.total or 0) + len(lines), at["parts"] + bool(lines)
    part = (at["parts"], lines) if lines else None
    if page.next is not None:
        return Step(counting_cursor({"walk": at["walk"], "parts": parts, "start": page.next}), total=total, part=part)
    if at["walk"] + 1 < len(walks):
        return Step(counting_cursor({"walk": at["walk"] + 1, "parts": parts}), total=total, part=part)
    if not total:
        return Step(total=0)  # There is nothing to begin.
    return Step(first_line(parts), total=total, part=part, wait=True, result={"parts": parts})


def _walks(wish: BulkRequest) -> list[Walk]:
    """The pages to go through, one index after the other."""
    if wish.version is not None:
        return [partial(bulk.bans_of, wish.version)]
    if wish.author:
        return [partial(posts.posts_of, wish.author), partial(posts.comments_by, wish.author)]
    if wish.show == REVIEW:
        return [posts.posts_to_review if wish.kind == POSTS else posts.comments_to_review]
    by_status = posts.posts_by_status if wish.kind == POSTS else posts.comments_by_status
    return [lambda start, limit: by_status(wish.show, start=start, limit=limit)]


def _lines(work: Job, wish: BulkRequest, page: Found) -> Iterable[Line]:
    if wish.version is not None:
        entries = [each for each in page.items if isinstance(each, ModerationEntry)]
        for entry, banned in bulk.still_banned(entries, wish.version):
            if _is_old_enough(work, banned):
                yield line_of(banned) | {"entry": entry.address}
        return
    for item in page.items:
        if isinstance(item, ModerationEntry) or not item.key_parts:
            continue  # Nothing can be done to what has no name.
        if _is_old_enough(work, item) and _makes_sense(wish, item):
            yield line_of(item)


def _is_old_enough(work: Job, item: Post | Comment) -> bool:
    """What is written after someone pressed the button is none of its business."""
    return item.created_at is None or work.cut_off is None or item.created_at <= work.cut_off


def _makes_sense(wish: BulkRequest, item: Post | Comment) -> bool:
    """An index may lag behind, and a person's posts have every status."""
    if wish.action == Action.APPROVE:
        return score_in_key(item.status, item.profanity_score, item.reviewed_at) is not None
    return is_possible(Action(wish.action), State.of(item))


def line_of(item: Post | Comment, revision: int | None = None) -> Line:
    """What acting needs, and what people recognise it by."""
    target, text = Target.of(item), " ".join((item.content or "").split())
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
