"""Demo data: the same each time, added once, in the requested size."""

from __future__ import annotations

import functools
import io
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from dashboard.core.clock import frozen
from dashboard.core.errors import Unavailable
from dashboard.platform.accounts import demo, queries
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.labels import labels_of
from dashboard.platform.businesses.queries import businesses, businesses_of
from dashboard.table import connection, keys, read
from dashboard.table.commands import new_command
from dashboard.table.guards import offline
from forum import demo as forum
from forum.actions import Action
from forum.demo import script
from forum.items import ModerationEntry, Post
from forum.queries.posts import comments_to_review, posts_to_review
from forum.services import posts
from forum.statuses import ACTIVE
from tests.accounts.test_commands import admin_roster, can_sign_in
from tests.conftest import empty_table, sign_in
from tests.ui.html import parse


def seed_demo(size: int = 1) -> str:
    out = io.StringIO()
    call_command("seed_demo", size=size, stdout=out)
    return out.getvalue()


@functools.cache
def demo_items(endpoint: str) -> dict[tuple[str, str], Any]:
    """The items of the demo, created once per worker."""
    with empty_table("dynoxide", endpoint).in_use():
        added = seed_demo()
        assert added.startswith(
            "32 people, 131 security events, 12 businesses, 5 API keys, 3 webhooks, 40 days of usage, "
            "8 items of other services, 8 brand versions"
        )
        return all_items()


@pytest.fixture
def full_demo(dynoxide_endpoint: str) -> Iterator[None]:
    """A table with the demo, at noon of the day it was created."""
    with frozen(datetime(2026, 5, 4, 12, tzinfo=UTC)):
        items = demo_items(dynoxide_endpoint)
        table = empty_table("dynoxide", dynoxide_endpoint)
        with table.in_use():
            table.put(items.values())
            yield


def test_the_demo_has_five_accounts_is_added_once_and_overwrites_nothing(full_demo: None) -> None:
    """`make run` seeds at each start: edits and removals of people are kept."""
    roles = {"admin": "admin", "moderator": "moderator", "staff": "staff", "owner": "owner", "owner2": "owner"}
    for name, role in roles.items():
        email = f"{name}@trastienda.test"
        assert queries.load_person(email).state == role
        assert can_sign_in(email, "trastienda-demo")
    mine = {each.business_id for each in businesses_of("owner@trastienda.test")}
    assert mine == {"andina", "123", "nequi", "barrio-norte"}
    assert not mine & {each.business_id for each in businesses_of("owner2@trastienda.test")}
    assert {person.listed_as for person in queries.everyone().items} == {"active", "invited", "disabled"}
    assert admin_roster() == {"admin@trastienda.test"}

    staff = queries.load_person("staff@trastienda.test")
    command = new_command(demo.ADMIN)
    people.edit(staff.email, name="Renamed", role=Role.OWNER, revision=staff.revision, command=command)
    invited = queries.accounts("invited").items[0]
    people.withdraw(invited.email, revision=invited.revision, command=new_command(demo.ADMIN))

    assert seed_demo().startswith(
        "0 people, 0 security events, 0 businesses, 0 API keys, 0 webhooks, 0 days of usage, "
        "0 items of other services, 0 brand versions"
    )
    assert queries.load_person(staff.email).name == "Renamed"
    assert queries.find_person(invited.email) is None


def all_items() -> dict[tuple[str, str], Any]:
    """All items of the table by key."""
    with offline():
        pages = connection.client().get_paginator("scan").paginate(TableName=connection.table().table_name)
        found = [raw for page in pages for raw in page["Items"]]
    return {(raw["PK"]["S"], raw["SK"]["S"]): raw for raw in found}


def test_two_demos_of_one_day_are_identical(dynoxide_endpoint: str) -> None:
    with frozen(datetime(2026, 5, 4, 12, tzinfo=UTC)):
        before = demo_items(dynoxide_endpoint)
        with empty_table("dynoxide", dynoxide_endpoint).in_use():
            seed_demo()
            again = all_items()
    assert len(before) > 150
    assert again == before


def test_the_demo_is_spread_over_past_days_and_is_not_added_again(full_demo: None) -> None:
    """Audit entries of one minute look unreal; items older than a command's record would be added again."""
    entries = read.page(keys.SYSTEM_AUDIT.collection(), limit=200).items
    days = {key.sk.split("#")[1][:10] for key in (entry.key for entry in entries)}
    assert len(days) > 10
    assert min(days) > "2026-04-05" and max(days) < "2026-05-04"
    assert seed_demo().startswith(
        "0 people, 0 security events, 0 businesses, 0 API keys, 0 webhooks, 0 days of usage, "
        "0 items of other services, 0 brand versions"
    )


