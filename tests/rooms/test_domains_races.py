"""16 people change the list at once, with lost replies: every change is saved once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from dashboard.platform.configs import queries
from dashboard.platform.configs.services import config_writes
from dashboard.table.commands import Actor, new_command
from rooms.configs.domains import DOMAINS, added, removed
from tests.conftest import real_engines
from tests.faults import act_then_break, bad_network, lose_reply, retry_until_available
from tests.rooms.domains import allow_domains, domain_entries, stored_whitelist

PEOPLE = 16


@real_engines
@pytest.mark.parametrize("lossy", [False, True], ids=["calm", "lost-replies"])
def test_concurrent_changes_are_all_saved_once(table: str, lossy: bool) -> None:
    allow_domains("first.example", *(f"old{number}.example" for number in range(PEOPLE)))

    def change_list(number: int) -> None:
        """Add one domain and remove another; repeat while the table is unavailable."""
        command = new_command(Actor(f"p{number}@example.com", f"Person {number}"))
        changes = added([f"new{number}.example"]) | removed([f"old{number}.example"])
        retry_until_available(lambda: config_writes.save(DOMAINS, changes, revision=1, command=command))

    with bad_network() as network, ThreadPoolExecutor(PEOPLE) as threads:
        if lossy:
            network.add_random_fault(0.08, lose_reply)
            network.add_random_fault(0.04, act_then_break)
        list(threads.map(change_list, range(PEOPLE)))
        network.stop_faults()
        assert not lossy or network.faults > 10, "too few lost replies: the test proves nothing"
    assert sorted(stored_whitelist()) == sorted(
        ["@first.example", *(f"@new{number}.example" for number in range(PEOPLE))]
    )
    assert queries.newest_number(DOMAINS) == PEOPLE + 1
    assert len(domain_entries()) == PEOPLE + 1
