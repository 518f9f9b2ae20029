"""Several at once, and replies that never come: no version ever shows a file that is deleted."""

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
from branding.items import Asset, Role, Theme
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


def until_answered(act: Callable[[], object]) -> str:
    """Press until there is an answer: «not now, repeating is safe» is none."""
    while True:
        try:
            act()
        except Unavailable:
            continue
        except DomainError as refusal:
            return type(refusal).__name__
        return "done"


def at_once(acts: list[Callable[[], object]]) -> list[str]:
    start = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> str:
        start.wait()
        return until_answered(act)

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


def versions() -> list[Theme]:
    collection = keys.THEME.collection(tenant=ANDINA)
    return read.page(collection, Theme, limit=500, consistent=True).items


def trail(asset: str) -> list[str | None]:
    collection = keys.AUDIT.collection(tenant=ANDINA)
    entries = read.page(collection, AuditEntry, limit=1000, consistent=True).items
    return [entry.action for entry in entries if (entry.target or {}).get("id") == asset]


def assert_nothing_dangles() -> None:
    """Every file that a version shows is there; and every link knows the versions that show it."""
    there = {link.id: set(link.used_by_versions) for link in queries.asset_links(ANDINA).items}
    shown = {(file, theme.number) for theme in versions() for file in theme.asset_ids}
    assert {file for file, _ in shown} <= there.keys()
    assert shown == {(file, number) for file, numbers in there.items() for number in numbers}
    for file in there:
        asset = queries.asset_state(ANDINA, file).asset
        assert asset is not None and not asset.is_deleted


def delete(asset: Asset, command: Command) -> Callable[[], object]:
    return lambda: assets.delete(ANDINA, asset.id, revision=asset.revision, command=command)


def show(theme: Theme, file: str, command: Command) -> Callable[[], object]:
    files = {"logo": file} if file else {}
    return lambda: drafts.save(
        ANDINA, theme.number, values={}, files=files, name="", revision=theme.revision, command=command
    )


@real_engines
@pytest.mark.parametrize("chance", range(6))
def test_a_file_is_deleted_while_drafts_come_to_show_it(table: str, chance: int) -> None:
    """Either it is gone and no version shows it, or it is there: in every order."""
    asset = upload_asset()
    themes = [drafts.create(ANDINA, command=new_command(ACTOR)) for _ in range(5)]
    acts = [delete(asset, new_command(ACTOR)) for _ in range(4)]
    acts += [show(theme, asset.id, new_command(ACTOR)) for theme in themes]
    acts += [lambda: drafts.create(ANDINA, files={"icon": asset.id}, command=new_command(ACTOR)) for _ in range(3)]
    random.Random(chance).shuffle(acts)
    with bad_network(chance) as network:
        if chance % 2:
            network.add_random_fault(0.1, lose_reply)
            network.add_random_fault(0.05, act_then_break)
        told = at_once(acts)
    assert_nothing_dangles()
    found = queries.asset_state(ANDINA, asset.id)
    assert found.asset is not None
    if found.asset.is_deleted:
        assert found.link is None and "asset.delete" in trail(asset.id)
        assert [theme.asset_ids for theme in versions() if theme.asset_ids] == []
    else:
        assert found.link is not None and found.link.used_by_versions
        assert trail(asset.id) == ["asset.upload"]
    assert trail(asset.id).count("asset.delete") == int(found.asset.is_deleted)
    assert set(told) <= {"done", "AssetInUse", "Refused", "Conflict"}


@real_engines
@pytest.mark.parametrize("chance", range(4))
def test_drafts_of_drafts_while_files_come_and_go(table: str, chance: int) -> None:
    """Shown, let go, taken over by a new draft, deleted, brought back: everyone at their own pace."""
    files = [upload_asset(number=number) for number in range(3)]
    first = drafts.create(ANDINA, files={"logo": files[0].id}, command=new_command(ACTOR))
    told: Counter[str] = Counter()

    def work(number: int) -> None:
        dice = random.Random(100 * chance + number)
        for _ in range(6):
            command, file = new_command(ACTOR), dice.choice(files)
            match dice.randrange(4):
                case 0:
                    theme = reload(first)
                    act = show(theme, dice.choice(["", file.id]), command)
                case 1:
                    act = lambda command=command: drafts.create(ANDINA, source=first.number, command=command)  # type: ignore[misc]  # noqa: E731
                case 2:
                    known = queries.asset_state(ANDINA, file.id).asset
                    assert known is not None
                    act = delete(known, command)
                case _:
                    act = lambda file=file: upload_asset(number=files.index(file))  # type: ignore[misc]  # noqa: E731
            told[f"{until_answered(act)}"] += 1
            if dice.random() < 0.5:
                _let_go_of_everything(dice)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    assert_nothing_dangles()
    assert told["done"] > 8


def _let_go_of_everything(dice: random.Random) -> None:
    """A version stops showing what it shows, so that files can be deleted at all."""
    theme = dice.choice(versions())
    until_answered(show(theme, "", new_command(ACTOR)))


