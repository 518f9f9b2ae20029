"""The one connection to DynamoDB: short timeouts, bounded retries, every call counted, no scans, no other tenant."""

from __future__ import annotations

import threading
from typing import Any

import botocore.session
from botocore.config import Config
from django.conf import settings
from pynamodb.connection.base import Connection as PynamoConnection
from pynamodb.connection.base import MetaTable
from pynamodb.connection.table import TableConnection

from dashboard.table import guards, oplog, parser, schema, tenancy

# People wait for these calls: better a clear "try again" after seconds than two minutes of nothing.
CONFIG = Config(
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
    max_pool_connections=50,
    parameter_validation=False,
    tcp_keepalive=True,
)


class Connection(PynamoConnection):
    """PynamoDB's connection on a client that all item classes and threads share."""

    _lock = threading.Lock()

    @property
    def client(self) -> Any:
        # A client that found no credentials would keep finding none: make it anew.
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
        return client


_table: TableConnection | None = None


def table() -> TableConnection:
    """The connection, bound to the table's name."""
    global _table
    if _table is None or _table.table_name != settings.DYNAMODB_TABLE:
        _table = _connect(settings.DYNAMODB_TABLE)
    return _table


def client() -> Any:
    """The raw client, for calls that know no items: create, describe, back up."""
    return table().connection.client


def region() -> str | None:
    """Where the AWS SDK would look for the table, from whatever source it takes that."""
    found: str | None = botocore.session.Session().get_config_variable("region")
    return found


def forget() -> None:
    """Connect anew on next use: the endpoint or the credentials have changed."""
    global _table
    _table = None


def _connect(name: str) -> TableConnection:
    connected = TableConnection(name)
    connected.connection = Connection()
    connected.connection.add_meta_table(MetaTable(schema.definition(name)))
    return connected
