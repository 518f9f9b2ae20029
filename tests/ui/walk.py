"""Every address of the product, found by walking the resolver: a new one is tested the day it is added."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.test.client import ClientHandler
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from moto import mock_aws

from bookings.queries import providers as bookings
from bookings.services.bookings import create as make_booking
from bookings.states import Status as BookingStatus
from dashboard.accounts import queries
from dashboard.accounts.items import Person
from dashboard.accounts.permissions import API, PUBLIC, Permission, Role
from dashboard.accounts.services import links, people
from dashboard.apikeys.items import ApiKey
from dashboard.clock import now
from dashboard.configs.services import drafts as configs
from dashboard.operations.items import Work
from dashboard.table import admin, connection
from dashboard.table.ids import new_id
from dashboard.table.items import Item
from dashboard.table.operations import Actor, new_operation
from dashboard.table.oplog import Log
from forum.configs.profanity import PROFANITY, THRESHOLD, word_entry
from forum.services import writing
from forum.services.presence import open_up
from forum.states import Action
from forum.targets import Target
from rooms.services import shifts
from rooms.services.overriding import OPENING, override
from rooms.shifts import lines_of
from tests.accounts.imports import uploaded
from tests.apikeys.issuing import issue_key, revoked_key, seed_key
from tests.audit.entries import put, raw_entry, utc
from tests.bookings.catalog import a_customer, a_provider, a_service, a_week, put_booking, seed_items, set_hours
from tests.branding.making import a_discarded, a_draft, a_published, put_theme
from tests.branding.pictures import stored
from tests.branding.setting import a_link, put_schedule
from tests.conftest import ALMA, add_business, add_person, filled_once, on_endpoint, quickest, sign_in
from tests.forum.bulks import a_counted_bulk
from tests.forum.giving import a_filter_version, a_version
from tests.forum.screens import SEED, put_filter
from tests.forum.writing import a_comment, a_post, decided
from tests.operations.counting import long_work
from tests.rooms.domains import let_in, put_count
from tests.rooms.making import a_room, disagree, put_room
from tests.rooms.people import an_attendee
from tests.rooms.showing import a_version as content_of_room
from tests.rooms.showing import activated, put_version
from tests.ui.html import Element, parse

# The business of the walk, and one that its owner has nothing to do with.
BUSINESS, NEIGHBOURS = "andina", "harbour"
# An entry of the platform's trail and one of the business's at the same address.
ENTRY = "2025-09-21T10:00:00Z_walk"


@dataclass(frozen=True)
class Route:
    """One line of a `urls.py`."""

    name: str
    text: str
    view: Callable[..., Any]
    parts: tuple[str, ...]

    @property
    def permission(self) -> str | None:
        return getattr(self.view, "permission", None)

    @property
    def inside(self) -> bool:
        """Whether it stands inside a business."""
        return "business" in self.parts and self.text.startswith("b/")

    @property
    def disturbs(self) -> bool:
        """Whether it names something that a request may change for the next one: more than the business it is in."""
        return bool(set(self.parts) - {"business"})

    @property
    def public(self) -> bool:
        return self.permission == PUBLIC

    @property
    def for_programs(self) -> bool:
        """Whether only an API key opens it."""
        return self.permission == API

    def url(self, values: Mapping[str, str]) -> str:
        missing = [part for part in self.parts if part not in values]
        assert not missing, f"/{self.text} needs a sample of {missing} in tests/ui/walk.py"
        # A part that means one thing here and another there: `profanity_number` is the number of a filter's version.
        family = self.name.partition("_")[0]
        names = {part: f"{family}_{part}" if f"{family}_{part}" in values else part for part in self.parts}
        return reverse(self.name, kwargs={part: values[name] for part, name in names.items()})


@functools.cache
def _handler() -> ClientHandler:
    """Loading the middleware is a third of the time that a request takes here: once is enough."""
    return ClientHandler(enforce_csrf_checks=False)


def new_browser() -> Client:
    """A browser that shows the 500 page where something breaks."""
    browser = Client(raise_request_exception=False)
    browser.handler = _handler()
    return browser


def calls_of(response: Any) -> Log:
    """What an answer asked of the table."""
    log: Log = response.wsgi_request.oplog
    return log


def values(item: Item, *names: str) -> tuple[Any, ...]:
    """Some of an item's attributes, absent ones as None, whatever their declared type."""
    return tuple(getattr(item, name) for name in names)


