"""People are counted by their domain: each once, in the order they came, by work that never ends."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from dashboard.core.clock import frozen, now
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.sentences import history_line
from dashboard.table import keys, read
from dashboard.table.commands import new_command
from rooms import domain_counts as counting_rules
from rooms.domain_counts import OTHERS, DomainTotals, add_people
from rooms.queries import domains as queries
from rooms.services import domain_counts
from tests.audit.entries import put_all
from tests.conftest import ACTOR
from tests.due.chores import NOON
from tests.rooms.domain_counts import (
    count_all,
    delete_person,
    raw_person,
    register_people,
    run_due,
    stored_count,
    stored_counts,
)
from tests.rooms.rooms import put_item

MANY = ["sura.com.co"] * 5 + ["bancoldex.com"] * 3 + ["gmail.com"]


@pytest.fixture(autouse=True)
def in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people a page, so that a few people are several of them."""
    monkeypatch.setattr(queries, "PAGE", 2)


def test_everyone_is_counted_once_in_turn(table: str) -> None:
    register_people(MANY)
    assert run_due() == ["began to count people by their domain", "counted 9 people by their domain"]
    assert stored_counts() == Counter(MANY)
    count = stored_count()
    assert count.due_at is not None and count.due_at > now() + timedelta(minutes=4)
    assert run_due() == [], "it comes again in five minutes"
    register_people(["sura.com.co", "new.example"], now() - timedelta(minutes=10), name="later")
    with frozen(now() + domain_counts.EVERY):
        assert run_due() == ["counted 2 people by their domain"]
    assert stored_counts() == Counter([*MANY, "sura.com.co", "new.example"])


def test_it_goes_on_after_someone_who_has_left(table: str) -> None:
    """Their place in the index is where it goes on from, and nobody stands there any more."""
    register_people(["a.example", "b.example"])
    count_all()
    delete_person("p1@b.example")
    register_people(["c.example", "d.example", "e.example"], now() - timedelta(minutes=20), name="later")
    count_all()
    assert stored_counts() == dict.fromkeys(["a.example", "b.example", "c.example", "d.example", "e.example"], 1)


def test_people_who_came_in_one_second_are_each_counted(table: str) -> None:
    put_all(raw_person(f"p{number}@sura.com.co", NOON) for number in range(7))
    count_all()
    assert stored_counts() == {"sura.com.co": 7}


def test_who_came_just_now_waits_for_the_index(table: str) -> None:
    register_people(["old.example"], NOON)
    register_people(["new.example"], NOON + timedelta(minutes=9), name="new")
    with frozen(NOON + timedelta(minutes=10)):
        run_due()
        assert stored_counts() == {"old.example": 1}
        assert stored_count().through == NOON + timedelta(minutes=8)
    with frozen(NOON + timedelta(minutes=16)):
        run_due()
        assert stored_counts() == {"old.example": 1, "new.example": 1}
        assert stored_count().counted_at == NOON + timedelta(minutes=16)


def test_a_run_has_an_end_and_the_next_one_follows_at_once(table: str) -> None:
    register_people(["sura.com.co"] * 25, NOON)
    with frozen(NOON + timedelta(hours=1)):
        assert run_due()[1:] == ["counted 10 people by their domain"]
        assert (stored_count().due_at, stored_count().through) == (now(), NOON + timedelta(seconds=9))
        assert run_due() == ["counted 10 people by their domain"]
        assert run_due() == ["counted 5 people by their domain"]
        assert run_due() == []
        assert stored_count().through == now() - domain_counts.LAG
    assert stored_counts() == {"sura.com.co": 25}


