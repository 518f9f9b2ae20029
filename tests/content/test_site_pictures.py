"""Pictures among the media of a site: the server fetches one when a person asks, and only with a key of our page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from content import site_pictures
from dashboard.web.outside_files import FetchFailed, FetchFailureReason
from tests.branding.pictures import make_picture
from tests.content.library_items import library_item_url, put_outside
from tests.ui.html import parse

URL = library_item_url("files")


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that the server has fetched. A host without a picture sends a page."""
    found: list[str] = []

    def fetch(address: str, _accept: str) -> bytes:
        found.append(address)
        if "gone" in address:
            raise FetchFailed(FetchFailureReason.NO_FILE)
        return b"<script>alert(1)</script>" if "page" in address else make_picture().content

    monkeypatch.setattr(site_pictures, "fetch", fetch)
    return found


def source_of(browser: Client) -> str:
    (image,) = parse(browser.get(f"{URL}?picture=1")).all("img")
    return str(image.attrs["src"])


def test_a_picture_is_loaded_only_when_a_person_asks(table: str, as_owner: Client, fetched: list[str]) -> None:
    put_outside("files")
    page = parse(as_owner.get(URL))
    assert not page.all("img") and "loom.webp" in page.text
    assert f"{URL}?picture=1" in [each.attrs["href"] for each in page.all("a")]
    source = source_of(as_owner)
    assert fetched == []
    answer = as_owner.get(source)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png")
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert fetched == ["https://cdn.example.com/andina/loom.webp"]


def test_without_a_valid_key_nothing_is_fetched(table: str, as_owner: Client, fetched: list[str]) -> None:
    put_outside("files")
    source = source_of(as_owner)
    put_outside("files", publicUrl="https://elsewhere.example/other.webp")
    assert as_owner.get(source).status_code == 404, "an outside writer has changed the address"
    assert as_owner.get(f"{URL}picture/?key=x").status_code == 404
    assert as_owner.get(f"{URL}picture/").headers["Location"] == URL
    assert fetched == []


@pytest.mark.parametrize("address", ["https://cdn.example.com/gone.webp", "https://cdn.example.com/page.webp"])
def test_what_is_no_picture_is_not_shown(table: str, as_owner: Client, fetched: list[str], address: str) -> None:
    put_outside("files", publicUrl=address)
    assert as_owner.get(source_of(as_owner)).status_code == 404
    assert fetched == [address]


@pytest.mark.parametrize(
    "attributes",
    [
        {"fileType": "application/pdf"},
        {"fileType": "image/svg+xml"},
        {"publicUrl": "javascript:alert(1)"},
        {"publicUrl": "s3://bucket/a.png"},
        {"fileType": None, "contentType": "text/html"},
    ],
)
def test_other_files_have_only_their_name(table: str, as_owner: Client, attributes: dict[str, Any]) -> None:
    put_outside("files", **attributes)
    page = parse(as_owner.get(f"{URL}?picture=1"))
    assert not page.all("img") and "loom.webp" in page.text


def test_an_import_has_other_names_for_its_attributes(table: str, as_owner: Client, fetched: list[str]) -> None:
    imported: dict[str, Any] = {"contentType": "image/jpeg", "url": "https://cdn.example.com/husks.jpg"}
    put_outside("files", fileType=None, publicUrl=None, **imported)
    assert as_owner.get(source_of(as_owner)).status_code == 200
    assert fetched == ["https://cdn.example.com/husks.jpg"]
