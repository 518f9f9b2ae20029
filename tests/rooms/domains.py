"""The list of allowed domains: written by us or by outside writers, and read from the table and the page."""

from __future__ import annotations

from typing import Any

from dashboard.core.clock import now
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.configs import queries
from dashboard.platform.configs.services import config_writes
from dashboard.table import keys, read
from dashboard.table.attributes import from_attribute
from dashboard.table.commands import Actor, new_command
from dashboard.table.timestamps import to_wire
from rooms.configs.domains import DOMAINS, added
from tests.conftest import ACTOR
from tests.rooms.rooms import put_item
from tests.ui.html import Element, parse

URL = "/rooms/domains/"


def allow_domains(*names: str, by: Actor = ACTOR) -> int:
    """Add these domains to the list, and return the version."""
    config = config_writes.save(DOMAINS, added(names), revision=None, confirmed=None, command=new_command(by))
    return config.number


def put_whitelist(whitelist: Any, **more: Any) -> None:
    """Write the complete list as an outside writer does, without a revision."""
    put_item(*keys.CONFIG.key(name=DOMAINS.name), whitelist=whitelist, **more)


def put_count(**counts: int) -> None:
    """Write a count of people by domain; underscores in the names stand for dots."""
    numbers = {name.replace("_", "."): n for name, n in counts.items()}
    put_item(*keys.DOMAIN_COUNT.key(), counts=numbers, countedAt=to_wire(now()), through=to_wire(now()))


def stored_whitelist() -> Any:
    """The list as it is stored."""
    config = queries.current(DOMAINS)
    return from_attribute(config.raw["whitelist"]) if config else None


def current_revision() -> int:
    """The revision that a page shows."""
    config = queries.current(DOMAINS)
    return config.revision if config else 0


def domain_entries() -> list[AuditEntry]:
    """The audit entries about domains, newest first."""
    entries = read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry, newest_first=True).items
    return [each for each in entries if (each.action or "").startswith("domains.")]


def listed_domains(answer: Any) -> dict[str, str]:
    """The allowed domains on the page, with the number of people of each."""
    return _rows(parse(answer).one("div", id="list"))


def listed_outside_domains(answer: Any) -> dict[str, str]:
    """The domains on the page that are not allowed, with the number of people of each."""
    sections = parse(answer).by_class("outside")
    return _rows(sections[0]) if sections else {}


def _rows(part: Element) -> dict[str, str]:
    names = part.by_class("domain")
    numbers = [each for each in part.all("td") if "number" in each.attrs.get("class", "")]
    return {name.text: number.text for name, number in zip(names, numbers, strict=True)}