def routes(urlconf: str | None = None) -> list[Route]:
    return list(_below(get_resolver(urlconf), "", ()))


def _below(resolver: URLResolver, before: str, parts: tuple[str, ...]) -> Iterator[Route]:
    for each in resolver.url_patterns:
        text = before + str(each.pattern)
        named = (*parts, *each.pattern.converters)
        if isinstance(each, URLPattern):
            assert each.name, f"/{text} has no name: nothing can link to it"
            yield Route(each.name, text, each.callback, named)
        else:
            yield from _below(each, text, named)


class Samples(Mapping[str, str]):
    """A value for every part that an address can have, made when it is first asked for: most addresses have two."""

    def __init__(self, makers: dict[tuple[str, ...], Callable[[], Iterable[str]]]) -> None:
        self._makers = {name: (names, make) for names, make in makers.items() for name in names}
        self._made: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        if name not in self._made:
            names, make = self._makers[name]
            self._made |= dict(zip(names, make(), strict=True))
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


def samples(who: Actor = ALMA) -> Samples:
    """Made anew: what one test does to it disturbs no other. Long work is only its own person's: `who` that is."""
    known = {"session_id": "0" * 64, "business": BUSINESS, "entry": ENTRY}
    return Samples(
        {
            tuple(known): known.values,
            ("email", "token"): a_guest,
            ("key_id",): lambda: [seed_key(BUSINESS, f"key-{new_id()}").id],
            ("operation",): lambda: [long_work(who).id],
            ("forum_operation",): lambda: [a_counted_bulk(who).id],
            ("upload",): lambda: [uploaded().id],
            ("version", "schedule", "share", "shared"): a_look,
            ("asset",): lambda: [stored(BUSINESS, int(new_id()[-4:], 36) % 90).id],
            ("number",): lambda: [str(a_version(f"Spam {new_id()}"))],
            ("profanity_number",): lambda: [str(a_filter_version(f"word-{new_id()}"))],
            ("domains_number",): lambda: [str(let_in("example.com", f"d-{new_id()}.example"))],
            ("post", "comment", "user", "forum_entry"): lambda: a_case().values(),
            ("forum_post",): lambda: [an_announcement(who)],
            ("room", "room_version"): lambda: a_room_with_content(f"sala-{new_id()[-8:]}").values(),
            ("rooms_operation",): lambda: [a_shift(who).id],
            ("event_email",): lambda: someone_at_the_event(f"event-{new_id()[-8:]}@example.org").values(),
            ("service", "provider", "customer", "booking"): lambda: someone_to_book().values(),
        }
    )


def a_guest() -> tuple[str, str]:
    """Someone who was invited, and what opens the door."""
    operation = new_operation(ALMA)
    guest = people.invite(f"guest-{new_id()[-8:]}@example.com", name="Guest", role=Role.STAFF, operation=operation)
    token = links.token_of(guest, operation)
    assert token is not None
    return guest.email, token


def a_look() -> tuple[str, str, str, str]:
    """A draft that goes live tomorrow, and a link that shows it."""
    version = a_draft(BUSINESS).number
    link, shared = a_link(BUSINESS, version)
    return str(version), put_schedule(BUSINESS, version, now() + timedelta(days=1)), link.id, shared


def a_shift(who: Actor) -> Work:
    """Openings that wait to be moved."""
    rooms = [a_room(f"shifted-{new_id()[-8:]}", now() + timedelta(hours=2)) for _ in range(2)]
    return shifts.prepare(lines_of(rooms, 15), 15, operation=new_operation(who))


