"""`reindex` on odd items: it computes the keys that it can, counts the failures, and does not stop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dashboard.table import schema
from dashboard.table.index_keys import NotComputable, index_keys_of
from dashboard.table.items import CLASSES, Raw
from forum.items import Post
from tests.conftest import every_engine
from tests.faults import bad_network, error_reply
from tests.table.notes import on_dynoxide
from tests.table.test_keys import DESIGN
from tests.transfer import sample_items
from tests.transfer.helpers import put, run, start_process, stored_items
from tests.transfer.test_reindex import POST
from tests.transfer.test_reindex import reindex as reindex

AT = "2025-08-18T10:30:00Z"
WRONG: list[dict[str, Any]] = [
    {"N": "3"},
    {"N": "-1.5"},
    {"S": ""},
    {"S": "a#b\x00\x1b[2J"},
    {"BOOL": True},
    {"NULL": True},
    {"L": [{"N": "1"}]},
    {"M": {}},
    {"M": {name: {"L": [{"S": "x"}]} for name in ("email", "id", "userId", "type", "status")}},
    {"SS": ["x"]},
    {"B": b"\xff"},
]


def key(pk: str, sk: str) -> Raw:
    return {"PK": {"S": pk}, "SK": {"S": sk}}


def index_keys(raw: Raw) -> dict[str, str]:
    return {name: value["S"] for name, value in raw.items() if name.startswith("GSI")}


BUSINESS = key("SYSTEM", "TENANT#andina")
MEMBER = key("TENANT#andina", "MEMBER#ana@example.com")
ENTRY = key("TENANT#andina", f"AUDIT#{AT}#e1")


@every_engine
@pytest.mark.parametrize(
    ("raw", "number_of_keys"),
    [
        (BUSINESS | {"settings": {"S": "dark"}, "status": {"N": "1"}, "name": {"L": [{"S": "Andina"}]}}, 2),
        (BUSINESS | {"settings": {"L": []}, "status": {"M": {}}, "name": {"N": "7"}}, 1),
        (BUSINESS, 1),
        (BUSINESS | {"name": {"BOOL": True}, "status": {"S": "ACTIVE"}}, 2),
        (MEMBER, 0),
        (MEMBER | {"email": {"N": "3"}, "createdAt": {"S": AT}}, 1),
        (MEMBER | {"email": {"S": "ana@example.com"}, "createdAt": {"S": AT}}, 1),
        (ENTRY, 0),
        (ENTRY | {"actor": {"S": "ana@example.com"}, "target": {"M": {"id": {"S": "t1"}}}}, 1),
        (ENTRY | {"actor": {"M": {"email": {"M": {"a": {"S": "b"}}}}}, "target": {"M": {"id": {"L": []}}}}, 0),
        (ENTRY | {"actor": {"M": {"email": {"BOOL": True}}}, "target": {"M": {"id": {"S": "t1"}}}}, 1),
    ],
)
def test_an_item_with_wrong_types_gets_the_keys_of_its_valid_attributes(
    table: str, reindex: Any, raw: Raw, number_of_keys: int
) -> None:
    """Its values are unchanged, and a valid item beside it gets its keys."""
    put(raw)
    put(POST)
    result = reindex()
    assert result.ok, result
    assert "of 2 items.\n" in result.out
    stored = stored_items()
    assert "GSI2PK" in stored["POST#p1", "POST#p1"]
    item = stored[raw["PK"]["S"], raw["SK"]["S"]]
    assert len(index_keys(item)) == 2 * number_of_keys, index_keys(item)
    assert {name: value for name, value in item.items() if not name.startswith("GSI")} == raw
    assert reindex().out.startswith("Changed 0 of 2 items.\n")


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_wrong_type_in_any_attribute_of_any_kind_causes_no_crash(wrong: dict[str, Any]) -> None:
    """Every attribute of every kind: one at a time, and all at once."""
    tried = 0
    for kind, pk, sk in DESIGN:
        cls = CLASSES.get(kind)
        if cls is None:
            continue
        names = [each.attr_name for each in cls.get_attributes().values() if each.attr_name not in ("PK", "SK")]
        for raw in (dict.fromkeys(names, wrong), *({name: wrong} for name in names)):
            tried += 1
            try:
                found = index_keys_of(key(pk, sk) | raw, schema.INDEXES)
            except NotComputable:
                is_ours_alone = pk == "OPERATION#o1" or kind in ("outside event", "webhook delivery")
                assert is_ours_alone, f"{kind}: only a kind without outside writers may fail"
                continue
            assert found is not None
            for place in filter(None, found.correct_keys.values()):
                assert all(isinstance(part, str) and part and "{" not in part and "[" not in part[:1] for part in place)
    assert tried > 500


def _fail_for(key_: str, index_keys: Any) -> Any:
    def compute(self: Post) -> Any:
        if self.pk == key_:
            raise ValueError("no sense")
        return index_keys(self)

    return compute


def test_an_item_whose_keys_cannot_be_computed_is_counted_and_the_others_are_changed(
    table: str, tmp_path: Path, reindex: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("import_items", sample_items.write(tmp_path / "items.json", 40), as_is=True)
    monkeypatch.setattr(Post, "index_keys", _fail_for("POST#p5", Post.index_keys))
    for _ in range(2):
        result = reindex()
        assert result.failure == "The index keys of 1 items could not be computed."
        assert result.err.splitlines()[1:] == ["POST#p5 / POST#p5: ValueError: no sense"]
        assert "of 40 items.\n" in result.out
    assert sum(not index_keys(raw) for raw in stored_items().values()) == 1
    assert not (tmp_path / "checkpoint").exists(), "the run reached the end"


@on_dynoxide
def test_an_item_that_the_table_refuses_is_counted_and_the_others_are_changed(
    table: str, tmp_path: Path, reindex: Any
) -> None:
    """With its keys it would exceed 400 KB: it must not block the others."""
    run("import_items", sample_items.write(tmp_path / "items.json", 40), as_is=True)
    with bad_network() as network:
        network.next("UpdateItem", error_reply(400, "ValidationException", message="Too large\x1b by far"))
        result = reindex()
    assert result.failure == "The index keys of 1 items could not be computed."
    assert ": the table refuses it: Too large? by far\n" in result.err
    assert "Changed 39 of 40 items.\n" in result.out
    assert reindex().out.startswith("Changed 1 of 40 items.\n")


@on_dynoxide
def test_the_exit_code_of_reindex(table: str, tmp_path: Path) -> None:
    """Wrong types are no failure; a job without its owner is one: one line, and exit code 1."""
    for raw in (BUSINESS | {"settings": {"N": "3"}, "status": {"L": []}, "name": {"M": {}}}, MEMBER, ENTRY):
        put(raw)
    command = ["reindex", "--checkpoint", tmp_path / "checkpoint"]
    process = start_process(*command)
    out, err = process.communicate()
    assert (process.returncode, out.decode().splitlines()[0]) == (0, "Changed 1 of 3 items."), err.decode()
    put(key("OPERATION#o1", "OPERATION"))
    process = start_process(*command)
    out, err = process.communicate()
    assert (process.returncode, out.decode().splitlines()[0]) == (1, "Changed 0 of 4 items."), err.decode()
    assert err.decode().splitlines()[1:] == [
        "OPERATION#o1 / OPERATION: BadKey: email cannot be part of a key",
        "CommandError: The index keys of 1 items could not be computed.",
    ]
