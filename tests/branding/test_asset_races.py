"""Concurrent actions and lost replies: no version ever uses a deleted file."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from branding import queries, storage
from branding.items import Asset, AssetLink, AssetRole, Theme
from branding.services import asset_replacement, assets, drafts
from dashboard.core.clock import frozen, now
from dashboard.core.errors import Conflict, DomainError, Refused, Unavailable
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.due import runner
from dashboard.table import keys, read
from dashboard.table.commands import Command, new_command
from dashboard.table.transactions import find_done
from tests.branding.pictures import make_picture, upload_asset
from tests.branding.theme_factory import reload
from tests.conftest import ACTOR, add_business, real_engines
from tests.faults import act_then_break, bad_network, collide, lose_reply, lose_request, throttle

ANDINA = "andina"


@pytest.fixture(autouse=True)
def andina(table: str, folder: Path) -> Iterator[str]:
    add_business(ANDINA, "Coca-Cola Andina")
    yield ANDINA


def retry_until_answered(attempt: Callable[[], object]) -> str:
    """Repeat while the table is unavailable, and return the outcome."""
    while True:
        try:
            attempt()
        except Unavailable:
            continue
        except DomainError as refusal:
            return type(refusal).__name__
        return "done"


def run_at_once(attempts: list[Callable[[], object]]) -> list[str]:
    start = threading.Barrier(len(attempts))

    def run(attempt: Callable[[], object]) -> str:
        start.wait()
        return retry_until_answered(attempt)

    with ThreadPoolExecutor(len(attempts)) as threads:
        return list(threads.map(run, attempts))


def versions() -> list[Theme]:
    collection = keys.THEME.collection(tenant=ANDINA)
    return read.page(collection, Theme, limit=500, consistent=True).items


def audit_actions(asset: str) -> list[str | None]:
    collection = keys.AUDIT.collection(tenant=ANDINA)
    entries = read.page(collection, AuditEntry, limit=1000, consistent=True).items
    return [entry.action for entry in entries if (entry.target or {}).get("id") == asset]


def assert_links_match_versions() -> None:
    """Every file that a version uses exists, and every link lists exactly the versions that use it."""
    versions_by_file = {link.id: set(link.used_by_versions) for link in queries.asset_links(ANDINA).items}
    in_use = {(file, theme.number) for theme in versions() for file in theme.asset_ids}
    assert {file for file, _ in in_use} <= versions_by_file.keys()
    assert in_use == {(file, number) for file, numbers in versions_by_file.items() for number in numbers}
    for file in versions_by_file:
        asset = queries.asset_state(ANDINA, file).asset
        assert asset is not None and not asset.is_deleted


def deletion_of(asset: Asset, command: Command) -> Callable[[], object]:
    return lambda: assets.delete(ANDINA, asset.id, revision=asset.revision, command=command)


def use_file(theme: Theme, file: str, command: Command) -> Callable[[], object]:
    files = {"logo": file} if file else {}
    return lambda: drafts.save(
        ANDINA, theme.number, values={}, files=files, name="", revision=theme.revision, command=command
    )


@real_engines
@pytest.mark.parametrize("seed", range(6))
def test_a_file_is_deleted_while_drafts_start_to_use_it(table: str, seed: int) -> None:
    """The file is deleted and no version uses it, or it still exists: in every order."""
    asset = upload_asset()
    themes = [drafts.create(ANDINA, command=new_command(ACTOR)) for _ in range(5)]
    attempts = [deletion_of(asset, new_command(ACTOR)) for _ in range(4)]
    attempts += [use_file(theme, asset.id, new_command(ACTOR)) for theme in themes]
    attempts += [lambda: drafts.create(ANDINA, files={"icon": asset.id}, command=new_command(ACTOR)) for _ in range(3)]
    random.Random(seed).shuffle(attempts)
    with bad_network(seed) as network:
        if seed % 2:
            network.add_random_fault(0.1, lose_reply)
            network.add_random_fault(0.05, act_then_break)
        outcomes = run_at_once(attempts)
    assert_links_match_versions()
    state = queries.asset_state(ANDINA, asset.id)
    assert state.asset is not None
    if state.asset.is_deleted:
        assert state.link is None and "asset.delete" in audit_actions(asset.id)
        assert [theme.asset_ids for theme in versions() if theme.asset_ids] == []
    else:
        assert state.link is not None and state.link.used_by_versions
        assert audit_actions(asset.id) == ["asset.upload"]
    assert audit_actions(asset.id).count("asset.delete") == int(state.asset.is_deleted)
    assert set(outcomes) <= {"done", "AssetInUse", "Refused", "Conflict"}


@real_engines
@pytest.mark.parametrize("seed", range(4))
def test_drafts_are_copied_while_files_are_deleted_and_uploaded(table: str, seed: int) -> None:
    """Files are used, unused, copied to a new draft, deleted and restored, all at the same time."""
    files = [upload_asset(number=number) for number in range(3)]
    first = drafts.create(ANDINA, files={"logo": files[0].id}, command=new_command(ACTOR))
    outcomes: Counter[str] = Counter()

    def work(number: int) -> None:
        rng = random.Random(100 * seed + number)
        for _ in range(6):
            command, file = new_command(ACTOR), rng.choice(files)
            match rng.randrange(4):
                case 0:
                    theme = reload(first)
                    attempt = use_file(theme, rng.choice(["", file.id]), command)
                case 1:
                    attempt = lambda command=command: drafts.create(ANDINA, source=first.number, command=command)  # type: ignore[misc]  # noqa: E731
                case 2:
                    known = queries.asset_state(ANDINA, file.id).asset
                    assert known is not None
                    attempt = deletion_of(known, command)
                case _:
                    attempt = lambda file=file: upload_asset(number=files.index(file))  # type: ignore[misc]  # noqa: E731
            outcomes[f"{retry_until_answered(attempt)}"] += 1
            if rng.random() < 0.5:
                _remove_all_files(rng)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    assert_links_match_versions()
    assert outcomes["done"] > 8


@real_engines
def test_a_draft_is_copied_while_its_file_is_deleted_and_restored(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy is listed on the link of the file, although the link did not exist when it was read."""
    asset = upload_asset()
    first = drafts.create(ANDINA, files={"logo": asset.id}, command=new_command(ACTOR))
    find_links = queries.asset_links_by_id

    def delete_and_restore_around(business: str, files: list[str]) -> dict[str, AssetLink]:
        monkeypatch.setattr(queries, "asset_links_by_id", find_links)
        use_file(first, "", new_command(ACTOR))()
        deletion_of(asset, new_command(ACTOR))()
        found = find_links(business, files)
        upload_asset()
        return found

    monkeypatch.setattr(queries, "asset_links_by_id", delete_and_restore_around)
    copied = drafts.create(ANDINA, source=first.number, command=new_command(ACTOR))
    assert copied.asset_ids == [asset.id]
    assert_links_match_versions()


