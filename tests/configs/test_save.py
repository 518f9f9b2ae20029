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
from tests.configs.texts_config import (
    BRUNO,
    TEXTS,
    audit_entries,
    change_as_outside_writer,
    put_as_outside_writer,
    save,
    stage,
    texts,
)
from tests.conftest import ACTOR, every_engine
from tests.faults import bad_network, lose_reply


def test_the_first_save_creates_version_one(table: str) -> None:
    stage("a", "b")
    assert texts() == [], "a draft changes nothing before it is saved"
    config = save(note="Two to begin with")
    assert (config.version, config.revision, texts()) == (1, 1, ["a", "b"])
    (version,) = queries.history(TEXTS).items
    assert (version.number, version.who, version.note) == (1, "Alma Ríos", "Two to begin with")
    assert version.counts == {"add": 2}
    assert version.totals == {"texts": 2}
    assert version.sample == ["a", "b"]
    (entry,) = audit_entries()
    assert (entry.action, entry.target["title"]) == ("texts.save", "v1")
    assert entry.after == {"version": "v1", "texts": 2, "add": "a, b", "note": "Two to begin with"}
    assert queries.load_state(TEXTS, ACTOR.email).staged == {}, "the draft is empty after the save"


@every_engine
def test_different_changes_of_two_people_are_merged(table: str) -> None:
    stage("a", "b")
    save()
    stage("c", removed=("a",))
    state = queries.load_state(TEXTS, ACTOR.email)
    stage("d", by=BRUNO)
    save(BRUNO)
    after = config_writes.save(
        TEXTS, state.staged, revision=state.revision, draft=state.draft, command=new_command(ACTOR)
    )
    assert texts() == ["b", "c", "d"]
    assert after.outcome.result == {"version": 3, "add": 1, "remove": 1, "with": "Bruno Paz"}


def test_an_overwrite_is_valid_only_for_the_version_that_was_shown(table: str) -> None:
    def stage_text(value: str, by: Any) -> None:
        drafts.stage(REASONS, {"reason:spam": {"en": value, "es": value}}, command=new_command(by))

    def save_draft(by: Any, overwrite: tuple[str, ...] = (), revision: int | None = None) -> Any:
        at = queries.load_state(REASONS, by.email)
        return config_writes.save(
            REASONS,
            at.staged,
            revision=at.revision if revision is None else revision,
            overwrite=overwrite,
            draft=at.draft,
            command=new_command(by),
        )

    stage_text("Ads", ACTOR)
    stage_text("Adverts", BRUNO)
    save_draft(BRUNO)
    with pytest.raises(MergeConflict) as error:
        save_draft(ACTOR)
    (overlap,) = error.value.conflicts
    assert overlap.theirs == {"en": "Adverts", "es": "Adverts"}
    assert error.value.item is not None
    assert error.value.item.updated_by_name == "Bruno Paz"
    assert queries.load_state(REASONS, ACTOR.email).staged, "the draft is kept"
    revision = error.value.item.revision
    stage_text("Advertising", BRUNO)
    save_draft(BRUNO)
    with pytest.raises(MergeConflict):
        save_draft(ACTOR, overwrite=("reason:spam",), revision=revision)
    save_draft(ACTOR, overwrite=("reason:spam",))
    entries = REASONS.entries_of(queries.current(REASONS))
    assert entries["reason:spam"] == {"en": "Ads", "es": "Ads"}


@every_engine
def test_a_body_written_by_an_outside_writer_becomes_a_version_first(table: str) -> None:
    put_as_outside_writer("old", 7, note="theirs")
    stage("new")
    config = save()
    assert config.version == 2
    newest, first = queries.history(TEXTS).items
    assert (first.number, first.origin, first.totals) == (1, "found", {"texts": 1})
    assert newest.counts == {"add": 1}
    raw = connected().get_item(*keys.CONFIG.key(name="texts"))["Item"]
    assert raw["whitelist"] == to_attribute(["old", "new", 7]), "unknown values are kept"
    assert raw["note"] == to_attribute("theirs")
    change_as_outside_writer("old", "new", "theirs")
    stage("mine")
    assert save().version == 4
    assert queries.history(TEXTS).items[1].origin == "elsewhere"
    assert texts() == ["mine", "new", "old", "theirs"]
    # The outside writer removed our version number: no number is used twice.
    put_as_outside_writer("anew")
    stage("mine")
    assert save().version == 6
    assert texts() == ["anew", "mine"]