def an_announcement(who: Actor) -> str:
    return Target.of(writing.announce("La sala 2 abre a las cinco", operation=new_operation(who))).post


def a_case() -> dict[str, str]:
    """A post that waits, a comment below it, who wrote it, and an entry of the log that can be taken back."""
    post = a_post("palabra2 a la salida")
    comment = Target.of(a_comment(post, "palabra2 a la entrada"))
    banned = decided(a_post("palabra2 otra vez"), Action.BAN)
    entry = str(banned.outcome.result["entry"])
    return {"post": comment.post, "comment": comment.comment, "user": str(post.user_id), "forum_entry": entry}


def someone_at_the_event(email: str) -> dict[str, str]:
    """Who has been in a room that there is, and in one that there was."""
    an_attendee(email, "Ana Torres", progress=["sala1", "sala9"])
    return {"event_email": email}


def a_room_with_content(room: str) -> dict[str, str]:
    """A room with three versions of what it shows: one was on before, the second plays, the third is new."""
    put_version(1, room, title="Bienvenida", type="hologram", vimeoUrl="rtmp://live.example.com/1", active=True)
    a_room(room, now() + timedelta(hours=1), f"Sala {room}")
    opening = utc("2026-03-01T10:15:00")
    number = content_of_room("La misma, más " + "larga " * 20, room, address="https://vimeo.com/76979871").number
    activated(number, room)
    return {"room": room, "room_version": str(content_of_room("Cierre", room, source=number, open_at=opening).number)}


def someone_to_book(business: str = BUSINESS) -> dict[str, str]:
    """A service, someone who does it, and someone who comes."""
    service = a_service(f"Masaje {new_id()[-4:]}", business=business)
    provider = a_provider("María González", service.id, business=business)
    found = {"service": service.id, "provider": provider.id, "customer": a_customer(business=business).id}
    return found | {"booking": a_booking(business=business)}


def a_booking(status: BookingStatus = BookingStatus.CONFIRMED, *, business: str = BUSINESS) -> str:
    """Someone comes to someone who always works."""
    service = a_service(f"Limpieza {new_id()[-4:]}", business=business, buffer_after=10)
    provider = set_hours(a_provider("Antonia Muñoz", service.id, business=business), a_week())
    start = (now() + timedelta(days=3)).replace(hour=15, minute=0, second=0)
    customer = a_customer("Carolina Soto", business=business).id
    operation = new_operation(ALMA)
    return make_booking(business, service.id, provider.id, start, customer, status=status, operation=operation).id


def a_booked_business() -> dict[str, str]:
    """What the seed shows, and one of our own with hours and a booking to come."""
    seed_items()
    found = someone_to_book()
    provider = bookings.provider(BUSINESS, found["provider"])
    set_hours(provider, a_week(dates={now().date() + timedelta(days=9): None}))
    start = (now() + timedelta(days=2)).replace(minute=0, second=0)
    put_booking(provider.id, start, "book_1", serviceId=found["service"], customerId=found["customer"])
    a_booking(BookingStatus.PENDING)
    return found


