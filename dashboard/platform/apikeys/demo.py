"""Demo API keys: for a website, a server, a chatbot, a revoked one, and one of the platform.

Their secrets are not stored.
"""

from __future__ import annotations

from dashboard.platform.accounts.demo import ACCOUNTS
from dashboard.platform.apikeys import services
from dashboard.platform.apikeys.items import PLATFORM
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import in_recent_weeks
from dashboard.table.commands import Actor, Command
from dashboard.table.transactions import find_done

_OWNER = f"owner@{DOMAIN}"
_ADMIN = f"admin@{DOMAIN}"
_KEYS: tuple[tuple[str, list[str], list[str], int, bool], ...] = (
    ("Widget on the website", ["https://www.andina.example"], [], 100, False),
    ("Nightly stock report", [], ["read"], 20, False),
    ("Old agency", ["https://agency.example"], [], 60, True),
    ("Chatbot", [], ["read", "book", "chat"], 300, False),
)


def seed() -> int:
    """Add the missing keys; returns their number."""
    added = 0
    for number, (name, origins, scopes, limit, revoked) in enumerate(_KEYS):
        command = Command(f"demo-key-{number}", Actor(_OWNER, ACCOUNTS[_OWNER][0]))
        if find_done(command) is not None:
            continue
        with in_recent_weeks(name):
            key = services.create(
                "andina", name=name, origins=origins, scopes=scopes, rate_limit=limit, command=command
            )
            if revoked:
                services.revoke("andina", key.id, revision=key.revision, command=command.part("revoke"))
        added += 1
    command = Command("demo-key-platform", Actor(_ADMIN, ACCOUNTS[_ADMIN][0]))
    if find_done(command) is None:
        with in_recent_weeks("App of the event"):
            services.create(PLATFORM, name="App of the event", scopes=["read", "chat"], rate_limit=600, command=command)
        added += 1
    return added


def seed_demo(size: int) -> str:
    return f"{seed()} API keys"
