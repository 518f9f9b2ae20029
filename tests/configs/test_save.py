"""Saving a config: changes are merged into the current body, and each save adds a version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.configs import queries
from dashboard.platform.configs.kinds import MAX_BYTES
from dashboard.platform.configs.services import config_writes, drafts
from dashboard.platform.configs.services.config_writes import MergeConflict
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Command, new_command
from dashboard.table.connection import table as connected
from forum.configs.reasons import REASONS
from tests.configs.texts_config import BRUNO, TEXTS, put_elsewhere, save, set_elsewhere, stage, texts, trail
from tests.conftest import ACTOR, every_engine
from tests.faults import bad_network, lose_reply


def test_the_first_version(table: str) -> None:
    stage("a", "b")
    assert texts() == [], "nothing is changed before it is saved"
    config = save(note="Two to begin with")
    assert (config.version, config.revision, texts()) == (1, 1, ["a", "b"])
    (version,) = queries.history(TEXTS).items
    assert (version.number, version.who, version.note) == (1, "Alma Ríos", "Two to begin with")
    assert version.counts == {"add": 2}
    assert version.totals == {"texts": 2}
    assert version.sample == ["a", "b"]
    (entry,) = trail()
    assert (entry.action, entry.target["title"]) == ("texts.save", "v1")
    assert entry.after == {"version": "v1", "texts": 2, "add": "a, b", "note": "Two to begin with"}
    assert queries.load_state(TEXTS, ACTOR.email).staged == {}, "what is saved is not to be saved any more"


@every_engine
def test_what_two_people_change_apart_is_both_in(table: str) -> None:
    stage("a", "b")
    save()
    stage("c", removed=("a",))
    revision = queries.load_state(TEXTS, ACTOR.email)
    stage("d", by=BRUNO)
    save(BRUNO)
    after = config_writes.save(
        TEXTS, revision.staged, revision=revision.revision, draft=revision.draft, command=new_command(ACTOR)
    )
    assert texts() == ["b", "c", "d"]
    assert after.outcome.result == {"version": 3, "add": 1, "remove": 1, "with": "Bruno Paz"}


def test_an_overlap_is_decided_on_what_was_seen(table: str) -> None:
    def text(value: str, by: Any) -> None:
        drafts.stage(REASONS, {"reason:spam": {"en": value, "es": value}}, command=new_command(by))

    def press(by: Any, overwrite: tuple[str, ...] = (), revision: int | None = None) -> Any:
        at = queries.load_state(REASONS, by.email)
        return config_writes.save(
            REASONS,
            at.staged,
            revision=at.revision if revision is None else revision,
            overwrite=overwrite,
            draft=at.draft,
            command=new_command(by),
        )

    text("Ads", ACTOR)
    text("Adverts", BRUNO)
    press(BRUNO)
    with pytest.raises(MergeConflict) as met:
        press(ACTOR)
    (overlap,) = met.value.conflicts
    assert overlap.theirs == {"en": "Adverts", "es": "Adverts"}
    assert met.value.item is not None
    assert met.value.item.updated_by_name == "Bruno Paz"
    assert queries.load_state(REASONS, ACTOR.email).staged, "her change is still there"
    revision = met.value.item.revision
    text("Advertising", BRUNO)
    press(BRUNO)
    with pytest.raises(MergeConflict):
        press(ACTOR, overwrite=("reason:spam",), revision=revision)
    press(ACTOR, overwrite=("reason:spam",))
    entries = REASONS.entries_of(queries.current(REASONS))
    assert entries["reason:spam"] == {"en": "Ads", "es": "Ads"}


@every_engine
def test_what_another_service_wrote_is_a_version_before_ours(table: str) -> None:
    put_elsewhere("old", 7, note="theirs")
    stage("new")
    config = save()
    assert config.version == 2
    newest, first = queries.history(TEXTS).items
    assert (first.number, first.origin, first.totals) == (1, "found", {"texts": 1})
    assert newest.counts == {"add": 1}
    raw = connected().get_item(*keys.CONFIG.key(name="texts"))["Item"]
    assert raw["whitelist"] == to_attribute(["old", "new", 7]), "what we do not know stays"
    assert raw["note"] == to_attribute("theirs")
    set_elsewhere("old", "new", "theirs")
    stage("mine")
    assert save().version == 4
    assert queries.history(TEXTS).items[1].origin == "elsewhere"
    assert texts() == ["mine", "new", "old", "theirs"]
    # And one that has forgotten our number: it is not given out twice.
    put_elsewhere("anew")
    stage("mine")
    assert save().version == 6
    assert texts() == ["anew", "mine"]


def test_what_another_service_writes_between_reading_and_writing_stays(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage("a")
    save()
    stage("b")
    look = queries.newest_number
    looks: list[Any] = []

    def meanwhile(kind: Any) -> int:
        if not looks:
            looks.append(kind)
            set_elsewhere("a", "theirs")
        return look(kind)

    # Their write comes after ours has read the config.
    monkeypatch.setattr(config_writes, "gather", lambda *reads: [read() for read in reads])
    monkeypatch.setattr(queries, "newest_number", meanwhile)
    save()
    assert texts() == ["a", "b", "theirs"]


def test_back_to_a_version_and_one_version_taken_back(table: str) -> None:
    for each in "abc":
        stage(each)
        save()
    config = config_writes.restore(TEXTS, 1, revision=3, command=new_command(ACTOR))
    assert (texts(), config.version) == (["a"], 4)
    assert queries.history(TEXTS).items[0].restored == 1
    config = config_writes.revert(TEXTS, 4, command=new_command(BRUNO))
    assert texts() == ["a", "b", "c"]
    # The middle one alone, long after.
    config_writes.revert(TEXTS, 2, command=new_command(BRUNO))
    assert texts() == ["a", "c"]
    assert [entry.action for entry in trail()][:3] == ["texts.revert", "texts.revert", "texts.restore"]
    with pytest.raises(Conflict):
        config_writes.restore(TEXTS, 1, revision=3, command=new_command(ACTOR))


def test_too_large_is_refused_with_the_count_and_kept(table: str) -> None:
    words = [f"{number:05}-{'x' * 70}" for number in range(5_000)]
    stage(*words)
    with pytest.raises(Refused, match=r"5,000 entries take 376 KB, and the limit is 350 KB"):
        save()
    assert texts() == []
    assert len(queries.load_state(TEXTS, ACTOR.email).staged) == 5_000
    assert MAX_BYTES < 5_000 * 77


def test_a_step_of_the_draft_is_taken_back_and_forth(table: str) -> None:
    stage("a")
    stage("b", "c")
    draft = queries.load_state(TEXTS, ACTOR.email).draft
    assert draft is not None
    back = drafts.step_back(TEXTS, revision=draft.revision, command=new_command(ACTOR))
    assert list(back.staged) == ["a"]
    with pytest.raises(Conflict):
        drafts.step_back(TEXTS, revision=draft.revision, command=new_command(ACTOR))
    forth = drafts.step_back(TEXTS, revision=back.revision, command=new_command(ACTOR))
    assert list(forth.staged) == ["a", "b", "c"]
    assert drafts.unstage(TEXTS, ["b"], command=new_command(ACTOR)).staged.keys() == {"a", "c"}
    assert drafts.discard(TEXTS, command=new_command(ACTOR)).staged == {}
    assert queries.load_state(TEXTS, BRUNO.email).draft is None, "nobody sees what others are about to change"


def test_an_old_way_back_takes_back_nothing_of_the_next_draft(table: str) -> None:
    stage("a")
    old = queries.load_state(TEXTS, ACTOR.email).draft
    assert old is not None
    save()
    stage("b")
    with pytest.raises(Conflict):
        drafts.step_back(TEXTS, revision=old.revision, command=new_command(ACTOR))
    assert list(queries.load_state(TEXTS, ACTOR.email).staged) == ["b"]


@pytest.mark.parametrize("table", ["dynoxide", "dynamodb_local"], indirect=True)
def test_a_lost_reply_is_told_as_what_it_was(table: str, command: Callable[[], Command]) -> None:
    stage("a")
    at = queries.load_state(TEXTS, ACTOR.email)
    pressed = command()
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        config = config_writes.save(TEXTS, at.staged, revision=0, draft=at.draft, command=pressed)
    assert (config.version, texts()) == (1, ["a"])
    again = config_writes.save(TEXTS, at.staged, revision=0, draft=at.draft, command=pressed)
    assert again.outcome.result["version"] == 1
    assert len(queries.history(TEXTS).items) == 1
