"""Files: kept once, deleted only while no version shows them, brought back, replaced, and in the end gone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from branding import queries, storage
from branding.items import Asset, Role
from branding.services import assets, drafts, publishing, replacing, uses
from dashboard.audit.words import tell
from dashboard.clock import frozen, now
from dashboard.due import runner
from dashboard.errors import Conflict, DomainError, NotFound, Refused
from dashboard.table import keys, tenancy, write
from dashboard.table.items import Item
from dashboard.table.operations import Operation, new_operation
from dashboard.table.transactions import Transaction
from tests.branding.making import now_is, publish, put_theme
from tests.branding.pictures import picture, stored
from tests.conftest import ALMA, every_engine
from tests.table.notes import on_the_wire, put

New = Callable[[], Operation]
ANDINA = "andina"


@pytest.fixture(autouse=True)
def files_here(folder: Path) -> Path:
    return folder


def listed(tenant: str = ANDINA) -> list[str]:
    return [link.id for link in queries.files(tenant).items]


def deleted(asset: Asset) -> Asset:
    return assets.delete(ANDINA, asset.id, seen=asset.seen, operation=new_operation(ALMA))


def history(asset: Asset) -> list[str | None]:
    return [entry.action for entry in queries.history_of_file(ANDINA, asset.id)]


def a_draft(**files: str) -> Any:
    return drafts.create(ANDINA, files=files, operation=new_operation(ALMA))


def on_disk(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


# --- Uploading -----------------------------------------------------------------------------------
@every_engine
def test_a_file_is_kept_with_all_that_the_seed_says_and_more(table: str, folder: Path) -> None:
    taken = picture(1)
    asset = stored(number=1, name="Logo of 2025.png")
    raw, link = on_the_wire(asset.key), on_the_wire(keys.ASSET_LINK.key(tenant=ANDINA, asset=asset.id))
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
    (entry,) = queries.history_of_file(ANDINA, asset.id)
    assert tell(entry).what == "uploaded the file Logo of 2025.png"


def test_the_same_file_is_one_asset_and_told_so(table: str) -> None:
    first, again = stored(name="a.png"), stored(name="b.png", role=Role.ICON)
    assert (first.outcome.result, first.outcome.nothing) == ({"what": assets.NEW}, False)
    assert (again.id, again.outcome.result, again.outcome.nothing) == (first.id, {"what": assets.HERE}, True)
    assert (again.name, again.asset_type, again.seen) == ("a.png", "logo", 1)
    assert listed() == [first.id] and history(first) == ["asset.upload"]


def test_the_same_form_sent_again_is_told_as_the_first_time(table: str, operation: New) -> None:
    once = operation()
    for _ in range(2):
        asset = assets.upload(ANDINA, picture(), name="a.png", role=Role.LOGO, operation=once)
        assert (asset.outcome.result, asset.outcome.nothing) == ({"what": assets.NEW}, False)
    assert history(asset) == ["asset.upload"]


def test_two_businesses_with_the_same_file_have_one_each(table: str) -> None:
    ours, theirs = stored(ANDINA), stored("harbour")
    assert ours.id != theirs.id and ours.uri != theirs.uri
    assert listed(ANDINA) == [ours.id] and listed("harbour") == [theirs.id]
    deleted(ours)
    assert storage.is_there(str(theirs.file_name))


def test_a_file_whose_content_was_lost_is_kept_anew(table: str, folder: Path) -> None:
    asset = stored()
    storage.remove(str(asset.file_name))
    again = stored()
    assert (again.id, again.outcome.result) == (asset.id, {"what": assets.BACK})
    assert storage.is_there(str(asset.file_name)) and listed() == [asset.id]


def test_two_hundred_files_are_the_most(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MOST_FILES", 3)
    kept = [stored(number=number) for number in range(3)]
    with pytest.raises(Refused, match="has 3 files") as full:
        stored(number=3)
    assert full.value.field == "file"
    # The same file again adds none, and where one is deleted there is room.
    assert stored(number=0).outcome.nothing
    deleted(kept[2])
    stored(number=3)
    with pytest.raises(Refused):
        stored(number=2)


# --- Deleting and bringing back ------------------------------------------------------------------
@every_engine
def test_deleted_and_brought_back(table: str, operation: New) -> None:
    asset = stored()
    gone = deleted(asset)
    assert listed() == [] and queries.find_file(ANDINA, asset.id).link is None
    raw = on_the_wire(asset.key) or {}
    assert raw["GSIStatusPK"]["S"] == "DUE" and raw["GSIStatusSK"] == raw["dueAt"]
    assert storage.is_there(str(asset.file_name))
    back = assets.restore(ANDINA, asset.id, seen=gone.seen, operation=operation())
    assert not back.is_deleted and listed() == [asset.id]
    raw = on_the_wire(asset.key) or {}
    assert not {"GSIStatusPK", "GSIStatusSK", "dueAt", "deletedAt"} & raw.keys()
    assert history(asset) == ["asset.restore", "asset.delete", "asset.upload"]


def test_uploaded_again_a_deleted_file_is_back(table: str) -> None:
    asset = stored(name="old.png")
    deleted(asset)
    back = stored(name="new.png", role=Role.BANNER)
    assert (back.id, back.outcome.result) == (asset.id, {"what": assets.BACK})
    assert (back.name, back.asset_type, back.is_deleted) == ("new.png", "banner", False)
    assert listed() == [asset.id]


def test_a_file_that_a_version_shows_stays_and_the_versions_are_named(table: str, operation: New) -> None:
    asset = stored()
    theme = a_draft(logo=asset.id)
    with pytest.raises(assets.InUse, match="shown by v1 and stays") as refusal:
        deleted(asset)
    assert refusal.value.versions == [1]
    for number in range(7):
        drafts.create(ANDINA, source=1, name=f"{number}", operation=operation())
    with pytest.raises(assets.InUse, match="v8, v7, v6, v5, v4 …"):
        deleted(asset)
    assert listed() == [asset.id] and history(asset) == ["asset.upload"]
    assert now_is(theme).files == [asset.id]


def test_discarded_it_still_counts_until_the_version_is_gone(table: str, operation: New) -> None:
    asset = stored()
    theme = a_draft(logo=asset.id)
    drafts.discard(ANDINA, theme.number, seen=theme.seen, operation=operation())
    with pytest.raises(assets.InUse):
        deleted(asset)
    with frozen(now() + drafts.DISCARDED_FOR * 2):
        assert deleted(asset).is_deleted


def test_what_was_ever_published_keeps_its_files(table: str) -> None:
    asset = stored()
    publish(a_draft(logo=asset.id))
    publish(a_draft())
    with frozen(now() + drafts.ARCHIVED_AFTER * 10), pytest.raises(assets.InUse, match="v1"):
        deleted(asset)


@every_engine
@pytest.mark.parametrize("way", ["assets", "assetRoles"])
def test_versions_of_other_services_count_too(table: str, way: str) -> None:
    """They tell the file nothing, so the versions themselves are looked through: all of them."""
    asset = stored()
    shows = {"assets": [f"ASSET#{asset.id}"]} if way == "assets" else {"assetRoles": {"banner": asset.id}}
    put_theme(ANDINA, 3, **shows)
    for number in range(100, 130):
        put_theme(ANDINA, number)
    with pytest.raises(assets.InUse, match="shown by v3 and"):
        deleted(asset)


def test_looking_through_the_versions_reads_every_page(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboard.table import read

    monkeypatch.setattr(read, "LOOK", 3)
    asset = stored()
    put_theme(ANDINA, 1, assets=[f"ASSET#{asset.id}"])
    for number in range(2, 40):
        put_theme(ANDINA, number)
    with pytest.raises(assets.InUse):
        deleted(asset)


def test_a_version_of_another_service_that_has_expired_shows_nothing(table: str) -> None:
    asset = stored()
    put_theme(ANDINA, 3, assets=[f"ASSET#{asset.id}"], ttl=int(now().timestamp()) - 5)
    assert deleted(asset).is_deleted


def test_whoever_saw_another_state_is_told(table: str, operation: New) -> None:
    asset = stored()
    gone = deleted(asset)
    with pytest.raises(Conflict, match="deleted already"):
        assets.delete(ANDINA, asset.id, seen=gone.seen, operation=operation())
    back = assets.restore(ANDINA, asset.id, seen=gone.seen, operation=operation())
    for act, seen in ((assets.delete, 1), (assets.restore, gone.seen), (assets.restore, back.seen)):
        with pytest.raises(Conflict):
            act(ANDINA, asset.id, seen=seen, operation=operation())
    assert history(asset) == ["asset.restore", "asset.delete", "asset.upload"]


SEED = {
    "PK": {"S": "ASSET#logo-123"},
    "SK": {"S": "META"},
    "type": {"S": "ASSET"},
    "businessId": {"S": ANDINA},
    "assetType": {"S": "logo"},
    "uri": {"S": "s3://intrale-branding/assets/logo-123.png"},
    "checksum": {"S": "md5:abcdef"},
    "updatedAt": {"S": "2025-09-18T12:45:00Z"},
}


def test_a_file_that_another_service_keeps_is_not_ours_to_delete(table: str, operation: New) -> None:
    put(SEED)
    with pytest.raises(Refused, match="only be deleted there"):
        assets.delete(ANDINA, "logo-123", seen=0, operation=operation())
    assert on_the_wire(keys.ASSET.key(asset="logo-123")) == SEED


# --- Whose it is ---------------------------------------------------------------------------------
def act_on(asset: str, operation: Operation) -> list[Callable[[], object]]:
    return [
        lambda: assets.delete(ANDINA, asset, seen=1, operation=operation),
        lambda: assets.restore(ANDINA, asset, seen=2, operation=operation),
        lambda: replacing.replace(ANDINA, asset, picture(9), name="x", operation=operation),
    ]


@pytest.mark.parametrize("bound", [False, True])
def test_the_neighbours_file_is_not_there(table: str, operation: New, bound: bool) -> None:
    theirs = stored("harbour")
    before = on_the_wire(theirs.key)
    for act in act_on(theirs.id, operation()):
        with pytest.raises(NotFound):
            if bound:
                with tenancy.bind(tenancy.Binding(ANDINA, ALMA.email)):
                    act()
            else:
                act()
    assert on_the_wire(theirs.key) == before and listed("harbour") == [theirs.id]


def test_the_neighbours_file_cannot_be_shown(table: str, operation: New) -> None:
    theirs, ours = stored("harbour"), stored(ANDINA)
    with pytest.raises(Refused, match="not there any more"):
        a_draft(logo=theirs.id)
    theme = a_draft(logo=ours.id)
    with pytest.raises(Refused):
        drafts.save(
            ANDINA, theme.number, values={}, files={"logo": theirs.id}, name="", seen=theme.seen, operation=operation()
        )
    assert now_is(theme).files == [ours.id] and now_is(theme).seen == theme.seen
    assert queries.links("harbour", [theirs.id])[theirs.id].users == []


def test_everything_works_bound_to_the_business(table: str, operation: New) -> None:
    """As in a request: each write at a file's key says whose it is."""
    with tenancy.bind(tenancy.Binding(ANDINA, ALMA.email)):
        asset = stored()
        assert a_draft(logo=asset.id).files == [asset.id]
        other = stored(number=1)
        gone = deleted(other)
        assets.restore(ANDINA, other.id, seen=gone.seen, operation=operation())
        done = replacing.replace(ANDINA, asset.id, picture(2), name="x.png", operation=operation())
        assert done.moved == [1]


