"""Themes as the branding service writes them: upper-case statuses, maps of files, dotted metadata, fractions."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from branding import queries
from branding.items import Theme
from branding.services import asset_replacement, assets
from dashboard.core.errors import Refused
from dashboard.table.commands import new_command
from tests.branding import branding_service as service
from tests.branding.brand_pages import BRAND, badges, diff_lines, put_marker, rows, titles, url_of
from tests.branding.branding_service import LOGO, METADATA, stored_theme
from tests.branding.editor_page import load_editor_form
from tests.branding.pictures import make_picture, upload_asset
from tests.conftest import ACTOR, every_engine
from tests.ui.html import form_to, parse

LOGO_ELSEWHERE = {"assetId": "logo-web", "assetType": "LOGO", "uri": "https://cdn.example.com/logo.png"}
SPLASH = {"assetId": "splash-1", "assetType": "splash", "uri": "s3://branding-dev/splash.png"}


@every_engine
def test_the_list_shows_status_and_colours(table: str, as_owner: Client) -> None:
    service.put_draft(1)
    service.put_draft(2, metadata={"palette": {"primary": "#010203"}})
    service.put_draft(3, metadata=None, assets=[])
    assert service.publish(2)
    page = parse(as_owner.get(BRAND))
    assert titles(page) == ["v3", "v2", "v1"]
    assert [badges(row) for row in rows(page)] == [["Draft"], ["Live"], ["Draft"]]
    colours = {theme.number: theme.swatches for theme in queries.versions("andina").items}
    assert colours == {1: ["#b5651d", "#fff4e0"], 2: ["#010203"], 3: []}
    assert "user-314" in page.text


@every_engine
@pytest.mark.parametrize(
    ("tab", "expected"), [("drafts", ["v5", "v1"]), ("published", ["v3", "v2"]), ("discarded", ["v4"])]
)
def test_a_tab_finds_versions_in_both_formats(table: str, as_owner: Client, tab: str, expected: list[str]) -> None:
    for number in range(1, 5):
        service.put_draft(number)
    service.put_draft(5, status="Draft")
    for version in (2, 3):
        as_owner.post(url_of(version, "publish"), {"expected": "2" if version == 3 else "", "contrast": "accepted"})
    assert as_owner.post(url_of(4, "discard"), {"revision": "0"}).status_code == 303
    page = parse(as_owner.get(f"{BRAND}?status={tab}"))
    assert titles(page) == expected
    assert {stored_theme(number)["status"] for number in (1, 2, 4)} == {"DRAFT"}


def test_actions_keep_upper_case_and_undo_works(as_owner: Client) -> None:
    service.put_draft(1)
    assert as_owner.post(url_of(1, "discard"), {"revision": "0"}).status_code == 303
    assert (stored_theme(1)["status"], parse(as_owner.get(url_of(1))).text.count("Discarded") > 0) == ("DRAFT", True)
    assert as_owner.post(url_of(1, "restore"), {"revision": "1"}).status_code == 303
    theme = stored_theme(1)
    assert theme["status"] == "DRAFT" and not {"discardedAt", "ttl", "timeToArchive"} & theme.keys()
    assert as_owner.post(url_of(1, "keep"), {"revision": "2"}).status_code == 303


@every_engine
def test_saving_changes_only_the_changed_token_where_it_was_found(table: str, as_owner: Client) -> None:
    service.put_draft(1)
    answer = load_editor_form(as_owner, 1).send(as_owner, values={"primaryColor": "#222222", "accentColor": "#333333"})
    assert answer.status_code == 303
    theme = stored_theme(1)
    assert theme["metadata"] == METADATA | {"palette.primary": "#222222", "palette.accent": "#333333"}
    assert (theme["assets"], theme["status"]) == ([LOGO], "DRAFT")
    assert not {"assetRoles", "ttl"} & theme.keys()


@every_engine
def test_saving_keeps_nested_metadata_nested(table: str, as_owner: Client) -> None:
    palette = {"primary": "#111111", "tone": "warm"}
    service.put_draft(1, metadata={"palette": palette, "note": "x"})
    answer = load_editor_form(as_owner, 1).send(as_owner, values={"primaryColor": "#222222", "textColor": "#000000"})
    assert answer.status_code == 303
    saved = palette | {"primary": "#222222", "onSurface": "#000000"}
    assert stored_theme(1)["metadata"] == {"palette": saved, "note": "x"}


def test_saving_a_draft_that_the_service_overwrote_since_is_a_conflict(as_owner: Client) -> None:
    """Neither writer changes a revision, because nobody has edited the draft here."""
    service.put_draft(1)
    form = load_editor_form(as_owner, 1)
    service.put_draft(1, overwrite=True, metadata=METADATA | {"palette.secondary": "#000000"})
    answer = form.send(as_owner, values={"primaryColor": "#222222"})
    assert answer.status_code == 409
    assert stored_theme(1)["metadata"] == METADATA | {"palette.secondary": "#000000"}
    assert form_to(parse(answer).one("main"), url_of(1)).send(as_owner).status_code == 303
    assert stored_theme(1)["metadata"] == METADATA | {"palette.secondary": "#000000", "palette.primary": "#222222"}


def test_saving_without_a_change_writes_nothing(as_owner: Client) -> None:
    service.put_draft(1)
    before = stored_theme(1)
    load_editor_form(as_owner, 1).send(as_owner)
    assert stored_theme(1) == before


def test_a_removed_token_is_removed_where_it_was_found(as_owner: Client) -> None:
    service.put_draft(1)
    load_editor_form(as_owner, 1).send(as_owner, values={"secondaryColor": ""})
    assert stored_theme(1)["metadata"] == {"palette.primary": "#B5651D", "metadata.version": "1"}


def test_the_preview_the_contrast_and_the_api_show_dotted_colours(as_owner: Client) -> None:
    service.put_draft(1)
    assert "#b5651d" in as_owner.get(f"{BRAND}themes/1/preview.css").content.decode()
    assert as_owner.get(url_of(1, "preview")).status_code == 200
    assert "#b5651d" in as_owner.get(url_of(1)).content.decode().lower()
    service.publish(1)
    answer = Client().get("/api/v1/businesses/andina/theme").json()
    assert (answer["tokens"]["primaryColor"], answer["metadata"]) == ("#b5651d", METADATA)
    assert answer["publishedAt"].startswith("2025-10-08T")
    assert b"#b5651d" in Client().get("/api/v1/businesses/andina/theme.css").content


def test_a_comparison_shows_tokens_by_their_names_and_the_rest(as_owner: Client) -> None:
    service.put_draft(1)
    service.put_draft(2, metadata={"primaryColor": "#b5651d", "palette.secondary": "#000000", "metadata.version": "2"})
    lines = diff_lines(parse(as_owner.get(f"{BRAND}compare/?a=1&b=2")))
    assert lines.keys() >= {"Secondary", "metadata.version"} and "Primary" not in lines
    assert not {"palette.primary", "palette.secondary"} & lines.keys()


@every_engine
def test_a_new_file_is_written_as_a_map_and_other_entries_stay(table: str, as_owner: Client, folder: Path) -> None:
    odd: list[Any] = [SPLASH, LOGO_ELSEWHERE, 7, "ASSET#banner-9"]
    service.put_draft(1, assets=odd)
    new = upload_asset()
    form = load_editor_form(as_owner, 1)
    assert form.send(as_owner, values={"logo": new.id}).status_code == 303
    made = {"assetId": new.id, "assetType": "LOGO", "uri": new.uri}
    assert stored_theme(1)["assets"] == [SPLASH, made, 7, "ASSET#banner-9"]
    assert queries.load_theme("andina", 1).assets_by_role == {"logo": new.id, "banner": "banner-9"}
    with pytest.raises(Refused, match="used by v1"):
        assets.delete("andina", new.id, revision=new.revision, command=new_command(ACTOR))
    assert load_editor_form(as_owner, 1).send(as_owner, values={"logo": ""}).status_code == 303
    assert stored_theme(1)["assets"] == [SPLASH, 7, "ASSET#banner-9"]


def test_the_editor_and_the_asset_page_show_a_file_of_the_service(as_owner: Client) -> None:
    service.put_draft(1, assets=[SPLASH, LOGO_ELSEWHERE])
    page = parse(as_owner.get(url_of(1)))
    (chosen,) = [each for each in page.all("input", name="logo") if "checked" in each.attrs]
    assert chosen.attrs["value"] == "logo-web"
    assert "stored by another service" in page.text
    details = parse(as_owner.get(f"{BRAND}assets/logo-web/"))
    assert "https://cdn.example.com/logo.png" in details.text and "Logo" in details.text
    assert [link.text for link in details.all("a", href=url_of(1))] == ["v1"]
    assert not details.all("input", type="file")
    splash = parse(as_owner.get(f"{BRAND}assets/splash-1/"))
    assert "s3://branding-dev/splash.png" in splash.text and "splash" in splash.text
    assert as_owner.get(f"{BRAND}assets/logo-none/").status_code == 404
    service.publish(1)
    files = Client().get("/api/v1/businesses/andina/theme").json()["files"]
    assert files == {"logo": {"id": "logo-web", "url": "https://cdn.example.com/logo.png"}}


def test_deleting_and_replacing_a_file_find_the_maps(as_owner: Client, folder: Path) -> None:
    old = upload_asset()
    entry = {"assetId": old.id, "assetType": "logo", "uri": old.uri}
    service.put_draft(1, assets=[SPLASH, entry])
    service.put_draft(2, assets=[entry])
    service.publish(2)
    with pytest.raises(Refused, match="used by v2, v1"):
        assets.delete("andina", old.id, revision=old.revision, command=new_command(ACTOR))
    done = asset_replacement.replace("andina", old.id, make_picture(5), name="new.png", command=new_command(ACTOR))
    assert (done.changed, done.unchanged) == ([1], [2])
    made = {"assetId": done.asset.id, "assetType": "logo", "uri": done.asset.uri}
    assert stored_theme(1)["assets"] == [SPLASH, made]
    assert stored_theme(2)["assets"] == [entry]


def test_a_new_draft_has_the_format_of_the_business(as_owner: Client) -> None:
    service.put_draft(1)
    as_owner.post(f"{BRAND}themes/", {"from": ""})
    theme = stored_theme(2)
    assert theme["status"] == "DRAFT" and not {"assets", "assetRoles", "ttl"} & theme.keys()
    assert theme["metadata"]["palette.primary"] == "#1d4ed8"
    assert {type(value) for value in theme["metadata"].values()} == {str}
    assert not theme["metadata"].keys() & {"primaryColor", "typography"}


def test_a_business_in_the_format_of_the_seed_keeps_it(as_owner: Client) -> None:
    service.put_draft(1, status="draft", metadata={"primaryColor": "#111111"}, assets=["ASSET#logo-1"])
    as_owner.post(f"{BRAND}themes/", {"from": "1"})
    as_owner.post(url_of(2, "publish"), {"expected": "", "contrast": "accepted"})
    theme = stored_theme(2)
    assert (theme["status"], theme["metadata"], theme["assets"]) == (
        "published",
        {"primaryColor": "#111111"},
        ["ASSET#logo-1"],
    )
    assert not {"publishedAt", "publishedBy", "discardedAt"} & theme.keys()


@pytest.mark.parametrize("digits", range(10))
def test_timestamps_have_up_to_nine_digits_of_a_second(as_owner: Client, digits: int) -> None:
    fraction = f".{'123456789'[:digits]}" if digits else ""
    service.put_draft(1, updatedAt=f"2025-10-09T18:00:07{fraction}Z")
    (theme,) = queries.versions("andina").items
    assert theme.updated_at is not None
    assert theme.updated_at.replace(microsecond=0) == datetime(2025, 10, 9, 18, 0, 7, tzinfo=UTC)
    assert as_owner.get(BRAND).status_code == 200


def test_the_samples_of_the_service_open(as_owner: Client) -> None:
    """A draft without metadata and files, and a marker whose version does not exist."""
    service.put_draft(1, updatedAt="2025-10-05T12:00:00Z")
    service.put_draft(3, updatedAt="2025-10-09T18:00:00.500Z", metadata=None, assets=[])
    marker = {"version": 2, "publishedAt": "2025-10-08T09:41:10.123456Z", "publishedBy": "user-314"}
    put_marker(**marker, updatedAt="2025-10-08T09:41:10.123456Z")
    for url in (BRAND, url_of(1), url_of(3), url_of(3, "publish"), f"{BRAND}compare/?a=1&b=3"):
        assert as_owner.get(url, follow=True).status_code == 200, url


def test_a_form_of_the_list_publishes_a_draft_of_the_service(as_owner: Client) -> None:
    service.put_draft(1)
    page = parse(as_owner.get(url_of(1, "publish")))
    form = form_to(page.one("main"), url_of(1, "publish"))
    answer = form.send(as_owner, values={"contrast": "accepted"})
    assert answer.status_code == 303 and service.live_version() == 1
    assert isinstance(queries.load_theme("andina", 1), Theme)
    assert service.publish(1), "publishing the live version again succeeds"
