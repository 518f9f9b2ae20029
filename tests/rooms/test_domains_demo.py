"""The allowed domains of the demo: created once, and all people of the demo are allowed."""

from __future__ import annotations

from dashboard.platform.configs import queries
from dashboard.platform.demos.logins import EMAILS
from dashboard.platform.event.demo_attendees import ATTENDEES, SIMULATED_DOMAIN, email_and_name
from rooms.configs.domains import DOMAINS, whitelist_of
from rooms.demo import domains as demo
from tests.rooms.domain_counts import register_people, stored_counts
from tests.rooms.domains import allow_domains, stored_whitelist


def test_the_demo_is_created_once_and_counts_people(table: str) -> None:
    register_people(["sura.com.co"] * 3 + ["gmail.com"])
    assert demo.seed() == 3
    before = stored_whitelist()
    assert stored_counts() == {"sura.com.co": 3, "gmail.com": 1}
    assert [each.by_name for each in queries.history(DOMAINS).items] == ["Sofía Duarte", "Sofía Duarte", "Alma Ríos"]
    assert demo.seed() == 0
    assert (stored_whitelist(), stored_counts()) == (before, {"sura.com.co": 3, "gmail.com": 1})


def test_authors_in_the_demo_forum_and_simulated_people_are_allowed(table: str) -> None:
    demo.seed()
    whitelist = whitelist_of(queries.current(DOMAINS))
    everyone = [*EMAILS, *(email_and_name(name)[0] for name in ATTENDEES), f"sim-0001@{SIMULATED_DOMAIN}"]
    assert [email for email in everyone if not whitelist.allows(email.partition("@")[2])] == []


def test_an_existing_list_is_not_changed(table: str) -> None:
    allow_domains("mine.example")
    assert demo.seed() == 0
    assert stored_whitelist() == ["@mine.example"]
