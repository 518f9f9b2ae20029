"""What every test has: an engine with an empty table, named people, and a browser signed in as one of them."""

from __future__ import annotations

import copy
import functools
import gc
import os
import threading
import typing
import weakref
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import botocore.retries.quota
import botocore.session
import hypothesis
import pytest
from botocore.retries.quota import RetryQuota
from django.conf import settings as django_settings
from django.contrib.auth.hashers import make_password
from django.test import Client
from moto import mock_aws
from moto.core.botocore_stubber import BotocoreStubber

from dashboard import clock
from dashboard.accounts.items import Person
from dashboard.accounts.permissions import Role
from dashboard.accounts.services import people, sessions
from dashboard.businesses.items import Member, Slug, Tenant
from dashboard.local import moto_patch, packages
from dashboard.table import connection, schema
from dashboard.table.guards import offline
from dashboard.table.ids import new_id
from dashboard.table.operations import Actor, Operation, new_operation
from dashboard.table.transactions import Transaction

pytest_plugins = ["tests.no_skips", "tests.engines"]


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

# botocore reads DynamoDB's description anew for every session, which is most of making a client: once is enough.
botocore.session.create_loader = functools.cache(botocore.session.create_loader)

# A client counts what it may still try again, and all tests of an engine have the same: each begins with the whole.
_quotas: weakref.WeakSet[RetryQuota] = weakref.WeakSet()


class _KnownQuota(RetryQuota):
    def __init__(self) -> None:
        super().__init__()
        _quotas.add(self)


botocore.retries.quota.RetryQuota = _KnownQuota  # type: ignore[assignment,misc]

# Collecting garbage took a ninth of the time: requests and engines make much of it, and 3,000 tests stay anyway.
gc.set_threshold(20_000)

# Nothing has a deadline: a machine that does other things meanwhile is no defect.
hypothesis.settings.register_profile("tests", deadline=None, database=None, print_blob=True)
hypothesis.settings.load_profile("tests")

ENGINES = ["moto", "dynoxide", "dynamodb_local"]
# moto loses updates and acts twice on a client token: races and lost replies are not for it.
REAL_ENGINES = ["dynoxide", "dynamodb_local"]
every_engine = pytest.mark.parametrize("table", ENGINES, indirect=True)
real_engines = pytest.mark.parametrize("table", REAL_ENGINES, indirect=True)
# For much on one table: Dynoxide, where it can be had, takes a third of moto's time for that.
quick_engine = pytest.mark.parametrize("table", ["quick"], indirect=True)

PASSWORD = "a-long-enough-password"
HASHED = make_password(PASSWORD)
ALMA = Actor("alma@example.com", "Alma Ríos")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first: at the end all others would wait for the last of them."""
    items.sort(key=lambda item: not item.nodeid.startswith(("tests/ui/", "tests/local/")))


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end: nobody has to look through it again."""
    gc.freeze()


@pytest.fixture
def table(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An empty table, on moto unless the test names another engine."""
    engine = getattr(request, "param", "moto")
    if engine == "quick":
        engine = quickest()
    if engine == "moto":
        monkeypatch.setattr(django_settings, "DYNAMODB_TABLE", f"test-{new_id()}")
        with mock_aws():
            yield from _fresh(engine)
    else:
        yield from on_endpoint(request.getfixturevalue(f"{engine}_endpoint"), engine, monkeypatch)


def quickest() -> str:
    try:
        packages.dynoxide()
    except packages.Unavailable:
        return "moto"
    return "dynoxide"


def on_endpoint(endpoint: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An empty table on a running engine."""
    monkeypatch.setattr(django_settings, "DYNAMODB_TABLE", f"test-{new_id()}")
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
    yield from _fresh(engine)


def _fresh(engine: str) -> Iterator[str]:
    connection.forget()
    connection.table().connection._client = _client_of(os.environ.get("AWS_ENDPOINT_URL_DYNAMODB", ""))
    for quota in _quotas:
        quota.release(quota.INITIAL_CAPACITY)
    _create_table(engine)
    yield engine
    if engine != "moto":
        connection.client().delete_table(TableName=django_settings.DYNAMODB_TABLE)
    connection.forget()


@functools.cache
def _client_of(_endpoint: str) -> Any:
    """One for all tests on an engine: making it takes 25 ms, more than many a test."""
    return connection.Connection().client


def _create_table(engine: str) -> None:
    """What `admin.create_table` makes where nothing is, without its questions, of which it has seven.

    Without encryption and recovery, too: no read or write can tell, and moto makes an RSA key for each such table.
    """
    name = django_settings.DYNAMODB_TABLE
    client = connection.client()
    try:
        client.create_table(**schema.definition(name))
    except client.exceptions.ResourceInUseException:
        # On a busy machine an engine that has just started answers too late, and botocore asks again: it is this one.
        client.get_waiter("table_exists").wait(TableName=name)
    if engine != "dynamodb_local":
        wanted = {"Enabled": True, "AttributeName": schema.TTL}
        client.update_time_to_live(TableName=name, TimeToLiveSpecification=wanted)


@pytest.fixture
def operation() -> Callable[[], Operation]:
    """A new operation by Alma, each time."""
    return lambda: new_operation(ALMA)


def add_person(email: str, role: Role, name: str = "") -> Person:
    return people.create(email, name=name, role=role, password_hash=HASHED, operation=new_operation(ALMA))


def add_business(tenant: str, name: str, *owners: str, status: str = "ACTIVE") -> Tenant:
    """A business with its members, past every rule."""
    business = Tenant.at(tenant=tenant)
    business.tenant_id = business.slug = tenant
    business.name, business.status, business.plan = name, status, "PRO"
    business.settings = {"language": "es", "defaultTimezone": "America/Santiago"}
    slug = Slug.at(slug=tenant)
    slug.tenant_id = tenant
    transaction = Transaction(new_operation(ALMA))
    for item in (business, slug, *(_member(tenant, name, email) for email in owners)):
        transaction.create(item)
    return transaction.commit(business)


def _member(tenant: str, name: str, email: str) -> Member:
    member = Member.at(tenant=tenant, email=email)
    member.tenant_id, member.tenant_name, member.email = tenant, name, email
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


@pytest.fixture
def cast(table: str) -> dict[str, Person]:
    """One person of each role, and a second admin."""
    return filled_once(
        "cast",
        lambda: {
            "admin": add_person("alma@example.com", Role.ADMIN, "Alma Ríos"),
            "admin2": add_person("aldo@example.com", Role.ADMIN, "Aldo Paz"),
            "moderator": add_person("marco@example.com", Role.MODERATOR, "Marco Peña"),
            "staff": add_person("sofia@example.com", Role.STAFF, "Sofía Duarte"),
            "owner": add_person("olivia@example.com", Role.OWNER, "Olivia Andrade"),
        },
    )


def sign_in(person: Person, **options: Any) -> Client:
    """A browser in which this person is signed in."""
    client = Client(**options)
    client.cookies[django_settings.SESSION_COOKIE_NAME] = sessions.open_session(
        person, address="127.0.0.1", agent="Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
    )
    return client


@pytest.fixture
def as_staff(cast: dict[str, Person]) -> Client:
    return sign_in(cast["staff"])


@pytest.fixture
def as_admin(cast: dict[str, Person]) -> Client:
    return sign_in(cast["admin"])
