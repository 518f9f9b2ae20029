"""Simulated people who post, comment and like under the rules of the apps."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from dashboard.core.errors import DomainError, Unavailable
from dashboard.platform.demos.traffic import OtherTraffic
from dashboard.platform.event.demo_attendees import ATTENDEES, SIMULATED_DOMAIN
from dashboard.table.commands import Actor, new_command
from forum.demo import script
from forum.items import Comment, Post
from forum.profanity import starter
from forum.queries.posting_rules import cached_posting_rules
from forum.queries.posts import posts_by_status
from forum.services import counters, posts
from forum.statuses import ACTIVE, BANNED
from forum.targets import ForumTarget

# How often each happens; a forum is read and liked more than it is written in.
POST, COMMENT, LIKE = "posts", "comments", "likes"
_SHARES = {POST: 0.2, COMMENT: 0.35, LIKE: 0.45}
# So many posts get comments and likes; newer ones get more.
_IN_TALK = 40
# For each thing in the forum, people do so many elsewhere.
_ELSEWHERE = 3


@dataclass
class Second:
    """What happened in one second."""

    done: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    banned: int = 0
    errors: int = 0
    # What the same people did elsewhere, such as in rooms.
    elsewhere: int = 0

    def __add__(self, other: Second) -> Second:
        counts = (self.refused + other.refused, self.banned + other.banned, self.errors + other.errors)
        return Second(self.done + other.done, *counts, self.elsewhere + other.elsewhere)

    def __str__(self) -> str:
        each = ", ".join(f"{self.done[name]} {name}" for name in _SHARES)
        counts = f"{self.refused} refused, {self.banned} banned by the filter, {self.errors} errors"
        elsewhere = f", {self.elsewhere} in rooms" if self.elsewhere else ""
        return f"{self.done.total()} done ({each}), {counts}{elsewhere}"


class Traffic:
    """The same people, texts and order for the same seed."""

    def __init__(self, people: int, rude: float, seed: int | None) -> None:
        self._chance = random.Random(seed)
        self._rude = rude
        names = list(ATTENDEES.values())
        self._people = [
            Actor(
                f"sim-{number:04}@{SIMULATED_DOMAIN}",
                names[number % len(names)] + (f" {number}" if number >= len(names) else ""),
            )
            for number in range(people)
        ]
        judged = [(text, bool(starter().judge(text).matches)) for text in script.texts()]
        self._texts = {is_rude: [text for text, found in judged if found is is_rude] for is_rude in (True, False)}
        self._posts: deque[ForumTarget] = deque(maxlen=_IN_TALK)

    @property
    def addresses(self) -> list[str]:
        return [person.email for person in self._people]

    def load_posts(self) -> None:
        """Start with the posts that exist already."""
        found = posts_by_status(ACTIVE, limit=_IN_TALK).items
        self._posts.extend(ForumTarget.of(post) for post in reversed(found))

    def play_event(self, second: Second) -> None:
        """One person does one thing; errors are counted, not raised."""
        what = self._chance.choices(list(_SHARES), list(_SHARES.values()))[0]
        what = what if self._posts else POST
        who = self._chance.choice(self._people)
        text = self._chance.choice(self._texts[self._chance.random() < self._rude])
        target = self._pick_post() if self._posts else None
        try:
            written = self._do(what, who, text, target)
        except Unavailable:
            second.errors += 1
        except DomainError:
            # A moderator has banned the post, or the domain is not allowed.
            second.refused += 1
            if target is not None and what != POST and target in self._posts:
                self._posts.remove(target)
        else:
            second.done[what] += 1
            if written is not None and written.status == BANNED:
                second.banned += 1
            elif isinstance(written, Post):
                self._posts.append(ForumTarget.of(written))

    def _do(self, what: str, who: Actor, text: str, target: ForumTarget | None) -> Post | Comment | None:
        command = new_command(who)
        if what == POST or target is None:
            return posts.write_post(who.email, text, name=who.name, command=command)
        if what == COMMENT:
            return posts.write_comment(target, who.email, text, name=who.name, command=command)
        counters.like(target, command=command)
        return None

    def _pick_post(self) -> ForumTarget:
        newest = len(self._posts) - 1
        return self._posts[newest - min(newest, int(self._chance.expovariate(0.15)))]


def play(
    traffic: Traffic,
    rate: float,
    seconds: float,
    *,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
    others: Sequence[OtherTraffic] = (),
) -> Iterator[Second]:
    """The events of each second, until the time is up; without end if `seconds` is 0.

    The filter is read once a second. A slow table gets fewer events: late ones are dropped.
    """
    began = clock()
    due = began
    number = 0
    while not seconds or clock() - began < seconds:
        second, number = Second(), number + 1
        ends = began + (min(number, seconds) if seconds else number)
        try:
            with cached_posting_rules():
                while (now := clock()) < ends:
                    if now < due:
                        sleep(min(due, ends) - now)
                        continue
                    traffic.play_event(second)
                    second.elsewhere += sum(other.play_event() for other in others for _ in range(_ELSEWHERE))
                    due = max(due + 1 / rate, clock() - 1)
        except Unavailable:
            second.errors += 1
            sleep(max(0.0, ends - clock()))
        except KeyboardInterrupt:
            yield second  # What was done until then counts.
            raise
        yield second
        # A second that took longer counts as several.
        number = max(number, int(clock() - began))
