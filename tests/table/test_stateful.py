"""Optimistic writes in any order, over a network as bad as Hypothesis can make it, against a model of the table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from dashboard.core.errors import Conflict, NotFound, Unavailable
from dashboard.core.ids import new_id
from dashboard.table import read, retries
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, find_done
from tests.conftest import real_engines
from tests.faults import (
    Fault,
    Network,
    act_then_break,
    bad_network,
    broken,
    collide,
    lose_reply,
    lose_request,
    throttle,
)
from tests.table.notes import Note, command, key, note, note_at

NAMES = st.sampled_from(["ana", "bea", "carla"])
TEXTS = st.sampled_from(["rain", "sun", "fog"])
# What befalls the tries of one action, in turn.
TROUBLE = st.lists(
    st.sampled_from([lose_reply, lose_reply, lose_request, throttle, collide, broken, act_then_break]), max_size=8
)
SENT = "TransactWriteItems"


@dataclass
class Known:
    """A note as the model knows it."""

    text: str
    revision: int


@dataclass(frozen=True)
class Past:
    """A command that was carried out: to be sent again."""

    command: Command
    act: Callable[[Command], Note | None]
    name: str


class Notes(RuleBasedStateMachine):
    network: ClassVar[Network]

    def __init__(self) -> None:
        super().__init__()
        self.run = new_id()
        self.model: dict[str, Known] = {}
        self.past: list[Past] = []
        self.refused: list[Command] = []

    # --- What people do --------------------------------------------------------------------------
    @rule(name=NAMES, text=TEXTS, trouble=TROUBLE)
    def create(self, name: str, text: str, trouble: list[Fault]) -> None:
        def act(under: Command) -> Note:
            made = note(self._at(name), text=text)
            transaction = self._transaction(under)
            transaction.create(made)
            return transaction.commit(made)

        if self._do(act, name, trouble, expected=name not in self.model):
            self.model[name] = Known(text, 1)

    @precondition(lambda self: self.model)
    @rule(data=st.data(), text=TEXTS, trouble=TROUBLE)
    def save(self, data: st.DataObject, text: str, trouble: list[Fault]) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        known = self.model[name]
        if self._do(self._saving(name, text, known.revision), name, trouble, expected=True):
            self.model[name] = Known(text, known.revision + 1)

    @precondition(lambda self: self.model)
    @rule(data=st.data(), text=TEXTS, trouble=TROUBLE)
    def save_stale(self, data: st.DataObject, text: str, trouble: list[Fault]) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        now = self.model[name].revision
        revision = data.draw(st.integers(0, 6).filter(lambda each: each != now))
        self._do(self._saving(name, text, revision), name, trouble, expected=False)

    @precondition(lambda self: self.model)
    @rule(data=st.data(), stale=st.booleans(), trouble=TROUBLE)
    def delete(self, data: st.DataObject, stale: bool, trouble: list[Fault]) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        revision = self.model[name].revision + stale

        def act(under: Command) -> None:
            found = note_at(self._at(name)) or note(self._at(name))
            transaction = self._transaction(under)
            transaction.delete(found, revision=revision)
            transaction.commit(None)

        if self._do(act, name, trouble, expected=not stale):
            del self.model[name]

    @precondition(lambda self: self.past)
    @rule(data=st.data(), trouble=TROUBLE)
    def send_again(self, data: st.DataObject, trouble: list[Fault]) -> None:
        """An old form: the answer is what stands there now, and nothing changes."""
        past = data.draw(st.sampled_from(self.past))
        known = self.model.get(past.name)
        try:
            found = self._insist(past.act, past.command, trouble)
        except NotFound:
            assert known is None
            return
        if found is not None:
            assert known is not None
            assert (found.text, found.revision) == (known.text, known.revision)

    # --- What must hold --------------------------------------------------------------------------
    @invariant()
    def the_table_is_what_the_model_says(self) -> None:
        names = ["ana", "bea", "carla"]
        *found, counter = read.get_many([key(self._at(each)) for each in [*names, "counter"]])
        for name, item in zip(names, found, strict=True):
            known = self.model.get(name)
            assert (item is None) == (known is None)
            if isinstance(item, Note) and known is not None:
                assert (item.text, item.revision) == (known.text, known.revision)
        assert (counter.total if isinstance(counter, Note) else 0) == len(self.past), "each success once"

    def teardown(self) -> None:
        for past in self.past:
            assert find_done(past.command) is not None
        for each in self.refused:
            assert find_done(each) is None

    # --- How -------------------------------------------------------------------------------------
    def _at(self, name: str) -> str:
        return f"{self.run}-{name}"

    def _transaction(self, under: Command) -> Transaction:
        transaction = Transaction(under)
        transaction.update(key(self._at("counter")), [Note.total.add(1)], None, Conflict)
        return transaction

    def _saving(self, name: str, text: str, revision: int) -> Callable[[Command], Note]:
        def act(under: Command) -> Note:
            found = note_at(self._at(name)) or note(self._at(name))
            found.text = text
            transaction = self._transaction(under)
            transaction.save(found, revision=revision)
            return transaction.commit(found)

        return act

    def _do(self, act: Callable[[Command], Note | None], name: str, trouble: list[Fault], *, expected: bool) -> bool:
        """Act as a new command; true if it was carried out, as expected."""
        intention = command()
        before = self.model.get(name)
        try:
            self._insist(act, intention, trouble)
        except Conflict as conflict:
            assert not expected, "a success was reported as a failure"
            self.refused.append(intention)
            item: Any = conflict.item
            assert (before is None) == (item is None)
            if before is not None:
                assert (item.text, item.revision) == (before.text, before.revision)
            return False
        assert expected, "a failure was reported as a success"
        self.past.append(Past(intention, act, name))
        return True

    def _insist(self, act: Callable[[Command], Note | None], intention: Command, trouble: list[Fault]) -> Any:
        self.network.next(SENT, *trouble)
        try:
            while True:
                with suppress(Unavailable):  # The trouble ends, and so does this.
                    return act(intention)
        finally:
            self.network.stop_faults()


@real_engines
def test_the_table_keeps_its_word(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "time", SimpleNamespace(sleep=lambda _: None))
    # Java is slow at this, and two cores are few.
    examples = 25 if table == "dynoxide" else 4
    with bad_network() as network:
        Notes.network = network
        run_state_machine_as_test(
            Notes,
            settings=settings(
                max_examples=examples,
                stateful_step_count=20,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
        assert network.faults > examples
