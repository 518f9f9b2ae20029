"""Streams of the local engines: moto's server answers for them, and Dynoxide's file stays fast."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

import botocore.session
from botocore.config import Config

from dashboard.dev import dynoxide_file, moto_server
from dashboard.dev.engines import start_engine
from dashboard.table import schema
from tests.dev.clients import client_for, key


def records_of(endpoint: str, table: str) -> list[Any]:
    config = Config(parameter_validation=False)
    streams: Any = botocore.session.Session().create_client("dynamodbstreams", endpoint_url=endpoint, config=config)
    arn = client_for(endpoint).describe_table(TableName=table)["Table"]["LatestStreamArn"]
    (shard,) = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
    iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
    found: list[Any] = streams.get_records(ShardIterator=iterator["ShardIterator"])["Records"]
    return found


def test_motos_server_answers_for_streams() -> None:
    with start_engine("moto") as engine:
        client = client_for(engine.endpoint)
        client.create_table(**schema.definition("trastienda"))
        client.put_item(TableName="trastienda", Item=key("NOTE#1", "NOTE"))
        client.put_item(TableName="trastienda", Item=key("NOTE#1", "NOTE") | {"text": {"S": "b"}})
        first, second = records_of(engine.endpoint, "trastienda")
    assert "OldImage" not in first["dynamodb"]
    assert second["dynamodb"]["OldImage"] == key("NOTE#1", "NOTE")
    assert second["dynamodb"]["NewImage"]["text"] == {"S": "b"}


def test_motos_server_keeps_a_bounded_number_of_records(monkeypatch: Any) -> None:
    shard = type("Shard", (), {"items": list(range(30)), "starting_sequence_number": 100})()
    table = type("Table", (), {"stream_shard": shard})()
    monkeypatch.setattr(moto_server, "shared_backend", lambda: type("B", (), {"tables": {"t": table}})())
    monkeypatch.setattr(moto_server, "MAX_RECORDS", 20)
    moto_server.forget_old_records()
    assert (shard.items, shard.starting_sequence_number) == (list(range(20, 30)), 120)


def test_dynoxides_file_has_an_index_and_no_old_records(dynoxide_endpoint: str, tmp_path: Path) -> None:
    file = tmp_path / "engine.db"
    with start_engine("dynoxide", data=file) as engine:
        client = client_for(engine.endpoint)
        client.create_table(**schema.definition("trastienda"))
        for number in range(3):
            client.put_item(TableName="trastienda", Item=key(f"NOTE#{number}", "NOTE"))
        with sqlite3.connect(file) as database:
            database.execute("UPDATE _stream_records SET created_at = ?", (int(time.time()) - 90_000,))
            newest = "SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = 'x'"
            plan = database.execute(f"EXPLAIN QUERY PLAN {newest}").fetchall()
        assert "trastienda_stream_number" in str(plan)
        dynoxide_file.keep_fast(file)
        client.put_item(TableName="trastienda", Item=key("NOTE#new", "NOTE"))
        numbers = [each["dynamodb"]["SequenceNumber"] for each in records_of(engine.endpoint, "trastienda")]
    assert numbers == ["3", "4"], "the newest record stays, and the numbers continue"


def test_a_file_of_another_version_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "engine.db"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE other (a)")
    dynoxide_file.keep_fast(file)
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("other",)]
