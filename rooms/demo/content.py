"""Versions of the content of the demo's rooms."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.platform.accounts.demo import ACCOUNTS
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import days_ago
from dashboard.table.commands import Actor, Command
from rooms.queries import content as queries
from rooms.services import content as services


@dataclass(frozen=True)
class _DemoVersion:
    """A version that was created some days ago, and activated if `on`."""

    days: float
    who: str
    title: str
    address: str
    type: str = "video"
    source: int | None = None
    on: bool = True


_STORY: dict[str, list[_DemoVersion]] = {
    "sala1": [
        _DemoVersion(12, "staff", "Bienvenida", "https://vimeo.com/76979871"),
        _DemoVersion(9, "admin", "Bienvenida, con subtítulos", "https://vimeo.com/76979871/8272103f6e", source=1),
        _DemoVersion(2, "staff", "Bienvenida del segundo día", "https://vimeo.com/148751763", source=2, on=False),
    ],
    "sala2": [
        _DemoVersion(11, "staff", "Charla: comer bien sin gastar más", "https://vimeo.com/22439234"),
        _DemoVersion(1, "staff", "Preguntas en vivo", "https://vimeo.com/event/4154130", "live", source=1, on=False),
    ],
    "sala7": [_DemoVersion(8, "admin", "Concierto de cierre", "https://vimeo.com/event/4154131", "live", on=False)],
}


def seed() -> int:
    """Add content to rooms without any, and return the number of versions."""
    return sum(_tell(room, steps) for room, steps in _STORY.items() if not queries.versions(room).items)


def _tell(room: str, steps: list[_DemoVersion]) -> int:
    for number, step in enumerate(steps, 1):
        email = f"{step.who}@{DOMAIN}"
        command = Command(f"demo-content-{room}-{number}", Actor(email, ACCOUNTS[email][0]))
        with days_ago(step.days, command.id):
            values = {"title": step.title, "type": step.type, "address": step.address}
            made = services.create(room, source=step.source, command=command, **values)
            if step.on:
                revision = queries.load_for_update(room).room.revision
                services.activate(room, made.number, revision=revision, command=command.part("on"))
    return len(steps)
