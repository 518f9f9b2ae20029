"""The connection to DynamoDB: short timeouts, few retries, every call logged, every reply checked.

It refuses scans, data of other businesses, and calls to a table that does not respond.
"""

from __future__ import annotations

import functools
import os
import threading
from typing import Any

import botocore.session
from botocore.config import Config
from django.conf import settings
from pynamodb.connection.base import Connection as PynamoConnection
from pynamodb.connection.base import MetaTable
from pynamodb.connection.table import TableConnection

from dashboard.table import circuit_breaker, guards, oplog, parser, reply_check, schema, tenancy

# People wait for these calls: an error after seconds is better than an answer after two minutes.
CONFIG = Config(
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
    max_pool_connections=50,
    parameter_validation=False,
    tcp_keepalive=True,
)
# Nobody waits for these calls.
STREAMS_CONFIG = CONFIG.merge(Config(connect_timeout=2, read_timeout=10))


class SharedConnection(PynamoConnection):
    """A PynamoDB connection whose client is shared by all item classes and threads."""

    _lock = threading.Lock()

    @property
    def client(self) -> Any:
        # A client that found no credentials would never find any: make a new one.
        if not self._is_ready():
            with self._lock:
                if not self._is_ready():
                    self._client = self._make_client()
        return self._client

    def _is_ready(self) -> bool:
        return self._client is not None and bool(self._client._request_signer._credentials)

    def _make_client(self) -> Any:
        session = botocore.session.Session()
        parser.install(session)
        client = session.create_client("dynamodb", config=CONFIG)
        oplog.install(client)
        guards.install(client)
        tenancy.install(client)
        reply_check.install(client)
        # After the check of replies: one that is not DynamoDB's is no answer.
        circuit_breaker.install(client)
        return client


_table: TableConnection | None = None
# Further tables, such as those with the activity of a month. They share the connection of the main one.
_other_tables: dict[str, TableConnection] = {}
_binding = threading.Lock()


def table(name: str = "") -> TableConnection:
    """The connection, bound to the name of a table; without a name, to the main one."""
    global _table
    if _table is None or _table.table_name != settings.DYNAMODB_TABLE:
        _table = _connect(settings.DYNAMODB_TABLE)
        _other_tables.clear()
    if not name or name == _table.table_name:
        return _table
    # PynamoDB refuses a table that another thread has added meanwhile.
    with _binding:
        if name not in _other_tables:
            _other_tables[name] = _bind(name, _table.connection)
        return _other_tables[name]


def client() -> Any:
    """The botocore client, for calls without items: create, describe, back up."""
    return table().connection.client


def endpoint_url() -> str:
    """The address at which the table answers."""
    return str(client().meta.endpoint_url)


def streams_client() -> Any:
    """The botocore client of the table's stream. A local engine serves it at the endpoint of its tables."""
    endpoint = str(client().meta.endpoint_url)
    is_chosen = "AWS_ENDPOINT_URL_DYNAMODB_STREAMS" in os.environ
    return _streams_client(None if is_chosen or "amazonaws." in endpoint else endpoint)


@functools.cache
def _streams_client(endpoint: str | None) -> Any:
    return botocore.session.Session().create_client("dynamodbstreams", config=STREAMS_CONFIG, endpoint_url=endpoint)


def region() -> str | None:
    """The region that the AWS SDK uses for the table."""
    name: str | None = botocore.session.Session().get_config_variable("region")
    return name


def forget() -> None:
    """Make a new connection on next use, after the endpoint or the credentials have changed."""
    global _table
    _table = None


def _connect(name: str) -> TableConnection:
    return _bind(name, SharedConnection())


def _bind(name: str, connection: PynamoConnection) -> TableConnection:
    bound = TableConnection(name)
    bound.connection = connection
    bound.connection.add_meta_table(MetaTable(schema.definition(name)))
    return bound