@dataclass(repr=False)
class World:
    """A table with someone of each role and someone in each state, shared by the tests of one file."""

    people: dict[str, Person]
    tokens: dict[str, str] = field(default_factory=dict)
    keys: dict[str, ApiKey] = field(default_factory=dict)
    cookies: dict[str, SimpleCookie] = field(default_factory=dict)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    elements: dict[str, dict[str, Element]] = field(default_factory=dict)
    works: dict[str, str] = field(default_factory=dict)
    bulks: dict[str, str] = field(default_factory=dict)
    shifts: dict[str, str] = field(default_factory=dict)
    # Versions of the business's look, by how they stand.
    versions: dict[str, int] = field(default_factory=dict)
    # What is set for later, and a link that shows the draft.
    live: dict[str, str] = field(default_factory=dict)

    def browser(self, who: str, *, fresh: bool = False) -> Client:
        """A browser, signed in unless it is nobody's; `fresh` for one whose session may come to an end."""
        browser = new_browser()
        if who == "anonymous":
            return browser
        if fresh or who not in self.cookies:
            self.cookies[who] = sign_in(queries.person(self.people[who].email)).cookies
        browser.cookies = SimpleCookie(self.cookies[who].output(header="", sep=";"))
        if fresh:
            del self.cookies[who]
        return browser

    def add(self, role: Role = Role.STAFF, name: str = "") -> Person:
        """Someone new, whom no other test knows."""
        return add_person(f"{role}-{new_id()[-8:]}@example.com", role, name)

    def pages(self, who: str) -> dict[str, Any]:
        """Every address that this person can open with GET, and the answer: asked for once for all tests."""
        if who not in self.answers:
            browser = self.browser(who)
            answers = {url: browser.get(url) for url in self._open_to(who)}
            self.answers[who] = {url: each for url, each in answers.items() if each.status_code not in {303, 405}}
        return self.answers[who]

    def html(self, who: str) -> dict[str, Element]:
        """The same, read."""
        if who not in self.elements:
            self.elements[who] = {url: parse(each) for url, each in self.pages(who).items() if _is_html(each)}
        return self.elements[who]

    def addresses(self, who: str) -> list[str]:
        """Where those pages are, for a real browser. Every world is the same: one in this process is asked."""
        if who not in _with_html:
            pages = self.pages(who)
            _with_html[who] = [url in pages and _is_html(pages[url]) for url in self._open_to(who)]
        return list(dict.fromkeys(url for url, html in zip(self._open_to(who), _with_html[who], strict=True) if html))

    def _open_to(self, who: str) -> Iterator[str]:
        for route in routes():
            if route.for_programs or (route.inside and who == "neighbour"):
                continue
            if route.public or (who != "anonymous" and self.people[who].may(Permission(str(route.permission)))):
                for values in self._each_way(route, who):
                    yield from (route.url(values) + query for query in QUERIES.get(route.name, ("",)))

    def _each_way(self, route: Route, who: str) -> list[dict[str, str]]:
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
        return [self.samples(who)]

    def work_of(self, who: str) -> str:
        """Long work of this person's own; nobody's is the admin's."""
        name = who if who in self.people else "admin"
        if name not in self.works:
            self.works[name] = long_work(self.people[name].actor).id
        return self.works[name]

    def bulk_of(self, who: str) -> str:
        """A bulk of this person's own that waits to be begun; nobody's is the admin's."""
        name = who if who in self.people else "admin"
        if name not in self.bulks:
            self.bulks[name] = a_counted_bulk(self.people[name].actor).id
        return self.bulks[name]

    def shift_of(self, who: str) -> str:
        """A shift of this person's own that waits to be begun; nobody's is the admin's."""
        name = who if who in self.people else "admin"
        if name not in self.shifts:
            self.shifts[name] = a_shift(self.people[name].actor).id
        return self.shifts[name]

    def actor(self, who: str) -> Actor:
        return self.people[who].actor if who in self.people else ALMA

    def samples(self, who: str = "admin") -> dict[str, str]:
        """The same parts each time: for requests that change nothing."""
        return {
            "email": self.people["invited"].email,
            "token": self.tokens["invited"],
            "session_id": "0" * 64,
            "business": BUSINESS,
            "key_id": self.keys["active"].id,
            "entry": ENTRY,
            "operation": self.work_of(who),
            "forum_operation": self.bulk_of(who),
            "rooms_operation": self.shift_of(who),
            "upload": self.upload,
            "asset": self.asset,
            "version": str(self.versions["draft"]),
            "number": "2",
            **self.live,
        }

    @functools.cached_property
    def upload(self) -> str:
        return uploaded().id

    @functools.cached_property
    def asset(self) -> str:
        """A file that no version shows."""
        return stored(BUSINESS).id


