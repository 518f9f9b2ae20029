"""The versions of the demo's filter."""

from __future__ import annotations

from typing import Any

from dashboard.platform.accounts.demo import ACCOUNTS
from dashboard.platform.configs import queries
from dashboard.platform.configs.changes import EntryChange
from dashboard.platform.configs.services import config_writes
from dashboard.platform.demos.logins import DOMAIN
from dashboard.table.commands import Actor, Command
from forum.configs.profanity import PROFANITY, THRESHOLD, allowed_entry, word_entry

_LOW, _HIGH = ["low", "whole"], ["high", "whole"]
# When, who, why, what.
STEPS: list[tuple[float, str, str, dict[str, Any]]] = [
    (19, "staff", "Resale of tickets", {word_entry("vendo entradas"): _LOW, word_entry("reventa"): _LOW}),
    (8, "admin", "The sponsor's name was hit", {allowed_entry("Putaendo"): True, allowed_entry("Concón"): True}),
    (3, "staff", "After the opening night", {THRESHOLD: 0.75, word_entry("estafadores"): _HIGH}),
]


def save(number: int) -> None:
    """Save one of the steps, now."""
    _days, who, note, wanted = STEPS[number]
    email = f"{who}@{DOMAIN}"
    current = PROFANITY.entries_of(queries.current(PROFANITY))
    changes = {name: EntryChange(current.get(name), value) for name, value in wanted.items()}
    command = Command(f"demo-filter-{number + 1}", Actor(email, ACCOUNTS[email][0]))
    config_writes.save(PROFANITY, changes, note=note, revision=None, confirmed=None, command=command)
