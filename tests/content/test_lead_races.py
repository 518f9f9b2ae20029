"""People change the stage of a lead while the service overwrites its row and replies are lost."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

from content.lead_stages import LeadStage
from content.queries.leads import contacts_of, find_state, history_of
from content.services import leads as services
from dashboard.core.errors import Conflict
from dashboard.platform.stream.batches import KeepsChanging
from dashboard.table import keys
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.items import Raw
from dashboard.table.retries import retry_on
from dashboard.table.transactions import find_done
from tests.adoption.outside import follow, put_raw
from tests.conftest import real_engines
from tests.content.site import BUSINESS
from tests.content.visitors import put_lead
from tests.faults import act_then_break, bad_network, lose_reply, retry_until_available
from tests.stream.helpers import wrong_keys

PEOPLE, TRIES, CONTACTS = 6, 5, 8
LEAD = "otto@buyer.example"


def press(chance: random.Random, by: Actor) -> tuple[Command, bool]:
    """Change the stage as a person who has just opened the page."""
    command = new_command(by)
    state = find_state(BUSINESS, LEAD)
    assert state is not None
    stage = chance.choice([each for each in LeadStage if each != state.stage])
    revision = state.revision
    try:
        retry_until_available(lambda: services.set_stage(BUSINESS, LEAD, stage, revision=revision, command=command))
    except Conflict:
        return command, False
    return command, True


@real_engines
def test_no_stage_and_no_contact_is_lost(table: str) -> None:
    put_lead()
    start = Barrier(PEOPLE + 1)

    def change_stages(number: int) -> list[tuple[Command, bool]]:
        chance, by = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}")
        start.wait()
        return [press(chance, by) for _ in range(TRIES)]

    def overwrite() -> None:
        """Each contact replaces the row; the follower sees both images."""
        start.wait()
        old: Raw | None = None
        for number in range(CONTACTS):
            raw = put_raw(
                keys.LEAD.key(tenant=BUSINESS, email=LEAD),
                id=f"c-{number}",
                email=LEAD,
                status="New",
                createdAt=f"2026-06-0{number + 1}T10:00:00.000Z",
                data={"message": str(number)},
            )
            # The follower tries again what keeps changing.
            retry_on(KeepsChanging, partial(retry_until_available, partial(follow, raw, old)))
            old = raw

    with bad_network() as network:
        network.add_random_fault(0.08, lose_reply)
        network.add_random_fault(0.04, act_then_break)
        with ThreadPoolExecutor(PEOPLE + 1) as pool:
            service = pool.submit(overwrite)
            attempts = [each for some in pool.map(change_stages, range(PEOPLE)) for each in some]
            service.result()
        network.stop_faults()
    assert all((find_done(command) is not None) == done for command, done in attempts)
    state = find_state(BUSINESS, LEAD)
    assert state is not None and state.last_contact_at is not None and state.last_contact_at.day == CONTACTS
    done = sum(done for _command, done in attempts)
    assert done >= 1 and state.revision == done
    entries = history_of(BUSINESS, LEAD)
    assert len(entries) == min(done, 30)
    assert not wrong_keys(dict(state.raw))
    contacts = contacts_of(BUSINESS, LEAD)
    assert sorted(each.row_id or "" for each in contacts) == [f"c-{number}" for number in range(CONTACTS - 1)]
