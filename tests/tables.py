"""The tables that tests run on: created once per worker, and restored after each test.

Creating and dropping a table with seven indexes takes longer than many tests. Therefore every write of this process is
recorded where botocore builds its request, and after a test only the keys that it wrote are restored.
"""

from __future__ import annotations

import functools
import weakref
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import botocore.retries.quota
import botocore.session
import pytest
from botocore import UNSIGNED
from botocore.config import Config
from botocore.retries.quota import RetryQuota
from botocore.useragent import UserAgentString
from django.conf import settings

from dashboard.core.ids import new_id
from dashboard.dev import packages
from dashboard.table import connection, schema
from dashboard.table.connection import SharedConnection
from tests import transport

Key = tuple[str, str]
Raw = dict[str, Any]

AUTHORIZATION = (
    "AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none"
)

# With more written keys, creating the table again takes less time than restoring it.
RECREATE_LIMIT = 300

# The keys that this process has written and the tables that it has altered, since they were last restored.
_written: defaultdict[str, set[Key]] = defaultdict(set)
_altered: set[str] = set()

# botocore counts retries per client, and all tests on an engine share one: each test starts with the full quota.
_quotas: weakref.WeakSet[RetryQuota] = weakref.WeakSet()


class _TrackedQuota(RetryQuota):
    def __init__(self) -> None:
        super().__init__()
        _quotas.add(self)


def install() -> None:
    """Record the writes of every client that the product creates."""
    botocore.retries.quota.RetryQuota = _TrackedQuota  # type: ignore[assignment,misc]
    # botocore reads DynamoDB's description again for every session, which is most of the cost of a client.
    botocore.session.create_loader = functools.cache(botocore.session.create_loader)
    # botocore also builds the user agent for every call.
    UserAgentString.to_string = lambda self: "tests"  # type: ignore[method-assign]
    make_client = SharedConnection._make_client

    def make_recorded_client(self: SharedConnection) -> Any:
        client = make_client(self)
        client.meta.events.register("before-parameter-build.dynamodb", _record)
        # No engine checks a signature, and signing takes a sixth of the time of a call.
        client.meta.events.register("choose-signer.dynamodb", lambda **_: UNSIGNED)
        client.meta.events.register("before-call.dynamodb", _authorize)
        transport.install(client)
        return client

    SharedConnection._make_client = make_recorded_client  # type: ignore[method-assign]


def _authorize(params: Raw, **_: object) -> None:
    params["headers"]["Authorization"] = AUTHORIZATION
    params["headers"]["X-Amz-Date"] = "20250101T000000Z"


def _record(params: Raw, model: Any, **_: object) -> None:
    if model.name in {"CreateTable", "UpdateTable", "DeleteTable", "UpdateTimeToLive"}:
        _altered.add(params["TableName"])
    elif model.name in {"PutItem", "UpdateItem", "DeleteItem"}:
        _record_key(params)
    elif model.name == "TransactWriteItems":
        for step in params["TransactItems"]:
            for action, target in step.items():
                if action != "ConditionCheck":
                    _record_key(target)
    elif model.name == "BatchWriteItem":
        for name, requests in params["RequestItems"].items():
            for request in requests:
                for target in request.values():
                    _record_key({"TableName": name, **target})


def _record_key(target: Raw) -> None:
    attributes = target.get("Item") or target["Key"]
    try:
        _written[target["TableName"]].add((attributes["PK"]["S"], attributes["SK"]["S"]))
    except (KeyError, TypeError):
        # The key is invalid, so the engine rejects the call.
        return


def fastest_engine() -> Literal["dynoxide", "moto"]:
    """The fastest engine that this machine has. Dynoxide takes two thirds of the time of moto in this process."""
    try:
        packages.dynoxide()
    except packages.ToolUnavailable:
        return "moto"
    return "dynoxide"


@functools.cache
def client_of(_endpoint: str) -> Any:
    """The product's client for an endpoint. All tests share it: making one takes longer than many tests."""
    return SharedConnection().client


@functools.cache
def _admin_client(endpoint: str) -> Any:
    """A client without recording and faults, to create and restore tables."""
    config = Config(retries={"mode": "standard", "total_max_attempts": 5}, parameter_validation=False)
    client = botocore.session.Session().create_client("dynamodb", config=config, endpoint_url=endpoint or None)
    transport.install(client)
    return client