def _is_html(answer: Any) -> bool:
    return "html" in answer.headers["Content-Type"]


# Which of all addresses in their order are pages, by who opens them.
_with_html: dict[str, list[bool]] = {}

A_WORD = "tarambana"
TRAIL = (
    "",
    "?person=marco@example.com",
    "?target=ana@example.com",
    "?action=person.*",
    "?person=marco@example.com&target=ana@example.com&action=person.edit&since=2025-09-21&until=2025-09-21",
    "?person=nobody@example.com",
    "?since=yesterday",
    "?since=2025-09-22&until=2025-09-21",
)
# What besides the address changes a page.
QUERIES: dict[str, tuple[str, ...]] = {
    "people": ("", "?state=admin", "?state=invited", "?state=disabled", "?q=a", "?q=nobody-is-called-so"),
    "businesses": ("", "?status=ACTIVE", "?status=CANCELLED", "?q=coca", "?q=nothing-is-called-so"),
    "business_new": ("", "?name=Nuevo"),
    "switch": ("", "?q=coca", "?q=nothing-is-called-so"),
    "palette": ("", "?q=p", "?q=coca", "?q=marco", "?q=nothing-is-called-so"),
    "invite": ("", "?email=x@example.com"),
    "login": ("", "?next=/people/"),
    "audit": TRAIL,
    "business_audit": TRAIL,
    "audit_export": ("", "?action=person.*", "?since=2025-09-21&until=2025-09-21"),
    "business_audit_export": ("", "?target=ana@example.com"),
    "bookings": (
        "",
        "?view=day",
        "?view=week",
        "?view=week&provider=pro_55",
        "?view=agenda",
        "?view=agenda&status=PENDING&payment=NONE",
        "?day=2025-12-01",
        "?day=2025-12-01&just=pro_55/2025-12-01T17:30:00Z/book_789",
        "?day=x&view=x&status=x&provider=nobody",
    ),
    "booking_new": ("", "?service=svc_123&provider=pro_55", "?service=svc_123&provider=pro_55&start=2027-06-07T10:00"),
    "booking_why": ("", "?service=svc_123&provider=pro_55&start=2027-06-07T10:00", "?start=x&provider=x&service=x"),
    "booking_reschedule": ("", "?provider=pro_55&day=2027-06-07"),
    "services": ("", "?q=masaje", "?category=masajes", "?q=nothing-is-called-so"),
    "service_new": ("", "?category=masajes"),
    "providers": ("", "?q=maria", "?q=nothing-is-called-so"),
    "customers": ("", "?q=juan", "?q=nothing-is-called-so"),
    "customer_new": ("", "?name=Ana"),
    "assets": ("", "?role=logo", "?role=banner", "?role=unused", "?role=no-such-thing"),
    "brand_file": ("", "?size=thumb"),
    "branding": ("", "?status=drafts", "?status=published", "?status=discarded"),
    "theme_compare": ("", "?a=1&b=3", "?a=3&b=3", "?a=1&b=99", "?a=x&b=-1"),
    "theme_publish": ("", "?against=2"),
    "theme": ("", "?screen=forum&width=375&view=side", "?view=overlay&split=30", "?screen=x&width=x&view=x&split=x"),
    "theme_preview": ("", "?screen=product", "?screen=booking", "?screen=forum&primaryColor=%23aa0000&logo=nobody"),
    "theme_contrast": ("", "?textColor=%23eeeeee"),
    "shared": ("", "?screen=forum&width=375", "?screen=x&width=9999"),
    "shared_preview": ("", "?screen=product"),
    "forum": (
        "",
        "?kind=comments",
        "?show=active",
        "?show=banned&order=likes",
        "?show=deleted&kind=comments",
        "?q=salida",
        "?q=nothing-is-written-so",
    ),
    "post": ("", "?status=banned", "?status=deleted"),
    "forum_author": ("", "?kind=comments"),
    "forum_log": (
        "",
        "?moderator=profanity@",
        "?action=ban&author=ana@example.com",
        "?target=nothing",
        "?operation=x&since=2025-09-21",
        "?since=yesterday",
    ),
    "forum_numbers": ("", "?days=7", "?days=90", "?days=x"),
    "forum_log_export": ("", "?action=ban", "?since=2020-01-01"),
    "event_people": (
        "",
        "?country=Colombia",
        "?country=colombia&q=ana",
        "?country=Narnia",
        "?q=ana@example.org",
        "?q=nobody-is-called-so",
    ),
    "profanity": (
        "",
        "?show=allowed",
        "?show=changes",
        "?q=a&severity=high",
        "?q=nothing-is-called-so",
        "?cursor=word:m",
    ),
    "profanity_word": ("?word=palabra1", "?word=palabra2", ""),
    "profanity_export": ("", "?as=json"),
    "profanity_review": ("", "?all"),
    "profanity_version": ("", "?with=now", "?with=1"),
    "reasons_version": ("", "?with=now", "?with=1", "?all=1"),
    "rooms": ("", "?show=held", "?order=opening", "?q=nothing-is-called-so", "?day=2026-03-29"),
    "room_content": ("", "?with=1", "?with=99", "?with=x"),
    "room_content_new": ("", "?from=1", "?from=3", "?from=x"),
    "domains": ("", "?q=sura", "?q=nothing-is-called-so", "?cursor=gmail.com", "?try=ana@mail.sura.com.co", "?try=x"),
    "domains_import": ("", "?replace"),
    "domains_export": ("", "?as=txt"),
    "domains_version": ("", "?with=now", "?with=1"),
    "ui_gallery_rows": ("", "?state=open", "?q=ana", "?view=empty"),
}


