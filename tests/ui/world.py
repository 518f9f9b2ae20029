"""A table with a person of each role and in each state, and every page that they can open."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextvars import Context
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.test import Client

from bookings.rules import OPEN_PAGE
from bookings.services.rules import save as save_rules
from content.comment_statuses import CommentStatus
from content.library.kinds import LIBRARY
from content.services.leads import edit as edit_lead
from content.services.routes import add_redirect
from content.services.schedules import schedule as schedule_page
from content.statuses import PageStatus
from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import BUSINESS_GRANTS, BusinessRole, Role
from dashboard.platform.accounts.services import links, people
from dashboard.platform.apikeys.items import PLATFORM, ApiKey
from dashboard.platform.businesses.services import members
from dashboard.platform.configs.services import drafts as configs
from dashboard.platform.security_log.kinds import EventKind
from dashboard.shell.permissions import Permission
from dashboard.table.commands import Actor, new_command
from forum.actions import Action
from forum.configs.profanity import PROFANITY, THRESHOLD, word_entry
from forum.services.presence import open_card
from franchises.reasons import MovementReason
from franchises.services.products import retire
from franchises.services.stock import change_stock
from rooms.services.overrides import OPENING, override
from tests.accounts.imports import upload_import
from tests.adoption.outside import make_unknown_business, put_owner
from tests.apikeys.factories import create_key, create_revoked_key, put_seed_key
from tests.audit.entries import put, raw_entry, utc
from tests.branding.pictures import upload_asset
from tests.branding.publishing_factory import create_share_link, put_schedule
from tests.branding.theme_factory import create_discarded, create_draft, create_published, put_theme
from tests.conftest import ACTOR, add_business, add_person, log_tables_of, sign_in
from tests.content.library_items import ID as LIBRARY_ID
from tests.content.library_items import put_media_file, put_outside, put_resource
from tests.content.shop_items import ITEMS as SHOP_ITEMS
from tests.content.shop_items import put_shop_item
from tests.content.site import a_page, publish, set_status_of
from tests.content.visitors import put_comment, put_consent, put_lead
from tests.forum.bulk_jobs import create_counted_bulk
from tests.forum.config_versions import save_filter_version, save_reasons_version
from tests.forum.factories import create_comment, create_post, decide
from tests.forum.filter_pages import SEED, put_filter
from tests.franchises.stores import a_franchise, a_product, put_seed_product
from tests.franchises.undo_jobs import counted_undo
from tests.jobs.count_job import unfinished_job
from tests.rooms.domains import allow_domains, put_count
from tests.rooms.rooms import change_schedule_entry, create_room, put_room
from tests.security_log.events import put_event
from tests.tables import Raw, SharedTable, fastest_engine
from tests.ui.html import Element, parse
from tests.ui.samples import (
    BUSINESS,
    ENTRY,
    NEIGHBOURS,
    PAGE_PARTS,
    Samples,
    begin_joint_publication,
    create_announcement,
    create_attendee_samples,
    create_booked_business,
    create_conversation,
    create_count,
    create_forum_samples,
    create_lead,
    create_mail_and_webhook_samples,
    create_page_comment,
    create_page_samples,
    create_room_with_content,
    create_site_address,
    create_store_samples,
    decide_comments,
    move_leads,
    prepare_adoption,
    prepare_shift,
    prepare_stock_import,
)
from tests.ui.variants import QUERIES, SAMPLE_WORD
from tests.ui.walk import Route, new_browser, routes

# The roles inside the business other than its owner, who is "owner".
BUSINESS_ROLES = tuple(role for role in BusinessRole if role != BusinessRole.OWNER)


@dataclass(frozen=True)
class Responses:
    """The responses of all URLs for one person, and the sample items that the URLs name."""

    pages: dict[str, Any]
    items: list[Raw]


@dataclass(repr=False)
class World:
    """A table with a person of each role and in each state."""

    table: SharedTable
    people: dict[str, Person]
    tokens: dict[str, str] = field(default_factory=dict)
    keys: dict[str, ApiKey] = field(default_factory=dict)
    cookies: dict[str, SimpleCookie] = field(default_factory=dict)
    responses: dict[str, Responses] = field(default_factory=dict)
    elements: dict[str, dict[str, Element]] = field(default_factory=dict)
    # The samples that one test has used so far, by person.
    used_samples: dict[str, Samples] = field(default_factory=dict)
    requested: set[str] = field(default_factory=set)
    # Versions of the business's theme, by status.
    versions: dict[str, int] = field(default_factory=dict)
    # Sample values that `make_world` has created: a schedule, a share link, posts, rooms, bookings.
    fixed_samples: dict[str, str] = field(default_factory=dict)

    def for_one_test(self) -> World:
        """A copy that a test may change. All tests share the responses of the pages."""
        return replace(
            self, people=copy.deepcopy(self.people), cookies=dict(self.cookies), used_samples={}, requested=set()
        )

    def browser(self, who: str, *, fresh: bool = False) -> Client:
        """A browser, signed in unless `who` is "anonymous"; `fresh` has its own session, which the test may end."""
        browser = new_browser()
        if who == "anonymous":
            return browser
        if fresh or who not in self.cookies:
            self.cookies[who] = sign_in(queries.load_person(self.people[who].email)).cookies
        browser.cookies = SimpleCookie(self.cookies[who].output(header="", sep=";"))
        if fresh:
            del self.cookies[who]
        return browser

    def add(self, role: Role = Role.STAFF, name: str = "") -> Person:
        """A new person, whom no other test uses."""
        return add_person(f"{role}-{new_id()[-8:]}@example.com", role, name)

    def pages(self, who: str) -> dict[str, Any]:
        """The response of every URL that this person can open with GET; requested once for all tests."""
        if who not in self.responses:
            before = self.table.written()
            browser = self.browser(who)
            answers = {url: browser.get(url) for url in self.open_to(who)}
            pages = {url: each for url, each in answers.items() if each.status_code not in {303, 405}}
            self.responses[who] = Responses(pages, self.table.read(self.table.written() - before))
        elif who not in self.requested:
            self.table.put(self.responses[who].items)
        self.requested.add(who)
        return self.responses[who].pages

    def html(self, who: str) -> dict[str, Element]:
        """The same pages, parsed."""
        pages = self.pages(who)
        if who not in self.elements:
            self.elements[who] = {url: parse(each) for url, each in pages.items() if _is_html(each)}
        return self.elements[who]

    def addresses(self, who: str) -> list[str]:
        """The URLs of these pages, for a real browser."""
        return [url for url, each in self.pages(who).items() if _is_html(each)]

    def one_of_each_template(self, who: str) -> list[str]:
        """A small set of URLs that together use every template."""
        shown = {url: {str(each.name) for each in self.pages(who)[url].templates} for url in self.addresses(who)}
        found: list[str] = []
        seen: set[str] = set()
        for url in sorted(shown, key=lambda url: -len(shown[url])):
            if not shown[url] <= seen:
                found.append(url)
                seen |= shown[url]
        return found

    def open_to(self, who: str) -> Iterator[str]:
        for route in routes():
            if route.needs_api_key or (route.is_in_business and who == "neighbour"):
                continue
            if route.is_public or self.may(who, route):
                for values in self._samples_for(route, who):
                    yield from (route.url(values) + query for query in QUERIES.get(route.name, ("",)))

    def may(self, who: str, route: Route) -> bool:
        """Whether this person has the permission of a page, inside the business by their role there."""
        if who == "anonymous" or not self.people[who].may(route.permission):
            return False
        return not route.is_in_business or who not in set(BusinessRole) or who in BUSINESS_GRANTS[route.permission]

    def _samples_for(self, route: Route, who: str) -> list[Mapping[str, str]]:
        if route.name == "person":
            return [self.samples(who) | {"email": person.email} for person in self.people.values()]
        if route.name == "event_person":
            others = [self.people["staff"].email]
            return [self.samples(who), *(self.samples(who) | {"event_email": each} for each in others)]
        if route.name in {"provider", "provider_hours", "service"}:
            return [self.samples(who), self.samples(who) | {"provider": "pro_55", "service": "svc_123"}]
        if route.name == "api_key":
            return [self.samples(who) | {"key_id": key.id} for key in self.keys.values()]
        if route.name in {"theme", "theme_publish", "theme_schedule", "theme_share"}:
            return [self.samples(who) | {"version": str(number)} for number in self.versions.values()]
        if route.name == "room":
            return [self.samples(who) | {"room": room} for room in ("sala1", "sala2")]
        if route.name in {"site_library", "site_library_new", "site_item"}:
            kinds = [key for key, kind in LIBRARY.items() if route.name != "site_library_new" or kind.has_form]
            found: list[Mapping[str, str]] = [
                self.samples(who) | {"library": kind, "item": LIBRARY_ID} for kind in kinds
            ]
            if route.name == "site_library_new":
                return found
            return found + [self.samples(who) | {"library": key, "item": each[0]} for key, each in SHOP_ITEMS.items()]
        return [self.samples(who)]

    def actor(self, who: str) -> Actor:
        return self.people[who].actor if who in self.people else ACTOR

    def samples(self, who: str = "admin") -> Samples:
        """The same samples each time, for requests that change nothing. Jobs belong to this person."""
        if who not in self.used_samples:
            actor = self.people.get(who, self.people["admin"]).actor
            known = {
                "email": self.people["invited"].email,
                "token": self.tokens["invited"],
                "session_id": "0" * 64,
                "business": BUSINESS,
                "key_id": self.keys["active"].id,
                "entry": ENTRY,
                "version": str(self.versions["draft"]),
                "number": "2",
                "picture": "1",
                **self.fixed_samples,
            }
            self.used_samples[who] = Samples(
                {
                    tuple(known): known.values,
                    ("platform_key_id",): lambda: [create_key(PLATFORM, "App of the event")[0].id],
                    ("job_id",): lambda: [unfinished_job(actor).id],
                    ("forum_job_id",): lambda: [create_counted_bulk(actor).id],
                    ("rooms_job_id",): lambda: [prepare_shift(actor).id],
                    ("undo_job_id",): lambda: [counted_undo(actor, BUSINESS).id],
                    ("business_job_id",): lambda: [unfinished_job(actor, BUSINESS).id],
                    ("stores_job_id",): lambda: [prepare_stock_import(actor).id],
                    ("comments_job_id",): lambda: [decide_comments(actor).id],
                    ("leads_job_id",): lambda: [move_leads(actor).id],
                    ("joint_job_id",): lambda: [begin_joint_publication(actor).id],
                    ("count", "count_product"): create_count,
                    ("adoption",): lambda: [prepare_adoption(actor).id],
                    ("upload",): lambda: [upload_import().id],
                    # A file that no version uses.
                    ("asset",): lambda: [upload_asset(BUSINESS).id],
                }
            )
        return self.used_samples[who]


def _is_html(answer: Any) -> bool:
    return "html" in answer.headers["Content-Type"]


@dataclass
class SharedWorld:
    """The world of this worker: created once, and restored after each test."""

    world: World
    files: dict[Path, bytes]
    signed_in_at: datetime | None = None

    def sign_in(self) -> None:
        """Give everyone a recent session: a request with an older session writes the time of its use."""
        if self.signed_in_at is None or now() - self.signed_in_at > timedelta(minutes=3):
            for name, person in self.world.people.items():
                if person.may(Permission.HOME):
                    self.world.cookies[name] = sign_in(person).cookies
            self.world.table.add_written_to_baseline()
            self.signed_in_at = now()

    def restore_files(self) -> None:
        for path, content in self.files.items():
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)


_worlds: dict[str, SharedWorld] = {}


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """A person of each role and in each state. A test may change everything: it is restored."""
    engine = fastest_engine()
    endpoint: str = request.getfixturevalue(f"{engine}_endpoint")
    if endpoint not in _worlds:
        # A new context has the real clock: the first test may have stopped its own, and all tests share the world.
        _worlds[endpoint] = Context().run(_share_world, SharedTable(engine, endpoint).create())
    shared = _worlds[endpoint]
    with shared.world.table.in_use(), log_tables_of(engine):
        shared.sign_in()
        yield shared.world.for_one_test()
    shared.restore_files()


def _share_world(table: SharedTable) -> SharedWorld:
    with table.in_use():
        world = make_world(table)
        table.save_baseline()
    folder = Path(default_storage.path(""))
    return SharedWorld(world, {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()})


def create_forum() -> dict[str, str]:
    """Creates posts and comments for every list of the moderation desk."""
    found = create_forum_samples()
    create_post(
        "palabra1 y " + "muy larga " * 40, author="el-filtro@example.com", images=["https://pics.example.com/a.jpg"]
    )
    for action in (Action.DELETE, Action.APPROVE):
        decide(create_post("palabra2 y ya"), action)
    parent = create_post("Nada que decir", name="")
    for action in (Action.BAN, Action.DELETE):
        decide(create_comment(parent, "palabra2"), action)
    open_card(Actor("ines@example.com", "Inés Mar"), found["post"])
    return found | {"forum_post": create_announcement(ACTOR)}


def create_event() -> dict[str, str]:
    """Creates rooms in every state, one of them with a different time in the schedule, and an attendee."""
    shown = create_room_with_content("sala1")
    for number, minutes in enumerate((45, 90), 2):
        create_room(f"sala{number}", now() + timedelta(minutes=minutes), f"Sala {number}")
    for room, value, until in (("sala2", "open", OPENING), ("sala3", "closed", None)):
        override(room, value=value, until=until, revision=1, command=new_command(ACTOR))
    put_room("sala4", openAt="2025-08-18T15:00:00Z")
    change_schedule_entry("sala2")
    create_post("Nos vemos en la sala 2", author="ana@example.org")
    return shown | create_attendee_samples("ana@example.org")


def create_site() -> tuple[str, str, str, str]:
    """Creates pages in every state: published, draft, scheduled, archived, and the fixed one of the home page."""
    parts = create_page_samples()
    publish(a_page("Inicio", slug="/"))
    set_status_of(a_page("Carta de invierno " + "larga " * 20, slug="/carta-de-invierno"), PageStatus.ARCHIVED)
    draft = a_page("Verano", slug="/verano", schema_type="Article")
    due_at, command = now() + timedelta(days=2), new_command(ACTOR)
    schedule_page(BUSINESS, draft.node, due_at, "America/Santiago", revision=draft.revision, command=command)
    add_redirect(BUSINESS, "/ofertas", "/verano", command=new_command(ACTOR))
    return parts


def create_visitors() -> dict[str, str]:
    """Creates comments in each status, leads with notes and a next step, and consents with each choice."""
    page_comment, page_id, author = create_page_comment()
    lead, at, note = create_lead()
    for number, status in enumerate((*CommentStatus, "rejected")):
        text = "Ni modo, palabra2, " + "larga " * 40
        put_comment(text, status=status, at=f"2026-05-04T10:00:0{number}.000Z", authorName="Ana " + "Torres " * 12)
    put_lead(f"{'largo' * 12}@example.com", name="Ana " + "Torres " * 20, data={"apiToken": "t", "budget": 12})
    steps = {"next_step": "Llamar " * 20, "next_step_on": "2025-09-30"}
    edit_lead(BUSINESS, lead, steps, revision=0, timezone="UTC", command=new_command(ACTOR))
    for number, choice in enumerate(("all", "denied", "custom")):
        put_consent(f"visitor_{number}", choice, at=int(now().timestamp() * 1000))
    names = ("page_comment", "page_id", "author", "lead", "at", "note", "decision", "revision", "visitor")
    values = (page_comment, page_id, author, lead, at, note, "approve", "1", put_consent().visitor)
    return dict(zip(names, values, strict=True))


def create_stores() -> tuple[str, str, str]:
    """Creates stores with products in every list: low, below zero, retired, and with a stock that is a text."""
    a_franchise("Tiendas Andina", allows_negative_stock=True)
    branch, product, seq = create_store_samples()
    below = a_product("Bajo cero", branch, stock=1)
    change_stock(BUSINESS, below.id, change=-3, reason=MovementReason.SALE, command=new_command(ACTOR))
    gone = a_product("Fuera de venta", branch)
    retire(BUSINESS, gone.id, revision=1, command=new_command(ACTOR))
    put_seed_product(BUSINESS, "product-text", branchId=branch, name="Sin número", stock="muchas")
    return branch, product, seq


def make_world(table: SharedTable) -> World:
    world = World(
        table,
        {
            "admin": add_person("alma@example.com", Role.ADMIN, "Alma Ríos"),
            "admin2": add_person("aldo@example.com", Role.ADMIN, "Aldo Paz"),
            "moderator": add_person("marco@example.com", Role.MODERATOR, "Marco Peña"),
            "staff": add_person("sofia@example.com", Role.STAFF, "Sofía Duarte"),
            "owner": add_person("olivia@example.com", Role.OWNER, "Olivia Andrade"),
            "neighbour": add_person("nuria@example.com", Role.OWNER, "Nuria Vidal"),
            "disabled": add_person("dora@example.com", Role.STAFF, "Dora Luz"),
        },
    )
    add_business(BUSINESS, "Coca-Cola Andina", "olivia@example.com")
    save_rules(BUSINESS, {"online_page": OPEN_PAGE}, revision=1, command=new_command(ACTOR))
    for role in BUSINESS_ROLES:
        world.people[role] = add_person(f"{role}@example.com", Role.OWNER, f"Andina {role}")
        members.add(BUSINESS, f"{role}@example.com", role, command=new_command(ACTOR))
    add_business(NEIGHBOURS, "Harbour Coffee", "nuria@example.com")
    for business in ("", BUSINESS):
        before = {"role": "staff", "active": True, "widget": {"primaryColor": "#aa0000"}, "text": "One\nTwo\nThree"}
        after = {"role": "owner", "active": False, "widget": {"primaryColor": "#00aa00"}, "text": "One\n2\nThree"}
        put(raw_entry(utc("2025-09-21T10:00:00"), "walk", business=business, before=before, after=after))
    # Not of the last day, so that the home page shows no alert.
    for number, kind in enumerate(EventKind):
        put_event(kind, "marco@example.com", ago=timedelta(days=2 + number % 3), business=BUSINESS)
    dora = world.people["disabled"]
    world.people["disabled"] = people.disable(dora.email, revision=dora.revision, command=new_command(ACTOR))
    command = new_command(ACTOR)
    world.people["invited"] = people.invite("ines@example.com", name="Inés Mar", role=Role.OWNER, command=command)
    token = links.token_of(world.people["invited"], command)
    assert token is not None
    world.tokens["invited"] = token
    world.keys["active"], _ = create_key(BUSINESS, "Booking page", ["https://www.andina.cl"])
    world.keys["revoked"] = create_revoked_key(BUSINESS, "Old site")
    world.keys["seeded"] = put_seed_key(BUSINESS)
    world.versions["previous"] = create_published(BUSINESS, "First look", note="For the opening").number
    world.versions["live"] = create_published(BUSINESS, "Summer").number
    world.versions["draft"] = create_draft(BUSINESS, "Autumn", {"primaryColor": "#aa3300"}).number
    world.versions["discarded"] = create_discarded(BUSINESS).number
    world.versions["seeded"] = put_theme(
        BUSINESS, 42, metadata={"primaryColor": "#0F172A", "typography": "intrale-regular"}
    )
    put_schedule(BUSINESS, 42, now() - timedelta(days=1), missed="closed", note="For the weekend")
    link, shared = create_share_link(BUSINESS, world.versions["draft"], note="For the agency")
    schedule = put_schedule(BUSINESS, world.versions["previous"], now() + timedelta(days=2), belowAA=["text-surface"])
    save_reasons_version("Spam")
    event = create_event()
    # The people of the tests are of the first domain. Every domain has people, so removing it needs confirmation.
    allow_domains("example.com", "sura.com.co")
    allow_domains("gmail.com")
    put_count(example_com=12, sura_com_co=1_204, gmail_com=8, mail_sura_com_co=3, else_example=1)
    # A list of two words: the starter list would make every version thousands of words long.
    put_filter(**SEED)
    save_filter_version(SAMPLE_WORD)
    # Two people have unsaved changes of the filter.
    for email in ("alma@example.com", "sofia@example.com"):
        changes = {word_entry("zascandil"): ["low", "inside"], word_entry("palabra2"): ["low", "whole"], THRESHOLD: 0.7}
        configs.stage(PROFANITY, changes, command=new_command(Actor(email)))
    world.fixed_samples = {"schedule": schedule, "share": link.id, "shared": shared, **create_forum(), **event}
    world.fixed_samples |= dict(zip(("branch", "product", "seq"), create_stores(), strict=True))
    world.fixed_samples |= dict(zip(PAGE_PARTS, create_site(), strict=True))
    world.fixed_samples |= dict(zip(("site_path", "site_domain"), create_site_address(), strict=True))
    world.fixed_samples |= create_visitors()
    world.fixed_samples["conversation"] = create_conversation()
    world.fixed_samples |= {
        "library": "contexts",
        "item": LIBRARY_ID,
        "signal": LIBRARY_ID,
        "site_file": LIBRARY_ID,
        "resource": put_resource(),
    }
    for library in LIBRARY:
        put_outside(library, custom={"list": [1, "a", {"b": None}], "clientSecret": "s"}, tone="sober", empty=[])
    for shop_kind in SHOP_ITEMS:
        put_shop_item(shop_kind, clientSecret="s")
    world.fixed_samples["media_name"] = put_media_file()
    names = ("place", "mail_kind", "webhook_id")
    world.fixed_samples |= dict(zip(names, create_mail_and_webhook_samples(), strict=True))
    world.fixed_samples |= create_booked_business() | {"business_id": make_unknown_business("Pan_Caliente").id}
    put_owner(BUSINESS)
    return world
