"""Files are stored once, can be deleted only while no version uses them, and can be restored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from branding import queries, storage
from branding.items import AssetRole
from branding.services import assets, drafts
from dashboard.core.clock import frozen, now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.audit.sentences import history_line
from dashboard.table import keys
from dashboard.table.commands import Command
from tests.branding.asset_helpers import (
    ANDINA,
    SEED_ASSET,
    create_draft,
    delete_asset,
    history_actions,
    listed_asset_ids,
    stored_paths,
)
from tests.branding.pictures import make_picture, upload_asset
from tests.branding.theme_factory import publish, put_theme, reload
from tests.conftest import every_engine
from tests.table.notes import load_raw, put

NewCommand = Callable[[], Command]


@pytest.fixture(autouse=True)
def temporary_storage(folder: Path) -> Path:
    return folder


def test_an_upload_stores_the_attributes_of_the_seed_and_a_thumbnail(table: str, folder: Path) -> None:
    uploaded = make_picture(1)
    asset = upload_asset(number=1, name="Logo of 2025.png")
    raw, link = load_raw(asset.key), load_raw(keys.ASSET_LINK.key(tenant=ANDINA, asset=asset.id))
    assert raw is not None and link is not None
    assert asset.id == f"andina-{uploaded.source[:32]}"
    for name in ("type", "businessId", "assetType", "uri", "checksum", "updatedAt"):
        assert raw[name]["S"]
    assert (raw["type"]["S"], raw["businessId"]["S"], raw["assetType"]["S"]) == ("ASSET", ANDINA, "logo")
    assert raw["checksum"]["S"] == f"sha256:{uploaded.checksum}"
    assert (link["type"]["S"], link["scope"]["S"]) == ("ASSET_LINK", "theme")
    assert link["uri"] == raw["uri"] and "GSIStatusPK" not in raw
    name = f"branding/andina/{uploaded.source}.png"
    assert stored_paths(folder) == {name, storage.thumbnail_of(name)}
    assert (storage.read(name), storage.read(storage.thumbnail_of(name))) == (uploaded.content, uploaded.thumbnail)
    (entry,) = queries.asset_history(ANDINA, asset.id)
    assert history_line(entry).what == "uploaded the file Logo of 2025.png"


def test_uploading_the_same_file_again_changes_nothing(table: str) -> None:
    first, again = upload_asset(name="a.png"), upload_asset(name="b.png", role=AssetRole.ICON)
    assert (first.outcome.result, first.outcome.is_no_change) == ({"what": assets.UPLOADED}, False)
    assert (again.id, again.outcome.result, again.outcome.is_no_change) == (
        first.id,
        {"what": assets.ALREADY_STORED},
        True,
    )
    assert (again.name, again.asset_type, again.revision) == ("a.png", "logo", 1)
    assert listed_asset_ids() == [first.id] and history_actions(first) == ["asset.upload"]


def test_a_repeated_command_reports_the_first_result(table: str, command: NewCommand) -> None:
    once = command()
    for _ in range(2):
        asset = assets.upload(ANDINA, make_picture(), name="a.png", role=AssetRole.LOGO, command=once)
        assert (asset.outcome.result, asset.outcome.is_no_change) == ({"what": assets.UPLOADED}, False)
    assert history_actions(asset) == ["asset.upload"]


def test_the_same_file_is_stored_separately_for_each_business(table: str) -> None:
    ours, theirs = upload_asset(ANDINA), upload_asset("harbour")
    assert ours.id != theirs.id and ours.uri != theirs.uri
    assert listed_asset_ids(ANDINA) == [ours.id] and listed_asset_ids("harbour") == [theirs.id]
    delete_asset(ours)
    assert storage.exists(str(theirs.file_name))


def test_uploading_again_restores_lost_content(table: str, folder: Path) -> None:
    asset = upload_asset()
    storage.remove(str(asset.file_name))
    again = upload_asset()
    assert (again.id, again.outcome.result) == (asset.id, {"what": assets.RESTORED})
    assert storage.exists(str(asset.file_name)) and listed_asset_ids() == [asset.id]


def test_a_business_cannot_exceed_the_maximum_of_files(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MAX_FILES", 3)
    monkeypatch.setattr("branding.queries.assets.MAX_FILES", 3)
    uploaded = [upload_asset(number=number) for number in range(3)]
    with pytest.raises(Refused, match="up to 3 files") as refusal:
        upload_asset(number=3)
    assert refusal.value.field == "file"
    # The same file again does not count, and a deleted file makes room for another.
    assert upload_asset(number=0).outcome.is_no_change
    delete_asset(uploaded[2])
    upload_asset(number=3)
    with pytest.raises(Refused):
        upload_asset(number=2)


@every_engine
def test_delete_and_restore(table: str, command: NewCommand) -> None:
    asset = upload_asset()
    gone = delete_asset(asset)
    assert listed_asset_ids() == [] and queries.asset_state(ANDINA, asset.id).link is None
    raw = load_raw(asset.key) or {}
    assert raw["GSIStatusPK"]["S"] == "DUE" and raw["GSIStatusSK"] == raw["dueAt"]
    assert storage.exists(str(asset.file_name))
    back = assets.restore(ANDINA, asset.id, revision=gone.revision, command=command())
    assert not back.is_deleted and listed_asset_ids() == [asset.id]
    raw = load_raw(asset.key) or {}
    assert not {"GSIStatusPK", "GSIStatusSK", "dueAt", "deletedAt"} & raw.keys()
    assert history_actions(asset) == ["asset.restore", "asset.delete", "asset.upload"]


def test_uploading_a_deleted_file_again_restores_it(table: str) -> None:
    asset = upload_asset(name="old.png")
    delete_asset(asset)
    back = upload_asset(name="new.png", role=AssetRole.BANNER)
    assert (back.id, back.outcome.result) == (asset.id, {"what": assets.RESTORED})
    assert (back.name, back.asset_type, back.is_deleted) == ("new.png", "banner", False)
    assert listed_asset_ids() == [asset.id]


def test_a_file_in_use_cannot_be_deleted_and_the_error_names_the_versions(table: str, command: NewCommand) -> None:
    asset = upload_asset()
    theme = create_draft(logo=asset.id)
    with pytest.raises(assets.AssetInUse, match="used by v1") as refusal:
        delete_asset(asset)
    assert refusal.value.versions == [1]
    for number in range(7):
        drafts.create(ANDINA, source=1, name=f"{number}", command=command())
    with pytest.raises(assets.AssetInUse, match="v8, v7, v6, v5, v4 …"):
        delete_asset(asset)
    assert listed_asset_ids() == [asset.id] and history_actions(asset) == ["asset.upload"]
    assert reload(theme).asset_ids == [asset.id]


def test_a_discarded_draft_uses_its_files_until_it_expires(table: str, command: NewCommand) -> None:
    asset = upload_asset()
    theme = create_draft(logo=asset.id)
    drafts.discard(ANDINA, theme.number, revision=theme.revision, command=command())
    with pytest.raises(assets.AssetInUse):
        delete_asset(asset)
    with frozen(now() + drafts.DISCARDED_DELETED_AFTER * 2):
        assert delete_asset(asset).is_deleted


def test_a_version_that_was_ever_published_keeps_its_files(table: str) -> None:
    asset = upload_asset()
    publish(create_draft(logo=asset.id))
    publish(create_draft())
    with frozen(now() + drafts.DELETED_AFTER * 10), pytest.raises(assets.AssetInUse, match="v1"):
        delete_asset(asset)


@pytest.mark.parametrize("attribute", ["assets", "assetRoles"])
def test_a_file_used_by_a_version_of_an_outside_writer_cannot_be_deleted(table: str, attribute: str) -> None:
    """These versions do not update the file's link, so all versions are searched."""
    asset = upload_asset()
    reference = {"assets": [f"ASSET#{asset.id}"]} if attribute == "assets" else {"assetRoles": {"banner": asset.id}}
    put_theme(ANDINA, 3, **reference)
    for number in range(100, 130):
        put_theme(ANDINA, number)
    with pytest.raises(assets.AssetInUse, match="used by v3"):
        delete_asset(asset)


