"""The pages of a business's API keys: list, edit, revoke, undo."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.core.ids import new_id
from dashboard.platform.apikeys import services
from dashboard.table import keys
from dashboard.table.commands import Actor, new_command
from dashboard.table.items import Raw
from tests.apikeys.factories import call_api, create_key, history_of_key, put_seed_key, revoke
from tests.apikeys.pages import act_form, reload, rows, toast_text, url_of
from tests.conftest import add_business
from tests.table.notes import put
from tests.ui.html import form_to, forms, parse, undo_form
from tests.ui.walk import calls_of, values
from tests.ui.world import World

ALDO = Actor("aldo@example.com", "Aldo Paz")


# --- The list ------------------------------------------------------------------------------------
def test_an_empty_list_links_to_the_form_for_a_new_key(olivia: Client, business: str) -> None:
    page = parse(olivia.get(f"/b/{business}/keys/"))
    (empty,) = page.by_class("empty")
    assert "No keys yet" in empty.text
    assert empty.one("a").attrs["href"] == f"/b/{business}/keys/new/"


def test_the_list_shows_active_keys_before_revoked_keys(olivia: Client, business: str) -> None:
    old, _ = create_key(business, "Old")
    revoke(old)
    sites = ["https://www.andina.cl", "https://b.example.com", "https://c.example.com"]
    site, _ = create_key(business, "Site", sites, limit=5)
    server, secret = create_key(business, "Server")
    call_api(secret)
    put_seed_key(business)
    listed = rows(olivia, business)
    assert sorted(listed[:-1]) == [
        [f"Server{server.api_key_public}…", "servers only", "100", "Active", "just now"],
        [f"Site{site.api_key_public}…", "https://www.andina.cl and 2 more", "5", "Active", "never"],
        ["key_001", "https://www.andina.cl", "100", "Active", "never"],
    ]
    assert listed[-1] == [f"Old{old.api_key_public}…", "servers only", "100", "Revoked", "never"]


def test_the_key_of_the_seed_can_be_shown_edited_and_revoked(olivia: Client, business: str) -> None:
    key = put_seed_key(business)
    assert key.revision == 0
    page = parse(olivia.get(url_of(key)))
    assert page.one("h1").text == "key_001"
    assert "sha256_hash_here" not in page.text
    saved = act_form(olivia, key, "edit").send(olivia, values={"name": "Named"}, follow=True)
    assert (reload(key).name, reload(key).revision) == ("Named", 1)
    undo_form(saved).send(olivia)
    assert values(reload(key), "name", "origins", "limit") == (None, ["https://www.andina.cl"], 100)
    assert act_form(olivia, key, "revoke").send(olivia).status_code == 303
    assert reload(key).is_revoked


OUTSIDE_KEYS: dict[str, Raw] = {
    "odd 0": {},
    "odd 1": {"status": {"S": "PAUSED"}, "rateLimit": {"S": "many"}, "allowedOrigins": {"S": "x"}},
    "odd 2": {"allowedOrigins": {"L": [{"N": "1"}, {"S": "*"}, {"NULL": True}]}, "rateLimit": {"N": "1.5"}},
    "odd/3": {"name": {"S": "<script>alert(1)</script>"}, "createdAt": {"S": "yesterday"}, "status": {"NULL": True}},
}


def test_keys_with_unexpected_attributes_break_no_page(olivia: Client, business: str) -> None:
    for key_id, attributes in OUTSIDE_KEYS.items():
        at = keys.API_KEY.key(tenant=business, key_id=key_id)
        put({"PK": {"S": at.pk}, "SK": {"S": at.sk}} | attributes)
    assert len(rows(olivia, business)) == 4
    for key_id in OUTSIDE_KEYS:
        # An id with a slash has no page.
        assert olivia.get(f"/b/{business}/keys/{key_id}/").status_code == (404 if "/" in key_id else 200)


@pytest.mark.parametrize("key_id", ["nothing", "a%23b", "x" * 1100, "%00"])
def test_a_key_that_does_not_exist_is_not_found(olivia: Client, business: str, key_id: str) -> None:
    assert olivia.get(f"/b/{business}/keys/{key_id}/").status_code == 404
    for act in ("edit", "revoke", "restore"):
        response = olivia.post(f"/b/{business}/keys/{key_id}/{act}/", {"rate_limit": "5"})
        assert response.status_code == 404


def test_the_list_has_pages_of_one_hundred_keys(olivia: Client, business: str) -> None:
    """Only an outside writer creates so many keys."""
    for number in range(105):
        put_seed_key(business, f"key_{number:04}")
    first = olivia.get(f"/b/{business}/keys/")
    listing = first.context["listing"]
    assert (len(listing.rows), calls_of(first).trips) == (100, 2)
    second = olivia.get(listing.next_url)
    assert len(second.context["listing"].rows) == 5
    assert olivia.get(f"/b/{business}/keys/?cursor=forged").status_code == 400


# --- Editing and revoking ------------------------------------------------------------------------
def test_an_edit_is_saved_and_undone(olivia: Client, business: str) -> None:
    key, secret = create_key(business, "Before", ["https://a.example.com", "https://b.example.com"], limit=5)
    fields = {"name": "After", "origins": "https://c.example.com", "rate_limit": "50"}
    saved = act_form(olivia, key, "edit").send(olivia, values=fields, follow=True)
    assert saved.redirect_chain == [(url_of(key), 303)]
    assert toast_text(saved) == "Changes to After saved."
    after = reload(key)
    assert (after.name, after.origins, after.limit, after.revision) == ("After", ["https://c.example.com"], 50, 2)
    assert after.api_key_hash == key.api_key_hash and call_api(secret).status_code == 200
    entry = history_of_key(key)[0]
    assert (entry.action, entry.actor["email"]) == ("apikey.edit", "olivia@example.com")
    assert entry.before == {
        "name": "Before",
        "origins": "https://a.example.com, https://b.example.com",
        "rate_limit": 5,
        "state": "active",
    }
    assert entry.after == {"name": "After", "origins": "https://c.example.com", "rate_limit": 50, "state": "active"}
    (history_item,) = [each for each in parse(saved).by_class("history")[0].all("li") if "edited" in each.text]
    assert "requests per minute: 5 → 50" in history_item.text and "https://c.example.com" in history_item.text

    undone = undo_form(saved).send(olivia, follow=True)
    assert undone.status_code == 200
    back = reload(key)
    assert (back.name, back.origins, back.limit) == ("Before", ["https://a.example.com", "https://b.example.com"], 5)


def test_saving_without_changes_writes_nothing(olivia: Client, business: str) -> None:
    key, _ = create_key(business, "Same", ["https://a.example.com"])
    saved = act_form(olivia, key, "edit").send(olivia, follow=True)
    assert toast_text(saved) == "Nothing was changed."
    assert reload(key).revision == 1
    assert [entry.action for entry in history_of_key(key)] == ["apikey.issue"]


def test_an_invalid_edit_shows_errors_and_keeps_the_input(olivia: Client, business: str) -> None:
    key, _ = create_key(business)
    response = act_form(olivia, key, "edit").send(olivia, values={"origins": "ftp://x", "name": "Typed"})
    assert response.status_code == 422
    form_data = form_to(response, url_of(key, "edit")).data()
    assert (form_data["origins"], form_data["name"], form_data["revision"]) == ("ftp://x", "Typed", "1")
    assert reload(key).revision == 1


def test_an_edit_after_a_colleagues_edit_is_a_conflict_with_both_versions(olivia: Client, business: str) -> None:
    key, _ = create_key(business, "Old", ["https://a.example.com", "https://b.example.com"])
    form = act_form(olivia, key, "edit")
    services.edit(
        business,
        key.id,
        name="His",
        origins=["https://his.example.com"],
        rate_limit=100,
        revision=1,
        command=new_command(ALDO),
    )
    # Browsers send CRLF at the end of a line.
    unchanged_origins = form.data()["origins"].replace("\n", "\r\n")
    response = form.send(olivia, values={"rate_limit": "9", "origins": unchanged_origins})
    assert response.status_code == 409
    page = parse(response)
    assert "Aldo Paz" in page.one("h2", id="conflict-title").text
    cells = [[cell.text for cell in row.all("td")] for row in page.one("tbody").all("tr")]
    assert cells == [["9", "100"], ["His", "His"], ["https://his.example.com", "https://his.example.com"]]
    assert reload(key).limit == 100, "nothing is overwritten"
    assert form_to(page, url_of(key, "edit")).send(olivia).status_code == 303
    after = reload(key)
    assert (after.name, after.origins, after.limit) == ("His", ["https://his.example.com"], 9)


def test_a_key_is_revoked_and_restored_by_undo(olivia: Client, business: str) -> None:
    key, secret = create_key(business, "Widget")
    done = act_form(olivia, key, "revoke").send(olivia, follow=True)
    assert done.redirect_chain == [(url_of(key), 303)]
    assert toast_text(done) == "Key Widget revoked."
    assert reload(key).status == "REVOKED"
    assert call_api(secret).status_code == 401
    assert not [form for form in forms(done) if form.action == url_of(key, "revoke")]

    undone = undo_form(done).send(olivia, follow=True)
    assert toast_text(undone) == "Key Widget restored."
    assert reload(key).status == "ACTIVE"
    assert call_api(secret).status_code == 200
    assert [entry.action for entry in history_of_key(key)] == ["apikey.restore", "apikey.revoke", "apikey.issue"]
    # The page has no button to restore the key.
    assert not [form for form in forms(olivia.get(url_of(key))) if "restore" in form.action]


@pytest.mark.parametrize(("act", "message"), [("revoke", "already been revoked"), ("restore", "not revoked")])
def test_revoking_or_restoring_twice_is_a_conflict(olivia: Client, business: str, act: str, message: str) -> None:
    key, _ = create_key(business)
    if act == "revoke":
        revoke(key)
    before = reload(key)
    response = olivia.post(url_of(key, act), {"revision": before.revision})
    assert response.status_code == 409
    assert message in parse(response).by_class("conflict")[0].text
    assert reload(key).revision == before.revision


@pytest.mark.parametrize("revision", ["", "x", "-1", "99", "9" * 5000])
def test_an_invalid_or_old_revision_revokes_nothing(olivia: Client, business: str, revision: str) -> None:
    key, secret = create_key(business)
    assert olivia.post(url_of(key, "revoke"), {"revision": revision}).status_code == 409
    assert call_api(secret).status_code == 200


def test_only_admins_change_the_keys_of_a_closed_business(world: World) -> None:
    business = f"shop-{new_id()[-8:]}"
    add_business(business, "Shut", "olivia@example.com", status="SUSPENDED")
    key, _ = create_key(business)
    olivia, alma = world.browser("owner"), world.browser("admin")
    assert olivia.get(url_of(key)).status_code == 200
    for url in (f"/b/{business}/keys/new/", *(url_of(key, act) for act in ("edit", "revoke", "restore"))):
        assert olivia.post(url, {"revision": key.revision}).status_code == 403
    assert alma.post(url_of(key, "revoke"), {"revision": key.revision}).status_code == 303


def test_each_page_takes_at_most_two_trips(olivia: Client, business: str) -> None:
    key, _ = create_key(business)
    for url in (f"/b/{business}/keys/", f"/b/{business}/keys/new/", url_of(key)):
        assert calls_of(olivia.get(url)).trips <= 2