@pytest.fixture(scope="module")
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """One table for all tests of a file: for walks, whose steps do not depend on each other.

    On Dynoxide where it can be had, which is twice as fast as moto and more like the real thing.
    """
    with pytest.MonkeyPatch.context() as patch:
        if quickest() == "moto":
            yield from _on_moto(patch)
        else:
            for _ in on_endpoint(request.getfixturevalue("dynoxide_endpoint"), "dynoxide", patch):
                yield make_world()


def _on_moto(patch: pytest.MonkeyPatch) -> Iterator[World]:
    patch.setattr(settings, "DYNAMODB_TABLE", f"test-{new_id()}")
    with mock_aws():
        connection.forget()
        admin.create_table()
        yield make_world()
    connection.forget()


@pytest.fixture(autouse=True)
def own_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test with a table of its own does not meet the one that its file shares."""
    if "table" in request.fixturenames:
        monkeypatch.delenv("AWS_ENDPOINT_URL_DYNAMODB", raising=False)


def a_forum() -> dict[str, str]:
    """Something in every list of the desk."""
    found = a_case()
    a_post("palabra1 y " + "muy larga " * 40, author="el-filtro@example.com", images=["https://pics.example.com/a.jpg"])
    for action in (Action.DELETE, Action.APPROVE):
        decided(a_post("palabra2 y ya"), action)
    below = a_post("Nada que decir", name="")
    for action in (Action.BAN, Action.DELETE):
        decided(a_comment(below, "palabra2"), action)
    open_up(Actor("ines@example.com", "Inés Mar"), found["post"])
    return found | {"forum_post": an_announcement(ALMA)}


def an_event() -> dict[str, str]:
    """Rooms in every state, one of which the schedule has at another time, and someone on the way through them."""
    shown = a_room_with_content("sala1")
    for number, minutes in enumerate((45, 90), 2):
        a_room(f"sala{number}", now() + timedelta(minutes=minutes), f"Sala {number}")
    for room, value, until in (("sala2", "open", OPENING), ("sala3", "closed", None)):
        override(room, value=value, until=until, seen=1, operation=new_operation(ALMA))
    put_room("sala4", openAt="2025-08-18T15:00:00Z")
    disagree("sala2")
    a_post("Nos vemos en la sala 2", author="ana@example.org")
    return shown | someone_at_the_event("ana@example.org")


def make_world() -> World:
    return filled_once("world", _make_world)


def _make_world() -> World:
    made = World(
        {
            "admin": add_person("alma@example.com", Role.ADMIN, "Alma Ríos"),
            "admin2": add_person("aldo@example.com", Role.ADMIN, "Aldo Paz"),
            "moderator": add_person("marco@example.com", Role.MODERATOR, "Marco Peña"),
            "staff": add_person("sofia@example.com", Role.STAFF, "Sofía Duarte"),
            "owner": add_person("olivia@example.com", Role.OWNER, "Olivia Andrade"),
            "neighbour": add_person("nuria@example.com", Role.OWNER, "Nuria Vidal"),
            "disabled": add_person("dora@example.com", Role.STAFF, "Dora Luz"),
        }
    )
    add_business(BUSINESS, "Coca-Cola Andina", "olivia@example.com")
    add_business(NEIGHBOURS, "Harbour Coffee", "nuria@example.com")
    for tenant in ("", BUSINESS):
        before = {"role": "staff", "active": True, "widget": {"primaryColor": "#aa0000"}, "text": "One\nTwo\nThree"}
        after = {"role": "owner", "active": False, "widget": {"primaryColor": "#00aa00"}, "text": "One\n2\nThree"}
        put(raw_entry(utc("2025-09-21T10:00:00"), "walk", tenant=tenant, before=before, after=after))
    dora = made.people["disabled"]
    made.people["disabled"] = people.disable(dora.email, seen=dora.seen, operation=new_operation(ALMA))
    operation = new_operation(ALMA)
    made.people["invited"] = people.invite("ines@example.com", name="Inés Mar", role=Role.OWNER, operation=operation)
    token = links.token_of(made.people["invited"], operation)
    assert token is not None
    made.tokens["invited"] = token
    made.keys["active"], _ = issue_key(BUSINESS, "Booking page", ["https://www.andina.cl"])
    made.keys["revoked"] = revoked_key(BUSINESS, "Old site")
    made.keys["of a seed"] = seed_key(BUSINESS)
    made.versions["earlier"] = a_published(BUSINESS, "First look", text="For the opening").number
    made.versions["in force"] = a_published(BUSINESS, "Summer").number
    made.versions["draft"] = a_draft(BUSINESS, "Autumn", {"primaryColor": "#aa3300"}).number
    made.versions["discarded"] = a_discarded(BUSINESS).number
    made.versions["of a seed"] = put_theme(
        BUSINESS, 42, metadata={"primaryColor": "#0F172A", "typography": "intrale-regular"}
    )
    put_schedule(BUSINESS, 42, now() - timedelta(days=1), missed="closed", note="For the weekend")
    link, shared = a_link(BUSINESS, made.versions["draft"], text="For the agency")
    schedule = put_schedule(BUSINESS, made.versions["earlier"], now() + timedelta(days=2), belowAA=["text-surface"])
    a_version("Spam")
    event = an_event()
    # Whoever writes from now on is of the first; with people in each, nothing that a form does shuts them out.
    let_in("example.com", "sura.com.co")
    let_in("gmail.com")
    put_count(example_com=12, sura_com_co=1_204, gmail_com=8, mail_sura_com_co=3, else_example=1)
    # A list of two words: with the starter list every step would carry thousands.
    put_filter(**SEED)
    a_filter_version(A_WORD)
    # Someone is about to change what is saved.
    for email in ("alma@example.com", "sofia@example.com"):
        wanted = {word_entry("zascandil"): ["low", "inside"], word_entry("palabra2"): ["low", "whole"], THRESHOLD: 0.7}
        configs.stage(PROFANITY, wanted, operation=new_operation(Actor(email)))
    made.live = {"schedule": schedule, "share": link.id, "shared": shared, **a_forum(), **event}
    made.live |= a_booked_business()
    return made
