"""A transaction writes the change, its conditions and the DONE record together and only once, or nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from dashboard.core import clock
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.table import oplog, read
from dashboard.table.commands import RECORD_LIFE, Command
from dashboard.table.items import Item, Outcome
from dashboard.table.keypattern import Key
from dashboard.table.transactions import MAX_STEPS, ErrorFactory, Transaction, find_done, idempotent
from tests.conftest import every_engine
from tests.table.notes import (
    MARCO,
    NOON,
    SHELF,
    Note,
    add_note,
    command,
    key,
    load_note,
    load_raw,
    new_note,
    put_note,
    save_note,
)


def refuse_with(text: str) -> ErrorFactory:
    return lambda _: Refused(text)


# --- Creating, saving, deleting ------------------------------------------------------------------
@every_engine
def test_creating_an_item_that_exists_is_a_conflict(table: str) -> None:
    add_note("ana", text="Alma's")
    transaction = Transaction(command(MARCO))
    transaction.create(new_note("ana", text="Marco's"))
    with pytest.raises(Conflict) as caught:
        transaction.commit(None)
    assert isinstance(caught.value.item, Note)
    assert (caught.value.item.text, caught.value.item.updated_by) == ("Alma's", "alma@example.com")
    now = load_note("ana")
    assert now is not None
    assert (now.text, now.revision) == ("Alma's", 1)
    assert find_done(transaction.command) is None, "a refused command has no DONE record"


@every_engine
def test_a_save_on_an_old_revision_is_a_conflict(table: str) -> None:
    add_note("ana", text="one", total=1)
    mine, theirs = load_note("ana"), load_note("ana")
    assert mine is not None
    assert theirs is not None
    theirs.text = "two"
    assert save_note(theirs, under=command(MARCO)).revision == 2

    mine.text = "three"
    with pytest.raises(Conflict) as caught:
        save_note(mine, revision=1)
    assert isinstance(caught.value.item, Note)
    now = caught.value.item
    assert (now.text, now.total, now.revision, now.updated_by) == ("two", 1, 2, "marco@example.com")
    assert now.updated_at is not None

    # A save on the current revision works.
    now.text = "three"
    assert save_note(now, revision=2).revision == 3
    again = load_note("ana")
    assert again is not None
    assert (again.text, again.revision) == ("three", 3)


@every_engine
@pytest.mark.parametrize("stored_value", [None, {"S": "five"}, {"N": "5"}, {"L": [{"S": "five"}]}], ids=str)
@pytest.mark.parametrize("is_changed", [False, True])
def test_a_change_by_an_outside_writer_without_a_revision_is_a_conflict(
    table: str, stored_value: dict[str, Any] | None, is_changed: bool
) -> None:
    wire: Any = {"text": stored_value} if stored_value else {}
    put_note("ana", **wire)
    found = load_note("ana")
    assert found is not None
    if is_changed:
        put_note("ana", text={"S": "six"})
    found.total = 1
    transaction = Transaction(command())
    transaction.save(found, revision=0, condition=found.unchanged("text", "due"))
    if is_changed:
        with pytest.raises(Conflict):
            transaction.commit(found)
    else:
        assert transaction.commit(found).revision == 1
    assert (load_raw(key("ana")) or {}).get("text") == ({"S": "six"} if is_changed else stored_value)


@every_engine
def test_an_item_without_a_revision_counts_as_revision_0(table: str) -> None:
    put_note("ana")
    put_note("bea", revision={"N": "0"})
    for name in ("ana", "bea"):
        found = load_note(name)
        assert found is not None
        assert save_note(found, revision=0).revision == 1
        stale = load_note(name)
        assert stale is not None
        with pytest.raises(Conflict):
            save_note(stale, revision=0)
    with pytest.raises(Conflict) as caught:
        save_note(Note.of({"PK": {"S": key("none").pk}, "SK": {"S": key("none").sk}, "title": {"S": "x"}}), revision=0)
    assert caught.value.item is None, "a save never creates a missing item"
    assert load_note("none") is None


@every_engine
def test_a_second_save_in_the_same_second_is_a_conflict(table: str) -> None:
    """One person saves the same form in two tabs."""
    with clock.frozen(NOON):
        add_note("ana", text="one")
        for expected in (2, None):
            ana = load_note("ana")
            assert ana is not None
            ana.text = "two"
            if expected:
                assert save_note(ana, revision=1).revision == expected
            else:
                with pytest.raises(Conflict):
                    save_note(ana, revision=1)


@every_engine
def test_a_delete_on_an_old_revision_is_a_conflict(table: str) -> None:
    ana = add_note("ana")
    save_note(ana)
    stale = Transaction(command())
    stale.delete(ana, revision=1)
    with pytest.raises(Conflict) as caught:
        stale.commit(None)
    assert caught.value.item is not None
    assert caught.value.item.revision == 2
    current = Transaction(command())
    current.delete(ana, revision=2)
    assert current.commit(None) is None
    assert load_note("ana") is None


@every_engine
def test_a_transaction_can_have_checks_and_counters(table: str) -> None:
    add_note("ana", total=3)
    add_note("bea", text="open")

    def count_one(most: int, state: str) -> None:
        transaction = Transaction(command())
        transaction.check(key("bea"), Note.text == state, refuse_with("closed"))
        transaction.update(key("ana"), [Note.total.add(1)], Note.total < most, refuse_with("full"))
        transaction.commit(None)

    count_one(4, "open")
    with pytest.raises(Refused, match="full"):
        count_one(4, "open")
    with pytest.raises(Refused, match="closed"):
        count_one(9, "shut")
    ana = load_note("ana")
    assert ana is not None
    assert (ana.total, ana.revision) == (4, 1), "a counter does not change the revision"


@every_engine
def test_the_error_is_that_of_the_first_failed_step_in_the_callers_order(table: str) -> None:
    """PynamoDB sends checks, deletes, puts and updates in this order; the errors follow the order of the caller."""
    taken, edited = add_note("taken"), add_note("edited")
    steps: dict[str, Any] = {
        "update": lambda t: t.update(key("edited"), [Note.total.set(1)], Note.total.exists(), refuse_with("update")),
        "create": lambda t: t.create(new_note("taken"), refuse_with("create")),
        "check": lambda t: t.check(key("none"), Item.pk.exists(), refuse_with("check")),
        "delete": lambda t: t.delete(add_note("gone"), revision=7, on_failure=refuse_with("delete")),
        "fine": lambda t: t.create(new_note("fine"), refuse_with("fine")),
    }
    orders = (
        ["fine", "update", "create", "check", "delete"],
        ["create", "delete", "fine", "check"],
        ["check", "update", "fine"],
        ["delete", "check", "update", "create"],
    )
    for order in orders:
        transaction = Transaction(command())
        for name in order:
            steps[name](transaction)
        expected = next(name for name in order if name != "fine")
        with pytest.raises(Refused, match=expected):
            transaction.commit(None)
        assert load_note("fine") is None
        gone = load_note("gone")
        if gone is not None:
            end = Transaction(command())
            end.delete(gone, revision=1)
            end.commit(None)
    assert (taken.revision, edited.revision) == (1, 1)


@every_engine
def test_the_error_factory_gets_the_item_of_the_failed_step(table: str) -> None:
    add_note("ana", text="not this one")
    add_note("bea", text="this one", shelf="sky", about={"x": [1, 2]})
    failed_items: list[Item | None] = []

    def on_failure(item: Item | None) -> Refused:
        failed_items.append(item)
        return Refused("no")

    transaction = Transaction(command())
    transaction.check(key("ana"), Item.pk.exists(), Conflict)
    transaction.update(key("bea"), [Note.total.set(1)], Note.text == "another", on_failure)
    with pytest.raises(Refused):
        transaction.commit(None)
    (bea,) = failed_items
    assert isinstance(bea, Note)
    assert (bea.text, bea.about) == ("this one", {"x": [1, 2]})


@every_engine
def test_index_keys_are_updated_and_removed_with_the_attributes(table: str) -> None:
    """The index is sparse: a note without a shelf is not in it."""
    ana = add_note("ana", shelf="sky", reader="marco")
    sky, sea = SHELF.collection(shelf="sky"), SHELF.collection(shelf="sea")
    assert [each.title for each in read.page(sky, Note).items] == ["ana 1"]

    ana.shelf, ana.title = "sea", "Ana"
    save_note(ana)
    assert read.page(sky, Note).items == []
    (found,) = read.page(sea, Note).items
    assert (found.title, found.gsistatussk, found.gsi1sk) == ("Ana", "Ana", "Ana")

    ana.shelf = None
    save_note(ana)
    assert read.page(sea, Note).items == []
    raw = load_raw(ana.key)
    assert raw is not None
    assert not {"GSIStatusPK", "GSIStatusSK"} & raw.keys()
    assert raw["GSI1PK"] == {"S": "READER#marco"}


# --- Idempotency ---------------------------------------------------------------------------------
@every_engine
def test_a_command_sent_again_returns_the_first_result_and_writes_nothing(table: str) -> None:
    add_note("ana", text="one", total=0)
    repeated = command(MARCO)

    def write(text: str) -> Note:
        ana = load_note("ana")
        assert ana is not None
        ana.text = text
        transaction = Transaction(repeated)
        transaction.save(ana, revision=ana.revision)
        transaction.update(key("ana", 2), [Note.total.add(1)], None, Conflict)
        return transaction.commit(ana, {"sent": text})

    first = write("two")
    assert (first.text, first.outcome) == ("two", Outcome({"sent": "two"}))
    again = write("three")
    assert (again.text, again.revision) == ("two", 2), "the item as it is stored, not as it was sent again"
    assert again.outcome == first.outcome, "the outcome is that of the first time"
    counter = load_note("ana", 2)
    assert counter is not None
    assert counter.total == 1
    done = find_done(repeated)
    assert done is not None
    assert (done.by, done.result) == ("marco@example.com", {"sent": "two"})
    assert Key(done.subject_pk, done.subject_sk) == key("ana")


@every_engine
def test_a_command_sent_again_returns_its_result_even_if_a_condition_fails(table: str) -> None:
    """The DONE record and a condition both fail: the command was executed, so the answer is its result."""
    first = command()

    def create() -> Note:
        transaction = Transaction(first)
        created = new_note("ana")
        transaction.create(created)
        return transaction.commit(created)

    create()
    changed_since = load_note("ana")
    assert changed_since is not None
    save_note(changed_since)
    again = create()
    assert again.revision == 2
    assert again.outcome.has_changed_since, "the item was changed since, and the outcome says so"


def test_a_command_sent_again_for_a_deleted_item_raises_not_found(table: str) -> None:
    first = command()

    def create() -> Note:
        transaction = Transaction(first)
        created = new_note("ana")
        transaction.create(created)
        return transaction.commit(created)

    ana = create()
    end = Transaction(command())
    end.delete(ana, revision=1)
    end.commit(None)
    with pytest.raises(NotFound):
        create()
    assert load_note("ana") is None


def test_an_expired_done_record_does_not_count(table: str) -> None:
    """DynamoDB may delete it only days later."""
    old = Command("a-fixed-name", MARCO)
    created = Transaction(old)
    created.create(new_note("ana"))
    created.commit(None)
    with clock.shifted(RECORD_LIFE + timedelta(seconds=1)):
        assert find_done(old) is None
        again = Transaction(old)
        bea = new_note("bea")
        again.create(bea)
        assert again.commit(bea) is bea
        assert load_note("bea") is not None
        done = find_done(old)
        assert done is not None
        assert done.subject_pk == bea.pk


def test_an_item_can_be_created_in_place_of_an_expired_one(table: str) -> None:
    soon = int((clock.now() + timedelta(hours=1)).timestamp())
    add_note("ana", text="short-lived", ttl=soon)
    with pytest.raises(Conflict):
        add_note("ana", text="too early")
    with clock.shifted(timedelta(hours=2)):
        assert load_note("ana") is None
        add_note("ana", text="new")
        ana = load_note("ana")
        assert ana is not None
        assert ana.text == "new"
        assert "ttl" not in (load_raw(ana.key) or {})


@idempotent
def rename(name: str, *, to: str, revision: int, command: Command) -> Note:
    """A service function as in the apps."""
    found = load_note(name)
    if found is None:
        raise NotFound
    if found.text == to:
        raise Refused("It is called that already.")
    found.text = to
    transaction = Transaction(command)
    transaction.save(found, revision=revision)
    return transaction.commit(found)


@every_engine
def test_a_service_called_again_with_the_same_command_returns_its_result(table: str) -> None:
    add_note("ana", text="one")
    mine = command()
    assert rename("ana", to="two", revision=1, command=mine).revision == 2
    # After the first call, both the rule and the revision would refuse it.
    assert rename("ana", to="two", revision=1, command=mine).text == "two"
    with pytest.raises(Refused):
        rename("ana", to="two", revision=2, command=command(MARCO))
    with pytest.raises(Conflict):
        rename("ana", to="three", revision=1, command=command(MARCO))
    with pytest.raises(NotFound):
        rename("nobody", to="three", revision=1, command=command(MARCO))
    ana = load_note("ana")
    assert ana is not None
    assert ana.revision == 2


def test_the_op_log_names_the_service_for_its_calls(table: str) -> None:
    add_note("ana", text="one")
    with oplog.recording() as log:
        rename("ana", to="two", revision=1, command=command())
    assert [(call.operation, call.pattern) for call in log.calls] == [
        ("GetItem", f"{__name__}.rename"),
        ("TransactWriteItems", f"{__name__}.rename"),
    ]


def test_each_part_of_a_command_has_its_own_id() -> None:
    """A bulk action that is sent twice executes each part once."""
    bulk = Command("o1", MARCO)
    assert bulk.part("ana") == bulk.part("ana")
    assert len({bulk.id, bulk.part("ana").id, bulk.part("bea").id, Command("o2", MARCO).part("ana").id}) == 4
    assert bulk.part("ana").by == MARCO


def test_a_secret_depends_on_the_command_the_purpose_and_the_secret_key(settings: Any) -> None:
    one, other = Command("o1", MARCO), Command("o2", MARCO)
    assert one.secret("link") == one.secret("link")
    assert len({one.secret("link"), one.secret("token"), other.secret("link")}) == 3
    before = one.secret("link")
    settings.SECRET_KEY = "another"
    assert one.secret("link") != before


# --- Programming errors --------------------------------------------------------------------------
def test_saving_an_item_that_was_read_in_part_is_refused(table: str) -> None:
    """Its missing attributes and index keys would count as removed."""
    add_note("ana", text="body", shelf="sky")
    (card,) = read.page(SHELF.collection(shelf="sky"), Note, attributes=["title"]).items
    with pytest.raises(RuntimeError, match="in part"):
        Transaction(command()).save(card, revision=1)


def test_the_same_item_twice_in_a_transaction_is_refused(table: str) -> None:
    transaction = Transaction(command())
    transaction.create(new_note("ana"))
    with pytest.raises(RuntimeError, match="twice"):
        transaction.update(key("ana"), [Note.total.add(1)], None, Conflict)


def test_a_transaction_has_at_most_ten_steps(table: str) -> None:
    """The DONE record is one of them."""

    def steps(count: int) -> Transaction:
        transaction = Transaction(command())
        for number in range(1, count + 1):
            transaction.create(new_note(f"note-{count}", number))
        return transaction

    steps(MAX_STEPS - 1).commit(None)
    with oplog.recording() as log, pytest.raises(RuntimeError, match="11 steps"):
        steps(MAX_STEPS).commit(None)
    assert log.calls == [], "refused before anything is sent"


def test_after_a_commit_the_item_equals_the_stored_one(table: str) -> None:
    """The same object can be shown, and changed again."""
    ana = add_note("ana", text="one")
    assert ana.changes() == {}
    ana.text = "two"
    assert ana.changes() == {"text": "two"}
    save_note(ana)
    assert ana.changes() == {}
    assert ana.serialize() == load_raw(ana.key)


def test_a_transaction_sets_the_revision_the_author_and_the_times(table: str) -> None:
    ana = add_note("ana")
    assert (ana.revision, ana.updated_by) == (1, "alma@example.com")
    assert ana.created_at == ana.updated_at
    with clock.shifted(timedelta(hours=1)):
        save_note(ana, under=command(MARCO))
    assert ana.updated_by == "marco@example.com"
    assert ana.updated_at > ana.created_at


@every_engine
def test_a_removal_without_a_revision_is_part_of_the_transaction(table: str) -> None:
    add_note("ana")
    for at, stays in ((Conflict, True), (None, False), (None, False)):
        transaction = Transaction(command())
        transaction.remove(key("ana"))
        if at is not None:
            transaction.check(key("nobody"), Note.pk.exists(), at)
            with pytest.raises(at):
                transaction.commit(None)
        else:
            transaction.commit(None)  # Removing a missing item is not an error.
        assert (load_note("ana") is not None) == stays