@dataclass
class SharedTable:
    """A table that the tests of this worker share. `items` is what each test finds in it."""

    engine: str
    endpoint: str
    name: str = field(default_factory=lambda: f"test-{new_id()}")
    items: dict[Key, Raw] = field(default_factory=dict)
    # Only for tests of the follower: Dynoxide in memory becomes slower with every record of a stream.
    has_stream: bool = False
    indexes: tuple[schema.Index, ...] = schema.INDEXES

    def create(self) -> SharedTable:
        """Create the same table as `admin.create_table`, with fewer calls.

        Encryption, recovery and the stream are left out: reads and writes do not depend on them, and moto generates an
        RSA key for each encrypted table.
        """
        client = _admin_client(self.endpoint)
        definition = schema.definition(self.name, self.indexes)
        if not self.has_stream:
            del definition["StreamSpecification"]
        try:
            client.create_table(**definition)
        except client.exceptions.ResourceInUseException:
            # An engine on a busy machine answered too late, and botocore has sent the request again.
            client.get_waiter("table_exists").wait(TableName=self.name)
        if self.engine != "dynamodb_local":
            specification = {"Enabled": True, "AttributeName": schema.TTL}
            client.update_time_to_live(TableName=self.name, TimeToLiveSpecification=specification)
        return self

    def drop(self) -> None:
        client = _admin_client(self.endpoint)
        try:
            client.delete_table(TableName=self.name)
        except client.exceptions.ResourceNotFoundException:
            return

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Point the product at this table, and restore the table afterwards."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(settings, "DYNAMODB_TABLE", self.name)
            if self.endpoint:
                patch.setenv("AWS_ENDPOINT_URL_DYNAMODB", self.endpoint)
            else:
                patch.delenv("AWS_ENDPOINT_URL_DYNAMODB", raising=False)
            connection.forget()
            connection.table().connection._client = client_of(self.endpoint)
            client_of(self.endpoint).circuit_breaker.reset()
            for quota in _quotas:
                quota.release(quota.INITIAL_CAPACITY)
            try:
                yield
            finally:
                connection.forget()
                self.restore()

    def save_baseline(self) -> None:
        """Make the current items those that each test finds in the table."""
        self.items = {_key_of(raw): raw for raw in self._scan()}
        _written.pop(self.name, None)

    def add_written_to_baseline(self) -> None:
        """Keep the items that were written since the last restore for later tests."""
        self.items |= {_key_of(raw): raw for raw in self.read(_written.pop(self.name, set()))}

    def written(self) -> set[Key]:
        """The keys that were written since the last restore."""
        return set(_written[self.name])

    def read(self, keys: Iterable[Key]) -> list[Raw]:
        client = _admin_client(self.endpoint)
        answers = [client.get_item(TableName=self.name, Key=_raw(key), ConsistentRead=True) for key in keys]
        return [answer["Item"] for answer in answers if "Item" in answer]

    def put(self, raws: Iterable[Raw]) -> None:
        """Add items for the length of a test."""
        items = list(raws)
        _written[self.name] |= {_key_of(raw) for raw in items}
        self._write({"PutRequest": {"Item": raw}} for raw in items)

    def clear(self) -> None:
        """Empty the table for the length of a test."""
        _written[self.name] |= self.items.keys()
        self._write({"DeleteRequest": {"Key": _raw(key)}} for key in self.items)

    def restore(self) -> None:
        """Undo the writes since the last restore."""
        touched = _written.pop(self.name, set())
        if self.name in _altered or len(touched) > RECREATE_LIMIT:
            _altered.discard(self.name)
            self._recreate()
            return
        self._write(
            {"PutRequest": {"Item": self.items[key]}} if key in self.items else {"DeleteRequest": {"Key": _raw(key)}}
            for key in touched
        )
        if not self.items and self._has_items():
            # Another process has written to it.
            self._recreate()

    def _recreate(self) -> None:
        self.drop()
        self.create()
        self._write({"PutRequest": {"Item": raw}} for raw in self.items.values())

    def _write(self, requests: Iterable[Raw]) -> None:
        client, remaining = _admin_client(self.endpoint), list(requests)
        while remaining:
            answer = client.batch_write_item(RequestItems={self.name: remaining[:25]})
            remaining = remaining[25:] + answer.get("UnprocessedItems", {}).get(self.name, [])

    def _has_items(self) -> bool:
        return bool(_admin_client(self.endpoint).scan(TableName=self.name, Limit=1)["Items"])

    def _scan(self) -> Iterator[Raw]:
        for page in _admin_client(self.endpoint).get_paginator("scan").paginate(TableName=self.name):
            yield from page["Items"]


# The log tables of this worker, by engine and name.
_log_tables: dict[tuple[str, str], SharedTable] = {}


@contextmanager
def log_table(engine: str, endpoint: str, name: str, *, has_stream: bool = False) -> Iterator[None]:
    """The table with the activity of a month, empty; it is emptied again afterwards."""
    shared = _log_tables.get((engine, name)) if engine != "moto" and not has_stream else None
    if shared is None:
        shared = SharedTable(engine, endpoint, name, has_stream=has_stream, indexes=schema.ACTIVITY_INDEXES).create()
        if not has_stream:
            _log_tables[engine, name] = shared
    try:
        yield
    finally:
        shared.drop() if has_stream else shared.restore()


def _key_of(raw: Raw) -> Key:
    return raw["PK"]["S"], raw["SK"]["S"]


def _raw(key: Key) -> Raw:
    return {"PK": {"S": key[0]}, "SK": {"S": key[1]}}
