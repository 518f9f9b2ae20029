"""One transaction holds the rule, the change and the record: all of it happens, once, or none does."""

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
from tests.table.notes import MARCO, NOON, SHELF, Note, add, command, key, note, note_at, on_the_wire, put_note, saved


def refused(text: str) -> ErrorFactory:
    return lambda _: Refused(text)


# --- Creating, saving, deleting ------------------------------------------------------------------
@every_engine
def test_nothing_is_created_over_what_is_there(table: str) -> None:
    add("ana", text="Alma's")
    transaction = Transaction(command(MARCO))
    transaction.create(note("ana", text="Marco's"))
    with pytest.raises(Conflict) as caught:
        transaction.commit(None)
    assert isinstance(caught.value.item, Note)
    assert (caught.value.item.text, caught.value.item.updated_by) == ("Alma's", "alma@example.com")
    now = note_at("ana")
    assert now is not None
    assert (now.text, now.revision) == ("Alma's", 1)
    assert find_done(transaction.command) is None, "what was refused was not done"


@every_engine
def test_a_save_on_what_the_person_saw_is_written_and_on_anything_else_is_a_conflict(table: str) -> None:
    add("ana", text="one", total=1)
    mine, theirs = note_at("ana"), note_at("ana")
    assert mine is not None
    assert theirs is not None
    theirs.text = "two"
    assert saved(theirs, under=command(MARCO)).revision == 2

    mine.text = "three"
    with pytest.raises(Conflict) as caught:
        saved(mine, revision=1)
    assert isinstance(caught.value.item, Note)
    now = caught.value.item
    assert (now.text, now.total, now.revision, now.updated_by) == ("two", 1, 2, "marco@example.com")
    assert now.updated_at is not None

    # Knowing what stands there, they may insist.
    now.text = "three"
    assert saved(now, revision=2).revision == 3
    again = note_at("ana")
    assert again is not None
    assert (again.text, again.revision) == ("three", 3)


@every_engine
@pytest.mark.parametrize("stood", [None, {"S": "five"}, {"N": "5"}, {"L": [{"S": "five"}]}], ids=str)
@pytest.mark.parametrize("moved", [False, True])
def test_what_others_write_without_a_revision_is_as_it_was_read_or_nothing_is_saved(
    table: str, stood: dict[str, Any] | None, moved: bool
) -> None:
    wire: Any = {"text": stood} if stood else {}
    put_note("ana", **wire)
    found = note_at("ana")
    assert found is not None
    if moved:
        put_note("ana", text={"S": "six"})
    found.total = 1
    transaction = Transaction(command())
    transaction.save(found, revision=0, condition=found.unchanged("text", "due"))
    if moved:
        with pytest.raises(Conflict):
            transaction.commit(found)
    else:
        assert transaction.commit(found).revision == 1
    assert (on_the_wire(key("ana")) or {}).get("text") == ({"S": "six"} if moved else stood)


@every_engine
def test_an_item_that_nobody_edited_counts_as_revision_0(table: str) -> None:
    put_note("ana")
    put_note("bea", revision={"N": "0"})
    for name in ("ana", "bea"):
        found = note_at(name)
        assert found is not None
        assert saved(found, revision=0).revision == 1
        stale = note_at(name)
        assert stale is not None
        with pytest.raises(Conflict):
            saved(stale, revision=0)
    with pytest.raises(Conflict) as caught:
        saved(Note.of({"PK": {"S": key("none").pk}, "SK": {"S": key("none").sk}, "title": {"S": "x"}}), revision=0)
    assert caught.value.item is None, "a save never brings an item back to life"
    assert note_at("none") is None


@every_engine
def test_a_second_save_within_the_same_second_is_a_conflict_too(table: str) -> None:
    """Two tabs, the same form, the same person: the second changes nothing but the revision it did not see."""
    with clock.frozen(NOON):
        add("ana", text="one")
        for expected in (2, None):
            ana = note_at("ana")
            assert ana is not None
            ana.text = "two"
            if expected:
                assert saved(ana, revision=1).revision == expected
            else:
                with pytest.raises(Conflict):
                    saved(ana, revision=1)