@real_engines
@pytest.mark.parametrize("is_bad", [False, True])
def test_eight_send_the_same_file_and_it_is_one(table: str, folder: Path, is_bad: bool) -> None:
    operations = [new_command(ACTOR) for _ in range(8)]
    results: list[str] = []

    def send(command: Command) -> None:
        asset = assets.upload(ANDINA, make_picture(), name="a.png", role=Role.LOGO, command=command)
        results.append(asset.outcome.result["what"])

    with bad_network() as network:
        if is_bad:
            network.add_random_fault(0.15, lose_reply)
            network.add_random_fault(0.1, act_then_break)
        told = at_once([lambda command=each: send(command) for each in operations])  # type: ignore[misc]
    assert told == ["done"] * 8
    (link,) = queries.asset_links(ANDINA).items
    assert trail(link.id) == ["asset.upload"]
    # Exactly one has made it, and only that one is told so.
    assert Counter(results) == {"new": 1, "here": 7}
    assert [find_done(each) is not None for each in operations].count(True) == 1
    assert len([path for path in folder.rglob("*.png") if path.is_file()]) == 2


@real_engines
@pytest.mark.parametrize("fault", [lose_reply, act_then_break, lose_request, throttle, collide])
def test_no_success_is_told_as_a_failure(table: str, fault: object) -> None:
    asset = upload_asset()
    deleting, restoring, sending = (new_command(ACTOR) for _ in range(3))
    for _ in range(2):
        with bad_network() as network:
            network.next("TransactWriteItems", fault, fault)  # type: ignore[arg-type]
            until_answered(delete(asset, deleting))
        gone = queries.asset_state(ANDINA, asset.id).asset
        assert gone is not None
        assert (gone.is_deleted, gone.revision) == (True, 2)
    assert gone is not None
    with bad_network() as network:
        network.next("TransactWriteItems", fault)  # type: ignore[arg-type]
        back = assets.restore(ANDINA, asset.id, revision=gone.revision, command=restoring)
    assert not back.is_deleted
    with bad_network() as network:
        network.next("TransactWriteItems", fault)  # type: ignore[arg-type]
        other = assets.upload(ANDINA, make_picture(1), name="b.png", role=Role.LOGO, command=sending)
    assert other.outcome.result == {"what": "new"} and not other.outcome.is_no_change
    assert sorted(map(str, trail(asset.id))) == ["asset.delete", "asset.restore", "asset.upload"]
    assert trail(other.id) == ["asset.upload"]


@real_engines
def test_several_runs_remove_a_file_while_it_is_sent_again(table: str, folder: Path) -> None:
    """It ends up gone with its files, or there with its files; whoever meets the removal is told to wait a moment."""
    asset = upload_asset()
    for turn in range(4):
        known = queries.asset_state(ANDINA, asset.id).asset
        if known is not None and not known.is_deleted:
            assets.delete(ANDINA, asset.id, revision=known.revision, command=new_command(ACTOR))
        with frozen(now() + assets.RESTORABLE_FOR + timedelta(days=turn)):
            acts: list[Callable[[], object]] = [lambda: list(runner.run()) for _ in range(2)]
            acts += [upload_asset for _ in range(4)]
            told = at_once(acts)
        assert set(told) <= {"done", "Refused"}
        found = queries.asset_state(ANDINA, asset.id)
        is_there = storage.exists(str(asset.file_name))
        if found.asset is None:
            assert not is_there and found.link is None
        elif not found.asset.is_deleted:
            assert is_there and found.link is not None
            assert storage.exists(storage.thumbnail_of(str(asset.file_name)))


@real_engines
def test_two_replace_the_same_file_while_a_colleague_edits(table: str) -> None:
    old = upload_asset()
    themes = [drafts.create(ANDINA, files={"logo": old.id}, command=new_command(ACTOR)) for _ in range(4)]

    def edit() -> None:
        for theme in themes:
            for _ in range(40):
                now_it_is = reload(theme)
                try:
                    drafts.save(
                        ANDINA,
                        theme.number,
                        values={"primaryColor": "#123456"},
                        files=now_it_is.assets_by_role,
                        name="Edited",
                        revision=now_it_is.revision,
                        command=new_command(ACTOR),
                    )
                    break
                except Conflict:
                    continue

    def put_in_place(number: int) -> None:
        asset_replacement.replace(
            ANDINA, old.id, make_picture(number), name=f"{number}.png", command=new_command(ACTOR)
        )

    told = at_once([edit, lambda: put_in_place(1), lambda: put_in_place(2)])
    assert told == ["done"] * 3
    assert_nothing_dangles()
    for theme in map(reload, themes):
        assert (theme.name, theme.style["primaryColor"]) == ("Edited", "#123456")
        assert theme.asset_for("logo") in {storage.asset_id(ANDINA, make_picture(number).source) for number in (1, 2)}


@real_engines
def test_a_draft_and_the_deletion_of_its_file_cannot_both_happen(table: str) -> None:
    """The narrowest moment: the deletion has looked, and has not written yet."""
    asset, theme = upload_asset(), drafts.create(ANDINA, command=new_command(ACTOR))
    look = queries.themes_using

    def then_someone_saves(*args: object, **options: object) -> list[Theme]:
        found = look(*args, **options)  # type: ignore[arg-type]
        if reload(theme).revision == theme.revision:
            show(theme, asset.id, new_command(ACTOR))()
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queries, "themes_using", then_someone_saves)
        with pytest.raises(Refused, match="used by v1"):
            delete(asset, new_command(ACTOR))()
    assert reload(theme).asset_ids == [asset.id]
    assert_nothing_dangles()
