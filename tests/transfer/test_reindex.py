"""`reindex` gives every item the index keys that follow from its attributes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from dashboard.platform.transfer import reindex as reindexing
from dashboard.platform.transfer.checkpoint import Checkpoint
from dashboard.platform.transfer.target import Stopped
from dashboard.table import guards, keys, read
from dashboard.table.items import Raw
from forum.items import Post
from tests.conftest import every_engine
from tests.faults import bad_network, broken, lose_reply, throttle
from tests.table.notes import on_dynoxide
from tests.transfer import sample_items
from tests.transfer.helpers import CommandResult, put, run, stored_items

AT = "2025-08-18T10:30:00Z"
POST: Raw = {
    "PK": {"S": "POST#p1"},
    "SK": {"S": "POST#p1"},
    "userId": {"S": "ana"},
    "status": {"S": "banned"},
    "createdAt": {"S": AT},
    "likes": {"N": "9"},
    "tags": {"SS": ["ours", "theirs"]},
    # As in the seed: the index still has it as an active post, and 9 sorts above 10.
    "GSI1PK": {"S": "POSTS#ACTIVE"},
    "GSI1SK": {"S": AT},
    "GSI3PK": {"S": "POSTS#SORTED"},
    "GSI3SK": {"S": f"9#{AT}"},
}
CORRECT_KEYS: Raw = {
    "GSI2PK": {"S": "POSTS#banned"},
    "GSI2SK": {"S": AT},
    "GSI3PK": {"S": "POSTS#SORTED#banned"},
    "GSI3SK": {"S": f"0000000009#{AT}"},
    "GSI4PK": {"S": "POSTS#COMMENTS#banned"},
    "GSI4SK": {"S": f"0000000000#{AT}"},
    "GSITypePK": {"S": "AUTHOR#ana"},
    "GSITypeSK": {"S": f"POST#{AT}"},
}
UNKNOWN: Raw = {"PK": {"S": "WEATHER#today"}, "SK": {"S": "X"}, "GSI1PK": {"S": "mine"}, "GSI1SK": {"S": "alone"}}


@pytest.fixture
def reindex(tmp_path: Path) -> Any:
    def command(**options: Any) -> CommandResult:
        return run("reindex", checkpoint=tmp_path / "checkpoint", **options)

    return command


def without_index_keys(raw: Raw) -> Raw:
    """An item without its index keys; sets in order."""
    attributes = {name: value for name, value in raw.items() if not name.startswith("GSI")}
    return {name: {"SS": sorted(value["SS"])} if "SS" in value else value for name, value in attributes.items()}


@every_engine
def test_wrong_index_keys_are_corrected(table: str, reindex: Any) -> None:
    put(POST)
    put(UNKNOWN)
    result = reindex()
    assert result.ok, result
    assert result.out == (
        "Changed 1 of 2 items.\n  post: 1\nRight already: 0.\nOf kinds without a class, left alone: 1.\n  WEATHER: 1\n"
    )
    stored = stored_items()
    assert stored["WEATHER#today", "X"] == UNKNOWN
    raw = stored["POST#p1", "POST#p1"]
    assert {name: value for name, value in raw.items() if name.startswith("GSI")} == CORRECT_KEYS
    assert without_index_keys(raw) == without_index_keys(POST), "nothing else changes: not the revision, not the time"
    assert [item.key for item in read.page(keys.POSTS_BY_LIKES.collection(status="banned"), Post).items] == [
        ("POST#p1", "POST#p1")
    ]
    assert read.page(keys.ACTIVE_POSTS.collection(), Post).items == []

    assert reindex().out.startswith("Changed 0 of 2 items.\nRight already: 1.\n")


@every_engine
def test_reindex_computes_the_same_keys_as_import(
    table: str, tmp_path: Path, reindex: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Items of several kinds, page by page."""
    path = sample_items.write(tmp_path / "items.json", 60)
    run("import_items", path)
    expected = stored_items()
    run("import_items", path, as_is=True)
    assert stored_items() != expected
    monkeypatch.setattr(reindexing, "PAGE", 7)
    result = reindex()
    assert result.out.startswith("Changed 60 of 60 items.\n")
    assert stored_items() == expected
    assert not (tmp_path / "checkpoint").exists()


def test_a_dry_run_reports_and_writes_nothing(table: str, tmp_path: Path, reindex: Any) -> None:
    put(POST)
    before = stored_items()
    assert reindex(dry_run=True).out.startswith("Would change 1 of 1 items.\n  post: 1\n")
    assert stored_items() == before
    assert not (tmp_path / "checkpoint").exists()


@pytest.mark.parametrize(
    ("more", "ttl"),
    [
        ({"status": {"S": "draft"}}, {"N": "4102444800"}),
        ({"status": {"S": "draft"}, "ttl": {"N": "5"}}, {"N": "5"}),
        ({"status": {"S": "published"}}, None),
        ({"status": {"S": "draft"}, "firstPublishedAt": {"S": AT}}, None),
        ({"status": {"S": "draft"}, "timeToArchive": {"S": "soon"}}, None),
    ],
)
def test_a_drafts_time_to_archive_becomes_its_ttl(table: str, reindex: Any, more: Raw, ttl: Any) -> None:
    """Only if it has no ttl, and never for a theme that was published."""
    theme: Raw = {"PK": {"S": "BUS#andina"}, "SK": {"S": "THEME#00000001"}, "timeToArchive": {"N": "4102444800"}}
    put(theme | more)
    assert reindex().ok
    (raw,) = stored_items().values()
    assert raw.get("ttl") == ttl


# --- Interruptions -------------------------------------------------------------------------------
@on_dynoxide
def test_an_interrupted_run_is_continued(
    table: str, tmp_path: Path, reindex: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = sample_items.write(tmp_path / "items.json", 60)
    run("import_items", path)
    expected = stored_items()
    run("import_items", path, as_is=True)
    monkeypatch.setattr(reindexing, "PAGE", 10)
    saves = iter(range(2))
    save = Checkpoint.save

    def stop(self: Checkpoint, state: dict[str, Any]) -> None:
        save(self, state)
        if next(saves, None) is None:
            raise Stopped("The table does not answer.")

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "save", stop)
        assert reindex().failure.startswith("The table does not answer.")
    assert (tmp_path / "checkpoint").exists()
    with bad_network() as network:
        result = reindex()
        assert len(network.calls("UpdateItem")) == 30
    assert result.out.startswith("Changed 60 of 60 items.\n"), "the count includes the first run"
    assert stored_items() == expected


@on_dynoxide
def test_network_faults_change_no_result(table: str, tmp_path: Path, reindex: Any) -> None:
    path = sample_items.write(tmp_path / "items.json", 60)
    run("import_items", path)
    expected = stored_items()
    run("import_items", path, as_is=True)
    with bad_network() as network:
        for fault in (lose_reply, throttle, broken):
            network.add_random_fault(0.08, fault)
        assert reindex().ok
        assert network.faults > 3
    assert stored_items() == expected


def test_the_checkpoint_is_in_the_data_folder(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path / "data")
    put(POST)
    assert run("reindex").ok
    assert (tmp_path / "data").is_dir()
    assert list((tmp_path / "data").iterdir()) == []


def test_reindex_is_refused_in_a_request(table: str, reindex: Any) -> None:
    with guards.serving_request(), pytest.raises(guards.ScanRefused):
        reindex()