def test_an_outside_write_between_our_read_and_write_is_kept(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stage("a")
    save()
    stage("b")
    read_number = queries.newest_number
    calls: list[Any] = []

    def write_and_read(kind: Any) -> int:
        if not calls:
            calls.append(kind)
            change_as_outside_writer("a", "theirs")
        return read_number(kind)

    # The outside write comes after our read.
    monkeypatch.setattr(config_writes, "gather", lambda *reads: [read() for read in reads])
    monkeypatch.setattr(queries, "newest_number", write_and_read)
    save()
    assert texts() == ["a", "b", "theirs"]


def test_restore_goes_to_a_version_and_revert_undoes_one(table: str) -> None:
    for each in "abc":
        stage(each)
        save()
    config = config_writes.restore(TEXTS, 1, revision=3, command=new_command(ACTOR))
    assert (texts(), config.version) == (["a"], 4)
    assert queries.history(TEXTS).items[0].restored == 1
    config = config_writes.revert(TEXTS, 4, command=new_command(BRUNO))
    assert texts() == ["a", "b", "c"]
    # Undo the middle version alone.
    config_writes.revert(TEXTS, 2, command=new_command(BRUNO))
    assert texts() == ["a", "c"]
    assert [entry.action for entry in audit_entries()][:3] == ["texts.revert", "texts.revert", "texts.restore"]
    with pytest.raises(Conflict):
        config_writes.restore(TEXTS, 1, revision=3, command=new_command(ACTOR))


def test_a_config_that_is_too_large_is_refused_and_the_draft_is_kept(table: str) -> None:
    words = [f"{number:05}-{'x' * 70}" for number in range(5_000)]
    stage(*words)
    with pytest.raises(Refused, match=r"5,000 entries take 376 KB, and the limit is 350 KB"):
        save()
    assert texts() == []
    assert len(queries.load_state(TEXTS, ACTOR.email).staged) == 5_000
    assert MAX_BYTES < 5_000 * 77


def test_a_step_of_the_draft_is_undone_and_redone(table: str) -> None:
    stage("a")
    stage("b", "c")
    draft = queries.load_state(TEXTS, ACTOR.email).draft
    assert draft is not None
    undone = drafts.step_back(TEXTS, revision=draft.revision, command=new_command(ACTOR))
    assert list(undone.staged) == ["a"]
    with pytest.raises(Conflict):
        drafts.step_back(TEXTS, revision=draft.revision, command=new_command(ACTOR))
    redone = drafts.step_back(TEXTS, revision=undone.revision, command=new_command(ACTOR))
    assert list(redone.staged) == ["a", "b", "c"]
    assert drafts.unstage(TEXTS, ["b"], command=new_command(ACTOR)).staged.keys() == {"a", "c"}
    assert drafts.discard(TEXTS, command=new_command(ACTOR)).staged == {}
    assert queries.load_state(TEXTS, BRUNO.email).draft is None, "nobody sees the draft of another person"


def test_an_old_undo_does_not_change_the_next_draft(table: str) -> None:
    stage("a")
    old = queries.load_state(TEXTS, ACTOR.email).draft
    assert old is not None
    save()
    stage("b")
    with pytest.raises(Conflict):
        drafts.step_back(TEXTS, revision=old.revision, command=new_command(ACTOR))
    assert list(queries.load_state(TEXTS, ACTOR.email).staged) == ["b"]


@pytest.mark.parametrize("table", ["dynoxide", "dynamodb_local"], indirect=True)
def test_a_save_with_a_lost_reply_is_reported_correctly(table: str, command: Callable[[], Command]) -> None:
    stage("a")
    state = queries.load_state(TEXTS, ACTOR.email)
    save_command = command()
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        config = config_writes.save(TEXTS, state.staged, revision=0, draft=state.draft, command=save_command)
    assert (config.version, texts()) == (1, ["a"])
    again = config_writes.save(TEXTS, state.staged, revision=0, draft=state.draft, command=save_command)
    assert again.outcome.result["version"] == 1
    assert len(queries.history(TEXTS).items) == 1
