"""Sixteen moderators at the same posts and comments, and replies get lost: one outcome each, and the log agrees."""

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
from forum.targets import Target
from tests.conftest import real_engines
from tests.faults import act_then_break, bad_network, lose_reply
from tests.forum.factories import CLEAN_TEXT, TEXT_TO_REVIEW, a_comment, a_post, entries_of, reloaded

MODERATORS, POSTS, COMMENTS = 16, 25, 25
FIRST = (Action.BAN, Action.DELETE, Action.APPROVE)


@dataclass(frozen=True)
class Told:
    """One press of a key, and what the person was told."""

    command: Command
    target: Target
    action: Action
    done: bool


def press(item: Post | Comment, action: Action, by: Actor) -> Told:
    """Press until there is an answer: «not now, repeating is safe» is none."""
    command, target = new_command(by), Target.of(item)
    while True:
        try:
            decided = decisions.decide(target, action, reason="spam", revision=item.revision, command=command)
        except Unavailable:
            continue
        except Overtaken as refusal:
            assert isinstance(refusal.item, Post | Comment), "it says what stands there now"
            return Told(command, target, action, False)
        assert decided.outcome.result["action"] == action
        return Told(command, target, action, True)


def everybody(items: list[Post | Comment]) -> list[Told]:
    """Each moderator goes through all of them, each in an order of their own."""
    start = threading.Barrier(MODERATORS)

    def one(number: int) -> list[Told]:
        chance, by = random.Random(number), Actor(f"m{number}@example.com", f"Moderator {number}")
        mine = chance.sample(items, len(items))
        start.wait()
        return [press(item, chance.choice(FIRST), by) for item in mine]

    with ThreadPoolExecutor(MODERATORS) as pool:
        return [told for each in pool.map(one, range(MODERATORS)) for told in each]


@real_engines
def test_sixteen_moderators_on_fifty(table: str) -> None:
    below = a_post(CLEAN_TEXT)
    items: list[Post | Comment] = [a_post(TEXT_TO_REVIEW) for _ in range(POSTS)]
    items += [a_comment(below) for _ in range(COMMENTS)]
    with bad_network() as network:
        network.add_random_fault(0.05, lose_reply)
        network.add_random_fault(0.05, act_then_break)
        told = everybody(items)
        network.stop_faults()
    assert network.faults > 20

    for item in items:
        stands, entries = reloaded(item), entries_of(item)
        (winner,) = [each for each in told if each.target == Target.of(item) and each.done]
        # One outcome, one entry, and they agree: who, what and when.
        (entry,) = entries
        assert (entry.admin_id, entry.action) == (winner.command.by.email, winner.action)
        assert entry.metadata is not None
        assert State.from_dict(entry.metadata["after"]) == State.of(stands)
        assert (stands.revision, stands.updated_by) == (2, winner.command.by.email)
        again = type(item).of(_raw(stands))
        again.set_index_keys()
        assert {name: again.attribute_values.get(name) for name in INDEX} == {
            name: stands.attribute_values.get(name) for name in INDEX
        }
    # Nobody whose decision did not count has left a record that says it did, and nobody who was told «done» has none.
    for each in told:
        assert (find_done(each.command) is not None) == each.done
    # The count is that of the comments which are there.
    left = read.page(
        keys.COMMENTS_OF_POST.collection(post=Target.of(below).post, status="active"), Comment, limit=100
    ).items
    post = reloaded(below)
    assert isinstance(post, Post)
    assert post.comments_count == len(left)
    assert post.gsi4sk is not None and int(post.gsi4sk.partition("#")[0]) == len(left)


INDEX = [f"gsi{name}{end}" for name in ("1", "2", "3", "4", "type", "status") for end in ("pk", "sk")]


def _raw(item: Post | Comment) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = item.serialize()
    return found


@real_engines
def test_counters_and_their_keys_agree_after_a_crowd(table: str) -> None:
    """Comments come, are banned and liked at once, and replies get lost: every count is what happened."""
    post = a_post(CLEAN_TEXT)
    comments = [a_comment(post) for _ in range(8)]

    def like(number: int) -> None:
        command = new_command(Actor(f"fan{number}@example.com"))
        while True:
            try:
                return counters.like(Target.of(post), command=command)
            except Unavailable:
                continue

    def work(number: int) -> None:
        like(number)
        if number < len(comments):
            press(comments[number], Action.BAN, Actor(f"m{number}@example.com"))

    with bad_network() as network:
        network.add_random_fault(0.05, lose_reply)
        with ThreadPoolExecutor(MODERATORS) as pool:
            list(pool.map(work, range(24)))
        network.stop_faults()
    counters.settle(post.key)
    stands = reloaded(post)
    assert isinstance(stands, Post)
    assert (stands.likes, stands.comments_count) == (24, 0)
    assert stands.gsi3sk is not None and stands.gsi3sk.startswith("0000000024#")
    assert stands.gsi4sk is not None and stands.gsi4sk.startswith("0000000000#")


@real_engines
def test_two_take_the_same_entry_back(table: str) -> None:
    """Undo is a decision like any other: the second one is told."""
    post = a_post()
    decisions.decide(
        Target.of(post), Action.BAN, reason="spam", revision=post.revision, command=new_command(Actor("m1@example.com"))
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
    assert reloaded(post).status == "active"
