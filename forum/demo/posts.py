"""Seeds the demo forum through the services that people use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dashboard.platform.accounts.demo import ACCOUNTS
from dashboard.platform.configs import queries as configs
from dashboard.platform.configs.changes import EntryChange
from dashboard.platform.configs.services import config_writes, drafts
from dashboard.platform.demos.logins import DOMAIN, EMAILS
from dashboard.platform.demos.moments import days_ago
from dashboard.platform.event.demo_attendees import email_and_name
from dashboard.table.commands import Actor, Command
from dashboard.table.transactions import find_done
from forum.actions import Action, is_possible
from forum.configs.profanity import PROFANITY, THRESHOLD, allowed_entry, word_entry
from forum.demo import script
from forum.demo.script import DemoEvent
from forum.items import Comment, Post
from forum.queries.posting_rules import cached_posting_rules
from forum.queries.posts import posts_by_status
from forum.services import counters, decisions
from forum.services import posts as post_services
from forum.states import State
from forum.statuses import ACTIVE
from forum.targets import ForumTarget

_LOW, _HIGH = ["low", "whole"], ["high", "whole"]
# The versions of the filter: how many days ago, by whom, why, and the changed entries.
FILTER_VERSIONS: list[tuple[float, str, str, dict[str, Any]]] = [
    (19, "staff", "Resale of tickets", {word_entry("vendo entradas"): _LOW, word_entry("reventa"): _LOW}),
    (8, "admin", "The sponsor's name was hit", {allowed_entry("Putaendo"): True, allowed_entry("Concón"): True}),
    (3, "staff", "After the opening night", {THRESHOLD: 0.75, word_entry("estafadores"): _HIGH}),
]
# What a person has changed and not saved: how many hours ago, by whom, and the changed entries.
FILTER_DRAFT: tuple[float, str, dict[str, Any]] = (2, "staff", {word_entry("pulseras baratas"): _LOW})


@dataclass(frozen=True)
class SeededCounts:
    """How much has been added."""

    versions: int = 0
    posts: int = 0
    comments: int = 0

    def __str__(self) -> str:
        return f"{self.versions} filter versions, {self.posts} posts and {self.comments} comments"


def seed(size: int = 1) -> SeededCounts:
    """Add the filter if none is saved, and the posts if there are none."""
    steps = range(len(FILTER_VERSIONS)) if configs.current(PROFANITY) is None else range(0)
    lines = [line for round in range(size) for line in script.lines(round)]
    # In order: each text is judged by the filter of its day.
    lines.sort(key=lambda line: -line.days)
    if _is_seeded(lines):
        lines = []
    seeder = _Seeder()
    for number in steps:
        since = FILTER_VERSIONS[number][0]
        seeder.add([line for line in lines if line.days > since])
        lines = [line for line in lines if line.days <= since]
        with days_ago(since, f"filter {number + 1}"):
            _save_filter(number)
    seeder.add(lines)
    if steps:
        _stage_filter_draft()
    return SeededCounts(configs.newest_number(PROFANITY) if steps else 0, seeder.posts, seeder.comments)


def _save_filter(number: int) -> None:
    """Save one of the versions, now."""
    _days, who, note, values = FILTER_VERSIONS[number]
    email = f"{who}@{DOMAIN}"
    current = PROFANITY.entries_of(configs.current(PROFANITY))
    changes = {name: EntryChange(current.get(name), value) for name, value in values.items()}
    command = Command(f"demo-filter-{number + 1}", Actor(email, ACCOUNTS[email][0]))
    config_writes.save(PROFANITY, changes, note=note, revision=None, confirmed=None, command=command)


def _stage_filter_draft() -> None:
    hours, who, values = FILTER_DRAFT
    email = f"{who}@{DOMAIN}"
    with days_ago(hours / 24, "filter draft"):
        drafts.stage(PROFANITY, values, command=Command("demo-filter-draft", Actor(email, ACCOUNTS[email][0])))


def _is_seeded(lines: list[DemoEvent]) -> bool:
    """Whether there are posts, and an earlier run was not interrupted."""
    first, last = (find_done(_command(line)) for line in (lines[0], lines[-1]))
    return last is not None or (first is None and bool(posts_by_status(ACTIVE, limit=1).items))


class _Seeder:
    """What has been added so far."""

    def __init__(self) -> None:
        self._items: dict[str, Post | Comment] = {}
        self.posts = self.comments = 0

    def add(self, lines: list[DemoEvent]) -> None:
        """The events during one version of the filter."""
        if not lines:
            return
        with cached_posting_rules():
            for line in lines:
                self._add_event(line)

    def _add_event(self, line: DemoEvent) -> None:
        with days_ago(line.days, f"forum {line.name}"):
            if line.what == "comment":
                self._comment(line)
            elif line.what in set(Action):
                self._decide(line)
            else:
                self._post(line)

    def _post(self, line: DemoEvent) -> None:
        command = _command(line)
        if line.what == "announce":
            post = post_services.announce(line.text, command=command)
        else:
            by = command.by
            images = [f"/static/demo/{line.image}.webp"] if line.image else []
            post = post_services.write_post(by.email, line.text, name=by.name, images=images, command=command)
        if line.likes:
            counters.like(ForumTarget.of(post), line.likes, command=command.part("likes"))
        self._items[line.name] = post
        self.posts += 1

    def _comment(self, line: DemoEvent) -> None:
        post = self._items[line.of]
        if post.status != ACTIVE:
            return  # The filter or a moderator has banned it.
        command = _command(line)
        by = command.by
        parent = self._items.get(line.reply_to)
        comment = post_services.write_comment(
            ForumTarget.of(post),
            by.email,
            line.text,
            name=by.name,
            reply_to=ForumTarget.of(parent).comment if parent else "",
            command=command,
        )
        self._items[line.name] = comment
        self.comments += 1

    def _decide(self, line: DemoEvent) -> None:
        item, action = self._items.get(line.of), Action(line.what)
        if item is None or not is_possible(action, State.of(item)):
            return
        command = _command(line)
        self._items[line.of] = decisions.decide(
            ForumTarget.of(item),
            action,
            reason=line.reason,
            revision=item.revision,
            command=command,
            bulk_id=f"demo-bulk-{line.name.partition('-')[0]}" if line.is_bulk else "",
        )


def _command(line: DemoEvent) -> Command:
    email, name = email_and_name(line.by)
    return Command(f"demo-forum-{line.name}", Actor(email, name or (ACCOUNTS[email][0] if email in EMAILS else "")))
