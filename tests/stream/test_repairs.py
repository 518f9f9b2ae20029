"""`repairs` computes what our classes would have written, and nothing for an item that is complete."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from dashboard.core.clock import now
from dashboard.platform.stream import repairs as module
from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.rules import RULES, RepairContext, load_context, repairs_of, rules_for
from dashboard.table.index_keys import NotComputable, index_keys_of
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.timestamps import to_wire
from forum.items import Post
from tests.due.chores import CHORE, NOON
from tests.stream.helpers import AT, applied, complete, post, post_key, repair, with_key, without_rules


@pytest.fixture(autouse=True)
def general_rule_only() -> Iterator[None]:
    with without_rules():
        yield


# --- Index keys ----------------------------------------------------------------------------------
def test_an_outside_item_gets_the_index_keys_of_its_class() -> None:
    (write,) = repair(None, post())
    assert write.key == post_key()
    assert write.values["GSI1PK"] == {"S": "POSTS#ACTIVE"}
    assert write.values["GSI3SK"] == {"S": f"0000000000#{AT}"}
    assert repair(None, applied(post(), write.values)) == []


def test_a_second_write_moves_it_again() -> None:
    old = complete(post(likes=1))
    (write,) = repair(old, old | {"likes": {"N": "7"}})
    assert dict(write.values) == {"GSI3SK": {"S": f"0000000007#{AT}"}}
    (write,) = repair(old, old | {"status": {"S": "deleted"}})
    assert write.values["GSI1PK"] is None
    assert write.values["GSI2PK"] == {"S": "POSTS#deleted"}


def test_a_write_expects_everything_that_it_was_computed_from() -> None:
    raw = post(unknown="theirs")
    (write,) = repair(None, raw)
    assert write.expected["status"] == {"S": "active"}
    assert write.expected["likes"] is None
    assert write.expected["GSI1PK"] is None
    assert "unknown" not in write.expected


def test_an_item_of_an_unknown_kind_is_left_alone() -> None:
    assert repair(None, {"PK": {"S": "WEATHER"}, "SK": {"S": "TODAY"}, "GSI1PK": {"S": "theirs"}}) == []


def test_a_deleted_or_expired_item_needs_nothing() -> None:
    assert repair(post(), None) == []
    past = str(int((now() - timedelta(hours=1)).timestamp()))
    assert repair(None, post(ttl={"N": past})) == []


def test_an_item_whose_keys_cannot_be_computed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Post) -> None:
        raise ValueError("no")

    monkeypatch.setattr(Post, "index_keys", fail)
    with pytest.raises(NotComputable, match="ValueError: no"):
        repair(None, post())


# --- Revision ------------------------------------------------------------------------------------
def test_a_lost_revision_is_replaced_by_a_higher_one() -> None:
    old = complete(post()) | {"revision": {"N": "5"}}
    (write,) = repair(old, post())
    assert write.values["revision"] == {"N": "6"}
    (write,) = repair(old, complete(post()) | {"revision": {"N": "4"}})
    assert dict(write.values) == {"revision": {"N": "6"}}
    (write,) = repair(old, complete(post()), revision=8)
    assert dict(write.values) == {"revision": {"N": "9"}}, "no form can contain it"


def test_the_revision_of_an_expired_item_does_not_continue() -> None:
    past = str(int((now() - timedelta(hours=1)).timestamp()))
    old = complete(post(ttl={"N": past})) | {"revision": {"N": "5"}}
    assert repair(old, complete(post()) | {"revision": {"N": "1"}}) == []


def test_our_own_write_is_recognised_by_its_revision() -> None:
    old = complete(post()) | {"revision": {"N": "5"}}
    assert Change(old, old | {"revision": {"N": "6"}}).is_ours
    assert not Change(old, old | {"likes": {"N": "6"}}).is_ours
    assert Change(None, old).is_ours
    assert not Change(None, post()).is_ours
    assert not Change(old, None).is_ours


# --- Versions of this code, and leases -----------------------------------------------------------
def test_an_item_of_a_newer_index_layout_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    newer = post(indexLayout=2, GSI1PK="NEWER", GSI1SK="x")
    assert repair(None, newer) == []
    monkeypatch.setattr(module, "INDEX_LAYOUT", 2)
    (write,) = repair(None, post())
    assert write.values["indexLayout"] == {"N": "2"}
    (write,) = repair(None, newer)
    assert "indexLayout" not in write.values, "the same version corrects its own keys"


def test_a_leased_task_is_never_repaired() -> None:
    """Neither one of this version, whose lease is not in a key, nor one of the version before."""
    chore = complete(with_key(CHORE.key(chore="a"), {"dueAt": to_wire(NOON)}))
    assert chore["GSIStatusPK"] == {"S": "DUE"}
    leased = chore | {"leaseUntil": {"S": to_wire(NOON + timedelta(minutes=5))}, "leaseFor": chore["GSIStatusSK"]}
    assert repair(chore, leased) == []
    later = {"S": to_wire(NOON + timedelta(minutes=2))}
    tried = chore | {"GSIStatusSK": later, "retryAt": later, "retryFor": chore["GSIStatusSK"]}
    assert repair(chore, tried) == []
    assert repair(chore, chore | {"GSIStatusSK": later}) == [], "the lease of an older version"


# --- Rules of apps -------------------------------------------------------------------------------
REF = Key("TEST#ref", "REF")


def test_a_rule_and_the_general_rule_are_one_write_to_the_item() -> None:
    @repairs_of("post", load=lambda change: 700_000_000)
    def score(change: Change, loaded: int) -> Iterable[Write]:
        assert change.new is not None
        yield Write(change.key, {"profanityScore": {"N": "0.7"}}, {"title": change.new.get("title")})

    change = Change(None, post())
    (write,) = repair(None, post(), loaded=load_context(change, rules_for(change)).loaded)
    assert write.values["profanityScore"] == {"N": "0.7"}
    assert write.values["GSIStatusPK"] == {"S": "REVIEW#OPEN#POST"}, "the index keys follow from the score"
    final = applied(post(), write.values)
    computed = index_keys_of(final, RepairContext().indexes)
    assert computed is not None
    assert computed.changes() == {}


def test_a_write_to_another_item_requires_that_this_one_is_unchanged() -> None:
    @repairs_of("post")
    def add_ref(change: Change, loaded: None) -> Iterable[Write]:
        yield Write(REF, {"of": {"S": "p1"}}, creates=True)

    raw = complete(post())
    check, created = repair(None, raw, loaded={rule.name: None for rule in RULES["post"]})
    assert (created.key, created.creates) == (REF, True)
    assert (check.key, dict(check.values)) == (post_key(), {})
    assert check.expected["status"] == {"S": "active"}


def test_a_created_item_gets_its_index_keys() -> None:
    @repairs_of("post")
    def add_post(change: Change, loaded: None) -> Iterable[Write]:
        values = {name: value for name, value in post("p2").items() if name not in ("PK", "SK")}
        yield Write(post_key("p2"), values, creates=True)

    _, created = repair(None, complete(post()), loaded={rule.name: None for rule in RULES["post"]})
    assert created.values["GSI1PK"] == {"S": "POSTS#ACTIVE"}


def test_a_rule_runs_only_for_changes_of_outside_writers() -> None:
    calls: list[Change] = []

    @repairs_of("post", load=calls.append)
    def nothing(change: Change, loaded: Any) -> Iterable[Write]:
        return ()

    raw = complete(post())
    for old, new in [
        (None, raw | {"revision": {"N": "1"}}),
        (post(), raw),
        (raw, None),
    ]:
        change = Change(old, new)
        load_context(change, rules_for(change))
    assert calls == [], "ours, a repair, and a deletion"
    change = Change(raw, raw | {"likes": {"N": "1"}})
    load_context(change, rules_for(change))
    assert calls == [change]


def test_a_rule_can_ask_for_deletions() -> None:
    @repairs_of("post", on_delete=True)
    def delete_ref(change: Change, loaded: None) -> Iterable[Write]:
        if change.new is None:
            yield Write(REF, {}, {"of": {"S": "p1"}}, deletes=True)

    change = Change(post(), None)
    check, deleted = repair(post(), None, loaded=load_context(change, rules_for(change)).loaded)
    assert check.expected == {"PK": None}, "the item is still absent"
    assert deleted.deletes


def test_rules_that_contradict_each_other_are_an_error() -> None:
    for number in ("1", "2"):

        @repairs_of("post")
        def rule(change: Change, loaded: None, number: str = number) -> Iterable[Write]:
            yield Write(REF, {"number": {"N": number}}, {"number": None})

    with pytest.raises(ValueError, match="contradict"):
        repair(None, post(), loaded={rule.name: None for rule in RULES["post"]})


def test_a_write_without_a_difference_is_not_made() -> None:
    @repairs_of("post")
    def same(change: Change, loaded: None) -> Iterable[Write]:
        yield Write(REF, {"number": {"N": "1"}}, {"number": {"N": "1"}})

    assert repair(None, complete(post()), loaded={rule.name: None for rule in RULES["post"]}) == []


def test_writes_are_made_from_items() -> None:
    raw: Raw = complete(post(likes=3)) | {"revision": {"N": "2"}}
    item = Post.of(raw)
    item.status = "deleted"
    write = Write.of_changed(item, computed_from=["likes"])
    assert write.values["status"] == {"S": "deleted"}
    assert write.values["GSI1PK"] is None
    assert write.expected["likes"] == {"N": "3"}
    assert write.expected["status"] == {"S": "active"}
    created = Post.new(post="p9")
    created.status = "active"
    assert Write.of_new(created).creates
    assert Write.of_new(created).values["status"] == {"S": "active"}
