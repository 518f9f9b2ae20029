"""Random sequences of optimistic writes and network faults, compared with a model of the table."""

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
from tests.table.notes import Note, command, key, load_note, new_note

NAMES = st.sampled_from(["ana", "bea", "carla"])
TEXTS = st.sampled_from(["rain", "sun", "fog"])
# The faults of the tries of one action, in order.
FAULTS = st.lists(
    st.sampled_from([lose_reply, lose_reply, lose_request, throttle, collide, broken, act_then_break]), max_size=8
)
SENT = "TransactWriteItems"


@dataclass
class ModelNote:
    """A note in the model."""

    text: str
    revision: int


@dataclass(frozen=True)
class ExecutedCommand:
    """A command that was executed, and can be sent again."""

    command: Command
    act: Callable[[Command], Note | None]
    name: str


class Notes(RuleBasedStateMachine):
    network: ClassVar[Network]

    def __init__(self) -> None:
        super().__init__()
        self.run = new_id()
        self.model: dict[str, ModelNote] = {}
        self.past: list[ExecutedCommand] = []
        self.refused: list[Command] = []

    # --- Actions ---------------------------------------------------------------------------------
    @rule(name=NAMES, text=TEXTS, trouble=FAULTS)
    def create(self, name: str, text: str, trouble: list[Fault]) -> None:
        def act(under: Command) -> Note:
            created = new_note(self._at(name), text=text)
            transaction = self._transaction(under)
            transaction.create(created)
            return transaction.commit(created)

        if self._execute(act, name, trouble, expected=name not in self.model):
            self.model[name] = ModelNote(text, 1)

    @precondition(lambda self: self.model)
    @rule(data=st.data(), text=TEXTS, trouble=FAULTS)
    def save(self, data: st.DataObject, text: str, trouble: list[Fault]) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        known = self.model[name]
        if self._execute(self._save_action(name, text, known.revision), name, trouble, expected=True):
            self.model[name] = ModelNote(text, known.revision + 1)

    @precondition(lambda self: self.model)
    @rule(data=st.data(), text=TEXTS, trouble=FAULTS)
    def save_stale(self, data: st.DataObject, text: str, trouble: list[Fault]) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        now = self.model[name].revision
        revision = data.draw(st.integers(0, 6).filter(lambda each: each != now))
        self._execute(self._save_action(name, text, revision), name, trouble, expected=False)

    @precondition(lambda self: self.model)
    @rule(data=st.data(), stale=st.booleans(), trouble=FAULTS)
    def delete(self, data: st.DataObject, stale: bool, trouble: list[Fault]) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        revision = self.model[name].revision + stale

        def act(under: Command) -> None:
            found = load_note(self._at(name)) or new_note(self._at(name))
            transaction = self._transaction(under)
            transaction.delete(found, revision=revision)
            transaction.commit(None)

        if self._execute(act, name, trouble, expected=not stale):
            del self.model[name]

    @precondition(lambda self: self.past)
    @rule(data=st.data(), trouble=FAULTS)
    def send_again(self, data: st.DataObject, trouble: list[Fault]) -> None:
        """Send an executed command again: the answer is the current item, and nothing changes."""
        past = data.draw(st.sampled_from(self.past))
        known = self.model.get(past.name)
        try:
            found = self._retry(past.act, past.command, trouble)
        except NotFound:
            assert known is None
            return
        if found is not None:
            assert known is not None
            assert (found.text, found.revision) == (known.text, known.revision)

    # --- Invariants ------------------------------------------------------------------------------
    @invariant()
    def the_table_is_what_the_model_says(self) -> None:
        names = ["ana", "bea", "carla"]
        *found, counter = read.get_many([key(self._at(each)) for each in [*names, "counter"]])
        for name, item in zip(names, found, strict=True):
            known = self.model.get(name)
            assert (item is None) == (known is None)
            if isinstance(item, Note) and known is not None:
                assert (item.text, item.revision) == (known.text, known.revision)
        assert (counter.total if isinstance(counter, Note) else 0) == len(self.past), "each success is executed once"

    def teardown(self) -> None:
        for past in self.past:
            assert find_done(past.command) is not None
        for each in self.refused:
            assert find_done(each) is None

    # --- Helpers ---------------------------------------------------------------------------------
    def _at(self, name: str) -> str:
        return f"{self.run}-{name}"

    def _transaction(self, under: Command) -> Transaction:
        transaction = Transaction(under)
        transaction.update(key(self._at("counter")), [Note.total.add(1)], None, Conflict)
        return transaction

    def _save_action(self, name: str, text: str, revision: int) -> Callable[[Command], Note]:
        def act(under: Command) -> Note:
            found = load_note(self._at(name)) or new_note(self._at(name))
            found.text = text
            transaction = self._transaction(under)
            transaction.save(found, revision=revision)
            return transaction.commit(found)

        return act

    def _execute(
        self, act: Callable[[Command], Note | None], name: str, trouble: list[Fault], *, expected: bool
    ) -> bool:
        """Execute the action as a new command; true if it was executed. Fails if the result is not the expected one."""
        sent = command()
        before = self.model.get(name)
        try:
            self._retry(act, sent, trouble)
        except Conflict as conflict:
            assert not expected, "a success was reported as a failure"
            self.refused.append(sent)
            item: Any = conflict.item
            assert (before is None) == (item is None)
            if before is not None:
                assert (item.text, item.revision) == (before.text, before.revision)
            return False
        assert expected, "a failure was reported as a success"
        self.past.append(ExecutedCommand(sent, act, name))
        return True

    def _retry(self, act: Callable[[Command], Note | None], sent: Command, trouble: list[Fault]) -> Any:
        self.network.next(SENT, *trouble)
        try:
            while True:
                with suppress(Unavailable):  # The list of faults ends, so the loop ends, too.
                    return act(sent)
        finally:
            self.network.stop_faults()


@real_engines
def test_the_table_agrees_with_the_model(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "time", SimpleNamespace(sleep=lambda _: None))
    # DynamoDB Local is slow at this, so it gets fewer examples.
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
