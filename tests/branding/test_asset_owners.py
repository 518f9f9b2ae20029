"""Whose a file is, and what a version may show."""

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
from tests.branding.asset_helpers import ANDINA, a_draft, deleted, listed
from tests.branding.pictures import picture, stored
from tests.branding.theme_factory import publish, put_theme, reloaded
from tests.conftest import ACTOR
from tests.table.notes import load_raw

New = Callable[[], Command]


@pytest.fixture(autouse=True)
def files_here(folder: Path) -> Path:
    return folder


def act_on(asset: str, command: Command) -> list[Callable[[], object]]:
    return [
        lambda: assets.delete(ANDINA, asset, revision=1, command=command),
        lambda: assets.restore(ANDINA, asset, revision=2, command=command),
        lambda: asset_replacement.replace(ANDINA, asset, picture(9), name="x", command=command),
    ]


@pytest.mark.parametrize("bound", [False, True])
def test_the_neighbours_file_is_not_there(table: str, command: New, bound: bool) -> None:
    theirs = stored("harbour")
    before = load_raw(theirs.key)
    for act in act_on(theirs.id, command()):
        with pytest.raises(NotFound):
            if bound:
                with tenancy.bind(tenancy.Binding(ANDINA, ACTOR.email)):
                    act()
            else:
                act()
    assert load_raw(theirs.key) == before and listed("harbour") == [theirs.id]


def test_the_neighbours_file_cannot_be_shown(table: str, command: New) -> None:
    theirs, ours = stored("harbour"), stored(ANDINA)
    with pytest.raises(Refused, match="no longer exists"):
        a_draft(logo=theirs.id)
    theme = a_draft(logo=ours.id)
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
    assert reloaded(theme).asset_ids == [ours.id] and reloaded(theme).revision == theme.revision
    assert queries.asset_links_by_id("harbour", [theirs.id])[theirs.id].used_by_versions == []


def test_everything_works_bound_to_the_business(table: str, command: New) -> None:
    """As in a request: each write at a file's key says whose it is."""
    with tenancy.bind(tenancy.Binding(ANDINA, ACTOR.email)):
        asset = stored()
        assert a_draft(logo=asset.id).asset_ids == [asset.id]
        other = stored(number=1)
        gone = deleted(other)
        assets.restore(ANDINA, other.id, revision=gone.revision, command=command())
        done = asset_replacement.replace(ANDINA, asset.id, picture(2), name="x.png", command=command())
        assert done.changed == [1]


def test_a_version_taken_over_a_moment_ago_does_not_bring_a_deleted_file_with_it(
    table: str, command: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone makes a draft of v1; meanwhile v1 lets go of its logo, and the logo is deleted."""
    asset = stored()
    theme = a_draft(logo=asset.id)
    record_usage = asset_usage.record_usage

    def slowly(*args: Any, **options: Any) -> None:
        monkeypatch.setattr(asset_usage, "record_usage", record_usage)
        drafts.save(ANDINA, 1, values={}, files={}, name="", revision=theme.revision, command=command())
        deleted(asset)
        record_usage(*args, **options)

    monkeypatch.setattr(asset_usage, "record_usage", slowly)
    with pytest.raises(Refused, match="no longer exists"):
        drafts.create(ANDINA, source=1, command=command())
    assert queries.highest_version(ANDINA) == 1


def test_a_version_that_has_long_shown_what_is_gone_can_still_be_changed(table: str, command: New) -> None:
    asset = stored()
    put_theme(ANDINA, 1, assets=["ASSET#logo-9", f"ASSET#{asset.id}"], status="discarded", ttl=1)
    deleted(asset)
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


def test_a_version_of_another_service_with_many_files_can_be_published(table: str, command: New) -> None:
    """A transaction has room for three; the others are found when someone wants to delete them."""
    many = [stored(number=number) for number in range(9)]
    put_theme(ANDINA, 1, assets=[f"ASSET#{each.id}" for each in many])
    theme = drafts.create(ANDINA, source=1, command=command())
    publish(theme)
    assert (
        publishing.publish(ANDINA, 1, expected_live_version=2, accept_low_contrast=True, command=command()).version == 1
    )
    for each in many:
        with pytest.raises(assets.AssetInUse):
            deleted(each)
