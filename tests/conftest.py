"""What every test has: an engine with an empty table, named people, and a browser signed in as one of them."""

from __future__ import annotations

import copy
import functools
import gc
import os
import threading
import typing
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import hypothesis
import pytest
from _pytest import runner
from django.conf import settings as django_settings
from django.contrib.auth.hashers import make_password
from django.test import Client
from moto import mock_aws
from moto.core.botocore_stubber import BotocoreStubber

from dashboard.core import clock
from dashboard.core.stack import with_deep_stack
from dashboard.dev import moto_patch
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people, sessions
from dashboard.platform.businesses.items import Business, Member, Slug
from dashboard.table import connection
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.guards import offline
from dashboard.table.transactions import Transaction
from tests import tables
from tests.tables import SharedTable

pytest_plugins = ["tests.no_skips", "tests.engines", "tests.strict_templates", "tests.changed"]


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: each waits for its engine now and then. A worker has engines of its own."""
    return min(8, (os.cpu_count() or 1) + 1)


# moto is not safe under threads, and reads and writes that go side by side are: one at a time, as behind its server.
_one_at_a_time = threading.RLock()
_process = BotocoreStubber.process_request


def _locked(self: BotocoreStubber, request: Any) -> Any:
    with _one_at_a_time:
        return _process(self, request)


BotocoreStubber.process_request = _locked  # type: ignore[method-assign]

# As behind its server, too: it copies the whole table for each item of a transaction, and a list of words is large.
moto_patch.apply()

tables.install()

# As the product is served. A test calls from deeper down, and has threads of its own.
threading.Thread.run = with_deep_stack(threading.Thread.run)  # type: ignore[method-assign]
_run_test = with_deep_stack(runner.pytest_runtest_protocol)

# Collecting garbage took an eighth of the time: requests and engines make much of it, and the tests stay anyway.
gc.set_threshold(50_000)

# Nothing has a deadline: a machine that does other things meanwhile is no defect.
hypothesis.settings.register_profile("tests", deadline=None, database=None, print_blob=True)
hypothesis.settings.load_profile("tests")

ENGINES = ["moto", "dynoxide", "dynamodb_local"]
# moto loses updates and acts twice on a client token: races and lost replies are not for it.
REAL_ENGINES = ["dynoxide", "dynamodb_local"]
every_engine = pytest.mark.parametrize("table", ENGINES, indirect=True)
real_engines = pytest.mark.parametrize("table", REAL_ENGINES, indirect=True)
# moto answers at AWS's own address, and has what the other engines lack: recovery, encryption, S3.
as_on_aws = pytest.mark.parametrize("table", ["moto"], indirect=True)

FIRST = (
    "tests/ui/",
    "tests/dev/",
    "tests/browser/test_accessibility",
    "tests/table/test_guards",
    "tests/table/test_registry",
)

PASSWORD = "a-long-enough-password"
HASHED = make_password(PASSWORD)
ACTOR = Actor("alma@example.com", "Alma Ríos")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first, next to others that look at every page: they share what the pages answer."""
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The order of the tests, to repeat it where it matters."""
    if config.pluginmanager.hasplugin("randomly"):
        terminalreporter.line(f"In random order: --randomly-seed={config.getoption('randomly_seed')}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    return _run_test(item, nextitem)


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end: nobody has to look through it again."""
    gc.freeze()