@every_engine
def test_a_delete_needs_what_the_person_saw(table: str) -> None:
    ana = add("ana")
    saved(ana)
    stale = Transaction(command())
    stale.delete(ana, revision=1)
    with pytest.raises(Conflict) as caught:
        stale.commit(None)
    assert caught.value.item is not None
    assert caught.value.item.revision == 2
    right = Transaction(command())
    right.delete(ana, revision=2)
    assert right.commit(None) is None
    assert note_at("ana") is None


@every_engine
def test_counters_and_checks_stand_in_the_same_transaction(table: str) -> None:
    add("ana", total=3)
    add("bea", text="open")

    def take(most: int, state: str) -> None:
        transaction = Transaction(command())
        transaction.check(key("bea"), Note.text == state, refused("closed"))
        transaction.update(key("ana"), [Note.total.add(1)], Note.total < most, refused("full"))
        transaction.commit(None)

    take(4, "open")
    with pytest.raises(Refused, match="full"):
        take(4, "open")
    with pytest.raises(Refused, match="closed"):
        take(9, "shut")
    ana = note_at("ana")
    assert ana is not None
    assert (ana.total, ana.revision) == (4, 1), "a counter is no edit"


@every_engine
def test_the_first_refusal_in_the_callers_order_is_the_one_that_counts(table: str) -> None:
    """PynamoDB sends checks, deletes, puts, updates: here the order is the caller's, and so are the reasons."""
    taken, edited = add("taken"), add("edited")
    steps: dict[str, Any] = {
        "update": lambda t: t.update(key("edited"), [Note.total.set(1)], Note.total.exists(), refused("update")),
        "create": lambda t: t.create(note("taken"), refused("create")),
        "check": lambda t: t.check(key("none"), Item.pk.exists(), refused("check")),
        "delete": lambda t: t.delete(add("gone"), revision=7, on_failure=refused("delete")),
        "fine": lambda t: t.create(note("fine"), refused("fine")),
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
        assert note_at("fine") is None
        gone = note_at("gone")
        if gone is not None:
            end = Transaction(command())
            end.delete(gone, revision=1)
            end.commit(None)
    assert (taken.revision, edited.revision) == (1, 1)


@every_engine
def test_a_refusal_carries_the_item_of_the_step_that_failed(table: str) -> None:
    add("ana", text="not this one")
    add("bea", text="this one", shelf="sky", about={"x": [1, 2]})
    seen: list[Item | None] = []

    def on_failure(item: Item | None) -> Refused:
        seen.append(item)
        return Refused("no")

    transaction = Transaction(command())
    transaction.check(key("ana"), Item.pk.exists(), Conflict)
    transaction.update(key("bea"), [Note.total.set(1)], Note.text == "another", on_failure)
    with pytest.raises(Refused):
        transaction.commit(None)
    (bea,) = seen
    assert isinstance(bea, Note)
    assert (bea.text, bea.about) == ("this one", {"x": [1, 2]})


@every_engine
def test_places_in_indexes_follow_the_item_and_end_with_it(table: str) -> None:
    """Sparse: who stands on no shelf is in no index."""
    ana = add("ana", shelf="sky", reader="marco")
    sky, sea = SHELF.collection(shelf="sky"), SHELF.collection(shelf="sea")
    assert [each.title for each in read.page(sky, Note).items] == ["ana 1"]

    ana.shelf, ana.title = "sea", "Ana"
    saved(ana)
    assert read.page(sky, Note).items == []
    (found,) = read.page(sea, Note).items
    assert (found.title, found.gsistatussk, found.gsi1sk) == ("Ana", "Ana", "Ana")

    ana.shelf = None
    saved(ana)
    assert read.page(sea, Note).items == []
    raw = on_the_wire(ana.key)
    assert raw is not None
    assert not {"GSIStatusPK", "GSIStatusSK"} & raw.keys()
    assert raw["GSI1PK"] == {"S": "READER#marco"}


# --- Once ----------------------------------------------------------------------------------------
@every_engine
def test_an_operation_sent_again_answers_as_it_did_and_does_nothing(table: str) -> None:
    add("ana", text="one", total=0)
    twice = command(MARCO)

    def write(text: str) -> Note:
        ana = note_at("ana")
        assert ana is not None
        ana.text = text
        transaction = Transaction(twice)
        transaction.save(ana, revision=ana.revision)
        transaction.update(key("ana", 2), [Note.total.add(1)], None, Conflict)
        return transaction.commit(ana, {"sent": text})

    first = write("two")
    assert (first.text, first.outcome) == ("two", Outcome({"sent": "two"}))
    again = write("three")
    assert (again.text, again.revision) == ("two", 2), "the subject as it is, not as it was sent again"
    assert again.outcome == first.outcome, "and what was said then is said again"
    counter = note_at("ana", 2)
    assert counter is not None
    assert counter.total == 1
    done = find_done(twice)
    assert done is not None
    assert (done.by, done.result) == ("marco@example.com", {"sent": "two"})
    assert Key(done.subject_pk, done.subject_sk) == key("ana")


@every_engine
def test_a_replay_beats_the_refusal_it_would_meet(table: str) -> None:
    """The record and a condition fail together: it was done, so that is the answer."""
    first = command()

    def create() -> Note:
        transaction = Transaction(first)
        made = note("ana")
        transaction.create(made)
        return transaction.commit(made)

    create()
    saved_since = note_at("ana")
    assert saved_since is not None
    saved(saved_since)
    again = create()
    assert again.revision == 2
    assert again.outcome.has_changed_since, "someone has changed it since, and the screen can say so"


def test_a_replay_of_what_is_gone_by_now_says_so(table: str) -> None:
    first = command()

    def create() -> Note:
        transaction = Transaction(first)
        made = note("ana")
        transaction.create(made)
        return transaction.commit(made)

    ana = create()
    end = Transaction(command())
    end.delete(ana, revision=1)
    end.commit(None)
    with pytest.raises(NotFound):
        create()
    assert note_at("ana") is None


def test_a_record_past_its_life_is_no_record(table: str) -> None:
    """It may lie there for days before DynamoDB deletes it."""
    old = Command("a-fixed-name", MARCO)
    made = Transaction(old)
    made.create(note("ana"))
    made.commit(None)
    with clock.shifted(RECORD_LIFE + timedelta(seconds=1)):
        assert find_done(old) is None
        again = Transaction(old)
        bea = note("bea")
        again.create(bea)
        assert again.commit(bea) is bea
        assert note_at("bea") is not None
        done = find_done(old)
        assert done is not None
        assert done.subject_pk == bea.pk


def test_something_may_be_created_where_something_has_expired(table: str) -> None:
    soon = int((clock.now() + timedelta(hours=1)).timestamp())
    add("ana", text="short-lived", ttl=soon)
    with pytest.raises(Conflict):
        add("ana", text="too early")
    with clock.shifted(timedelta(hours=2)):
        assert note_at("ana") is None
        add("ana", text="new")
        ana = note_at("ana")
        assert ana is not None
        assert ana.text == "new"
        assert "ttl" not in (on_the_wire(ana.key) or {})


@idempotent
def rename(name: str, *, to: str, revision: int, command: Command) -> Note:
    """A service as the apps write them."""
    found = note_at(name)
    if found is None:
        raise NotFound
    if found.text == to:
        raise Refused("It is called that already.")
    found.text = to
    transaction = Transaction(command)
    transaction.save(found, revision=revision)
    return transaction.commit(found)


@every_engine
def test_a_service_asked_again_answers_as_it_did_and_not_with_a_refusal(table: str) -> None:
    add("ana", text="one")
    mine = command()
    assert rename("ana", to="two", revision=1, command=mine).revision == 2
    # Its own success stands in its way: the rule, and then the revision.
    assert rename("ana", to="two", revision=1, command=mine).text == "two"
    with pytest.raises(Refused):
        rename("ana", to="two", revision=2, command=command(MARCO))
    with pytest.raises(Conflict):
        rename("ana", to="three", revision=1, command=command(MARCO))
    with pytest.raises(NotFound):
        rename("nobody", to="three", revision=1, command=command(MARCO))
    ana = note_at("ana")
    assert ana is not None
    assert ana.revision == 2


def test_what_a_service_asks_and_writes_bears_its_name_in_the_log(table: str) -> None:
    add("ana", text="one")
    with oplog.recording() as log:
        rename("ana", to="two", revision=1, command=command())
    assert [(call.operation, call.pattern) for call in log.calls] == [
        ("GetItem", f"{__name__}.rename"),
        ("TransactWriteItems", f"{__name__}.rename"),
    ]


def test_parts_of_one_operation_are_operations_of_their_own() -> None:
    """A bulk action sent twice does each of its parts once."""
    whole = Command("o1", MARCO)
    assert whole.part("ana") == whole.part("ana")
    assert len({whole.id, whole.part("ana").id, whole.part("bea").id, Command("o2", MARCO).part("ana").id}) == 4
    assert whole.part("ana").by == MARCO


def test_an_operations_secret_is_its_own(settings: Any) -> None:
    one, other = Command("o1", MARCO), Command("o2", MARCO)
    assert one.secret("link") == one.secret("link")
    assert len({one.secret("link"), one.secret("token"), other.secret("link")}) == 3
    before = one.secret("link")
    settings.SECRET_KEY = "another"
    assert one.secret("link") != before


# --- What no service may do ----------------------------------------------------------------------
def test_what_was_read_in_part_is_not_written(table: str) -> None:
    """Its missing attributes would be taken for removed ones, and its places in indexes with them."""
    add("ana", text="body", shelf="sky")
    (card,) = read.page(SHELF.collection(shelf="sky"), Note, attributes=["title"]).items
    with pytest.raises(RuntimeError, match="in part"):
        Transaction(command()).save(card, revision=1)


def test_the_same_item_stands_once_in_a_transaction(table: str) -> None:
    transaction = Transaction(command())
    transaction.create(note("ana"))
    with pytest.raises(RuntimeError, match="twice"):
        transaction.update(key("ana"), [Note.total.add(1)], None, Conflict)


def test_a_transaction_has_ten_steps_at_the_most(table: str) -> None:
    """The record is one of them."""

    def steps(count: int) -> Transaction:
        transaction = Transaction(command())
        for number in range(1, count + 1):
            transaction.create(note(f"note-{count}", number))
        return transaction

    steps(MAX_STEPS - 1).commit(None)
    with oplog.recording() as log, pytest.raises(RuntimeError, match="11 steps"):
        steps(MAX_STEPS).commit(None)
    assert log.calls == [], "refused before anything is sent"


def test_after_a_commit_the_item_is_what_stands_in_the_table(table: str) -> None:
    """So the same object can be shown, and changed again."""
    ana = add("ana", text="one")
    assert ana.changes() == {}
    ana.text = "two"
    assert ana.changes() == {"text": "two"}
    saved(ana)
    assert ana.changes() == {}
    assert ana.serialize() == on_the_wire(ana.key)


def test_what_a_transaction_writes_is_stamped(table: str) -> None:
    ana = add("ana")
    assert (ana.revision, ana.updated_by) == (1, "alma@example.com")
    assert ana.created_at == ana.updated_at
    with clock.shifted(timedelta(hours=1)):
        saved(ana, under=command(MARCO))
    assert ana.updated_by == "marco@example.com"
    assert ana.updated_at > ana.created_at


@every_engine
def test_an_item_that_nobody_edits_is_removed_with_the_rest_or_not_at_all(table: str) -> None:
    add("ana")
    for at, stays in ((Conflict, True), (None, False), (None, False)):
        transaction = Transaction(command())
        transaction.remove(key("ana"))
        if at is not None:
            transaction.check(key("nobody"), Note.pk.exists(), at)
            with pytest.raises(at):
                transaction.commit(None)
        else:
            transaction.commit(None)  # Fine if it is gone already.
        assert (note_at("ana") is not None) == stays
