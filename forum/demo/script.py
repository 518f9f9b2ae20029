"""The posts, comments and actions of the demo (`talk.txt`), and their times. It does not read the table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from dashboard.platform.event.demo_attendees import ATTENDEES

# In days: no event is in the future, and a decision takes a while.
_LATEST, _MINUTE = 0.01, 1 / 24 / 60


@dataclass(frozen=True)
class DemoEvent:
    """Something is written, liked or decided, so many days ago."""

    name: str
    days: float
    what: str
    by: str
    text: str = ""
    # The name of the post or comment that it belongs to.
    of: str = ""
    # The name of the comment that it replies to.
    reply_to: str = ""
    likes: int = 0
    image: str = ""
    reason: str = ""
    is_bulk: bool = False


@cache
def _talk() -> tuple[DemoEvent, ...]:
    content = (Path(__file__).parent / "talk.txt").read_text(encoding="utf-8")
    blocks = [block.splitlines() for block in content.split("\n\n") if not block.startswith("#")]
    return tuple(line for number, block in enumerate(blocks) for line in _block(f"{number:02d}", block))


def _block(number: str, block: list[str]) -> Iterator[DemoEvent]:
    sign, by, days, *options = block[0].split()
    more = dict(zip(options[::2], options[1::2], strict=True))
    what = "announce" if sign == "*" else "post"
    likes = int(more.get("likes", 0))
    yield DemoEvent(number, float(days), what, by, block[1], likes=likes, image=more.get("image", ""))
    about = number
    for place, line in enumerate(block[2:]):
        sign, by, rest = line.split(" ", 2)
        name = f"{number}-{place:02d}"
        if sign in {">", ">>"}:
            reply_to, about = about if sign == ">>" else "", name
            yield DemoEvent(name, float(days), "comment", by, rest, of=number, reply_to=reply_to)
        else:
            action, _, reason = rest.partition(" ")
            of, is_bulk = number if sign == "!" else about, reason.endswith("bulk")
            yield DemoEvent(name, float(days), action, by, of=of, reason=reason.partition(" ")[0], is_bulk=is_bulk)


def texts() -> list[str]:
    """All texts."""
    return [line.text for line in _talk() if line.text]


def lines(round: int) -> list[DemoEvent]:
    """All events, the oldest first. Later rounds repeat the texts at other times, by other people."""
    chance = random.Random(f"forum {round}")
    order = list(ATTENDEES)
    if round:
        chance.shuffle(order)
    others = dict(zip(ATTENDEES, order, strict=True))
    events: list[DemoEvent] = []
    at: dict[str, float] = {}
    for line in _talk():
        if line.what in {"post", "announce"}:
            began = line.days if not round else chance.uniform(0.05, 9.9)
            at[line.name] = now = began
        else:
            # A comment follows the last text, a decision follows its target.
            since = min(now, at[line.of]) if line.what == "comment" or line.of.count("-") == 0 else at[line.of]
            passed = _later(chance, line)
            at[line.name] = max(_LATEST, since - passed)
            now = min(now, at[line.name])
        name = f"{round}-{line.name}"
        of = f"{round}-{line.of}" if line.of else ""
        reply_to = f"{round}-{line.reply_to}" if line.reply_to else ""
        events.append(
            replace(line, name=name, of=of, reply_to=reply_to, days=at[line.name], by=others.get(line.by, line.by))
        )
    return sorted(events, key=lambda line: -line.days)


def _later(chance: random.Random, line: DemoEvent) -> float:
    if line.is_bulk:
        return 0.5
    return _MINUTE * chance.uniform(*((2, 90) if line.what == "comment" else (10, 240)))
