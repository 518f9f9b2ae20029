"""The count of people by domain: everyone is counted once, in order of registration, by a recurring due task."""

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

DOMAINS_OF_PEOPLE = ["sura.com.co"] * 5 + ["bancoldex.com"] * 3 + ["gmail.com"]


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people per page, so that a few people fill several pages."""
    monkeypatch.setattr(queries, "PAGE", 2)


def test_everyone_is_counted_once(table: str) -> None:
    register_people(DOMAINS_OF_PEOPLE)
    assert run_due() == ["began to count people by their domain", "counted 9 people by their domain"]
    assert stored_counts() == Counter(DOMAINS_OF_PEOPLE)
    count = stored_count()
    assert count.due_at is not None and count.due_at > now() + timedelta(minutes=4)
    assert run_due() == [], "the next count is due in five minutes"
    register_people(["sura.com.co", "new.example"], now() - timedelta(minutes=10), name="later")
    with frozen(now() + domain_counts.EVERY):
        assert run_due() == ["counted 2 people by their domain"]
    assert stored_counts() == Counter([*DOMAINS_OF_PEOPLE, "sura.com.co", "new.example"])


def test_the_count_continues_after_a_deleted_person(table: str) -> None:
    """The count continues from the index key of the last person, even if that person is deleted."""
    register_people(["a.example", "b.example"])
    count_all()
    delete_person("p1@b.example")
    register_people(["c.example", "d.example", "e.example"], now() - timedelta(minutes=20), name="later")
    count_all()
    assert stored_counts() == dict.fromkeys(["a.example", "b.example", "c.example", "d.example", "e.example"], 1)


def test_people_registered_in_the_same_second_are_all_counted(table: str) -> None:
    put_all(raw_person(f"p{number}@sura.com.co", NOON) for number in range(7))
    count_all()
    assert stored_counts() == {"sura.com.co": 7}


def test_recent_registrations_are_counted_later(table: str) -> None:
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


def test_a_run_counts_a_limited_number_and_the_next_run_continues(table: str) -> None:
    register_people(["sura.com.co"] * 25, NOON)
    with frozen(NOON + timedelta(hours=1)):
        assert run_due()[1:] == ["counted 10 people by their domain"]
        assert (stored_count().due_at, stored_count().through) == (now(), NOON + timedelta(seconds=9))
        assert run_due() == ["counted 10 people by their domain"]
        assert run_due() == ["counted 5 people by their domain"]
        assert run_due() == []
        assert stored_count().through == now() - domain_counts.LAG
    assert stored_counts() == {"sura.com.co": 25}


def test_a_recount_replaces_the_count_when_it_is_complete(table: str) -> None:
    register_people(["sura.com.co"] * 12, NOON)
    with frozen(NOON + timedelta(hours=1)):
        count_all()
        delete_person("p3@sura.com.co")
        # Imported with an earlier registration date, which the count has already passed.
        put_all([raw_person("moved@old.example", NOON - timedelta(days=9))])
        count_all()
        assert stored_counts() == {"sura.com.co": 12}
        domain_counts.recount(command=new_command(ACTOR))
        assert stored_count().due_at == now()
        assert stored_counts() == {"sura.com.co": 12}
        assert run_due() == ["counted 10 people by their domain"]
        assert (stored_counts(), queries.load_allowed_domains().recounted_people) == ({"sura.com.co": 12}, 10), (
            "the old count is shown until the recount is complete"
        )
        again = domain_counts.recount(command=new_command(ACTOR))
        assert again.outcome.is_no_change and queries.load_allowed_domains().recounted_people == 10, (
            "the recount is already running"
        )
        assert run_due() == ["counted 2 people by their domain"]
        assert stored_counts() == {"sura.com.co": 11, "old.example": 1}
        assert not {"fresh", "freshUpTo", "freshSince"} & stored_count().raw.keys()
    entries = read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry).items
    (entry,) = [each for each in entries if each.action == "domains.recount"]
    assert history_line(entry).what == "started a recount of people by domain"


def test_a_recount_before_the_first_count_starts_it(table: str) -> None:
    register_people(["sura.com.co"])
    domain_counts.recount(command=new_command(ACTOR))
    assert run_due() == ["counted 1 people by their domain"]
    assert stored_counts() == {"sura.com.co": 1}


def test_malformed_people_are_skipped(table: str) -> None:
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
    # A text that is not a time and sorts after every time is never reached.
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
def test_a_malformed_count_is_continued(table: str, odd: dict[str, Any]) -> None:
    register_people(["sura.com.co"] * 3)
    due = {"dueAt": "2025-01-01T00:00:00Z", "GSIStatusPK": "DUE", "GSIStatusSK": "2025-01-01T00:00:00Z"}
    put_item(*keys.DOMAIN_COUNT.key(), **due | odd)
    assert run_due() == ["counted 3 people by their domain"]
    assert stored_counts() == {"sura.com.co": 3}


def test_only_a_limited_number_of_domains_is_counted_separately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting_rules, "MAX_DOMAINS", 3)
    counts = add_people({"a.example": 1, "b.example": 1}, ["x@c.example", "x@d.example", "y@a.example", "z@d.example"])
    assert counts == {"a.example": 2, "b.example": 1, "c.example": 1, OTHERS: 2}


def test_very_long_domains_do_not_exceed_the_item_size() -> None:
    names = [f"{number:04d}{'x' * 59}.{'y' * 63}.{'z' * 63}.example" for number in range(4_000)]
    counts = add_people({}, [f"a@{name}" for name in names])
    assert sum(counts.values()) == 4_000
    assert sum(len(name) for name in counts) < counting_rules.MAX_BYTES
    assert counts[OTHERS] > 3_000


def test_a_domain_not_counted_separately_has_an_unknown_number() -> None:
    assert DomainTotals({"a.example": 2}, 2, 0).people_of("b.example") == 0
    assert DomainTotals({"a.example": 2}, 5, 3).people_of("b.example") is None
    assert DomainTotals({"a.example": 2}, 5, 3).people_of("a.example") == 2
