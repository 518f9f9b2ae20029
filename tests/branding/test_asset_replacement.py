"""Replacing a file: drafts use the new file, published versions keep the old one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from branding import queries
from branding.items import AssetRole
from branding.services import asset_replacement, drafts
from dashboard.core.errors import NotFound, Refused
from dashboard.table.commands import Command
from tests.branding.asset_helpers import ANDINA, create_draft, delete_asset
from tests.branding.pictures import make_picture, upload_asset
from tests.branding.theme_factory import publish, put_theme, reload

NewCommand = Callable[[], Command]


@pytest.fixture(autouse=True)
def temporary_storage(folder: Path) -> Path:
    return folder


def test_drafts_use_the_new_file_and_published_versions_keep_the_old(table: str, command: NewCommand) -> None:
    old, icon = upload_asset(), upload_asset(number=5, role=AssetRole.ICON)
    publish(create_draft(logo=old.id))
    first, second, third = (
        create_draft(logo=old.id),
        create_draft(logo=old.id, icon=icon.id),
        create_draft(icon=icon.id),
    )
    gone = drafts.discard(ANDINA, create_draft(logo=old.id).number, revision=1, command=command())
    put_theme(ANDINA, 9, assets=[f"ASSET#{old.id}"], assetRoles={"logo": old.id})
    once = command()
    for _ in range(2):
        done = asset_replacement.replace(ANDINA, old.id, make_picture(1), name="new.png", command=once)
        assert (sorted(done.changed), done.unchanged, done.skipped) == ([2, 3, 9], [1], [])
    new = done.asset.id
    assert (reload(first).assets_by_role, reload(first).revision) == ({"logo": new}, 2)
    assert reload(second).assets_by_role == {"logo": new, "icon": icon.id}
    assert reload(third).revision == third.revision
    assert reload(gone).assets_by_role == {"logo": old.id} and reload(gone).is_discarded
    assert queries.load_theme(ANDINA, 1).assets_by_role == {"logo": old.id}
    assert queries.load_theme(ANDINA, 9).assets_by_role == {"logo": new}
    links = queries.asset_links_by_id(ANDINA, [old.id, new])
    assert (links[old.id].used_by_versions, links[new].used_by_versions) == ([5, 1], [9, 3, 2])


def test_a_replacement_keeps_what_a_colleague_saves_meanwhile(
    table: str, command: NewCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = upload_asset()
    theme, save = create_draft(logo=old.id), drafts.save

    def save_after_colleague(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(drafts, "save", save)
        values = {"primaryColor": "#123456"}
        save(
            ANDINA, 1, values=values, files={"logo": old.id}, name="Theirs", revision=theme.revision, command=command()
        )
        return save(*args, **options)

    monkeypatch.setattr(drafts, "save", save_after_colleague)
    done = asset_replacement.replace(ANDINA, old.id, make_picture(1), name="new.png", command=command())
    after = reload(theme)
    assert (done.changed, after.assets_by_role) == ([1], {"logo": done.asset.id})
    assert (after.name, after.style["primaryColor"]) == ("Theirs", "#123456")


def test_a_draft_published_during_the_replacement_keeps_the_old_file(
    table: str, command: NewCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = upload_asset()
    theme, save = create_draft(logo=old.id), drafts.save

    def save_after_colleague(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(drafts, "save", save)
        publish(theme)
        return save(*args, **options)

    monkeypatch.setattr(drafts, "save", save_after_colleague)
    done = asset_replacement.replace(ANDINA, old.id, make_picture(1), name="new.png", command=command())
    assert (done.changed, done.skipped) == ([], [1])
    assert reload(theme).assets_by_role == {"logo": old.id}
    assert [each.number for each in queries.versions(ANDINA).items] == [1]


def test_the_same_file_or_a_deleted_file_cannot_be_replaced(table: str, command: NewCommand) -> None:
    old = upload_asset()
    with pytest.raises(Refused, match="the same file"):
        asset_replacement.replace(ANDINA, old.id, make_picture(), name="x", command=command())
    delete_asset(old)
    with pytest.raises(NotFound):
        asset_replacement.replace(ANDINA, old.id, make_picture(1), name="x", command=command())


def test_undo_restores_the_old_file_in_drafts_that_still_use_the_new_one(table: str, command: NewCommand) -> None:
    old = upload_asset()
    themes = [create_draft(logo=old.id) for _ in range(4)]
    done = asset_replacement.replace(ANDINA, old.id, make_picture(1), name="new.png", command=command())
    new = done.asset.id
    unrelated = create_draft(logo=new)
    publish(reload(themes[1]))
    drafts.save(ANDINA, 3, values={}, files={}, name="", revision=2, command=command())
    once = command()
    for _ in range(2):
        back = asset_replacement.undo_replace(ANDINA, old.id, new, done.changed, command=once)
        assert (sorted(back.changed), back.skipped) == ([1, 4], [2])
    assert [reload(theme).assets_by_role.get("logo") for theme in themes] == [old.id, new, None, old.id]
    assert reload(unrelated).assets_by_role == {"logo": new}, "this draft used the new file from the beginning"
