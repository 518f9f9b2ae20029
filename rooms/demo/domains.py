"""Versions of the demo's list of domains, and a first count of its people."""

from __future__ import annotations

from dashboard.core.ids import predictable
from dashboard.platform.accounts.demo import ACCOUNTS
from dashboard.platform.configs import queries as configs
from dashboard.platform.configs.services import config_writes
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import days_ago
from dashboard.platform.event.demo_attendees import ATTENDEES_DOMAIN, SIMULATED_DOMAIN
from dashboard.table.commands import Actor, Command
from rooms.configs.domains import DOMAINS, added
from rooms.queries.domains import find_domain_count
from rooms.services import domain_counts

# Days ago, author, note, domains. The demo's own domains come first, so that its people can post.
STEPS = [
    (22.0, "admin", "Organisers and attendees", [DOMAIN, ATTENDEES_DOMAIN, SIMULATED_DOMAIN]),
    (20.0, "staff", "The sponsors", ["sura.com.co", "bancoldex.com"]),
    (6.0, "staff", "Guests of the opening night", ["andina.example", "harbour.example", "panadería-el-nogal.example"]),
]


def seed() -> int:
    """Save the list if there is none, count the people, and return the number of versions."""
    steps = STEPS if configs.current(DOMAINS) is None else []
    for number, (days, who, note, names) in enumerate(steps, 1):
        email = f"{who}@{DOMAIN}"
        command = Command(f"demo-domains-{number}", Actor(email, ACCOUNTS[email][0]))
        with days_ago(days, f"domains {number}"):
            # Without confirmation.
            config_writes.save(DOMAINS, added(names), note=note, revision=None, confirmed=None, command=command)
    _count()
    return len(steps)


def _count() -> None:
    """Count to the end; `run_due` continues from there."""
    with predictable("domain count"):
        domain_counts.start()
    while (count := find_domain_count()) is not None:
        if not domain_counts.count_next(count):
            return
