"""The editor: what it saves, what it keeps, what it refuses, and what two people do to each other in it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from branding import queries, tokens
from branding.items import Role, Status
from branding.services import drafts
from dashboard.accounts.queries import person
from dashboard.audit.items import AuditEntry
from dashboard.businesses.items import Tenant
from dashboard.clock import frozen, now
from dashboard.table import keys, write
from dashboard.table.operations import new_operation
from tests.branding.editing import ALDO, TENANT, an_owner, form_of, frames, save, the_form, url_of
from tests.branding.making import FAINT, a_discarded, a_draft, a_published, in_force, now_is, publish, put_theme
from tests.branding.pictures import stored
from tests.businesses.acts import put_raw
from tests.conftest import add_business, sign_in
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of

HTMX = {"HX-Request": "true"}


@pytest.fixture
def owner(table: str) -> Client:
    return an_owner()


def trail(version: int) -> list[AuditEntry]:
    return queries.history_of(TENANT, version)


def test_a_draft_is_changed(owner: Client) -> None:
    draft = a_draft(TENANT, "Autumn")
    logo = stored(TENANT, 1)
    page = save(owner, draft, name="Winter", primaryColor="#0A0", typography="slab", cornerRadius="full", logo=logo.id)
    after = now_is(draft)
    assert (after.name, after.metadata["primaryColor"], after.metadata["typography"]) == ("Winter", "#00aa00", "slab")
    assert (after.file(Role.LOGO), after.seen, after.status) == (logo.id, 2, Status.DRAFT)
    assert queries.links(TENANT, [logo.id])[logo.id].users == [draft.number]
    entry = trail(draft.number)[0]
    assert (entry.action, entry.before["primaryColor"], entry.after["primaryColor"]) == (
        "theme.save",
        "#1d4ed8",
        "#00aa00",
    )
    assert toasts(page) == ["v1 Winter is saved."]
    assert "changed the draft v1 Winter" in parse(page).one("main").text


def test_undo_brings_back_what_was(owner: Client) -> None:
    draft = a_draft(TENANT, "Autumn", {"accentColor": "#123456"})
    saved = save(owner, draft, name="", accentColor="#654321", spacing="airy", icon=stored(TENANT, 2, Role.ICON).id)
    before = drafts.fields(draft)
    assert drafts.fields(now_is(draft)) != before
    assert undo_form(saved).send(owner).status_code == 303
    assert drafts.fields(now_is(draft)) == before
    assert [entry.action for entry in trail(1)] == ["theme.save", "theme.save", "theme.create"]


def test_what_another_service_wrote_is_kept_and_named(owner: Client) -> None:
    metadata = {"primaryColor": "#0F172A", "typography": "intrale-regular", "motion": "slow", "legacy": {"a": 1}}
    put_theme(TENANT, 42, metadata=metadata, assets=["ASSET#logo-123", "ASSET#banner-123"])
    page = parse(owner.get(url_of(42)))
    chosen = [option for option in page.one("select", name="typography").all("option") if "selected" in option.attrs]
    assert [option.text for option in chosen] == ["intrale-regular (not one of ours: shown as System)"]
    assert page.one("input", name="primaryColor").attrs["value"] == "#0F172A"
    assert "not stored here" in page.one("fieldset", id="id_logo").text

    assert toasts(save(owner, 42)) == ["Nothing was changed."]
    save(owner, 42, spacing="compact")
    after = queries.theme(TENANT, 42)
    assert after.metadata == metadata | {"spacing": "compact"}, "nothing that nobody set"
    assert after.assets == ["ASSET#logo-123", "ASSET#banner-123"]
    assert after.look["typography"] == "system"

    save(owner, 42, typography="slab", logo="")
    after = queries.theme(TENANT, 42)
    assert (after.metadata["typography"], after.metadata["legacy"], after.files) == (
        "slab",
        {"a": 1},
        ["banner-123"],
    )


def test_undo_of_a_field_that_was_not_there_takes_it_away_again(owner: Client) -> None:
    put_theme(TENANT, 42, metadata={"primaryColor": "#0F172A", "other": "x"})
    undo_form(save(owner, 42, accentColor="#ff0000")).send(owner)
    assert queries.theme(TENANT, 42).metadata == {"primaryColor": "#0F172A", "other": "x"}


@pytest.mark.parametrize("value", ["red", "#12", "#12345g", "#fff;} body{color:red", "rgb(1,2,3)", "url(x)"])
def test_what_is_no_colour_is_refused_beside_its_field(owner: Client, value: str) -> None:
    draft = a_draft(TENANT)
    response = form_of(owner, draft).send(owner, typed={"primaryColor": value, "name": "Typed"})
    assert response.status_code == 422
    page = parse(response)
    field = page.one("input", name="primaryColor")
    assert (field.attrs["value"], field.attrs["aria-invalid"]) == (value, "true")
    assert "A colour is a # and six digits" in page.one("p", id="id_primaryColor_error").text
    assert page.one("input", name="name").attrs["value"] == "Typed"
    assert now_is(draft).seen == 1


@pytest.mark.parametrize("name", [token.name for token in tokens.TOKENS if not token.is_color])
def test_what_is_not_of_the_list_is_refused(owner: Client, name: str) -> None:
    draft = a_draft(TENANT)
    response = form_of(owner, draft).send(owner, typed={name: "16px;color:red"})
    assert (response.status_code, now_is(draft).seen) == (422, 1)
    assert name in response.content.decode()


def test_a_colour_that_is_taken_away_is_the_standard_one(owner: Client) -> None:
    draft = a_draft(TENANT, look={"primaryColor": "#ff0000"})
    save(owner, draft, primaryColor="")
    after = now_is(draft)
    assert "primaryColor" not in after.metadata
    assert after.look["primaryColor"] == tokens.DEFAULTS["primaryColor"]


@pytest.mark.parametrize("whose", ["another business's", "nobody's", "not an id"])
def test_a_file_that_is_not_the_business_s_is_refused_beside_its_field(owner: Client, whose: str) -> None:
    draft = a_draft(TENANT)
    add_business("harbour", "Harbour Coffee")
    foreign = {
        "another business's": stored("harbour", 3).id,
        "nobody's": "andina-" + "0" * 32,
        "not an id": "../x#y \x00",
    }
    response = form_of(owner, draft).send(owner, typed={"banner": foreign[whose]})
    assert (response.status_code, now_is(draft).seen, now_is(draft).files) == (422, 1, [])
    assert "not one of yours" in parse(response).one("p", id="id_banner_error").text


def test_a_file_deleted_while_the_form_was_open_is_refused(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    draft, logo = a_draft(TENANT), stored(TENANT, 4)
    known = queries.files(TENANT)
    monkeypatch.setattr(queries, "links", lambda tenant, assets: {})
    monkeypatch.setattr(queries, "files", lambda tenant: known)
    response = form_of(owner, draft).send(owner, typed={"logo": logo.id})
    assert response.status_code == 422
    assert "This file is not there any more" in parse(response).text
    assert now_is(draft).files == []


def test_files_of_the_kind_come_first(owner: Client) -> None:
    draft = a_draft(TENANT)
    banner, logo = stored(TENANT, 5, Role.BANNER, "Beach"), stored(TENANT, 6, Role.LOGO, "Letters")
    picker = parse(owner.get(url_of(draft))).one("fieldset", id="id_logo")
    assert [each.attrs["value"] for each in picker.all("input", type="radio")] == ["", logo.id, banner.id]
    assert [each.attrs["src"] for each in picker.all("img")] == [
        f"/files/{logo.id}/?size=thumb",
        f"/files/{banner.id}/?size=thumb",
    ]
    assert picker.one("details").text == "1 other file Beach"


def test_two_people_at_one_draft_see_both_and_who(owner: Client) -> None:
    draft = a_draft(TENANT, "Autumn", {"primaryColor": "#000000"})
    form = form_of(owner, draft)
    drafts.save(
        TENANT,
        draft.number,
        values={"primaryColor": "#111111", "accentColor": "#00ff00", "spacing": "airy"},
        files={},
        name="Autumn",
        seen=1,
        operation=new_operation(ALDO),
    )
    refused = form.send(owner, typed={"primaryColor": "#222222", "cornerRadius": "none"})
    assert refused.status_code == 409
    page = parse(refused)
    assert "Aldo Paz changed this while you had it open" in page.text
    rows = {row.one("th").text: [cell.text for cell in row.all("td")] for row in page.one("tbody").all("tr")}
    differ = {name.removesuffix("differs"): cells for name, cells in rows.items() if cells[0] != cells[1]}
    assert differ == {"Primary": ["#222222", "#111111"], "Corners": ["Square", "Round"]}
    assert rows["Accent"] == ["#00ff00", "#00ff00"] and rows["Spacing"] == ["Airy", "Airy"]

    assert form_to(page, url_of(draft)).send(owner).status_code == 303
    after = now_is(draft).metadata
    assert [after[name] for name in ("primaryColor", "accentColor", "spacing", "cornerRadius")] == [
        "#222222",
        "#00ff00",
        "airy",
        "none",
    ]
    assert now_is(draft).seen == 3


def test_a_form_sent_twice_acts_once(owner: Client) -> None:
    draft = a_draft(TENANT)
    form = form_of(owner, draft)
    twice = [form.send(owner, typed={"primaryColor": "#abcdef"}, follow=True) for _ in range(2)]
    assert toasts(twice[0]) == toasts(twice[1]) == ["v1 is saved."]
    assert (now_is(draft).seen, len(trail(1))) == (2, 2)


def test_what_was_published_never_changes(owner: Client) -> None:
    live = a_published(TENANT, "Spring", {"primaryColor": "#111111"})
    page = parse(owner.get(url_of(live)))
    assert "Save as new draft" in page.one("form", data_preview="").text
    sent = form_of(owner, live).send(owner, typed={"primaryColor": "#222222"})
    assert (sent.status_code, sent.headers["Location"]) == (303, url_of(2))
    made = queries.theme(TENANT, 2)
    assert (now_is(live).metadata["primaryColor"], made.metadata["primaryColor"]) == ("#111111", "#222222")
    assert (made.made_from, made.status, in_force(TENANT)) == (1, Status.DRAFT, 1)
    after = owner.get(url_of(2))
    assert "Your changes are in a new draft, v2 Spring" in toasts(after)[0]
    assert undo_form(after).send(owner).status_code == 303
    assert queries.theme(TENANT, 2).is_discarded


def test_a_draft_published_meanwhile_is_a_conflict_and_then_a_new_draft(owner: Client) -> None:
    draft = a_draft(TENANT, "Autumn", {"primaryColor": "#000000"})
    form = form_of(owner, draft)
    publish(draft)
    refused = form.send(owner, typed={"primaryColor": "#222222"})
    assert refused.status_code == 409
    sent = form_to(refused, url_of(draft)).send(owner)
    assert sent.headers["Location"] == url_of(2)
    assert now_is(draft).metadata["primaryColor"] == "#000000"
    assert queries.theme(TENANT, 2).metadata["primaryColor"] == "#222222"


def test_a_discarded_draft_says_so_and_can_be_brought_back(owner: Client) -> None:
    draft = a_discarded(TENANT, "Autumn")
    page = owner.get(url_of(draft))
    assert "This draft is discarded" in parse(page).text
    form_to(page, url_of(draft, "restore/")).send(owner)
    assert now_is(draft).is_draft


def test_the_head_says_how_it_stands(owner: Client) -> None:
    live, draft = a_published(TENANT, "Spring"), a_draft(TENANT, "Autumn", source=1)
    text = parse(owner.get(url_of(draft))).one("main").text
    assert "Draft" in text and "made from v1" in text and "archives itself on" in text
    links = {link.text: link.attrs["href"] for link in parse(owner.get(url_of(draft))).one("main").all("a")}
    assert links["Compare"] == f"/b/{TENANT}/branding/compare/?a=1&b=2"
    assert links["Publish"] == url_of(draft, "publish/")
    page = parse(owner.get(url_of(live)))
    assert "In force" in page.one("main").text
    assert "Publish" not in [link.text for link in page.one("main").all("a")]


def test_a_marker_whose_version_is_missing_has_a_clear_word(owner: Client) -> None:
    put_raw(
        {
            "PK": {"S": "BUS#andina"},
            "SK": {"S": "PUBLISHED"},
            "type": {"S": "PUBLISHED_MARKER"},
            "version": {"N": "41"},
            "publishedAt": {"S": "2025-09-10T08:30:00Z"},
            "publishedBy": {"S": "user-789"},
        }
    )
    words = queries.not_in_the_table(41)
    assert "41" in words
    for part in ("", "preview/"):
        response = owner.get(url_of(41, part))
        assert (response.status_code, words in parse(response).text) == (404, True)
    assert words not in parse(owner.get(url_of(40))).text
    draft = a_draft(TENANT)
    page = owner.get(url_of(draft) + "?view=side")
    assert page.status_code == 200 and frames(page)[0] == url_of(41, "preview/?screen=home")


def test_the_page_costs_one_trip_after_signing_in(owner: Client) -> None:
    draft = a_draft(TENANT, look=FAINT)
    stored(TENANT, 7)
    for url in (url_of(draft), url_of(draft, "preview/"), url_of(draft, "preview.css"), url_of(draft, "contrast/")):
        response = owner.get(url)
        assert (response.status_code, calls_of(response).trips) == (200, 2), url


def test_one_goes_on_watching_what_one_watched(owner: Client) -> None:
    draft = a_draft(TENANT)
    at = url_of(draft) + "?screen=forum&width=375"
    sent = the_form(owner.get(at)).send(owner, typed={"name": "Plain"})
    assert sent.headers["Location"] == at
    form = form_of(owner, draft)
    shown = HTMX | {"HX-Current-URL": f"http://testserver{at}", "HX-Target": "main"}
    sent = form.send(owner, typed={"name": "By script"}, headers=shown)
    assert sent.headers["HX-Redirect"] == at


def test_a_draft_that_is_gone_is_not_there(owner: Client) -> None:
    draft = a_draft(TENANT)
    form = form_of(owner, draft)
    with frozen(now() + timedelta(days=91)):
        later = sign_in(person("olivia@example.com"))
        assert later.get(url_of(draft)).status_code == 404
        assert form.send(later, typed={"name": "Late"}).status_code == 404


def test_in_a_closed_business_an_owner_looks_and_changes_nothing(table: str) -> None:
    owner = an_owner()
    draft = a_draft(TENANT, "Autumn")
    form = form_of(owner, draft)
    write.touch(keys.TENANT.key(tenant=TENANT), [Tenant.status.set("SUSPENDED")])
    page = owner.get(url_of(draft))
    assert page.status_code == 200 and not parse(page).all("form", data_preview="")
    assert frames(page) == [url_of(draft, "preview/?screen=home")]
    assert form.send(owner, typed={"name": "Late"}).status_code == 403
    assert now_is(draft).name == "Autumn"


def test_preview_without_a_script_shows_what_was_typed_and_saves_nothing(owner: Client) -> None:
    draft, logo = a_draft(TENANT, "Autumn"), stored(TENANT, 8)
    form = form_of(owner, draft)
    (button,) = [each for each in form.buttons if each.attrs.get("name") == "preview"]
    response = form.send(owner, button, typed={"primaryColor": "#ab0000", "logo": logo.id, "name": "Typed"})
    page = parse(response)
    assert response.status_code == 200 and "Nothing is saved yet" in page.text
    assert (now_is(draft).seen, now_is(draft).name) == (1, "Autumn")
    again = the_form(page)
    assert (again.data()["primaryColor"], again.data()["logo"], again.data()["name"]) == ("#ab0000", logo.id, "Typed")
    shown = owner.get(frames(page)[0])
    assert f"/files/{logo.id}/" in shown.content.decode()
    css = owner.get(parse(shown).one("link", data_brand="").attrs["href"]).content.decode()
    assert "--brand-primary-color: #ab0000;" in css

    again.send(owner)
    assert (now_is(draft).metadata["primaryColor"], now_is(draft).name) == ("#ab0000", "Typed")


def test_a_colour_that_can_be_read_is_one_press_away_without_a_script(owner: Client) -> None:
    draft = a_draft(TENANT, look=FAINT)
    form = form_of(owner, draft)
    fixes = [each for each in form.buttons if each.attrs.get("name") == "fix"]
    assert form.buttons[0].text == "Save", "Enter saves"
    (fix,) = [each for each in fixes if each.attrs["id"] == "fix-text-background"]
    response = form.send(owner, fix)
    assert response.status_code == 200 and now_is(draft).seen == 1
    again = the_form(response)
    assert f"textColor={again.data()['textColor']}" == fix.attrs["value"]
    assert "fix-text-background" not in [each.attrs.get("id") for each in again.buttons]


@pytest.mark.parametrize("fix", ["textColor=red", "typography=slab", "x", "name=<b>", "=", "textColor=#12\x00"])
def test_a_fix_that_is_none_changes_nothing(owner: Client, fix: str) -> None:
    draft = a_draft(TENANT)
    response = form_of(owner, draft).send(owner, typed={"fix": fix})
    assert (response.status_code, now_is(draft).seen) == (200, 1)
    assert the_form(response).data()["typography"] == "system"


def test_the_panel_leaves_the_toast_to_the_page_that_follows(owner: Client) -> None:
    draft = a_draft(TENANT)
    sent = form_of(owner, draft).send(owner, typed={"name": "Winter"})
    owner.get(url_of(draft, "contrast/"), headers=HTMX)
    owner.get(url_of(draft, "preview/"))
    assert toasts(owner.get(sent.headers["Location"])) == ["v1 Winter is saved."]


def test_the_panel_answers_for_what_is_typed(owner: Client) -> None:
    draft = a_draft(TENANT)
    url = url_of(draft, "contrast/")
    good = parse(owner.get(url, headers=HTMX))
    assert "Everything can be read well" in good.text
    assert not good.all("button")
    bad = parse(owner.get(url, {"textColor": "#eeeeee", "mutedColor": "nothing"}, headers=HTMX))
    assert [each.attrs["id"] for each in bad.all("button")] == ["fix-text-background", "fix-text-surface"]
    assert bad.one("div", hx_swap_oob="innerHTML:#contrast-said").text == "2 pairs are hard to read"
    assert owner.get(url).content.lstrip().startswith(b"<!doctype html>")