def test_the_search_for_versions_in_use_reads_every_page(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboard.table import read

    monkeypatch.setattr(read, "FILTER_REQUEST_SIZE", 3)
    asset = upload_asset()
    put_theme(ANDINA, 1, assets=[f"ASSET#{asset.id}"])
    for number in range(2, 40):
        put_theme(ANDINA, number)
    with pytest.raises(assets.AssetInUse):
        delete_asset(asset)


def test_an_expired_version_of_an_outside_writer_does_not_count(table: str) -> None:
    asset = upload_asset()
    put_theme(ANDINA, 3, assets=[f"ASSET#{asset.id}"], ttl=int(now().timestamp()) - 5)
    assert delete_asset(asset).is_deleted


def test_an_outdated_revision_is_a_conflict(table: str, command: NewCommand) -> None:
    asset = upload_asset()
    gone = delete_asset(asset)
    with pytest.raises(Conflict, match="already deleted"):
        assets.delete(ANDINA, asset.id, revision=gone.revision, command=command())
    back = assets.restore(ANDINA, asset.id, revision=gone.revision, command=command())
    for act, revision in ((assets.delete, 1), (assets.restore, gone.revision), (assets.restore, back.revision)):
        with pytest.raises(Conflict):
            act(ANDINA, asset.id, revision=revision, command=command())
    assert history_actions(asset) == ["asset.restore", "asset.delete", "asset.upload"]


def test_a_file_stored_by_another_service_cannot_be_deleted(table: str, command: NewCommand) -> None:
    put(SEED_ASSET)
    with pytest.raises(Refused, match="only be deleted there"):
        assets.delete(ANDINA, "logo-123", revision=0, command=command())
    assert load_raw(keys.ASSET.key(asset="logo-123")) == SEED_ASSET
