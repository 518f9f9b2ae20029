"""`reindex` during concurrent edits: no edit is lost, and the keys follow from the edit."""

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
from tests.transfer.helpers import put, stored_items
from tests.transfer.test_reindex import POST, without_index_keys
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
def test_an_item_edited_during_reindex_is_computed_again(
    table: str, reindex: Any, monkeypatch: pytest.MonkeyPatch, change: Raw, remove: list[str]
) -> None:
    """Someone edits it between our read and our write: the edit is kept, and the keys follow from it."""
    put(POST)
    edited = {name: value for name, value in (POST | change).items() if name not in remove}
    write = reindexing.writer.apply

    def edit_and_write(*args: Any) -> bool:
        monkeypatch.setattr(reindexing.writer, "apply", write)
        put(edited)
        return write(*args)

    monkeypatch.setattr(reindexing.writer, "apply", edit_and_write)
    result = reindex()
    assert result.out.startswith("Changed 1 of 1 items.\n")
    (raw,) = stored_items().values()
    assert without_index_keys(raw) == without_index_keys(edited)
    post = Post.of(raw)
    stored_values = dict(post.attribute_values)
    post.set_index_keys()
    assert post.attribute_values | stored_values == post.attribute_values, "its index keys are correct"
    assert ("GSITypePK" in raw) is ("userId" in edited)


@every_engine
def test_an_item_deleted_during_reindex_stays_deleted(
    table: str, reindex: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(POST)
    write = reindexing.writer.apply

    def delete_and_write(*args: Any) -> bool:
        connection.table().delete_item("POST#p1", "POST#p1")
        return write(*args)

    monkeypatch.setattr(reindexing.writer, "apply", delete_and_write)
    assert reindex().ok
    assert stored_items() == {}


def test_an_item_that_keeps_changing_is_reported(table: str, reindex: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    put(POST)
    likes = iter(range(100))
    write = reindexing.writer.apply

    def like_and_write(*args: Any) -> bool:
        put(POST | {"likes": {"N": str(next(likes))}})
        return write(*args)

    monkeypatch.setattr(reindexing.writer, "apply", like_and_write)
    result = reindex()
    assert result.failure == "The index keys of 1 items could not be computed."
    assert "it keeps changing" in result.err
    assert next(likes) == reindexing.TRIES


@real_engines
def test_likes_added_during_reindex_are_not_lost(table: str, reindex: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An outside writer adds two hundred likes while it runs."""
    for number in range(1, 100, sample_items.KINDS):
        put(sample_items.item(number))
    keys_of_posts = [Key(*key) for key in stored_items()]
    before = {key: int(stored_items()[key]["likes"]["N"]) for key in keys_of_posts}

    def like() -> None:
        for key in keys_of_posts * 8:
            update(key, [Post.likes.add(1)])

    monkeypatch.setattr(reindexing, "TRIES", 50)
    liking = threading.Thread(target=like)
    liking.start()
    result = reindex()
    liking.join()
    assert result.ok, result
    stored = stored_items()
    assert {key: int(stored[key]["likes"]["N"]) for key in keys_of_posts} == {k: n + 8 for k, n in before.items()}
    assert all("GSI3SK" in stored[key] for key in keys_of_posts)
