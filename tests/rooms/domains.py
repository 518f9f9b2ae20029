"""The list of domains as it is put there, by us or by others, and what stands in it."""

from __future__ import annotations

from typing import Any

from dashboard.core.clock import now
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.configs import queries
from dashboard.platform.configs.services import config_writes
from dashboard.table import keys, read
from dashboard.table.attributes import as_plain
from dashboard.table.commands import Actor, new_command
from dashboard.table.timestamps import to_wire
from rooms.configs.domains import DOMAINS, added
from tests.conftest import ACTOR
from tests.rooms.rooms import put
from tests.ui.html import Element, parse

URL = "/rooms/domains/"


def allow_domains(*names: str, by: Actor = ACTOR) -> int:
    """Save these on top of what is there; gives the version."""
    config = config_writes.save(DOMAINS, added(names), revision=None, confirmed=None, command=new_command(by))
    return config.number


def put_whitelist(whitelist: Any, **more: Any) -> None:
    """As another service writes it: whole, without a revision."""
    put(*keys.CONFIG.key(name=DOMAINS.name), whitelist=whitelist, **more)


def put_count(**counts: int) -> None:
    """A count of so many people; a name's underscores are dots."""
    numbers = {name.replace("_", "."): n for name, n in counts.items()}
    put(*keys.DOMAIN_COUNT.key(), counts=numbers, countedAt=to_wire(now()), through=to_wire(now()))


def stored_whitelist() -> Any:
    """The list as it is on the wire."""
    config = queries.current(DOMAINS)
    return as_plain(config.raw["whitelist"]) if config else None


def revision() -> int:
    """The revision that a page shows."""
    config = queries.current(DOMAINS)
    return config.revision if config else 0


def trail() -> list[AuditEntry]:
    found = read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry, newest_first=True).items
    return [each for each in found if (each.action or "").startswith("domains.")]


def listed(answer: Any) -> dict[str, str]:
    """The domains on the page and how many people each has."""
    return _rows(parse(answer).one("div", id="list"))


def outside(answer: Any) -> dict[str, str]:
    found = parse(answer).by_class("outside")
    return _rows(found[0]) if found else {}


def _rows(part: Element) -> dict[str, str]:
    names = part.by_class("domain")
    numbers = [each for each in part.all("td") if "number" in each.attrs.get("class", "")]
    return {name.text: number.text for name, number in zip(names, numbers, strict=True)}
