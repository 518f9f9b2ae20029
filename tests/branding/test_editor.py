"""The theme editor: saved, kept and refused values."""

from __future__ import annotations

import pytest
from django.test import Client

from branding import queries, tokens
from branding.items import AssetRole, ThemeStatus
from branding.services import drafts
from dashboard.platform.audit.items import AuditEntry
from tests.branding.editor_page import BUSINESS, frame_urls, load_editor_form, save, sign_in_owner, url_of
from tests.branding.pictures import upload_asset
from tests.branding.theme_factory import LOW_CONTRAST, create_draft, create_published, put_theme, reload
from tests.businesses.business_pages import put_raw
from tests.conftest import add_business
from tests.ui.html import parse, toasts, undo_form
from tests.ui.walk import calls_of


@pytest.fixture
def owner(table: str) -> Client:
    return sign_in_owner()


def audit_entries(version: int) -> list[AuditEntry]:
    return queries.theme_history(BUSINESS, version)


def test_saving_a_draft(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn")
    logo = upload_asset(BUSINESS, 1)
    page = save(owner, draft, name="Winter", primaryColor="#0A0", typography="slab", cornerRadius="full", logo=logo.id)
    after = reload(draft)
    assert (after.name, after.metadata["primaryColor"], after.metadata["typography"]) == ("Winter", "#00aa00", "slab")
    assert (after.asset_for(AssetRole.LOGO), after.revision, after.status) == (logo.id, 2, ThemeStatus.DRAFT)
    assert queries.asset_links_by_id(BUSINESS, [logo.id])[logo.id].used_by_versions == [draft.number]
    entry = audit_entries(draft.number)[0]
    assert (entry.action, entry.before["primaryColor"], entry.after["primaryColor"]) == (
        "theme.save",
        "#1d4ed8",
        "#00aa00",
    )
    assert toasts(page) == ["v1 Winter saved."]
    assert "changed the draft v1 Winter" in parse(page).one("main").text


def test_undo_restores_all_previous_values(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn", {"accentColor": "#123456"})
    saved = save(
        owner, draft, name="", accentColor="#654321", spacing="airy", icon=upload_asset(BUSINESS, 2, AssetRole.ICON).id
    )
    before = drafts.form_values(draft)
    assert drafts.form_values(reload(draft)) != before
    assert undo_form(saved).send(owner).status_code == 303
    assert drafts.form_values(reload(draft)) == before
    assert [entry.action for entry in audit_entries(1)] == ["theme.save", "theme.save", "theme.create"]


def test_unknown_values_are_shown_and_kept(owner: Client) -> None:
    metadata = {"primaryColor": "#0F172A", "typography": "intrale-regular", "motion": "slow", "legacy": {"a": 1}}
    put_theme(BUSINESS, 42, metadata=metadata, assets=["ASSET#logo-123", "ASSET#banner-123"])
    page = parse(owner.get(url_of(42)))
    chosen = [option for option in page.one("select", name="typography").all("option") if "selected" in option.attrs]
    assert [option.text for option in chosen] == ["intrale-regular (unknown, shown as System)"]
    assert page.one("input", name="primaryColor").attrs["value"] == "#0F172A"
    assert "not stored here" in page.one("fieldset", id="id_logo").text

    assert toasts(save(owner, 42)) == ["Nothing was changed."]
    save(owner, 42, spacing="compact")
    after = queries.load_theme(BUSINESS, 42)
    assert after.metadata == metadata | {"spacing": "compact"}, "fields that nobody set stay unset"
    assert after.assets == ["ASSET#logo-123", "ASSET#banner-123"]
    assert after.style["typography"] == "system"

    save(owner, 42, typography="slab", logo="")
    after = queries.load_theme(BUSINESS, 42)
    assert (after.metadata["typography"], after.metadata["legacy"], after.asset_ids) == (
        "slab",
        {"a": 1},
        ["banner-123"],
    )


def test_undo_removes_a_field_that_was_not_set_before(owner: Client) -> None:
    put_theme(BUSINESS, 42, metadata={"primaryColor": "#0F172A", "other": "x"})
    undo_form(save(owner, 42, accentColor="#ff0000")).send(owner)
    assert queries.load_theme(BUSINESS, 42).metadata == {"primaryColor": "#0F172A", "other": "x"}


@pytest.mark.parametrize("value", ["red", "#12", "#12345g", "#fff;} body{color:red", "rgb(1,2,3)", "url(x)"])
def test_an_invalid_colour_is_refused_at_its_field(owner: Client, value: str) -> None:
    draft = create_draft(BUSINESS)
    response = load_editor_form(owner, draft).send(owner, values={"primaryColor": value, "name": "Typed"})
    assert response.status_code == 422
    page = parse(response)
    field = page.one("input", name="primaryColor")
    assert (field.attrs["value"], field.attrs["aria-invalid"]) == (value, "true")
    assert "Enter a colour as # and six digits" in page.one("p", id="id_primaryColor_error").text
    assert page.one("input", name="name").attrs["value"] == "Typed"
    assert reload(draft).revision == 1


@pytest.mark.parametrize("name", [token.name for token in tokens.TOKENS if not token.is_color])
def test_a_value_outside_the_list_is_refused(owner: Client, name: str) -> None:
    draft = create_draft(BUSINESS)
    response = load_editor_form(owner, draft).send(owner, values={name: "16px;color:red"})
    assert (response.status_code, reload(draft).revision) == (422, 1)
    assert name in response.content.decode()


def test_an_emptied_colour_becomes_the_default(owner: Client) -> None:
    draft = create_draft(BUSINESS, values={"primaryColor": "#ff0000"})
    save(owner, draft, primaryColor="")
    after = reload(draft)
    assert "primaryColor" not in after.metadata
    assert after.style["primaryColor"] == tokens.DEFAULTS["primaryColor"]


@pytest.mark.parametrize("whose", ["another business's", "nobody's", "not an id"])
def test_a_file_that_the_business_does_not_have_is_refused_at_its_field(owner: Client, whose: str) -> None:
    draft = create_draft(BUSINESS)
    add_business("harbour", "Harbour Coffee")
    foreign = {
        "another business's": upload_asset("harbour", 3).id,
        "nobody's": "andina-" + "0" * 32,
        "not an id": "../x#y \x00",
    }
    response = load_editor_form(owner, draft).send(owner, values={"banner": foreign[whose]})
    assert (response.status_code, reload(draft).revision, reload(draft).asset_ids) == (422, 1, [])
    assert "no longer exists" in parse(response).one("p", id="id_banner_error").text


def test_a_file_deleted_while_the_form_was_open_is_refused(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    draft, logo = create_draft(BUSINESS), upload_asset(BUSINESS, 4)
    known = queries.asset_links(BUSINESS)
    monkeypatch.setattr(queries, "asset_links_by_id", lambda business, assets: {})
    monkeypatch.setattr(queries, "asset_links", lambda business: known)
    response = load_editor_form(owner, draft).send(owner, values={"logo": logo.id})
    assert response.status_code == 422
    assert "This file no longer exists" in parse(response).text
    assert reload(draft).asset_ids == []


def test_files_with_the_role_of_the_field_come_first(owner: Client) -> None:
    draft = create_draft(BUSINESS)
    banner, logo = (
        upload_asset(BUSINESS, 5, AssetRole.BANNER, "Beach"),
        upload_asset(BUSINESS, 6, AssetRole.LOGO, "Letters"),
    )
    picker = parse(owner.get(url_of(draft))).one("fieldset", id="id_logo")
    assert [each.attrs["value"] for each in picker.all("input", type="radio")] == ["", logo.id, banner.id]
    assert [each.attrs["src"] for each in picker.all("img")] == [
        f"/files/{logo.id}/?size=thumb",
        f"/files/{banner.id}/?size=thumb",
    ]
    assert picker.one("details").text == "1 other file Beach"


def test_the_header_shows_status_source_and_actions(owner: Client) -> None:
    live, draft = create_published(BUSINESS, "Spring"), create_draft(BUSINESS, "Autumn", source=1)
    text = parse(owner.get(url_of(draft))).one("main").text
    assert "Draft" in text and "made from v1" in text and "deleted automatically on" in text
    links = {link.text: link.attrs["href"] for link in parse(owner.get(url_of(draft))).one("main").all("a")}
    assert links["Compare"] == f"/b/{BUSINESS}/branding/compare/?a=1&b=2"
    assert links["Publish"] == url_of(draft, "publish/")
    page = parse(owner.get(url_of(live)))
    assert "Live" in page.one("main").text
    assert "Publish" not in [link.text for link in page.one("main").all("a")]


def test_a_missing_live_version_is_explained(owner: Client) -> None:
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
    explanation = queries.missing_version_text(41)
    assert "41" in explanation
    for part in ("", "preview/"):
        response = owner.get(url_of(41, part))
        assert (response.status_code, explanation in parse(response).text) == (404, True)
    assert explanation not in parse(owner.get(url_of(40))).text
    draft = create_draft(BUSINESS)
    page = owner.get(url_of(draft) + "?view=side")
    assert page.status_code == 200 and frame_urls(page)[0] == url_of(41, "preview/?screen=home")


def test_each_editor_page_takes_two_round_trips(owner: Client) -> None:
    draft = create_draft(BUSINESS, values=LOW_CONTRAST)
    upload_asset(BUSINESS, 7)
    for url in (url_of(draft), url_of(draft, "preview/"), url_of(draft, "preview.css"), url_of(draft, "contrast/")):
        response = owner.get(url)
        assert (response.status_code, calls_of(response).trips) == (200, 2), url
