"""Fixtures of all tests: an engine with an empty table, one person per role, and signed-in browsers."""

from __future__ import annotations

import copy
import functools
import gc
import os
import threading
import typing
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any, TypeVar

import hypothesis
import pytest
from _pytest import runner
from django.conf import settings as django_settings
from django.contrib.auth.hashers import make_password
from django.test import Client
from moto import mock_aws
from moto.core.botocore_stubber import BotocoreStubber

from activity.items import table_of_month
from dashboard.core import clock
from dashboard.core.stack import with_deep_stack
from dashboard.dev import moto_patch
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people, sessions
from dashboard.platform.businesses.items import Business, Member, Slug
from dashboard.platform.security_log import services as security_log
from dashboard.table import connection
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.guards import offline
from dashboard.table.transactions import Transaction
from tests import tables
from tests.tables import SharedTable

pytest_plugins = ["tests.no_skips", "tests.engines", "tests.strict_templates", "tests.changed"]


def pytest_xdist_auto_num_workers() -> int:
    """One more than the number of processors, because a worker sometimes waits for its engine."""
    return min(8, (os.cpu_count() or 1) + 1)


# moto is not thread-safe, and the product reads and writes in several threads. So one request runs at a time.
_moto_lock = threading.RLock()
_process = BotocoreStubber.process_request


def _locked(self: BotocoreStubber, request: Any) -> Any:
    with _moto_lock:
        return _process(self, request)


BotocoreStubber.process_request = _locked  # type: ignore[method-assign]

# moto copies the whole table for each item of a transaction, and a word list is large: the patch prevents this.
moto_patch.apply()

tables.install()

# On a busy machine an event must not reach the table of the next test.
security_log.MAX_WAIT = 60.0

# The product runs with a deep stack: so do the tests and their threads.
threading.Thread.run = with_deep_stack(threading.Thread.run)  # type: ignore[method-assign]
_run_test = with_deep_stack(runner.pytest_runtest_protocol)

# Garbage collection took an eighth of the time: with a higher threshold it runs less often.
gc.set_threshold(50_000)

# No deadline: a busy machine must not make a test fail.
hypothesis.settings.register_profile("tests", deadline=None, database=None, print_blob=True)
hypothesis.settings.load_profile("tests")

ENGINES = ["moto", "dynoxide", "dynamodb_local"]
# moto loses updates and executes a client token twice, so it cannot test races and lost replies.
REAL_ENGINES = ["dynoxide", "dynamodb_local"]
every_engine = pytest.mark.parametrize("table", ENGINES, indirect=True)
real_engines = pytest.mark.parametrize("table", REAL_ENGINES, indirect=True)
# moto answers at the address of AWS and has what the other engines lack: recovery, encryption, S3.
as_on_aws = pytest.mark.parametrize("table", ["moto"], indirect=True)

# Files with slow tests. They run first, and those that request every page run next to each other.
RUN_FIRST = (
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
    """Run slow files first. Tests that request every page are neighbours, because they share the responses."""
    items.sort(key=lambda item: not item.nodeid.startswith(RUN_FIRST))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the seed of the random order, so that it can be repeated."""
    if config.pluginmanager.hasplugin("randomly"):
        terminalreporter.line(f"In random order: --randomly-seed={config.getoption('randomly_seed')}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    return _run_test(item, nextitem)


def pytest_collection_finish() -> None:
    """Exclude everything that is loaded by now from garbage collection: it is needed until the end."""
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


@pytest.fixture
def log_tables(table: str) -> Iterator[None]:
    """Tables for the activity of last month, this and the next one, empty."""
    with log_tables_of(table):
        yield


@contextmanager
def log_tables_of(engine: str, *, has_stream: bool = False) -> Iterator[None]:
    endpoint = os.environ.get("AWS_ENDPOINT_URL_DYNAMODB", "") if engine != "moto" else ""
    first = clock.now().replace(day=1)
    months = {f"{moment:%Y-%m}" for moment in (first - timedelta(days=1), first, first + timedelta(days=31))}
    with ExitStack() as stack:
        for month in months:
            name = table_of_month(month)
            stack.enter_context(tables.log_table(engine, endpoint, name, has_stream=has_stream))
        yield


@functools.cache
def empty_table(engine: str, endpoint: str) -> SharedTable:
    """The table of this worker on a running engine."""
    return SharedTable(engine, endpoint).create()


@functools.cache
def table_with_people(engine: str, endpoint: str) -> tuple[SharedTable, dict[str, Person]]:
    """A table of this worker with one person per role: most tests need them."""
    shared = SharedTable(engine, endpoint).create()
    with shared.in_use():
        people = make_people()
        shared.save_baseline()
    return shared, people


@pytest.fixture
def command() -> Callable[[], Command]:
    """Returns a new command of Alma each time it is called."""
    return lambda: new_command(ACTOR)


def add_person(email: str, role: Role, name: str = "") -> Person:
    return people.create(email, name=name, role=role, password_hash=HASHED, command=new_command(ACTOR))


def add_business(business: str, name: str, *owners: str, status: str = "ACTIVE") -> Business:
    """Writes a business with its members, without the rules of the services."""
    new = Business.new(tenant=business)
    new.business_id = new.slug = business
    new.name, new.status, new.plan = name, status, "PRO"
    new.settings = {"language": "es", "defaultTimezone": "America/Santiago"}
    slug = Slug.new(slug=business)
    slug.business_id = business
    transaction = Transaction(new_command(ACTOR))
    for item in (new, slug, *(_member(business, name, email) for email in owners)):
        transaction.create(item)
    return transaction.commit(new)


def _member(business: str, name: str, email: str) -> Member:
    member = Member.new(tenant=business, email=email)
    member.business_id, member.business_name, member.email = business, name, email
    return member


T = TypeVar("T")
# For each name: the items that `fill` wrote, and its return value.
_filled: dict[str, tuple[list[Any], Any]] = {}


def _raws() -> list[Any]:
    with offline():
        pages = connection.client().get_paginator("scan").paginate(TableName=django_settings.DYNAMODB_TABLE)
        return [raw for page in pages for raw in page["Items"]]


def filled_once(name: str, fill: Callable[[], T]) -> T:
    """Calls `fill` once per process, and from then on writes the same items again.

    To create people with the services took half the time of a test. A test that freezes the clock always calls `fill`.
    """
    if clock.is_frozen():
        return fill()
    if name not in _filled:
        # Only the items that `fill` writes: another fixture may have written before.
        before = _raws()
        result = fill()
        _filled[name] = [raw for raw in _raws() if raw not in before], copy.deepcopy(result)
        return result
    raws, result = _filled[name]
    for start in range(0, len(raws), 25):
        puts = [{"PutRequest": {"Item": raw}} for raw in raws[start : start + 25]]
        connection.client().batch_write_item(RequestItems={django_settings.DYNAMODB_TABLE: puts})
    # Each test gets a copy, so that it cannot change the objects of the next one.
    return typing.cast(T, copy.deepcopy(result))


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
    """One person of each role, and a second admin. With a frozen clock, they are created at that time."""
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
