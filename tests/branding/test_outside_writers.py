"""Items of outside writers in a business's partition: malformed keys, unexpected types, a moved marker."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from branding import queries
from branding.items import Asset
from branding.services import asset_replacement
from dashboard.table import connection, keys
from dashboard.table.commands import new_command
from dashboard.table.keypattern import Key
from tests.branding.brand_pages import BRAND, url_of
from tests.branding.editor_page import load_editor_form
from tests.branding.pictures import make_picture, upload_asset
from tests.branding.publishing_factory import put_item
from tests.branding.theme_factory import put_theme
from tests.conftest import ACTOR, every_engine
from tests.ui.html import parse, toasts

BYTES = b"\x00\xff"
ODD_METADATA = {
    "typography": {"family": "x"},
    "spacing": 1.5,
    "shadow": ["a"],
    "buttonStyle": True,
    "cornerRadius": BYTES,
}


def put_marker(version: Any) -> None:
    put_item(keys.PUBLISHED.key(tenant="andina"), type="PUBLISHED_MARKER", version=version)


def version_state(version: int) -> dict[str, Any]:
    theme = queries.load_theme("andina", version)
    return {"metadata": theme.metadata, "status": theme.status, "ttl": theme.ttl, "revision": theme.revision}


@pytest.mark.parametrize(
    ("sort_key", "page"),
    [
        ("SCHEDULE#2030-01-01T00:00:00Z#soon", ""),
        ("SCHEDULE#", "themes/1/schedule/"),
        ("SHARE#00000001#a#b", "themes/1/share/"),
        ("ASSET#a#b", "assets/"),
        ("ASSET#", "themes/1/"),
        ("ASSET#a#b", "themes/1/preview/"),
        ("THEME#draft", "assets/logo-1/"),
    ],
)
def test_an_item_with_a_malformed_key_does_not_break_the_pages(as_owner: Client, sort_key: str, page: str) -> None:
    put_theme("andina", 1)
    put_item(keys.ASSET.key(asset="logo-1"), businessId="andina", assetType="logo")
    put_item(Key("BUS#andina", sort_key), assets=["ASSET#logo-1"])
    assert as_owner.get(BRAND + page).status_code == 200


def test_a_draft_can_be_discarded_despite_a_malformed_schedule(as_owner: Client) -> None:
    put_theme("andina", 1)
    put_item(Key("BUS#andina", "SCHEDULE#soon"))
    assert as_owner.post(url_of(1, "discard"), {"revision": "0"}).status_code == 303
    assert queries.load_theme("andina", 1).is_discarded


@pytest.mark.parametrize("odd", ["THEME#draft", "THEME#", "THEME#1#2", "THEME#100000000"])
def test_the_next_version_number_ignores_malformed_keys(table: str, as_owner: Client, odd: str) -> None:
    put_theme("andina", 4)
    put_item(Key("BUS#andina", odd))
    assert as_owner.post(f"{BRAND}themes/").headers["Location"] == url_of(5)


@pytest.mark.parametrize("last", ["seven", {"a": 1}, -5, 1.5, 10**30, Decimal("1E+100")])
def test_an_invalid_version_counter_is_corrected(table: str, as_owner: Client, last: Any) -> None:
    put_theme("andina", 4)
    put_item(keys.BRAND_META.key(tenant="andina"), lastVersion=last)
    assert as_owner.post(f"{BRAND}themes/").headers["Location"] == url_of(5)
    meta = queries.find_brand_meta("andina")
    assert meta is not None and meta.last_version == 5


def test_no_draft_is_created_after_the_highest_version_number(as_owner: Client) -> None:
    put_theme("andina", 99_999_999)
    answer = as_owner.post(f"{BRAND}themes/")
    assert answer.status_code == 422 and "no version numbers left" in parse(answer).text


@pytest.mark.parametrize("page", ["", "preview", "contrast", "publish"])
def test_pages_show_a_theme_with_bytes_instead_of_text(as_owner: Client, page: str) -> None:
    put_theme("andina", 1, metadata={"typography": BYTES, "more": {BYTES, b"x"}})
    assert as_owner.get(url_of(1, page)).status_code == 200


@pytest.mark.parametrize("ending", ["theme", "theme.css"])
def test_the_api_serves_a_theme_with_bytes_instead_of_text(as_owner: Client, ending: str) -> None:
    put_theme("andina", 1, metadata={"typography": BYTES, "primaryColor": "#123456"})
    put_marker(1)
    answer = Client().get(f"/api/v1/businesses/andina/{ending}")
    assert answer.status_code == 200 and b"#123456" in answer.content


@every_engine
def test_saving_keeps_values_of_unexpected_types(table: str, as_owner: Client) -> None:
    put_theme("andina", 1, metadata=ODD_METADATA | {"primaryColor": "#111111"})
    answer = load_editor_form(as_owner, 1).send(as_owner, values={"name": "Spring", "primaryColor": "#222222"})
    assert answer.status_code == 303
    theme = queries.load_theme("andina", 1)
    assert (theme.name, theme.metadata) == ("Spring", ODD_METADATA | {"primaryColor": "#222222"})


@every_engine
def test_copying_a_draft_keeps_very_large_and_long_numbers(table: str, as_owner: Client) -> None:
    metadata = {"large": 10**100, "small": 1e-100, "long": 12345678901234567890123456789012345678}
    put_theme("andina", 1, metadata=metadata)
    assert as_owner.post(f"{BRAND}themes/", {"from": "1"}).headers["Location"] == url_of(2)
    assert queries.load_theme("andina", 2).metadata == metadata


def test_a_draft_with_a_very_long_value_can_be_saved(as_owner: Client) -> None:
    """The previous values go into the DONE record of the command, where such a long value does not fit."""
    put_theme("andina", 1, metadata={"typography": "ñ" * 150_000, "primaryColor": "#111111"})
    answer = as_owner.post(url_of(1), {"revision": "0", "primaryColor": "#222222"}, follow=True)
    assert toasts(answer) == ["v1 saved."]
    assert (queries.load_theme("andina", 1).metadata or {})["primaryColor"] == "#222222"


@pytest.mark.parametrize("asset_id", ["a#b", "x" * 3000, {"a": 1}, 5])
@pytest.mark.parametrize("act", ["publish", "discard"])
def test_an_invalid_asset_id_does_not_block_publish_or_discard(as_owner: Client, asset_id: Any, act: str) -> None:
    put_theme("andina", 1, assetRoles={"logo": asset_id}, assets=["ASSET#" + "x" * 1500])
    answer = as_owner.post(url_of(1, act), {"revision": "0", "expected": "", "contrast": "accepted"})
    assert answer.status_code == 303


def test_saving_keeps_invalid_entries_in_the_list_of_files(as_owner: Client, folder: Any) -> None:
    odd: list[Any] = [7, {"a": 1}, "no reference", "ASSET#banner-9"]
    put_theme("andina", 1, assets=odd)
    logo = upload_asset().id
    answer = as_owner.post(url_of(1), {"revision": "0", "logo": logo, "banner": "banner-9"})
    assert answer.status_code == 303
    assert queries.load_theme("andina", 1).assets == [f"ASSET#{logo}", "ASSET#banner-9", *odd[:3]]


def test_a_use_by_an_impossible_version_is_ignored(as_owner: Client) -> None:
    put_item(keys.ASSET_LINK.key(tenant="andina", asset="logo-1"), usedBy={"9" * 5000: 0, "7": 0})
    assert queries.asset_links_by_id("andina", ["logo-1"])["logo-1"].used_by_versions == [7]
    assert as_owner.get(f"{BRAND}assets/").status_code == 200


def test_an_invalid_checksum_is_not_sent_as_a_header(as_owner: Client, folder: Any) -> None:
    asset = upload_asset()
    actions = [Asset.checksum.set('md5:"\r\nX-Evil: 1\r\n')]
    connection.table().update_item(asset.pk, asset.sk, actions=actions)
    answer = Client().get(f"/files/{asset.id}/")
    assert answer.status_code == 200 and answer.headers["ETag"] == f'"{asset.id}"'
    assert "X-Evil" not in answer.headers


class TestLiveVersionWithStatusDraft:
    """The seed moves the marker and does not change the version: it is live, and its status is still `draft`."""

    @pytest.fixture(autouse=True)
    def live_draft(self, as_owner: Client) -> None:
        put_theme("andina", 42, timeToArchive=4_000_000_000)
        put_marker(42)

    def test_saving_it_creates_a_new_draft(self, as_owner: Client) -> None:
        before = version_state(42)
        page = parse(as_owner.get(url_of(42)))
        assert "Your changes are saved as a new draft" in page.text
        answer = as_owner.post(url_of(42), {"revision": "0", "primaryColor": "#ff0000"})
        assert answer.headers["Location"] == url_of(43)
        assert version_state(42) == before
        assert (queries.load_theme("andina", 43).metadata or {})["primaryColor"] == "#ff0000"

    @pytest.mark.parametrize("action", ["discard", "let-go"])
    def test_it_cannot_be_discarded_or_set_to_expire(self, as_owner: Client, action: str) -> None:
        before = version_state(42)
        assert as_owner.post(url_of(42, action), {"revision": "0"}).status_code == 409
        assert version_state(42) == before

    def test_the_list_shows_its_expiry_and_it_can_be_kept(self, as_owner: Client) -> None:
        page = parse(as_owner.get(BRAND))
        assert "deleted automatically on" in page.text
        assert page.all("button", formaction=url_of(42, "keep"))
        assert as_owner.post(url_of(42, "keep"), {"revision": "0"}).status_code == 303
        assert queries.load_theme("andina", 42).is_kept_forever

    def test_replacing_a_file_does_not_change_it(self, as_owner: Client, folder: Any) -> None:
        old = upload_asset().id
        put_theme("andina", 42, assets=[f"ASSET#{old}"], assetRoles={"logo": old})
        done = asset_replacement.replace("andina", old, make_picture(5), name="new.png", command=new_command(ACTOR))
        assert (done.changed, done.unchanged) == ([], [42])
        assert queries.load_theme("andina", 42).asset_for("logo") == old

    def test_undoing_a_replacement_does_not_change_it(self, as_owner: Client, folder: Any) -> None:
        old, new = upload_asset().id, upload_asset(number=5).id
        put_theme("andina", 42, assets=[f"ASSET#{new}"], assetRoles={"logo": new})
        done = asset_replacement.undo_replace("andina", old, new, [42], command=new_command(ACTOR))
        assert (done.changed, done.skipped) == ([], [42])
        assert [theme.number for theme in queries.versions("andina").items] == [42]