def test_counted_again_from_the_start_beside_what_is_shown(table: str) -> None:
    register_people(["sura.com.co"] * 12, NOON)
    with frozen(NOON + timedelta(hours=1)):
        count_all()
        delete_person("p3@sura.com.co")
        # Brought along from elsewhere, with the day they came there: the count has passed it.
        put_all([raw_person("moved@old.example", NOON - timedelta(days=9))])
        count_all()
        assert stored_counts() == {"sura.com.co": 12}
        domain_counts.recount(command=new_command(ACTOR))
        assert stored_count().due_at == now()
        assert stored_counts() == {"sura.com.co": 12}
        assert run_due() == ["counted 10 people by their domain"]
        assert (stored_counts(), queries.load_allowed_domains().recounted_people) == ({"sura.com.co": 12}, 10), (
            "until it is as far"
        )
        again = domain_counts.recount(command=new_command(ACTOR))
        assert again.outcome.is_no_change and queries.load_allowed_domains().recounted_people == 10, "it is under way"
        assert run_due() == ["counted 2 people by their domain"]
        assert stored_counts() == {"sura.com.co": 11, "old.example": 1}
        assert not {"fresh", "freshUpTo", "freshSince"} & stored_count().raw.keys()
    trail = read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry).items
    (entry,) = [each for each in trail if each.action == "domains.recount"]
    assert history_line(entry).what == "started a recount of people by domain"


def test_asked_again_before_anything_was_counted_it_begins(table: str) -> None:
    register_people(["sura.com.co"])
    domain_counts.recount(command=new_command(ACTOR))
    assert run_due() == ["counted 1 people by their domain"]
    assert stored_counts() == {"sura.com.co": 1}


def test_whatever_stands_among_people_is_passed(table: str) -> None:
    odd = {"GSITypePK": {"S": "USERS"}, "GSITypeSK": {"S": "2025-01-01"}}
    put_all(
        [
            raw_person("no-sign", "2020"),
            raw_person(f"a@{'x' * 300}.example", "2020-01-01T00:00:00+0000"),
            raw_person("ana@BÜCHER.de", "someday"),
            raw_person("beto@xn--bcher-kva.de", "+1"),
            raw_person("eva@sura.com.co.", " "),
            raw_person("gone@sura.com.co", "2021", ttl={"N": "1"}),
            {"PK": {"S": "SOMETHING"}, "SK": {"S": "ELSE"}, **odd},
        ]
    )
    count_all()
    # Text that is no moment and sorts behind every moment never comes to pass.
    assert stored_counts() == {"xn--bcher-kva.de": 1, "sura.com.co": 2}
    assert stored_count().counts == {"xn--bcher-kva.de": 1, "sura.com.co": 2, OTHERS: 2}


@pytest.mark.parametrize(
    "odd",
    [
        {"counts": "many", "upTo": "nobody"},
        {"counts": {"a.example": -3, "b.example": "x", "c.example": True, "d.example": 4.5}, "upTo": {"PK": 7}},
        {"upTo": {"PK": "x"}, "freshSince": "soon", "fresh": []},
        {"upTo": {}, "countedAt": "2025-09-21T10:00:00Z", "through": 7},
    ],
)
def test_whatever_stands_in_the_count_it_goes_on(table: str, odd: dict[str, Any]) -> None:
    register_people(["sura.com.co"] * 3)
    due = {"dueAt": "2025-01-01T00:00:00Z", "GSIStatusPK": "DUE", "GSIStatusSK": "2025-01-01T00:00:00Z"}
    put_item(*keys.DOMAIN_COUNT.key(), **due | odd)
    assert run_due() == ["counted 3 people by their domain"]
    assert stored_counts() == {"sura.com.co": 3}


def test_only_so_many_domains_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting_rules, "MAX_DOMAINS", 3)
    found = add_people({"a.example": 1, "b.example": 1}, ["x@c.example", "x@d.example", "y@a.example", "z@d.example"])
    assert found == {"a.example": 2, "b.example": 1, "c.example": 1, OTHERS: 2}


def test_domains_as_long_as_can_be_leave_room_in_the_item() -> None:
    names = [f"{number:04d}{'x' * 59}.{'y' * 63}.{'z' * 63}.example" for number in range(4_000)]
    found = add_people({}, [f"a@{name}" for name in names])
    assert sum(found.values()) == 4_000
    assert sum(len(name) for name in found) < counting_rules.MAX_BYTES
    assert found[OTHERS] > 3_000


def test_what_is_not_kept_apart_is_not_said_to_be_nobody() -> None:
    assert DomainTotals({"a.example": 2}, 2, 0).people_of("b.example") == 0
    assert DomainTotals({"a.example": 2}, 5, 3).people_of("b.example") is None
    assert DomainTotals({"a.example": 2}, 5, 3).people_of("a.example") == 2
