"""Sixteen moderators decide on the same posts while replies are lost: each post has one outcome and one log entry."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from dashboard.core.errors import Conflict, Unavailable
from dashboard.table import keys, read
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.transactions import find_done
from forum.actions import Action
from forum.items import Comment, Post
from forum.services import counters, decisions
from forum.services.decisions import Overtaken
from forum.states import State
from forum.targets import ForumTarget
from tests.conftest import real_engines
from tests.faults import act_then_break, bad_network, lose_reply
from tests.forum.factories import CLEAN_TEXT, TEXT_TO_REVIEW, create_comment, create_post, entries_of, reload_item

MODERATORS, POSTS, COMMENTS = 16, 25, 25
ACTIONS = (Action.BAN, Action.DELETE, Action.APPROVE)


@dataclass(frozen=True)
class Attempt:
    """One decision that a moderator tried, and whether it was done."""

    command: Command
    target: ForumTarget
    action: Action
    done: bool


def decide_until_answered(item: Post | Comment, action: Action, by: Actor) -> Attempt:
    """Try to decide, and repeat while the table is unavailable."""
    command, target = new_command(by), ForumTarget.of(item)
    while True:
        try:
            decision = decisions.decide(target, action, reason="spam", revision=item.revision, command=command)
        except Unavailable:
            continue
        except Overtaken as refusal:
            assert isinstance(refusal.item, Post | Comment), "the refusal carries the current item"
            return Attempt(command, target, action, False)
        assert decision.outcome.result["action"] == action
        return Attempt(command, target, action, True)


def decide_as_all_moderators(items: list[Post | Comment]) -> list[Attempt]:
    """Each moderator decides on all items, each in a different random order."""
    start = threading.Barrier(MODERATORS)

    def decide_all(number: int) -> list[Attempt]:
        chance, by = random.Random(number), Actor(f"m{number}@example.com", f"Moderator {number}")
        mine = chance.sample(items, len(items))
        start.wait()
        return [decide_until_answered(item, chance.choice(ACTIONS), by) for item in mine]

    with ThreadPoolExecutor(MODERATORS) as pool:
        return [attempts for each in pool.map(decide_all, range(MODERATORS)) for attempts in each]


@real_engines
def test_sixteen_moderators_on_fifty_posts_leave_one_outcome_for_each(table: str) -> None:
    commented = create_post(CLEAN_TEXT)
    items: list[Post | Comment] = [create_post(TEXT_TO_REVIEW) for _ in range(POSTS)]
    items += [create_comment(commented) for _ in range(COMMENTS)]
    with bad_network() as network:
        network.add_random_fault(0.05, lose_reply)
        network.add_random_fault(0.05, act_then_break)
        attempts = decide_as_all_moderators(items)
        network.stop_faults()
    assert network.faults > 20

    for item in items:
        stored, entries = reload_item(item), entries_of(item)
        (winner,) = [each for each in attempts if each.target == ForumTarget.of(item) and each.done]
        # One outcome and one log entry, and they have the same person, action and state.
        (entry,) = entries
        assert (entry.admin_id, entry.action) == (winner.command.by.email, winner.action)
        assert entry.metadata is not None
        assert State.from_dict(entry.metadata["after"]) == State.of(stored)
        assert (stored.revision, stored.updated_by) == (2, winner.command.by.email)
        again = type(item).of(_raw(stored))
        again.set_index_keys()
        assert {name: again.attribute_values.get(name) for name in INDEX} == {
            name: stored.attribute_values.get(name) for name in INDEX
        }
    # A command has a DONE record exactly if its decision was done.
    for each in attempts:
        assert (find_done(each.command) is not None) == each.done
    # The post counts the comments that are active.
    left = read.page(
        keys.COMMENTS_OF_POST.collection(post=ForumTarget.of(commented).post, status="active"), Comment, limit=100
    ).items
    post = reload_item(commented)
    assert isinstance(post, Post)
    assert post.comments_count == len(left)
    assert post.gsi4sk is not None and int(post.gsi4sk.partition("#")[0]) == len(left)


INDEX = [f"gsi{name}{end}" for name in ("1", "2", "3", "4", "type", "status") for end in ("pk", "sk")]


def _raw(item: Post | Comment) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = item.serialize()
    return found


@real_engines
def test_counters_and_their_index_keys_are_exact_after_concurrent_writes(table: str) -> None:
    """Bans of comments and likes arrive at the same time while replies are lost: every count is exact."""
    post = create_post(CLEAN_TEXT)
    comments = [create_comment(post) for _ in range(8)]

    def like(number: int) -> None:
        command = new_command(Actor(f"fan{number}@example.com"))
        while True:
            try:
                return counters.like(ForumTarget.of(post), command=command)
            except Unavailable:
                continue

    def like_and_ban(number: int) -> None:
        like(number)
        if number < len(comments):
            decide_until_answered(comments[number], Action.BAN, Actor(f"m{number}@example.com"))

    with bad_network() as network:
        network.add_random_fault(0.05, lose_reply)
        with ThreadPoolExecutor(MODERATORS) as pool:
            list(pool.map(like_and_ban, range(24)))
        network.stop_faults()
    counters.settle(post.key)
    stored = reload_item(post)
    assert isinstance(stored, Post)
    assert (stored.likes, stored.comments_count) == (24, 0)
    assert stored.gsi3sk is not None and stored.gsi3sk.startswith("0000000024#")
    assert stored.gsi4sk is not None and stored.gsi4sk.startswith("0000000000#")


@real_engines
def test_of_four_undos_of_the_same_entry_one_wins(table: str) -> None:
    """Undo is a decision like any other: the others get a conflict."""
    post = create_post()
    decisions.decide(
        ForumTarget.of(post),
        Action.BAN,
        reason="spam",
        revision=post.revision,
        command=new_command(Actor("m1@example.com")),
    )
    (entry,) = entries_of(post)
    start = threading.Barrier(4)

    def undo(number: int) -> bool:
        start.wait()
        try:
            decisions.undo(entry, command=new_command(Actor(f"u{number}@example.com")))
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(undo, range(4))) == [False, False, False, True]
    assert [each.action for each in entries_of(post)] == ["ban", "restore"]
    assert reload_item(post).status == "active"
