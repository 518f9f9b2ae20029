"""A demo filter: the starter list, made to fit an event in three steps."""

from __future__ import annotations

from typing import Any

from dashboard.accounts.demo import ACCOUNTS
from dashboard.configs import queries
from dashboard.configs.changes import Change
from dashboard.configs.services import saving
from dashboard.configs.services.versions import Why
from dashboard.local.accounts import DOMAIN
from dashboard.local.story import days_ago
from dashboard.table.operations import Actor, Operation
from forum.configs.profanity import PROFANITY, THRESHOLD, allowed_entry, word_entry

_LOW, _HIGH = ["low", "whole"], ["high", "whole"]
_STEPS: list[tuple[float, str, str, dict[str, Any]]] = [
    (19, "staff", "Resale of tickets", {word_entry("vendo entradas"): _LOW, word_entry("reventa"): _LOW}),
    (8, "admin", "The sponsor's name was hit", {allowed_entry("Putaendo"): True, allowed_entry("Concón"): True}),
    (3, "staff", "After the opening night", {THRESHOLD: 0.75, word_entry("estafadores"): _HIGH}),
]


def seed() -> int:
    """Save the versions, if nobody has saved any; says how many there are then."""
    if queries.current(PROFANITY) is not None:
        return 0
    for number, (days, who, note, wanted) in enumerate(_STEPS, start=1):
        with days_ago(days, f"filter {number}"):
            email = f"{who}@{DOMAIN}"
            stands = PROFANITY.entries_of(queries.current(PROFANITY))
            changes = {name: Change(stands.get(name), value) for name, value in wanted.items()}
            operation = Operation(f"demo-filter-{number}", Actor(email, ACCOUNTS[email][0]))
            saving.save(PROFANITY, changes, why=Why(note), seen=None, operation=operation)
    return queries.newest_number(PROFANITY)