def test_a_version_taken_over_a_moment_ago_does_not_bring_a_deleted_file_with_it(
    table: str, operation: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone makes a draft of v1; meanwhile v1 lets go of its logo, and the logo is deleted."""
    asset = stored()
    theme = a_draft(logo=asset.id)
    follow = uses.follow

    def slowly(*args: Any, **options: Any) -> None:
        monkeypatch.setattr(uses, "follow", follow)
        drafts.save(ANDINA, 1, values={}, files={}, name="", seen=theme.seen, operation=operation())
        deleted(asset)
        follow(*args, **options)

    monkeypatch.setattr(uses, "follow", slowly)
    with pytest.raises(Refused, match="not there any more"):
        drafts.create(ANDINA, source=1, operation=operation())
    assert queries.newest_number(ANDINA) == 1


def test_a_version_that_has_long_shown_what_is_gone_can_still_be_changed(table: str, operation: New) -> None:
    asset = stored()
    put_theme(ANDINA, 1, assets=["ASSET#logo-9", f"ASSET#{asset.id}"], status="discarded", ttl=1)
    deleted(asset)
    put_theme(ANDINA, 1, assets=["ASSET#logo-9", f"ASSET#{asset.id}"])
    with frozen(now() + uses._A_MOMENT * 2):
        saved = drafts.save(
            ANDINA,
            1,
            values={"primaryColor": "#123456"},
            files={"logo": "logo-9"},
            name="",
            seen=0,
            operation=operation(),
        )
    assert saved.files == ["logo-9", asset.id]


def test_a_version_of_another_service_with_many_files_can_be_published(table: str, operation: New) -> None:
    """A transaction has room for three; the others are found when someone wants to delete them."""
    many = [stored(number=number) for number in range(9)]
    put_theme(ANDINA, 1, assets=[f"ASSET#{each.id}" for each in many])
    theme = drafts.create(ANDINA, source=1, operation=operation())
    publish(theme)
    assert publishing.publish(ANDINA, 1, expected=2, accepted=True, operation=operation()).version == 1
    for each in many:
        with pytest.raises(assets.InUse):
            deleted(each)


# --- Replacing -----------------------------------------------------------------------------------
def test_drafts_show_the_new_file_and_what_was_published_the_old(table: str, operation: New) -> None:
    old, icon = stored(), stored(number=5, role=Role.ICON)
    publish(a_draft(logo=old.id))
    first, second, third = a_draft(logo=old.id), a_draft(logo=old.id, icon=icon.id), a_draft(icon=icon.id)
    gone = drafts.discard(ANDINA, a_draft(logo=old.id).number, seen=1, operation=operation())
    put_theme(ANDINA, 9, assets=[f"ASSET#{old.id}"], assetRoles={"logo": old.id})
    once = operation()
    for _ in range(2):
        done = replacing.replace(ANDINA, old.id, picture(1), name="new.png", operation=once)
        assert (sorted(done.moved), done.keep, done.left) == ([2, 3, 9], [1], [])
    new = done.asset.id
    assert (now_is(first).shown_files, now_is(first).seen) == ({"logo": new}, 2)
    assert now_is(second).shown_files == {"logo": new, "icon": icon.id}
    assert now_is(third).seen == third.seen
    assert now_is(gone).shown_files == {"logo": old.id} and now_is(gone).is_discarded
    assert queries.theme(ANDINA, 1).shown_files == {"logo": old.id}
    assert queries.theme(ANDINA, 9).shown_files == {"logo": new}
    links = queries.links(ANDINA, [old.id, new])
    assert (links[old.id].users, links[new].users) == ([5, 1], [9, 3, 2])


def test_what_someone_saves_meanwhile_stays(table: str, operation: New, monkeypatch: pytest.MonkeyPatch) -> None:
    old = stored()
    theme, save = a_draft(logo=old.id), drafts.save

    def after_someone(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(drafts, "save", save)
        values = {"primaryColor": "#123456"}
        save(ANDINA, 1, values=values, files={"logo": old.id}, name="Theirs", seen=theme.seen, operation=operation())
        return save(*args, **options)

    monkeypatch.setattr(drafts, "save", after_someone)
    done = replacing.replace(ANDINA, old.id, picture(1), name="new.png", operation=operation())
    after = now_is(theme)
    assert (done.moved, after.shown_files) == ([1], {"logo": done.asset.id})
    assert (after.name, after.look["primaryColor"]) == ("Theirs", "#123456")


def test_a_draft_that_is_published_meanwhile_is_left_as_it_is(
    table: str, operation: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = stored()
    theme, save = a_draft(logo=old.id), drafts.save

    def after_someone(*args: Any, **options: Any) -> Any:
        monkeypatch.setattr(drafts, "save", save)
        publish(theme)
        return save(*args, **options)

    monkeypatch.setattr(drafts, "save", after_someone)
    done = replacing.replace(ANDINA, old.id, picture(1), name="new.png", operation=operation())
    assert (done.moved, done.left) == ([], [1])
    assert now_is(theme).shown_files == {"logo": old.id} and queries.newest_number(ANDINA) == 1


def test_a_file_is_not_replaced_by_itself(table: str, operation: New) -> None:
    old = stored()
    with pytest.raises(Refused, match="the same file"):
        replacing.replace(ANDINA, old.id, picture(), name="x", operation=operation())
    deleted(old)
    with pytest.raises(NotFound):
        replacing.replace(ANDINA, old.id, picture(1), name="x", operation=operation())


# --- Gone for good -------------------------------------------------------------------------------
def run_due() -> list[str]:
    return [each.text for each in runner.run() if each.what.startswith("asset ")]


def in_a_month() -> Any:
    return frozen(now() + assets.KEPT_FOR)


@every_engine
def test_after_thirty_days_it_is_gone(table: str, folder: Path, operation: New) -> None:
    asset, other = stored(), stored(number=1)
    deleted(asset)
    assert run_due() == []
    with in_a_month():
        assert run_due() == [f"removed {asset.file_name}"]
        assert run_due() == []
    assert on_the_wire(asset.key) is None
    assert on_disk(folder) == {str(other.file_name), storage.thumbnail_of(str(other.file_name))}
    entry = queries.history_of_file(ANDINA, asset.id)[0]
    assert (entry.action, (entry.actor or {})["email"]) == ("asset.purge", "system")
    with pytest.raises(NotFound):
        assets.restore(ANDINA, asset.id, seen=2, operation=operation())
    assert stored().outcome.result == {"what": assets.NEW}


def test_what_a_version_came_to_show_is_brought_back(table: str) -> None:
    """Another service knows nothing of our links: it may show what is deleted."""
    asset = stored()
    deleted(asset)
    put_theme(ANDINA, 4, assets=[f"ASSET#{asset.id}"])
    with in_a_month():
        assert run_due() == ["v4 came to show it: it is back"]
        assert run_due() == []
    assert listed() == [asset.id] and not queries.find_file(ANDINA, asset.id).asset.is_deleted  # type: ignore[union-attr]
    assert storage.is_there(str(asset.file_name))


def test_while_it_is_removed_nobody_can_bring_it_back(
    table: str, operation: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    asset = stored()
    gone = deleted(asset)
    remove, told = storage.remove, []

    def removing(name: str) -> None:
        monkeypatch.setattr(storage, "remove", remove)
        acts: list[Callable[[], object]] = [
            stored,
            lambda: assets.restore(ANDINA, asset.id, seen=gone.seen, operation=operation()),
            lambda: assets.restore(ANDINA, asset.id, seen=gone.seen + 1, operation=operation()),
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
    assert stored().outcome.result == {"what": assets.NEW} and storage.is_there(str(asset.file_name))


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
    assert stored().outcome.result == {"what": assets.NEW}
    assert len(puts) == 4
    assert storage.is_there(str(asset.file_name)) and listed() == [asset.id]


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
    with frozen(now() + assets.KEPT_FOR * 2):
        assert run_due() == [f"removed {asset.file_name}"]
    assert on_the_wire(asset.key) is None and on_disk(folder) == set()


def test_brought_back_in_the_moment_of_the_removal_it_stays(
    table: str, operation: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    asset = stored()
    gone = deleted(asset)
    touch = write.touch

    def slowly(*args: Any) -> Any:
        if args[0] == asset.key and any("purging" in str(action) for action in args[1]):
            assets.restore(ANDINA, asset.id, seen=gone.seen, operation=operation())
        return touch(*args)

    monkeypatch.setattr(write, "touch", slowly)
    with in_a_month():
        (told,) = run_due()
    assert "Conflict" in told
    assert listed() == [asset.id] and storage.is_there(str(asset.file_name))
    assert Item.gsistatuspk.attr_name not in (on_the_wire(asset.key) or {})
