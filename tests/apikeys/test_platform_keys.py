"""Keys of the platform: admins create them, they open the forum and the rooms, and nothing of any business."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.core.errors import NotFound
from dashboard.platform.apikeys import queries, services
from dashboard.platform.apikeys.items import PLATFORM
from dashboard.table import keys, read, tenancy, write
from dashboard.table.commands import new_command
from dashboard.table.keypattern import Key
from dashboard.table.tenancy import Binding
from forum.items import Post
from tests.apikeys.factories import OLIVIA, call_api, create_key, error_of, history_of_key, revoke
from tests.conftest import add_business, every_engine
from tests.forum.factories import create_post
from tests.ui.html import form_to, parse, undo_form
from tests.ui.world import World

POSTS = "/api/v1/posts"


@pytest.fixture
def admin(world: World) -> Client:
    return world.browser("admin")


def test_an_admin_creates_edits_and_revokes_a_key(admin: Client) -> None:
    empty = parse(admin.get("/keys/"))
    assert "No keys yet" in empty.text
    form = form_to(admin.get("/keys/new/"), "/keys/new/")
    assert not {"origins", "key_type"} & dict(form.fields).keys()
    created = form.send(admin, values={"name": "App of the event", "scopes": ["read", "chat"], "rate_limit": "60"})
    secret = parse(created).one("input", id="secret").attrs["value"]
    (listed,) = queries.keys_of(PLATFORM).items
    key = queries.load_key(PLATFORM, listed.id)
    assert (key.pk, key.business, key.is_public, key.scopes) == ("SYSTEM", PLATFORM, False, ["read", "chat"])
    assert call_api(secret, POSTS).status_code == 200
    who = call_api(secret).json()
    assert (who["business"], who["key"]["id"], who["key"]["scopes"]) == (None, key.id, ["read", "chat"])
    assert error_of(call_api(secret, "/api/v1/services")) == (403, "key_not_allowed")
    row = next(each for each in parse(admin.get("/keys/")).all("tr") if "data-row" in each.attrs)
    assert "App of the event" in row.text and "read, chat" in row.text

    page = admin.get(f"/keys/{key.id}/")
    edited = form_to(page, f"/keys/{key.id}/edit/").send(admin, values={"name": "Kiosk", "scopes": ["moderate"]})
    assert edited.status_code == 303
    changed = queries.load_key(PLATFORM, key.id)
    assert (changed.name, changed.scopes, changed.limit) == ("Kiosk", ["moderate"], 60)
    assert error_of(call_api(secret, POSTS)) == (403, "key_not_allowed")
    undo_form(admin.get(f"/keys/{key.id}/")).send(admin)
    assert queries.load_key(PLATFORM, key.id).scopes == ["read", "chat"]

    revoked = form_to(admin.get(f"/keys/{key.id}/"), f"/keys/{key.id}/revoke/").send(admin)
    assert revoked.status_code == 303
    assert error_of(call_api(secret, POSTS)) == (401, "revoked_key")
    undo_form(admin.get(f"/keys/{key.id}/")).send(admin)
    assert call_api(secret, POSTS).status_code == 200
    actions = [entry.action for entry in history_of_key(key)]
    assert actions == ["apikey.restore", "apikey.revoke", "apikey.edit", "apikey.edit", "apikey.issue"]
    assert {entry.scope for entry in history_of_key(key)} == {"SYSTEM"}
    assert f'href="/keys/{key.id}/"' in admin.get("/audit/").content.decode()


@pytest.mark.parametrize("who", ["owner", "staff", "moderator", "manager"])
def test_only_admins_see_the_keys_of_the_platform(world: World, who: str) -> None:
    key, _ = create_key(PLATFORM)
    for path in ("/keys/", "/keys/new/", f"/keys/{key.id}/"):
        assert world.browser(who).get(path).status_code == 403
    assert world.browser(who).post(f"/keys/{key.id}/revoke/", {"revision": key.revision}).status_code == 403
    assert queries.load_key(PLATFORM, key.id).is_active


def test_a_key_of_the_platform_is_no_key_of_a_business(world: World) -> None:
    platform, _ = create_key(PLATFORM)
    own, _ = create_key("andina")
    assert world.browser("admin").get(f"/b/andina/keys/{platform.id}/").status_code == 404
    assert world.browser("admin").get(f"/keys/{own.id}/").status_code == 404
    with pytest.raises(NotFound):
        services.revoke("andina", platform.id, revision=platform.revision, command=new_command(OLIVIA))


def test_scopes_of_businesses_are_refused(table: str) -> None:
    key = services.create(PLATFORM, name="App", scopes=["read", "book"], command=new_command(OLIVIA))
    assert key.scopes == ["read"]
    key = services.create("andina", name="App", scopes=["read", "moderate"], command=new_command(OLIVIA))
    assert key.scopes == ["read"]


def test_its_rate_limit_and_its_secret_are_checked_like_those_of_other_keys(table: str) -> None:
    key, secret = create_key(PLATFORM, limit=1)
    assert call_api(secret, POSTS).headers["RateLimit-Limit"] == "1"
    assert error_of(call_api(secret, POSTS)) == (429, "too_many_requests")
    revoke(key)
    assert error_of(call_api(secret, POSTS)) == (401, "revoked_key")
    assert error_of(call_api(secret, POSTS, headers={"Origin": "https://a.example"})) == (401, "revoked_key")


@every_engine
def test_a_request_with_it_reaches_the_forum_and_nothing_of_a_business(table: str) -> None:
    add_business("andina", "Coca-Cola Andina")
    own, _ = create_key(PLATFORM)
    create_key("andina")
    post = create_post()
    refused: list[Key] = [
        keys.TENANT.key(tenant="andina"),
        keys.SERVICE.key(tenant="andina", service="s1"),
        keys.BRAND_META.key(tenant="andina"),
        keys.PERSON.key(email="ana@example.com"),
        keys.SESSION.key(email="ana@example.com", hash="0" * 64),
        keys.BRANCH.key(tenant="andina", branch="b1"),
    ]
    collections = [
        keys.API_KEY.collection(tenant="andina"),
        keys.PLATFORM_API_KEY.collection(),
        keys.SYSTEM_AUDIT.collection(),
        keys.TENANTS.collection(),
        keys.ACCOUNTS.collection(state="admin"),
    ]
    with tenancy.bind(Binding(PLATFORM, own.actor.email, api_key=own.id, is_of_platform=True)):
        assert read.get(Post, post.key) is not None
        assert queries.load_key(PLATFORM, own.id).id == own.id
        for key in refused:
            with pytest.raises(tenancy.ForeignTenant):
                read.get_many([key])
        for collection in collections:
            with pytest.raises(tenancy.ForeignTenant):
                read.page(collection)
        for key in (keys.CONFIG.key(name="profanity"), keys.ROOM.key(room="sala1")):
            read.get_many([key])
            with pytest.raises(tenancy.ForeignTenant):
                write.update(key, [Post.user_id.set("x")])