def test_every_audit_entry_has_labels(full_demo: None) -> None:
    """Without a label the page shows the name of the attribute, and no error."""
    entries = [entry for raw in all_items().values() if (entry := AuditEntry.of(raw)).place is not None]
    assert len({entry.action for entry in entries}) > 20
    missing = set()
    for entry in entries:
        labels, verb = labels_of(entry.action), entry.action.partition(".")[2]
        fields = {*(entry.before or {}), *(entry.after or {})}
        missing |= {f"{entry.action}: {name}" for name in fields - labels.fields.keys()}
        if verb not in labels.actions:
            missing.add(entry.action)
    assert sorted(missing) == []


def test_the_forum_demo_has_posts_comments_and_decisions(table: str) -> None:
    """The queue, the log and the statistics have data of several people and filter versions."""
    forum.seed()
    assert 12 <= len(posts_to_review(limit=100).items) <= 20 and 6 <= len(comments_to_review(limit=100).items) <= 12
    log = [ModerationEntry.of(raw) for raw in all_items().values() if "adminId" in raw]
    assert {each.action for each in log} == set(Action) - {Action.REOPEN}
    filters = {each.admin_id for each in log if str(each.admin_id).startswith("profanity@")}
    assert filters == {"profanity@v00000002", "profanity@v00000003", "profanity@v00000004"}
    bulk = [each for each in log if each.operation == "demo-bulk-0"]
    assert len(bulk) == 3 and len({each.key_parts["at"] for each in bulk}) == 1
    written = [Post.of(raw) for raw in all_items().values() if "commentsCount" in raw]
    assert len({each.user_id for each in written}) > 20
    assert any(each.announcement for each in written) and any(each.images for each in written)
    comments = [raw for raw in all_items().values() if raw["SK"]["S"].startswith("COMMENT#")]
    below = Counter(raw["PK"]["S"] for raw in comments if raw["status"]["S"] == ACTIVE)
    assert below.total() > 50
    assert {each.pk: each.comments_count for each in written} == {each.pk: below[each.pk] for each in written}
    pictures = {str(image) for each in written for image in each.images or ()}
    assert all((settings.BASE_DIR / image.removeprefix("/")).is_file() for image in pictures)


def test_an_interrupted_forum_demo_is_completed(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken, pytest.raises(Unavailable):
        calls = iter(range(20))
        plain = posts.write_comment
        broken.setattr(
            posts,
            "write_comment",
            lambda *args, **more: plain(*args, **more) if has_next(calls) else raise_unavailable(),
        )
        forum.seed()
    forum.seed()
    kinds = [keys.identify(pk, sk) for pk, sk in all_items()]
    assert sum(found is not None and found[0] is keys.POST for found in kinds) == 67
    assert sum(found is not None and found[0] is keys.COMMENT for found in kinds) == 88
    assert forum.seed().posts == 0


def has_next(calls: Iterator[int]) -> bool:
    return next(calls, None) is not None


def raise_unavailable() -> None:
    raise Unavailable


def test_replies_and_decisions_come_after_their_posts() -> None:
    """No line refers to a later line."""
    for round in range(3):
        script_lines = script.lines(round)
        position = {line.name: number for number, line in enumerate(script_lines)}
        assert all(position[line.of] < position[line.name] for line in script_lines if line.of)
        assert min(line.days for line in script_lines) > 0 and max(line.days for line in script_lines) < 10


def test_the_size_multiplies_the_demo(table: str) -> None:
    output = seed_demo(2)
    assert output.startswith("58 people, 131 security events, 24 businesses")
    assert "134 posts" in output
    # One of them is of another service.
    assert len(businesses().items) == 25
    assert seed_demo(1).startswith("0 people, 0 security events, 0 businesses")


@pytest.mark.parametrize("size", [0, -1, 1001])
def test_an_invalid_size_is_refused(table: str, size: int) -> None:
    with pytest.raises(CommandError):
        seed_demo(size)


@pytest.mark.parametrize(
    ("login", "lines"),
    [
        ("moderator", ["to review", "of your decisions", "The filter banned"]),
        ("staff", ["of the filter is not saved", "registered today", "Opens next:", "overridden for over 2 h"]),
    ],
)
def test_the_home_page_shows_each_line_of_a_role(full_demo: None, login: str, lines: list[str]) -> None:
    page = parse(sign_in(queries.load_person(f"{login}@trastienda.test")).get("/"))
    assert [line for line in lines if line not in page.one("main").text] == []
