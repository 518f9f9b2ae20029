"""The list of files: the purpose of each, the versions that use it, and the cost of the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from branding import queries
from branding.items import AssetRole
from branding.services import drafts
from dashboard.table import keys
from dashboard.table.commands import new_command
from tests.branding.pictures import upload_asset
from tests.branding.upload_helpers import FILES
from tests.conftest import ACTOR
from tests.table.notes import put
from tests.ui.html import parse
from tests.ui.walk import calls_of


@pytest.fixture(autouse=True)
def temporary_storage(folder: Path) -> Path:
    return folder


def test_an_empty_list_explains_how_to_upload(as_owner: Client) -> None:
    text = parse(as_owner.get(FILES)).text
    assert "No files yet" in text and "Upload a logo" in text


def test_the_list_shows_the_role_and_the_versions_of_each_file(as_owner: Client) -> None:
    logo = upload_asset(name="logo.png")
    upload_asset(number=1, role=AssetRole.BANNER, name="banner.png")
    upload_asset(number=2, role=AssetRole.ICON, name="icon.png")
    for _ in range(6):
        drafts.create("andina", files={"logo": logo.id}, command=new_command(ACTOR))
    page = parse(as_owner.get(FILES))
    cards = {card.one("a", **{"class": "row-link"}).text: card for card in page.by_class("file")}
    assert set(cards) == {"logo.png", "banner.png", "icon.png"}
    assert [each.text for each in cards["logo.png"].all("a")] == ["logo.png", "v6", "v5", "v4", "v3"]
    assert "+2" in cards["logo.png"].text and "Unused" not in cards["logo.png"].text
    assert "Unused" in cards["banner.png"].text

    def listed_with(query: str) -> set[str]:
        filtered = parse(as_owner.get(f"{FILES}{query}"))
        return {card.one("a", **{"class": "row-link"}).text for card in filtered.by_class("file")}

    assert listed_with("?role=logo") == {"logo.png"}
    assert listed_with("?role=banner") == {"banner.png"} and listed_with("?role=icon") == {"icon.png"}
    assert listed_with("?role=unused") == {"banner.png", "icon.png"}
    assert listed_with("?role=poster") == set()


def test_the_list_takes_two_round_trips_with_0_and_with_40_files(as_owner: Client) -> None:
    few = calls_of(as_owner.get(FILES))
    for number in range(40):
        link = keys.ASSET_LINK.key(tenant="andina", asset=f"logo-{number}")
        put({"PK": {"S": link.pk}, "SK": {"S": link.sk}, "uri": {"S": "s3://elsewhere/x.png"}})
    many = calls_of(as_owner.get(FILES))
    assert few.trips == many.trips == 2 and len(few.calls) == len(many.calls)


def test_pagination_lists_every_file_once(as_owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MAX_FILES", 3)
    for number in range(7):
        link = keys.ASSET_LINK.key(tenant="andina", asset=f"logo-{number}")
        put({"PK": {"S": link.pk}, "SK": {"S": link.sk}})
    names, url = [], FILES
    for _ in range(3):
        page = parse(as_owner.get(url))
        names += [card.one("a", **{"class": "row-link"}).text for card in page.by_class("file")]
        following = [each.attrs["href"] for each in page.all("a") if each.text == "Next page"]
        url = following[0] if following else ""
    assert names == [f"logo-{number}" for number in range(7)] and not url


ODD: dict[str, dict[str, Any]] = {
    "without anything": {},
    "odd id": {"SK": {"S": "ASSET#logo ñ / 1"}},
    "odd types": {"uri": {"N": "5"}, "width": {"S": "wide"}, "usedBy": {"L": []}, "name": {"M": {}}},
    "odd numbers": {"width": {"N": "1.5"}, "height": {"N": "1E5"}, "size": {"N": "-3"}},
    "odd uses": {"usedBy": {"M": {"x": {"S": "y"}, "7": {"S": "for ever"}, "²": {"N": "0"}}}},
    "odd role": {"assetType": {"S": "<b>poster</b>"}, "name": {"S": "<script>alert(1)</script>" * 20}},
}  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
def test_malformed_links_of_outside_writers_are_listed_safely(as_owner: Client, odd: str) -> None:
    put({"PK": {"S": "BUS#andina"}, "SK": {"S": "ASSET#logo-1"}} | ODD[odd])
    page = as_owner.get(FILES)
    assert page.status_code == 200
    (card,) = parse(page).by_class("file")
    assert "Not stored here" in card.text and card.all("img") == [] and card.all("script") == []
