"""Thirty days after it was deleted a file is gone, whatever happens in that moment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from branding import queries, storage
from branding.services import assets
from dashboard.core.clock import frozen, now
from dashboard.core.errors import Conflict, DomainError, NotFound, Refused
from dashboard.platform.due import runner
from dashboard.table import write
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction
from tests.branding.asset_helpers import ANDINA, deleted, listed, on_disk
from tests.branding.pictures import stored
from tests.branding.theme_factory import put_theme
from tests.table.notes import load_raw

New = Callable[[], Command]


@pytest.fixture(autouse=True)
def files_here(folder: Path) -> Path:
    return folder


def run_due() -> list[str]:
    return [each.text for each in runner.run() if each.task.startswith("asset ")]


def in_a_month() -> Any:
    return frozen(now() + assets.RESTORABLE_FOR)


def test_after_thirty_days_it_is_gone(table: str, folder: Path, command: New) -> None:
    asset, other = stored(), stored(number=1)
    deleted(asset)
    assert run_due() == []
    with in_a_month():
        assert run_due() == [f"removed {asset.file_name}"]
        assert run_due() == []
    assert load_raw(asset.key) is None
    assert on_disk(folder) == {str(other.file_name), storage.thumbnail_of(str(other.file_name))}
    entry = queries.asset_history(ANDINA, asset.id)[0]
    assert (entry.action, (entry.actor or {})["email"]) == ("asset.purge", "system")
    with pytest.raises(NotFound):
        assets.restore(ANDINA, asset.id, revision=2, command=command())
    assert stored().outcome.result == {"what": assets.UPLOADED}


def test_what_a_version_came_to_show_is_brought_back(table: str) -> None:
    """Another service knows nothing of our links: it may show what is deleted."""
    asset = stored()
    deleted(asset)
    put_theme(ANDINA, 4, assets=[f"ASSET#{asset.id}"])
    with in_a_month():
        assert run_due() == ["restored: v4 uses it"]
        assert run_due() == []
    assert listed() == [asset.id] and not queries.asset_state(ANDINA, asset.id).asset.is_deleted  # type: ignore[union-attr]
    assert storage.exists(str(asset.file_name))


def test_while_it_is_removed_nobody_can_bring_it_back(
    table: str, command: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    asset = stored()
    gone = deleted(asset)
    remove, told = storage.remove, []

    def removing(name: str) -> None:
        monkeypatch.setattr(storage, "remove", remove)
        acts: list[Callable[[], object]] = [
            stored,
            lambda: assets.restore(ANDINA, asset.id, revision=gone.revision, command=command()),
            lambda: assets.restore(ANDINA, asset.id, revision=gone.revision + 1, command=command()),
        ]
        for act in acts:
            with pytest.raises(DomainError) as refusal:
                act()
            told.append(type(refusal.value))
        remove(name)

    monkeypatch.setattr(storage, "remove", removing)
    with in_a_month():
        assert run_due() == [f"removed {asset.file_name}"]
    assert told == [Refused, Conflict, Conflict]
    assert stored().outcome.result == {"what": assets.UPLOADED} and storage.exists(str(asset.file_name))


def test_an_upload_that_began_before_the_removal_begins_again(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has read the deleted item and written the file; then the file goes, and the item."""
    asset = stored()
    deleted(asset)
    putting, puts = storage.put, []

    def slowly(name: str, content: bytes) -> None:
        putting(name, content)
        puts.append(name)
        if len(puts) == 2:
            with in_a_month():
                assert run_due() == [f"removed {asset.file_name}"]

    monkeypatch.setattr(storage, "put", slowly)
    assert stored().outcome.result == {"what": assets.UPLOADED}
    assert len(puts) == 4
    assert storage.exists(str(asset.file_name)) and listed() == [asset.id]


@pytest.mark.parametrize("breaks", ["remove", "delete"])
def test_whoever_breaks_off_is_followed_by_the_next_run(
    table: str, folder: Path, monkeypatch: pytest.MonkeyPatch, breaks: str
) -> None:
    asset = stored()
    deleted(asset)
    with monkeypatch.context() as patch, in_a_month():
        target, name = (storage, "remove") if breaks == "remove" else (Transaction, "commit")
        patch.setattr(target, name, lambda *_: (_ for _ in ()).throw(RuntimeError("power cut")))
        (told,) = run_due()
        assert "power cut" in told
    with frozen(now() + assets.RESTORABLE_FOR * 2):
        assert run_due() == [f"removed {asset.file_name}"]
    assert load_raw(asset.key) is None and on_disk(folder) == set()


def test_brought_back_in_the_moment_of_the_removal_it_stays(
    table: str, command: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    asset = stored()
    gone = deleted(asset)
    touch = write.update

    def slowly(*args: Any) -> Any:
        if args[0] == asset.key and any("purging" in str(action) for action in args[1]):
            assets.restore(ANDINA, asset.id, revision=gone.revision, command=command())
        return touch(*args)

    monkeypatch.setattr(write, "update", slowly)
    with in_a_month():
        (told,) = run_due()
    assert "Conflict" in told
    assert listed() == [asset.id] and storage.exists(str(asset.file_name))
    assert Item.gsistatuspk.attr_name not in (load_raw(asset.key) or {})
