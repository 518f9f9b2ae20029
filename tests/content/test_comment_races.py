"""Moderators decide about the same comments at once, with lost replies."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier

from content.comment_refs import CommentRef
from content.comment_statuses import DECISIONS
from content.items import PageComment
from content.services import comments as services
from content.services.comments import CommentOvertaken
from dashboard.platform.audit.queries import history
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.transactions import find_done
from tests.conftest import real_engines
from tests.content.site import BUSINESS
from tests.content.visitors import load, put_comment
from tests.faults import act_then_break, bad_network, lose_reply, retry_until_available
from tests.stream.helpers import wrong_keys

MODERATORS, COMMENTS = 8, 10


@dataclass(frozen=True)
class Attempt:
    command: Command
    ref: CommentRef
    # The status that it led to; empty if somebody else was first.
    status: str


def decide(ref: CommentRef, by: Actor, chance: random.Random) -> list[Attempt]:
    """Decide about a comment as it was listed, and sometimes undo that."""
    decision, command = DECISIONS[chance.choice(list(DECISIONS))], new_command(by)

    def act() -> PageComment:
        return services.decide(BUSINESS, ref, decision, revision=0, command=command)

    try:
        decided = retry_until_available(act)
    except CommentOvertaken as refusal:
        assert isinstance(refusal.item, PageComment), "the refusal carries the current item"
        return [Attempt(command, ref, "")]
    attempts = [Attempt(command, ref, str(decision.status))]
    if chance.random() < 0.5:
        undoing = new_command(by)
        revision = int(decided.outcome.result["revision"])
        restored = retry_until_available(lambda: services.undo(BUSINESS, ref, revision=revision, command=undoing))
        assert restored.revision == 2
        attempts.append(Attempt(undoing, ref, "Pending"))
    return attempts


@real_engines
def test_each_comment_has_one_decision_and_its_entries(table: str) -> None:
    refs = [put_comment(at=f"2026-04-03T18:22:{number:02}.000Z").ref for number in range(COMMENTS)]
    start = Barrier(MODERATORS)

    def decide_all(number: int) -> list[Attempt]:
        chance, by = random.Random(number), Actor(f"m{number}@example.com", f"Moderator {number}")
        start.wait()
        return [each for ref in chance.sample(refs, len(refs)) for each in decide(ref, by, chance)]

    with bad_network() as network:
        network.add_random_fault(0.1, lose_reply)
        network.add_random_fault(0.05, act_then_break)
        with ThreadPoolExecutor(MODERATORS) as pool:
            attempts = [each for some in pool.map(decide_all, range(MODERATORS)) for each in some]
        network.stop_faults()
    assert len(attempts) >= MODERATORS * COMMENTS
    for attempt in attempts:
        assert (find_done(attempt.command) is not None) == bool(attempt.status)
    for ref in refs:
        done = [each.status for each in attempts if each.ref == ref and each.status]
        comment = load(ref)
        assert 1 <= len(done) <= 2 and comment.status == done[-1] and comment.revision == len(done)
        assert not wrong_keys(dict(comment.raw))
        entries = history(ref.target, business=BUSINESS)
        assert sorted(int((entry.after or {})["revision"]) for entry in entries) == list(range(1, len(done) + 1))
