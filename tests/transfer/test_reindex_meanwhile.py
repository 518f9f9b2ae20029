"""`reindex` while others are at work: nobody's edit is lost, and the keys follow from the edit."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from dashboard.platform.transfer import reindex as reindexing
from dashboard.table import connection
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.write import update
from forum.items import Post
from tests.conftest import every_engine, real_engines
from tests.transfer import sample_items
from tests.transfer.helpers import in_table, put
from tests.transfer.test_reindex import POST, rest
from tests.transfer.test_reindex import reindex as reindex


@every_engine
@pytest.mark.parametrize(
    ("change", "remove"),
    [
        ({"status": {"S": "active"}}, []),
        ({"likes": {"N": "10"}}, []),
        ({"commentsCount": {"N": "3"}}, []),
        ({}, ["userId"]),
        ({"GSI2PK": {"S": "elsewhere"}, "GSI2SK": {"S": "x"}}, []),
    ],
)
def test_an_item_that_changes_meanwhile_is_computed_anew(
    table: str, reindex: Any, monkeypatch: pytest.MonkeyPatch, change: Raw, remove: list[str]
) -> None:
    """Between our read and our write someone edits it: their edit stays, and its keys follow from it."""
    put(POST)
    edited = {name: value for name, value in (POST | change).items() if name not in remove}
    write = reindexing._write

    def meanwhile(*args: Any) -> bool:
        monkeypatch.setattr(reindexing, "_write", write)
        put(edited)
        return write(*args)

    monkeypatch.setattr(reindexing, "_write", meanwhile)
    ran = reindex()
    assert ran.out.startswith("Changed 1 of 1 items.\n")
    (raw,) = in_table().values()
    assert rest(raw) == rest(edited)
    post = Post.of(raw)
    as_it_was = dict(post.attribute_values)
    post.set_index_keys()
    assert post.attribute_values | as_it_was == post.attribute_values, "it stands where it should"
    assert ("GSITypePK" in raw) is ("userId" in edited)


@every_engine
def test_an_item_deleted_meanwhile_stays_deleted(table: str, reindex: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    put(POST)
    write = reindexing._write

    def meanwhile(*args: Any) -> bool:
        connection.table().delete_item("POST#p1", "POST#p1")
        return write(*args)

    monkeypatch.setattr(reindexing, "_write", meanwhile)
    assert reindex().ok
    assert in_table() == {}


def test_an_item_that_never_rests_is_told(table: str, reindex: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    put(POST)
    likes = iter(range(100))
    write = reindexing._write

    def meanwhile(*args: Any) -> bool:
        put(POST | {"likes": {"N": str(next(likes))}})
        return write(*args)

    monkeypatch.setattr(reindexing, "_write", meanwhile)
    ran = reindex()
    assert ran.failure == "The index keys of 1 items could not be computed."
    assert "it keeps changing" in ran.err
    assert next(likes) == reindexing.TRIES


@real_engines
def test_likes_keep_coming(table: str, reindex: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred likes from another service while it runs: none is lost."""
    for number in range(1, 100, sample_items.KINDS):
        put(sample_items.item(number))
    keys_of_posts = [Key(*key) for key in in_table()]
    before = {key: int(in_table()[key]["likes"]["N"]) for key in keys_of_posts}

    def like() -> None:
        for key in keys_of_posts * 8:
            update(key, [Post.likes.add(1)])

    monkeypatch.setattr(reindexing, "TRIES", 50)
    liking = threading.Thread(target=like)
    liking.start()
    ran = reindex()
    liking.join()
    assert ran.ok, ran
    stored = in_table()
    assert {key: int(stored[key]["likes"]["N"]) for key in keys_of_posts} == {k: n + 8 for k, n in before.items()}
    assert all("GSI3SK" in stored[key] for key in keys_of_posts)
