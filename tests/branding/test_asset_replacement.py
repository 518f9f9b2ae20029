"""Replacing a file: drafts use the new file, published versions keep the old one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from branding import queries
from branding.items import Role
from branding.services import asset_replacement, drafts
from dashboard.core.errors import NotFound, Refused
from dashboard.table.commands import Command
from tests.branding.asset_helpers import ANDINA, a_draft, deleted
from tests.branding.pictures import picture, stored
from tests.branding.theme_factory import publish, put_theme, reloaded

New = Callable[[], Command]


@pytest.fixture(autouse=True)
def files_here(folder: Path) -> Path:
    return folder


def test_drafts_show_the_new_file_and_what_was_published_the_old(table: str, command: New) -> None:
    old, icon = stored(), stored(number=5, role=Role.ICON)
    publish(a_draft(logo=old.id))
    first, second, third = a_draft(logo=old.id), a_draft(logo=old.id, icon=icon.id), a_draft(icon=icon.id)
    gone = drafts.discard(ANDINA, a_draft(logo=old.id).number, revision=1, command=command())
    put_theme(ANDINA, 9, assets=[f"ASSET#{old.id}"], assetRoles={"logo": old.id})
    once = command()
    for _ in range(2):
        done = asset_replacement.replace(ANDINA, old.id, picture(1), name="new.png", command=once)
        assert (sorted(done.changed), done.unchanged, done.skipped) == ([2, 3, 9], [1], [])
    new = done.asset.id
    assert (reloaded(first).assets_by_role, reloaded(first).revision) == ({"logo": new}, 2)
    assert reloaded(second).assets_by_role == {"logo": new, "icon": icon.id}
    assert reloaded(third).revision == third.revision
    assert reloaded(gone).assets_by_role == {"logo": old.id} and reloaded(gone).is_discarded
    assert queries.load_theme(ANDINA, 1).assets_by_role == {"logo": old.id}
    assert queries.load_theme(ANDINA, 9).assets_by_role == {"logo": new}
    links = queries.asset_links_by_id(ANDINA, [old.id, new])
    assert (links[old.id].used_by_versions, links[new].used_by_versions) == ([5, 1], [9, 3, 2])


def test_what_someone_saves_meanwhile_stays(table: str, command: New, monkeypatch: pytest.MonkeyPatch) -> None:
    old = stored()
    theme, save = a_draft(logo=old.id), drafts.save

    def after_someone(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(drafts, "save", save)
        values = {"primaryColor": "#123456"}
        save(
            ANDINA, 1, values=values, files={"logo": old.id}, name="Theirs", revision=theme.revision, command=command()
        )
        return save(*args, **options)

    monkeypatch.setattr(drafts, "save", after_someone)
    done = asset_replacement.replace(ANDINA, old.id, picture(1), name="new.png", command=command())
    after = reloaded(theme)
    assert (done.changed, after.assets_by_role) == ([1], {"logo": done.asset.id})
    assert (after.name, after.style["primaryColor"]) == ("Theirs", "#123456")


def test_a_draft_that_is_published_meanwhile_is_left_as_it_is(
    table: str, command: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = stored()
    theme, save = a_draft(logo=old.id), drafts.save

    def after_someone(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(drafts, "save", save)
        publish(theme)
        return save(*args, **options)

    monkeypatch.setattr(drafts, "save", after_someone)
    done = asset_replacement.replace(ANDINA, old.id, picture(1), name="new.png", command=command())
    assert (done.changed, done.skipped) == ([], [1])
    assert reloaded(theme).assets_by_role == {"logo": old.id} and queries.highest_version(ANDINA) == 1


def test_a_file_is_not_replaced_by_itself(table: str, command: New) -> None:
    old = stored()
    with pytest.raises(Refused, match="the same file"):
        asset_replacement.replace(ANDINA, old.id, picture(), name="x", command=command())
    deleted(old)
    with pytest.raises(NotFound):
        asset_replacement.replace(ANDINA, old.id, picture(1), name="x", command=command())


def test_a_replacement_is_taken_back_where_it_still_can_be(table: str, command: New) -> None:
    old = stored()
    themes = [a_draft(logo=old.id) for _ in range(4)]
    done = asset_replacement.replace(ANDINA, old.id, picture(1), name="new.png", command=command())
    new = done.asset.id
    others = a_draft(logo=new)
    publish(reloaded(themes[1]))
    drafts.save(ANDINA, 3, values={}, files={}, name="", revision=2, command=command())
    once = command()
    for _ in range(2):
        back = asset_replacement.undo_replace(ANDINA, old.id, new, done.changed, command=once)
        assert (sorted(back.changed), back.skipped) == ([1, 4], [2])
    assert [reloaded(theme).assets_by_role.get("logo") for theme in themes] == [old.id, new, None, old.id]
    assert reloaded(others).assets_by_role == {"logo": new}, "it has shown the new file all along"
