"""Demo data: the same each time, added once, as much as asked for."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dashboard.accounts import demo, queries
from dashboard.accounts.permissions import Role
from dashboard.accounts.services import people
from dashboard.businesses.queries import businesses, businesses_of
from dashboard.clock import frozen
from dashboard.table import connection, keys, read
from dashboard.table.guards import offline
from dashboard.table.operations import new_operation
from tests.accounts.test_commands import can_sign_in, roster
from tests.conftest import on_endpoint


def seed_demo(size: int = 1) -> str:
    out = io.StringIO()
    call_command("seed_demo", size=size, stdout=out)
    return out.getvalue()


def test_the_demo_has_five_accounts_is_added_once_and_overwrites_nothing(table: str) -> None:
    """`make run` seeds at each start: what someone changed stays changed, and whom they took out stays out."""
    assert seed_demo().startswith("31 people, 12 businesses, 3 API keys, 7 brand versions and 4 filter versions")
    roles = {"admin": "admin", "moderator": "moderator", "staff": "staff", "owner": "owner", "owner2": "owner"}
    for name, role in roles.items():
        email = f"{name}@trastienda.test"
        assert queries.person(email).state == role
        assert can_sign_in(email, "trastienda-demo")
    mine = {each.tenant_id for each in businesses_of("owner@trastienda.test")}
    assert mine == {"andina", "123", "nequi", "barrio-norte"}
    assert not mine & {each.tenant_id for each in businesses_of("owner2@trastienda.test")}
    assert {person.listed_as for person in queries.everyone().items} == {"active", "invited", "disabled"}
    assert roster() == {"admin@trastienda.test"}

    staff = queries.person("staff@trastienda.test")
    operation = new_operation(demo.ADMIN)
    people.edit(staff.email, name="Renamed", role=Role.OWNER, seen=staff.seen, operation=operation)
    invited = queries.accounts("invited").items[0]
    people.withdraw(invited.email, seen=invited.seen, operation=new_operation(demo.ADMIN))

    assert seed_demo().startswith("0 people, 0 businesses, 0 API keys, 0 brand versions and 0 filter versions")
    assert queries.person(staff.email).name == "Renamed"
    assert queries.find_person(invited.email) is None


def everything() -> dict[tuple[str, str], Any]:
    """The whole table, but for what is counted by chance of the moment."""
    with offline():
        found = connection.client().scan(TableName=connection.table().table_name)["Items"]
    return {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in found}


def test_two_demos_of_one_day_are_the_same_to_the_attribute(
    dynoxide_endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[tuple[str, str], Any]] = []
    with frozen(datetime(2026, 5, 4, 12, tzinfo=UTC)):
        for _ in range(2):
            table: Iterator[str] = on_endpoint(dynoxide_endpoint, "dynoxide", monkeypatch)
            next(table)
            seed_demo()
            told.append(everything())
            next(table, None)
    assert len(told[0]) > 150
    assert told[0] == told[1]


def test_nothing_in_it_is_of_today_and_all_of_it_is_remembered(table: str) -> None:
    """A trail of one minute looks like nothing; what is older than a record would be added again."""
    with frozen(datetime(2026, 5, 4, 12, tzinfo=UTC)):
        seed_demo()
        entries = read.page(keys.SYSTEM_AUDIT.under(), limit=200).items
        days = {key.sk.split("#")[1][:10] for key in (entry.key for entry in entries)}
        assert len(days) > 10
        assert min(days) > "2026-04-05" and max(days) < "2026-05-04"
        assert seed_demo().startswith("0 people, 0 businesses, 0 API keys, 0 brand versions and 0 filter versions")


def test_a_size_makes_as_many_times_as_much(table: str) -> None:
    assert seed_demo(2).startswith("57 people, 24 businesses")
    assert len(businesses().items) == 24
    assert seed_demo(1).startswith("0 people, 0 businesses")


@pytest.mark.parametrize("size", [0, -1, 1001])
def test_a_size_that_makes_no_sense_is_refused(table: str, size: int) -> None:
    with pytest.raises(CommandError):
        seed_demo(size)
