"""moto as a server: threads lose no write, and kill -9 loses at most the last second."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from dashboard.dev.engines import start_engine
from tests.dev.clients import TABLE, client_for, create_table, key

EVERY_TYPE: dict[str, Any] = {
    "text": {"S": "ñandú \u2028 \n"},
    "empty": {"S": ""},
    "number": {"N": "12345678901234567890.5"},
    "binary": {"B": b"\x00\xff"},
    "flag": {"BOOL": False},
    "nothing": {"NULL": True},
    "list": {"L": [{"S": "a"}, {"M": {"b": {"B": b"\x01"}}}]},
    "map": {"M": {"c": {"L": []}, "d": {"M": {}}}},
    "texts": {"SS": ["a", "b"]},
    "numbers": {"NS": ["1", "2"]},
    "binaries": {"BS": [b"a", b"\xfe"]},
}


def table_state(client: Any) -> dict[str, Any]:
    """Everything that a client can read of the table, without the time of creation."""
    table = client.describe_table(TableName=TABLE)["Table"]
    return {
        "table": {name: value for name, value in table.items() if name != "CreationDateTime"},
        "ttl": client.describe_time_to_live(TableName=TABLE)["TimeToLiveDescription"],
        "items": client.scan(TableName=TABLE)["Items"],
        "index": client.query(
            TableName=TABLE,
            IndexName="by-kind",
            KeyConditionExpression="kind = :kind",
            ExpressionAttributeValues={":kind": {"S": "letter"}},
        )["Items"],
    }


def fill(client: Any) -> None:
    create_table(client)
    client.update_time_to_live(TableName=TABLE, TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
    client.put_item(TableName=TABLE, Item=key("a", "1") | EVERY_TYPE | {"kind": {"S": "letter"}})
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": TABLE, "Item": key("b", str(number)) | {"kind": {"S": "letter"}}}}
            for number in range(3)
        ]
    )
    client.delete_item(TableName=TABLE, Key=key("b", "1"))


def test_writes_survive_kill_9(tmp_path: Path) -> None:
    file = tmp_path / "moto.json"
    with start_engine("moto", data=file) as engine:
        fill(client_for(engine.endpoint))
        before = table_state(client_for(engine.endpoint))
        time.sleep(1.5)
        engine.process.send_signal(signal.SIGKILL)
        engine.process.wait()
    with start_engine("moto", data=file) as engine:
        assert table_state(client_for(engine.endpoint)) == before


def test_a_normal_stop_saves_at_once(tmp_path: Path) -> None:
    file = tmp_path / "moto.json"
    with start_engine("moto", data=file) as engine:
        fill(client_for(engine.endpoint))
        before = table_state(client_for(engine.endpoint))
    with start_engine("moto", data=file) as engine:
        assert table_state(client_for(engine.endpoint)) == before


def test_concurrent_updates_are_not_lost() -> None:
    with start_engine("moto") as engine:
        client = client_for(engine.endpoint)
        create_table(client)

        def add(_: int) -> None:
            client.update_item(
                TableName=TABLE,
                Key=key("counter", "1"),
                UpdateExpression="ADD n :one",
                ExpressionAttributeValues={":one": {"N": "1"}},
            )

        with ThreadPoolExecutor(16) as pool:
            list(pool.map(add, range(320)))
        item = client.get_item(TableName=TABLE, Key=key("counter", "1"))["Item"]
        assert item["n"] == {"N": "320"}


def test_region_and_access_key_do_not_matter() -> None:
    with start_engine("moto") as engine:
        create_table(client_for(engine.endpoint))
        elsewhere = client_for(engine.endpoint, region="sa-east-1", access_key="other")
        assert elsewhere.list_tables()["TableNames"] == [TABLE]
