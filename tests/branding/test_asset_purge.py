"""A deleted file is removed for good after thirty days, also when something happens at that moment."""

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
from tests.branding.asset_helpers import ANDINA, delete_asset, listed_asset_ids, stored_paths
from tests.branding.pictures import upload_asset
from tests.branding.theme_factory import put_theme
from tests.table.notes import load_raw

NewCommand = Callable[[], Command]


@pytest.fixture(autouse=True)
def temporary_storage(folder: Path) -> Path:
    return folder


def run_due() -> list[str]:
    return [each.text for each in runner.run() if each.task.startswith("asset ")]


def after_the_restore_period() -> Any:
    return frozen(now() + assets.RESTORABLE_FOR)


def test_a_deleted_file_is_removed_after_thirty_days(table: str, folder: Path, command: NewCommand) -> None:
    asset, other = upload_asset(), upload_asset(number=1)
    delete_asset(asset)
    assert run_due() == []
    with after_the_restore_period():
        assert run_due() == [f"removed {asset.file_name}"]
        assert run_due() == []
    assert load_raw(asset.key) is None
    assert stored_paths(folder) == {str(other.file_name), storage.thumbnail_of(str(other.file_name))}
    entry = queries.asset_history(ANDINA, asset.id)[0]
    assert (entry.action, (entry.actor or {})["email"]) == ("asset.purge", "system")
    with pytest.raises(NotFound):
        assets.restore(ANDINA, asset.id, revision=2, command=command())
    assert upload_asset().outcome.result == {"what": assets.UPLOADED}


def test_a_deleted_file_that_a_version_uses_is_restored_instead(table: str) -> None:
    """An outside writer does not know our links and may use a deleted file."""
    asset = upload_asset()
    delete_asset(asset)
    put_theme(ANDINA, 4, assets=[f"ASSET#{asset.id}"])
    with after_the_restore_period():
        assert run_due() == ["restored: v4 uses it"]
        assert run_due() == []
    assert listed_asset_ids() == [asset.id] and not queries.asset_state(ANDINA, asset.id).asset.is_deleted  # type: ignore[union-attr]
    assert storage.exists(str(asset.file_name))


def test_a_file_cannot_be_restored_during_its_removal(
    table: str, command: NewCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    asset = upload_asset()
    gone = delete_asset(asset)
    remove, errors = storage.remove, []

    def act_then_remove(name: str) -> None:
        monkeypatch.setattr(storage, "remove", remove)
        attempts: list[Callable[[], object]] = [
            upload_asset,
            lambda: assets.restore(ANDINA, asset.id, revision=gone.revision, command=command()),
            lambda: assets.restore(ANDINA, asset.id, revision=gone.revision + 1, command=command()),
        ]
        for attempt in attempts:
            with pytest.raises(DomainError) as refusal:
                attempt()
            errors.append(type(refusal.value))
        remove(name)

    monkeypatch.setattr(storage, "remove", act_then_remove)
    with after_the_restore_period():
        assert run_due() == [f"removed {asset.file_name}"]
    assert errors == [Refused, Conflict, Conflict]
    assert upload_asset().outcome.result == {"what": assets.UPLOADED} and storage.exists(str(asset.file_name))


def test_an_upload_starts_again_if_the_file_is_removed_meanwhile(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The upload has read the deleted item and written the file; then the purge removes both."""
    asset = upload_asset()
    delete_asset(asset)
    put, puts = storage.put, []

    def put_then_purge(name: str, content: bytes) -> None:
        put(name, content)
        puts.append(name)
        if len(puts) == 2:
            with after_the_restore_period():
                assert run_due() == [f"removed {asset.file_name}"]

    monkeypatch.setattr(storage, "put", put_then_purge)
    assert upload_asset().outcome.result == {"what": assets.UPLOADED}
    assert len(puts) == 4
    assert storage.exists(str(asset.file_name)) and listed_asset_ids() == [asset.id]


@pytest.mark.parametrize("breaks", ["remove", "delete"])
def test_the_next_run_completes_an_interrupted_removal(
    table: str, folder: Path, monkeypatch: pytest.MonkeyPatch, breaks: str
) -> None:
    asset = upload_asset()
    delete_asset(asset)
    with monkeypatch.context() as patch, after_the_restore_period():
        target, name = (storage, "remove") if breaks == "remove" else (Transaction, "commit")
        patch.setattr(target, name, lambda *_: (_ for _ in ()).throw(RuntimeError("power cut")))
        (result,) = run_due()
        assert "power cut" in result
    with frozen(now() + assets.RESTORABLE_FOR * 2):
        assert run_due() == [f"removed {asset.file_name}"]
    assert load_raw(asset.key) is None and stored_paths(folder) == set()


def test_a_file_restored_just_before_its_removal_stays(
    table: str, command: NewCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    asset = upload_asset()
    gone = delete_asset(asset)
    update = write.update

    def restore_then_update(*args: Any) -> Any:
        if args[0] == asset.key and any("purging" in str(action) for action in args[1]):
            assets.restore(ANDINA, asset.id, revision=gone.revision, command=command())
        return update(*args)

    monkeypatch.setattr(write, "update", restore_then_update)
    with after_the_restore_period():
        (result,) = run_due()
    assert "Conflict" in result
    assert listed_asset_ids() == [asset.id] and storage.exists(str(asset.file_name))
    assert Item.gsistatuspk.attr_name not in (load_raw(asset.key) or {})
