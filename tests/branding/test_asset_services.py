"""Files are kept once, deleted only while no version shows them, and brought back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from branding import queries, storage
from branding.items import Role
from branding.services import assets, drafts
from dashboard.core.clock import frozen, now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.audit.sentences import history_line
from dashboard.table import keys
from dashboard.table.commands import Command
from tests.branding.asset_helpers import ANDINA, SEED, a_draft, deleted, history, listed, on_disk
from tests.branding.pictures import picture, stored
from tests.branding.theme_factory import publish, put_theme, reloaded
from tests.conftest import every_engine
from tests.table.notes import load_raw, put

New = Callable[[], Command]


@pytest.fixture(autouse=True)
def files_here(folder: Path) -> Path:
    return folder


def test_a_file_is_kept_with_all_that_the_seed_says_and_more(table: str, folder: Path) -> None:
    taken = picture(1)
    asset = stored(number=1, name="Logo of 2025.png")
    raw, link = load_raw(asset.key), load_raw(keys.ASSET_LINK.key(tenant=ANDINA, asset=asset.id))
    assert raw is not None and link is not None
    assert asset.id == f"andina-{taken.source[:32]}"
    for name in ("type", "businessId", "assetType", "uri", "checksum", "updatedAt"):
        assert raw[name]["S"]
    assert (raw["type"]["S"], raw["businessId"]["S"], raw["assetType"]["S"]) == ("ASSET", ANDINA, "logo")
    assert raw["checksum"]["S"] == f"sha256:{taken.checksum}"
    assert (link["type"]["S"], link["scope"]["S"]) == ("ASSET_LINK", "theme")
    assert link["uri"] == raw["uri"] and "GSIStatusPK" not in raw
    name = f"branding/andina/{taken.source}.png"
    assert on_disk(folder) == {name, storage.thumbnail_of(name)}
    assert (storage.read(name), storage.read(storage.thumbnail_of(name))) == (taken.content, taken.thumbnail)
    (entry,) = queries.asset_history(ANDINA, asset.id)
    assert history_line(entry).what == "uploaded the file Logo of 2025.png"


def test_the_same_file_is_one_asset_and_told_so(table: str) -> None:
    first, again = stored(name="a.png"), stored(name="b.png", role=Role.ICON)
    assert (first.outcome.result, first.outcome.is_no_change) == ({"what": assets.UPLOADED}, False)
    assert (again.id, again.outcome.result, again.outcome.is_no_change) == (
        first.id,
        {"what": assets.ALREADY_STORED},
        True,
    )
    assert (again.name, again.asset_type, again.revision) == ("a.png", "logo", 1)
    assert listed() == [first.id] and history(first) == ["asset.upload"]


def test_the_same_form_sent_again_is_told_as_the_first_time(table: str, command: New) -> None:
    once = command()
    for _ in range(2):
        asset = assets.upload(ANDINA, picture(), name="a.png", role=Role.LOGO, command=once)
        assert (asset.outcome.result, asset.outcome.is_no_change) == ({"what": assets.UPLOADED}, False)
    assert history(asset) == ["asset.upload"]


def test_two_businesses_with_the_same_file_have_one_each(table: str) -> None:
    ours, theirs = stored(ANDINA), stored("harbour")
    assert ours.id != theirs.id and ours.uri != theirs.uri
    assert listed(ANDINA) == [ours.id] and listed("harbour") == [theirs.id]
    deleted(ours)
    assert storage.exists(str(theirs.file_name))


def test_a_file_whose_content_was_lost_is_kept_anew(table: str, folder: Path) -> None:
    asset = stored()
    storage.remove(str(asset.file_name))
    again = stored()
    assert (again.id, again.outcome.result) == (asset.id, {"what": assets.RESTORED})
    assert storage.exists(str(asset.file_name)) and listed() == [asset.id]


def test_two_hundred_files_are_the_most(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MAX_FILES", 3)
    kept = [stored(number=number) for number in range(3)]
    with pytest.raises(Refused, match="up to 3 files") as full:
        stored(number=3)
    assert full.value.field == "file"
    # The same file again adds none, and where one is deleted there is room.
    assert stored(number=0).outcome.is_no_change
    deleted(kept[2])
    stored(number=3)
    with pytest.raises(Refused):
        stored(number=2)


@every_engine
def test_deleted_and_brought_back(table: str, command: New) -> None:
    asset = stored()
    gone = deleted(asset)
    assert listed() == [] and queries.asset_state(ANDINA, asset.id).link is None
    raw = load_raw(asset.key) or {}
    assert raw["GSIStatusPK"]["S"] == "DUE" and raw["GSIStatusSK"] == raw["dueAt"]
    assert storage.exists(str(asset.file_name))
    back = assets.restore(ANDINA, asset.id, revision=gone.revision, command=command())
    assert not back.is_deleted and listed() == [asset.id]
    raw = load_raw(asset.key) or {}
    assert not {"GSIStatusPK", "GSIStatusSK", "dueAt", "deletedAt"} & raw.keys()
    assert history(asset) == ["asset.restore", "asset.delete", "asset.upload"]


def test_uploaded_again_a_deleted_file_is_back(table: str) -> None:
    asset = stored(name="old.png")
    deleted(asset)
    back = stored(name="new.png", role=Role.BANNER)
    assert (back.id, back.outcome.result) == (asset.id, {"what": assets.RESTORED})
    assert (back.name, back.asset_type, back.is_deleted) == ("new.png", "banner", False)
    assert listed() == [asset.id]


def test_a_file_that_a_version_shows_stays_and_the_versions_are_named(table: str, command: New) -> None:
    asset = stored()
    theme = a_draft(logo=asset.id)
    with pytest.raises(assets.AssetInUse, match="used by v1") as refusal:
        deleted(asset)
    assert refusal.value.versions == [1]
    for number in range(7):
        drafts.create(ANDINA, source=1, name=f"{number}", command=command())
    with pytest.raises(assets.AssetInUse, match="v8, v7, v6, v5, v4 …"):
        deleted(asset)
    assert listed() == [asset.id] and history(asset) == ["asset.upload"]
    assert reloaded(theme).asset_ids == [asset.id]


def test_discarded_it_still_counts_until_the_version_is_gone(table: str, command: New) -> None:
    asset = stored()
    theme = a_draft(logo=asset.id)
    drafts.discard(ANDINA, theme.number, revision=theme.revision, command=command())
    with pytest.raises(assets.AssetInUse):
        deleted(asset)
    with frozen(now() + drafts.DISCARDED_DELETED_AFTER * 2):
        assert deleted(asset).is_deleted


def test_what_was_ever_published_keeps_its_files(table: str) -> None:
    asset = stored()
    publish(a_draft(logo=asset.id))
    publish(a_draft())
    with frozen(now() + drafts.DELETED_AFTER * 10), pytest.raises(assets.AssetInUse, match="v1"):
        deleted(asset)


@pytest.mark.parametrize("way", ["assets", "assetRoles"])
def test_versions_of_other_services_count_too(table: str, way: str) -> None:
    """They tell the file nothing, so the versions themselves are looked through: all of them."""
    asset = stored()
    shows = {"assets": [f"ASSET#{asset.id}"]} if way == "assets" else {"assetRoles": {"banner": asset.id}}
    put_theme(ANDINA, 3, **shows)
    for number in range(100, 130):
        put_theme(ANDINA, number)
    with pytest.raises(assets.AssetInUse, match="used by v3"):
        deleted(asset)


def test_looking_through_the_versions_reads_every_page(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboard.table import read

    monkeypatch.setattr(read, "FILTER_REQUEST_SIZE", 3)
    asset = stored()
    put_theme(ANDINA, 1, assets=[f"ASSET#{asset.id}"])
    for number in range(2, 40):
        put_theme(ANDINA, number)
    with pytest.raises(assets.AssetInUse):
        deleted(asset)


def test_a_version_of_another_service_that_has_expired_shows_nothing(table: str) -> None:
    asset = stored()
    put_theme(ANDINA, 3, assets=[f"ASSET#{asset.id}"], ttl=int(now().timestamp()) - 5)
    assert deleted(asset).is_deleted


def test_whoever_saw_another_state_is_told(table: str, command: New) -> None:
    asset = stored()
    gone = deleted(asset)
    with pytest.raises(Conflict, match="already deleted"):
        assets.delete(ANDINA, asset.id, revision=gone.revision, command=command())
    back = assets.restore(ANDINA, asset.id, revision=gone.revision, command=command())
    for act, revision in ((assets.delete, 1), (assets.restore, gone.revision), (assets.restore, back.revision)):
        with pytest.raises(Conflict):
            act(ANDINA, asset.id, revision=revision, command=command())
    assert history(asset) == ["asset.restore", "asset.delete", "asset.upload"]


def test_a_file_that_another_service_keeps_is_not_ours_to_delete(table: str, command: New) -> None:
    put(SEED)
    with pytest.raises(Refused, match="only be deleted there"):
        assets.delete(ANDINA, "logo-123", revision=0, command=command())
    assert load_raw(keys.ASSET.key(asset="logo-123")) == SEED