def _remove_all_files(rng: random.Random) -> None:
    """A version stops using its files, so that files can be deleted."""
    theme = rng.choice(versions())
    retry_until_answered(use_file(theme, "", new_command(ACTOR)))


@real_engines
@pytest.mark.parametrize("is_bad", [False, True])
def test_eight_uploads_of_the_same_file_create_one_file(table: str, folder: Path, is_bad: bool) -> None:
    commands = [new_command(ACTOR) for _ in range(8)]
    results: list[str] = []

    def upload(command: Command) -> None:
        asset = assets.upload(ANDINA, make_picture(), name="a.png", role=AssetRole.LOGO, command=command)
        results.append(asset.outcome.result["what"])

    with bad_network() as network:
        if is_bad:
            network.add_random_fault(0.15, lose_reply)
            network.add_random_fault(0.1, act_then_break)
        outcomes = run_at_once([lambda command=each: upload(command) for each in commands])  # type: ignore[misc]
    assert outcomes == ["done"] * 8
    (link,) = queries.asset_links(ANDINA).items
    assert audit_actions(link.id) == ["asset.upload"]
    # Exactly one upload created the file, and only that one reports it.
    assert Counter(results) == {"new": 1, "here": 7}
    assert [find_done(each) is not None for each in commands].count(True) == 1
    assert len([path for path in folder.rglob("*.png") if path.is_file()]) == 2


