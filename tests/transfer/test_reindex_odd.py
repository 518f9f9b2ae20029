"""`reindex` on items that make no sense: placed as far as they do, else counted as failed, and never the end of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dashboard.platform.transfer.index_keys import NotComputable, index_keys_of
from dashboard.table import schema
from dashboard.table.items import CLASSES, Raw
from forum.items import Post
from tests.conftest import every_engine
from tests.faults import bad_network, error_reply
from tests.table.notes import on_dynoxide
from tests.table.test_keys import DESIGN
from tests.transfer import many
from tests.transfer.helpers import in_table, put, run, started
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
    ("raw", "wanted"),
    [
        (BUSINESS | {"settings": {"S": "dark"}, "status": {"N": "1"}, "name": {"L": [{"S": "Andina"}]}}, 1),
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
def test_what_has_wrong_types_stands_where_the_rest_says(table: str, reindex: Any, raw: Raw, wanted: int) -> None:
    """Its values stay as they are, a good item beside it is put right, and all is well."""
    put(raw)
    put(POST)
    ran = reindex()
    assert ran.ok, ran
    assert "of 2 items.\n" in ran.out
    stored = in_table()
    assert "GSI2PK" in stored["POST#p1", "POST#p1"]
    item = stored[raw["PK"]["S"], raw["SK"]["S"]]
    assert len(index_keys(item)) == 2 * wanted, index_keys(item)
    assert {name: value for name, value in item.items() if not name.startswith("GSI")} == raw
    assert reindex().out.startswith("Changed 0 of 2 items.\n")


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_no_kind_makes_it_fall(wrong: dict[str, Any]) -> None:
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
                assert pk == "OPERATION#o1", "only what nobody else writes may be beyond help"
                continue
            assert found is not None
            for place in filter(None, found.wanted.values()):
                assert all(isinstance(part, str) and part and "{" not in part and "[" not in part[:1] for part in place)
    assert tried > 500


def _fails_for(key_: str, index_keys: Any) -> Any:
    def compute(self: Post) -> Any:
        if self.pk == key_:
            raise ValueError("no sense")
        return index_keys(self)

    return compute


def test_one_that_cannot_be_computed_is_counted_and_the_others_are_done(
    table: str, tmp_path: Path, reindex: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("import_items", many.write(tmp_path / "items.json", 40), as_is=True)
    monkeypatch.setattr(Post, "index_keys", _fails_for("POST#p5", Post.index_keys))
    for _ in range(2):
        ran = reindex()
        assert ran.failure == "The index keys of 1 items could not be computed."
        assert ran.err.splitlines()[1:] == ["POST#p5 / POST#p5: ValueError: no sense"]
        assert "of 40 items.\n" in ran.out
    assert sum(not index_keys(raw) for raw in in_table().values()) == 1
    assert not (tmp_path / "checkpoint").exists(), "it went to the end"


@on_dynoxide
def test_one_that_the_table_refuses_is_counted_and_the_others_are_done(
    table: str, tmp_path: Path, reindex: Any
) -> None:
    """With its keys it would have more than 400 KB: run again and again, it must not keep the others waiting."""
    run("import_items", many.write(tmp_path / "items.json", 40), as_is=True)
    with bad_network() as network:
        network.next("UpdateItem", error_reply(400, "ValidationException", message="Too large\x1b by far"))
        ran = reindex()
    assert ran.failure == "The index keys of 1 items could not be computed."
    assert ": the table refuses it: Too large? by far\n" in ran.err
    assert "Changed 39 of 40 items.\n" in ran.out
    assert reindex().out.startswith("Changed 1 of 40 items.\n")


@on_dynoxide
def test_its_exit_code(table: str, tmp_path: Path) -> None:
    """Wrong types are no failure; a command that says nothing of who began it is one, told in a line, with 1."""
    for raw in (BUSINESS | {"settings": {"N": "3"}, "status": {"L": []}, "name": {"M": {}}}, MEMBER, ENTRY):
        put(raw)
    command = ["reindex", "--checkpoint", tmp_path / "checkpoint"]
    process = started(*command)
    out, err = process.communicate()
    assert (process.returncode, out.decode().splitlines()[0]) == (0, "Changed 1 of 3 items."), err.decode()
    put(key("OPERATION#o1", "OPERATION"))
    process = started(*command)
    out, err = process.communicate()
    assert (process.returncode, out.decode().splitlines()[0]) == (1, "Changed 0 of 4 items."), err.decode()
    assert err.decode().splitlines()[1:] == [
        "OPERATION#o1 / OPERATION: BadKey: email cannot be part of a key",
        "CommandError: The index keys of 1 items could not be computed.",
    ]
