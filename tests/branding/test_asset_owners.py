"""Files belong to one business, and a version can use only the files of its business."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from branding import queries
from branding.services import asset_replacement, asset_usage, assets, drafts, publishing
from dashboard.core.clock import frozen, now
from dashboard.core.errors import NotFound, Refused
from dashboard.table import tenancy
from dashboard.table.commands import Command
from tests.branding.asset_helpers import ANDINA, create_draft, delete_asset, listed_asset_ids
from tests.branding.pictures import make_picture, upload_asset
from tests.branding.theme_factory import publish, put_theme, reload
from tests.conftest import ACTOR
from tests.table.notes import load_raw

NewCommand = Callable[[], Command]


@pytest.fixture(autouse=True)
def temporary_storage(folder: Path) -> Path:
    return folder


def actions_on(asset: str, command: Command) -> list[Callable[[], object]]:
    return [
        lambda: assets.delete(ANDINA, asset, revision=1, command=command),
        lambda: assets.restore(ANDINA, asset, revision=2, command=command),
        lambda: asset_replacement.replace(ANDINA, asset, make_picture(9), name="x", command=command),
    ]


@pytest.mark.parametrize("bound", [False, True])
def test_actions_on_a_file_of_another_business_raise_not_found(table: str, command: NewCommand, bound: bool) -> None:
    theirs = upload_asset("harbour")
    before = load_raw(theirs.key)
    for act in actions_on(theirs.id, command()):
        with pytest.raises(NotFound):
            if bound:
                with tenancy.bind(tenancy.Binding(ANDINA, ACTOR.email)):
                    act()
            else:
                act()
    assert load_raw(theirs.key) == before and listed_asset_ids("harbour") == [theirs.id]


def test_a_version_cannot_use_a_file_of_another_business(table: str, command: NewCommand) -> None:
    theirs, ours = upload_asset("harbour"), upload_asset(ANDINA)
    with pytest.raises(Refused, match="no longer exists"):
        create_draft(logo=theirs.id)
    theme = create_draft(logo=ours.id)
    with pytest.raises(Refused):
        drafts.save(
            ANDINA,
            theme.number,
            values={},
            files={"logo": theirs.id},
            name="",
            revision=theme.revision,
            command=command(),
        )
    assert reload(theme).asset_ids == [ours.id] and reload(theme).revision == theme.revision
    assert queries.asset_links_by_id("harbour", [theirs.id])[theirs.id].used_by_versions == []


def test_file_actions_work_while_bound_to_the_business(table: str, command: NewCommand) -> None:
    """As in a request: each write of a file includes its business."""
    with tenancy.bind(tenancy.Binding(ANDINA, ACTOR.email)):
        asset = upload_asset()
        assert create_draft(logo=asset.id).asset_ids == [asset.id]
        other = upload_asset(number=1)
        gone = delete_asset(other)
        assets.restore(ANDINA, other.id, revision=gone.revision, command=command())
        done = asset_replacement.replace(ANDINA, asset.id, make_picture(2), name="x.png", command=command())
        assert done.changed == [1]


def test_a_copied_draft_cannot_use_a_file_deleted_during_the_copy(
    table: str, command: NewCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone copies v1 into a draft; meanwhile v1 stops using its logo, and the logo is deleted."""
    asset = upload_asset()
    theme = create_draft(logo=asset.id)
    record_usage = asset_usage.record_usage

    def delete_then_record(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(asset_usage, "record_usage", record_usage)
        drafts.save(ANDINA, 1, values={}, files={}, name="", revision=theme.revision, command=command())
        delete_asset(asset)
        return record_usage(*args, **options)

    monkeypatch.setattr(asset_usage, "record_usage", delete_then_record)
    with pytest.raises(Refused, match="no longer exists"):
        drafts.create(ANDINA, source=1, command=command())
    assert [theme.number for theme in queries.versions(ANDINA).items] == [1]


def test_a_version_with_files_deleted_long_ago_can_still_be_saved(table: str, command: NewCommand) -> None:
    asset = upload_asset()
    put_theme(ANDINA, 1, assets=["ASSET#logo-9", f"ASSET#{asset.id}"], status="discarded", ttl=1)
    delete_asset(asset)
    put_theme(ANDINA, 1, assets=["ASSET#logo-9", f"ASSET#{asset.id}"])
    with frozen(now() + asset_usage._RECENT * 2):
        saved = drafts.save(
            ANDINA,
            1,
            values={"primaryColor": "#123456"},
            files={"logo": "logo-9"},
            name="",
            revision=0,
            command=command(),
        )
    assert saved.asset_ids == ["logo-9", asset.id]


def test_a_version_of_an_outside_writer_with_many_files_can_be_published(table: str, command: NewCommand) -> None:
    """A transaction has room for three files; the others are found by a search when someone deletes them."""
    many = [upload_asset(number=number) for number in range(9)]
    put_theme(ANDINA, 1, assets=[f"ASSET#{each.id}" for each in many])
    theme = drafts.create(ANDINA, source=1, command=command())
    publish(theme)
    assert (
        publishing.publish(ANDINA, 1, expected_live_version=2, accept_low_contrast=True, command=command()).version == 1
    )
    for each in many:
        with pytest.raises(assets.AssetInUse):
            delete_asset(each)
