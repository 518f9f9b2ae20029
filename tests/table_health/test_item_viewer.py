"""The viewer of items: any item as it is stored and as its kind. Every view is recorded."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from dashboard.core.clock import now
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.audit import queries as audit
from dashboard.table import keys
from dashboard.table.items import Raw
from forum.actions import Action
from tests.conftest import add_person, every_engine, sign_in
from tests.faults import bad_network, lose_reply
from tests.forum.factories import create_comment, create_post, decide
from tests.table.notes import on_dynoxide
from tests.table_health import outside_items as outside
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of
from tests.ui.world import World
from tests.ui.world import world as world

HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def url(pk: str, sk: str) -> str:
    return f"/table/item/?{urlencode({'pk': pk, 'sk': sk})}"


def section(page: Any, name: str) -> Element:
    """A section of the page, by the id of its title."""
    return parse(page).one("section", aria_labelledby=name)


def cells(page: Any, name: str) -> list[list[str]]:
    return [[cell.text for cell in row.all("th", "td")] for row in section(page, name).all("tr")[1:]]


def views() -> list[str]:
    """The recorded views, the newest first."""
    return [str(entry.target["id"]) for entry in audit.latest(50) if entry.action == "item.view"]


@pytest.fixture
def admin(people_by_role: dict[str, Any]) -> Client:
    return sign_in(people_by_role["admin"])


@every_engine
def test_an_item_is_shown_raw_and_as_its_kind_with_its_index_keys(admin: Client) -> None:
    outside.put_all()
    page = admin.get(url("TENANT#andina", "SERVICE#corte"))
    assert page.status_code == 200 and calls_of(page).trips <= 2
    assert parse(page).one("h1").text == "Item: services"
    assert any(row[0].startswith("name") and row[1:3] == ["text", "Masaje"] for row in cells(page, "attributes"))
    (stored,) = cells(page, "indexes")
    assert stored == [
        "GSI1",
        "TENANT#andina#CATEGORY#other / Masaje",
        "TENANT#andina#CATEGORY#spa / Masaje",
        "Different",
    ]
    assert '"category": {"S": "spa"}' in section(page, "raw").one("pre").raw_text
    neighbours = [link.text for link in section(page, "partition").all("a")]
    assert neighbours == ["POLL#p1", "SERVICE#manos", "SERVICE#masaje", "SIGNAL#s1"]
    assert "Wrong index keys: GSI1PK" in parse(page).text


def test_a_mistyped_attribute_and_those_of_other_services_are_marked(admin: Client) -> None:
    outside.put_all(outside.MISTYPED | {"mood": {"S": "good"}})
    page = admin.get(url("TENANT#andina", "SIGNAL#s1"))
    rows = {row[0]: row[1:] for row in cells(page, "attributes")}
    assert rows["title"] == ["list", '[{"S": "a"}]', "Expected: text"]
    assert rows["mood"] == ["text", "good", "Of another service"]
    assert "Unexpected type, read as empty: title" in parse(page).text


def test_an_unknown_kind_is_shown_as_it_is(admin: Client) -> None:
    outside.put_all(outside.UNKNOWN | {"data": {"B": b"\x00\xff"}, "tags": {"SS": ["b", "a"]}})
    page = admin.get(url("TENANT#andina", "POLL#p1"))
    assert page.status_code == 200
    assert parse(page).one("h1").text == "Item: TENANT / POLL"
    assert "This kind is unknown here" in parse(page).text
    assert '"data": {"B": "AP8="}' in section(page, "raw").text


def test_every_view_is_recorded_also_of_a_key_without_an_item(admin: Client) -> None:
    outside.put_all(outside.UNKNOWN)
    for _ in range(2):
        admin.get(url("TENANT#andina", "POLL#p1"))
    admin.get(url("TENANT#andina", "POLL#nothing"))
    admin.get("/table/item/")
    admin.get(url("", "x"))
    assert views() == ["TENANT#andina / POLL#nothing", "TENANT#andina / POLL#p1", "TENANT#andina / POLL#p1"]
    (entry, *_) = audit.latest(1)
    assert entry.actor["email"] == "alma@example.com"
    assert "viewed the item TENANT#andina / POLL#nothing" in parse(admin.get("/audit/")).text


@on_dynoxide
def test_a_view_that_cannot_be_recorded_shows_nothing(admin: Client) -> None:
    outside.put_all(outside.UNKNOWN)
    with bad_network() as network:
        network.next("TransactWriteItems", *[lose_reply] * 20)
        network.next("GetItem", lambda send, request: send(request), *[lose_reply] * 20)
        page = admin.get(url("TENANT#andina", "POLL#p1"))
    assert page.status_code == 503
    assert "-20 %" not in page.content.decode()


def test_a_missing_item_is_answered_with_404_and_its_neighbours(admin: Client) -> None:
    outside.put_all()
    page = admin.get(url("TENANT#andina", "SERVICE#d"))
    assert page.status_code == 404
    assert parse(page).one("h1").text == "No item at this key"
    links = section(page, "partition").all("a")
    assert [link.text for link in links] == [
        "POLL#p1",
        "SERVICE#corte",
        "SERVICE#manos",
        "SERVICE#masaje",
        "SIGNAL#s1",
    ]
    assert admin.get(links[1].attrs["href"]).status_code == 200

    nowhere = admin.get(url("NOWHERE#1", "x"))
    assert nowhere.status_code == 404 and "Nothing else is in this partition." in parse(nowhere).text


@pytest.mark.parametrize(
    ("pk", "sk", "error"),
    [
        ("", "PROFILE", "This field is required."),
        ("USER#ana", "", "This field is required."),
        ("x" * 2049, "PROFILE", "A key can have at most 2048 bytes."),
        ("USER#ana", "é" * 513, "A key can have at most 1024 bytes."),
        ("a\x00b", "PROFILE", "Null characters are not allowed."),
    ],
)
def test_a_bad_key_is_refused_at_its_field(admin: Client, pk: str, sk: str, error: str) -> None:
    page = admin.get(url(pk, sk))
    assert page.status_code == 422 and error in parse(page).text
    assert views() == []


def test_a_key_with_one_part_is_refused(admin: Client) -> None:
    assert admin.get("/table/item/?pk=SYSTEM").status_code == 422
    assert admin.get("/table/item/?other=1").status_code == 200


@pytest.mark.parametrize(
    "sk", ["<script>alert(1)</script>", "\u202ex", "a b", " ", "👩‍👩‍👧‍👦", "%(x)s{{ 7 }}", "x" * 1024]
)
def test_any_key_can_be_viewed(admin: Client, sk: str) -> None:
    outside.put_all(outside.attributes(PK="ODD#1", SK=sk, note="here"))
    page = admin.get(url("ODD#1", sk))
    assert page.status_code == 200 and "here" in section(page, "attributes").text
    assert "<script>alert" not in page.content.decode()


def test_secrets_are_hidden(admin: Client) -> None:
    owner = add_person("olga@example.com", Role.OWNER)
    page = admin.get(url("USER#olga@example.com", "PROFILE"))
    assert str(owner.password_hash) not in page.content.decode()
    assert any(row[0].startswith("passwordHash") and row[3] == "Hidden" for row in cells(page, "attributes"))
    assert "Secrets are hidden." in parse(page).text

    tenant: Raw = {
        "PK": {"S": "SYSTEM"},
        "SK": {"S": "TENANT#andina"},
        "integrations": {"M": {"google": {"M": {"clientSecret": {"S": "very-secret"}}}}},
        "recaptcha": {"M": {"secretKey": {"S": "very-secret"}, "siteKey": {"S": "public"}}},
    }
    outside.put_all(tenant)
    content = admin.get(url("SYSTEM", "TENANT#andina")).content.decode()
    assert "very-secret" not in content and "public" in content


def test_hashes_in_keys_are_shortened_and_not_recorded(admin: Client) -> None:
    key = keys.SESSION.key(email="ana@example.com", hash=HASH)
    outside.put_all(outside.attributes(PK=key.pk, SK=key.sk))
    page = admin.get(url(*key))
    shown = parse(page)
    assert HASH not in section(page, "raw").text and HASH not in shown.one("title").text
    assert views() == [f"USER#ana@example.com / SESSION#{HASH[:8]}…"]
    person = admin.get(url("USER#ana@example.com", "PROFILE"))
    assert HASH not in section(person, "partition").text


def test_an_expired_item_is_shown_and_marked(admin: Client) -> None:
    expired = {"N": str(int((now() - timedelta(days=1)).timestamp()))}
    outside.put_all(outside.UNKNOWN | {"ttl": expired})
    page = admin.get(url("TENANT#andina", "POLL#p1"))
    assert page.status_code == 200 and "This item has expired" in parse(page).text


def test_who_changed_it_is_shown(admin: Client, people_by_role: dict[str, Any]) -> None:
    person = people_by_role["staff"]
    admin.post(f"/people/{person.email}/disable/", {"revision": person.revision})
    page = admin.get(url(f"USER#{person.email}", "PROFILE"))
    assert "Alma Ríos" in section(page, "changes").text and "Sofía Duarte" in section(page, "changes").text


def test_a_post_and_a_comment_link_to_their_moderation_log(admin: Client) -> None:
    post = create_post()
    for item in (create_comment(post), post):
        decide(item, Action.BAN, "spam")
        link = section(admin.get(url(*item.key)), "changes").one("a").attrs["href"]
        assert (item.content or "") in parse(admin.get(link)).one("main").text


def test_a_large_item_is_cut(admin: Client) -> None:
    outside.put_all(outside.attributes(PK="BIG#1", SK="x", body="palabra " * 30_000))
    page = admin.get(url("BIG#1", "x"))
    assert "Only the beginning is shown." in parse(page).text
    assert len(page.content) < 250_000


@pytest.mark.parametrize("role", ["moderator", "staff", "owner"])
def test_only_admins_open_it(people_by_role: dict[str, Any], role: str) -> None:
    browser = sign_in(people_by_role[role])
    assert {browser.get(each).status_code for each in ("/table/", "/table/item/")} == {403}


def test_audit_entries_link_to_their_items_for_admins_only(world: World) -> None:
    marco = "/table/item/?pk=USER%23ana%40example.com&sk=PROFILE"
    content = world.browser("admin").get("/audit/?target=ana@example.com").content.decode()
    assert marco.replace("&", "&amp;") in content
    assert "/table/item/?pk=SYSTEM&amp;sk=AUDIT%23" in content
    assert "/table/item/" not in world.browser("owner").get("/b/andina/audit/").content.decode()


def test_the_footer_of_an_admin_links_to_the_viewer(world: World) -> None:
    (footer,) = parse(world.browser("admin").get("/people/")).by_class("footer")
    assert footer.one("a").attrs["href"] == "/table/item/"
    assert parse(world.browser("staff").get("/rooms/")).by_class("footer") == []


def test_the_viewer_writes_nothing_but_the_audit_entry(admin: Client) -> None:
    outside.put_all(outside.WITHOUT_KEYS)
    page = admin.get(url("TENANT#andina", "SERVICE#masaje"))
    written = [call.operation for call in calls_of(page).calls if call.operation in {"PutItem", "UpdateItem"}]
    assert written == []
    assert admin.post(url("TENANT#andina", "SERVICE#masaje")).status_code == 405
