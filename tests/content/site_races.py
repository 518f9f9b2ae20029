"""Writers that save, rename, restore and publish the same pages at once, and a check of what they were told."""

from __future__ import annotations

import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from content.items import Content, ContentVersion, Route
from content.queries.pages import load_page, load_page_and_card
from content.queries.routes import find_destination
from content.services import pages, publishing, routes, versions
from content.statuses import PageStatus
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.table import keys, read
from dashboard.table.commands import Actor, Command, new_command
from tests.content.site import BUSINESS, a_page
from tests.faults import act_then_break, bad_network, lose_reply, retry_until_available

PAGES = 5
# More pages than addresses would be refused, fewer would never meet: each page may have any of these.
SLUGS = [f"/s{number}" for number in range(9)]
REDIRECT_ACTS = ("add", "change", "change", "remove", "remove")
ACTS = ("save", "save", "rename", "rename", "rename", "restore", "publish", "unpublish", *REDIRECT_ACTS)


@dataclass(frozen=True)
class PageAttempt:
    """One action of a person, and the version that it was told to have made; 0 if it was refused."""

    command: Command
    act: str
    node: str
    version: int
    text: str


def put_pages() -> list[str]:
    return [a_page(f"Page {number}", slug=SLUGS[number], blocks=[_block("first")]).node for number in range(PAGES)]


def _block(text: str) -> dict[str, object]:
    return {"type": "paragraph", "content": [{"type": "text", "text": text}]}


def _act(chance: random.Random, by: Actor, nodes: list[str], name: str) -> PageAttempt:
    """Do one random action on the page as it is now; repeat it while the table is unavailable."""
    command, what, node = new_command(by), chance.choice(ACTS), chance.choice(nodes)
    page = retry_until_available(lambda: load_page(BUSINESS, node))
    slug, other, extra = chance.choice(SLUGS), chance.choice(SLUGS), f"/r{chance.randint(0, 2)}"
    changed = chance.choice((extra, slug))
    number = chance.randint(1, max(page.number - 1, 1))

    def attempt_once() -> Content | None:
        if what == "save":
            return pages.save(BUSINESS, node, {}, [_block(name)], revision=page.revision, command=command)
        if what == "rename":
            return pages.save(BUSINESS, node, {"slug": slug}, revision=page.revision, command=command)
        if what == "restore":
            return versions.restore(BUSINESS, node, number, revision=page.revision, command=command)
        if what == "add":
            routes.add_redirect(BUSINESS, extra, slug, command=command)
        elif what == "change":
            routes.change_redirect(BUSINESS, changed, other, command=command)
        elif what == "remove":
            routes.remove_redirect(BUSINESS, extra, command=command)
        if what in REDIRECT_ACTS:
            return None
        status = PageStatus.PUBLISHED if what == "publish" else PageStatus.DRAFT
        return publishing.set_status(BUSINESS, node, status, revision=page.revision, command=command)

    try:
        saved = retry_until_available(attempt_once)
    except (Conflict, Refused, NotFound):
        return PageAttempt(command, what, node, 0, name)
    made = saved is not None and not saved.outcome.is_no_change
    # A command whose reply was lost answers with the page as it is now, which may have changed since.
    is_known = saved is not None and made and not saved.outcome.has_changed_since
    return PageAttempt(command, what, node, saved.number if saved is not None and is_known else 0, name)


def race(writers: int, actions: int) -> tuple[list[str], list[PageAttempt], int]:
    """Let this many writers act at once while replies are lost. Returns the pages, what was told, and the faults."""
    nodes, start = put_pages(), threading.Barrier(writers)

    def write(number: int) -> list[PageAttempt]:
        chance, by = random.Random(number), Actor(f"p{number}@example.com")
        start.wait()
        return [_act(chance, by, nodes, f"{number}-{step}") for step in range(actions)]

    with bad_network() as network, ThreadPoolExecutor(writers) as pool:
        network.add_random_fault(0.04, lose_reply)
        network.add_random_fault(0.04, act_then_break)
        attempts = [each for results in pool.map(write, range(writers)) for each in results]
        network.stop_faults()
    return nodes, attempts, network.faults


def check_site(nodes: list[str], attempts: list[PageAttempt]) -> Counter[str]:
    """The versions are complete, each address is live for one page, no redirect circles, cards equal their pages."""
    live: dict[str, str] = {}
    found = read.every_item(keys.ROUTE.collection(tenant=BUSINESS), Route, consistent=True)
    for route in found:
        if not route.leads_elsewhere:
            assert route.slug not in live
            live[route.slug] = route.node
    for node in nodes:
        page, card = load_page_and_card(BUSINESS, node)
        assert page is not None and card is not None
        assert (card.title, card.slug, card.status, card.version) == (page.title, page.slug, page.state, page.version)
        stored = read.every_item(keys.CONTENT_VERSION.collection(tenant=BUSINESS, node=node), ContentVersion)
        numbers = sorted(int(each.key_parts["version"]) for each in stored)
        assert numbers == list(range(1, page.number)), "versions without gaps"
        assert all(each.number == int(each.key_parts["version"]) for each in stored)
        texts = {each.number: str(each.blocks) for each in stored} | {page.number: str(page.blocks)}
        for attempt in attempts:
            if attempt.node == node and attempt.version and attempt.act == "save":
                assert f"'{attempt.text}'" in texts[attempt.version], "no text is lost"
        told = [each.version for each in attempts if each.node == node and each.version]
        assert len(told) == len(set(told)), "each version was told to one person"
        assert [slug for slug, owner in live.items() if owner == node] == [page.slug]
    assert set(live.values()) == set(nodes)
    for route in found:
        destination = find_destination(BUSINESS, route.slug)
        assert destination.card is not None and not destination.is_endless
        # As the service follows it: by addresses alone, without a circle.
        slug, hops = route.slug, 0
        by_slug = {each.slug: each for each in found}
        while by_slug[slug].leads_elsewhere:
            slug, hops = str(by_slug[slug].redirect_to), hops + 1
            assert hops < 10, f"{route.slug} leads in a circle"
        assert by_slug[slug].node == route.node
    return Counter(each.act for each in attempts if each.version)