@pytest.fixture
def table(request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty table, on the fastest engine unless the test names another."""
    engine = getattr(request, "param", "") or tables.fastest_engine()
    if engine == "moto":
        with mock_aws(), SharedTable("moto", "").create().in_use():
            yield engine
    else:
        endpoint: str = request.getfixturevalue(f"{engine}_endpoint")
        has_people = "people_by_role" in request.fixturenames and not clock.is_frozen()
        with (table_with_people(engine, endpoint)[0] if has_people else empty_table(engine, endpoint)).in_use():
            yield engine


@functools.cache
def empty_table(engine: str, endpoint: str) -> SharedTable:
    """The table of this worker on a running engine."""
    return SharedTable(engine, endpoint).create()


@functools.cache
def table_with_people(engine: str, endpoint: str) -> tuple[SharedTable, dict[str, Person]]:
    """A table of this worker that has the cast in it: most tests need them."""
    shared = SharedTable(engine, endpoint).create()
    with shared.in_use():
        people = make_people()
        shared.save_baseline()
    return shared, people


@pytest.fixture
def command() -> Callable[[], Command]:
    """A new command by Alma, each time."""
    return lambda: new_command(ACTOR)


def add_person(email: str, role: Role, name: str = "") -> Person:
    return people.create(email, name=name, role=role, password_hash=HASHED, command=new_command(ACTOR))


def add_business(business: str, name: str, *owners: str, status: str = "ACTIVE") -> Business:
    """A business with its members, past every rule."""
    made = Business.new(tenant=business)
    made.business_id = made.slug = business
    made.name, made.status, made.plan = name, status, "PRO"
    made.settings = {"language": "es", "defaultTimezone": "America/Santiago"}
    slug = Slug.new(slug=business)
    slug.business_id = business
    transaction = Transaction(new_command(ACTOR))
    for item in (made, slug, *(_member(business, name, email) for email in owners)):
        transaction.create(item)
    return transaction.commit(made)


def _member(business: str, name: str, email: str) -> Member:
    member = Member.new(tenant=business, email=email)
    member.business_id, member.business_name, member.email = business, name, email
    return member


T = TypeVar("T")
# What the table holds after it was filled so, and what the test was given.
_filled: dict[str, tuple[list[Any], Any]] = {}


def _raws() -> list[Any]:
    with offline():
        pages = connection.client().get_paginator("scan").paginate(TableName=django_settings.DYNAMODB_TABLE)
        return [raw for page in pages for raw in page["Items"]]


def filled_once(name: str, fill: Callable[[], T]) -> T:
    """A table's beginnings, made by the services once in a process and put back from then on.

    Half the time of a test was this, a transaction for each person. A test that stops the clock has its own.
    """
    if clock.is_frozen():
        return fill()
    if name not in _filled:
        # Only what is made here: another fixture may have been first.
        there = _raws()
        given = fill()
        _filled[name] = [raw for raw in _raws() if raw not in there], copy.deepcopy(given)
        return given
    raws, given = _filled[name]
    for start in range(0, len(raws), 25):
        puts = [{"PutRequest": {"Item": raw}} for raw in raws[start : start + 25]]
        connection.client().batch_write_item(RequestItems={django_settings.DYNAMODB_TABLE: puts})
    # Each test has its own: what one does to a person is nothing to the next.
    return typing.cast(T, copy.deepcopy(given))


def make_people() -> dict[str, Person]:
    return {
        "admin": add_person("alma@example.com", Role.ADMIN, "Alma Ríos"),
        "admin2": add_person("aldo@example.com", Role.ADMIN, "Aldo Paz"),
        "moderator": add_person("marco@example.com", Role.MODERATOR, "Marco Peña"),
        "staff": add_person("sofia@example.com", Role.STAFF, "Sofía Duarte"),
        "owner": add_person("olivia@example.com", Role.OWNER, "Olivia Andrade"),
    }


@pytest.fixture
def people_by_role(table: str, request: pytest.FixtureRequest) -> dict[str, Person]:
    """One person of each role, and a second admin. Where the clock is stopped, they come at that moment."""
    if table == "moto":
        return filled_once("people", make_people)
    shared, people = table_with_people(table, request.getfixturevalue(f"{table}_endpoint"))
    if not clock.is_frozen():
        return copy.deepcopy(people)
    if shared.name == django_settings.DYNAMODB_TABLE:
        shared.clear()
    return make_people()


def sign_in(person: Person, **options: Any) -> Client:
    """A browser in which this person is signed in."""
    client = Client(**options)
    client.cookies[django_settings.SESSION_COOKIE_NAME] = sessions.open_session(
        person, address="127.0.0.1", agent="Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
    )
    return client


@pytest.fixture
def as_staff(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["staff"])


@pytest.fixture
def as_admin(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["admin"])