@real_engines
@pytest.mark.parametrize("fault", [lose_reply, act_then_break, lose_request, throttle, collide])
def test_a_network_fault_never_reports_a_success_as_a_failure(table: str, fault: object) -> None:
    asset = upload_asset()
    delete_command, restore_command, upload_command = (new_command(ACTOR) for _ in range(3))
    for _ in range(2):
        with bad_network() as network:
            network.next("TransactWriteItems", fault, fault)  # type: ignore[arg-type]
            retry_until_answered(deletion_of(asset, delete_command))
        gone = queries.asset_state(ANDINA, asset.id).asset
        assert gone is not None
        assert (gone.is_deleted, gone.revision) == (True, 2)
    assert gone is not None
    with bad_network() as network:
        network.next("TransactWriteItems", fault)  # type: ignore[arg-type]
        back = assets.restore(ANDINA, asset.id, revision=gone.revision, command=restore_command)
    assert not back.is_deleted
    with bad_network() as network:
        network.next("TransactWriteItems", fault)  # type: ignore[arg-type]
        other = assets.upload(ANDINA, make_picture(1), name="b.png", role=AssetRole.LOGO, command=upload_command)
    assert other.outcome.result == {"what": "new"} and not other.outcome.is_no_change
    assert sorted(map(str, audit_actions(asset.id))) == ["asset.delete", "asset.restore", "asset.upload"]
    assert audit_actions(other.id) == ["asset.upload"]


@real_engines
def test_several_runs_purge_a_file_while_it_is_uploaded_again(table: str, folder: Path) -> None:
    """In the end both the item and its files exist, or neither; an upload during the removal is refused."""
    asset = upload_asset()
    for turn in range(4):
        known = queries.asset_state(ANDINA, asset.id).asset
        if known is not None and not known.is_deleted:
            assets.delete(ANDINA, asset.id, revision=known.revision, command=new_command(ACTOR))
        with frozen(now() + assets.RESTORABLE_FOR + timedelta(days=turn)):
            attempts: list[Callable[[], object]] = [lambda: list(runner.run()) for _ in range(2)]
            attempts += [upload_asset for _ in range(4)]
            outcomes = run_at_once(attempts)
        assert set(outcomes) <= {"done", "Refused"}
        state = queries.asset_state(ANDINA, asset.id)
        is_there = storage.exists(str(asset.file_name))
        if state.asset is None:
            assert not is_there and state.link is None
        elif not state.asset.is_deleted:
            assert is_there and state.link is not None
            assert storage.exists(storage.thumbnail_of(str(asset.file_name)))


@real_engines
def test_two_replacements_of_one_file_while_a_colleague_edits(table: str) -> None:
    old = upload_asset()
    themes = [drafts.create(ANDINA, files={"logo": old.id}, command=new_command(ACTOR)) for _ in range(4)]

    def edit() -> None:
        for theme in themes:
            for _ in range(40):
                current = reload(theme)
                try:
                    drafts.save(
                        ANDINA,
                        theme.number,
                        values={"primaryColor": "#123456"},
                        files=current.assets_by_role,
                        name="Edited",
                        revision=current.revision,
                        command=new_command(ACTOR),
                    )
                    break
                except Conflict:
                    continue

    def replace_with(number: int) -> None:
        asset_replacement.replace(
            ANDINA, old.id, make_picture(number), name=f"{number}.png", command=new_command(ACTOR)
        )

    outcomes = run_at_once([edit, lambda: replace_with(1), lambda: replace_with(2)])
    assert outcomes == ["done"] * 3
    assert_links_match_versions()
    for theme in map(reload, themes):
        assert (theme.name, theme.style["primaryColor"]) == ("Edited", "#123456")
        assert theme.asset_for("logo") in {storage.asset_id(ANDINA, make_picture(number).source) for number in (1, 2)}


@real_engines
def test_a_file_used_during_its_deletion_is_not_deleted(table: str) -> None:
    """A draft starts to use the file after the deletion has checked and before it writes."""
    asset, theme = upload_asset(), drafts.create(ANDINA, command=new_command(ACTOR))
    themes_using = queries.themes_using

    def search_then_save(*args: object, **options: object) -> list[Theme]:
        themes = themes_using(*args, **options)  # type: ignore[arg-type]
        if reload(theme).revision == theme.revision:
            use_file(theme, asset.id, new_command(ACTOR))()
        return themes

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queries, "themes_using", search_then_save)
        with pytest.raises(Refused, match="used by v1"):
            deletion_of(asset, new_command(ACTOR))()
    assert reload(theme).asset_ids == [asset.id]
    assert_links_match_versions()
