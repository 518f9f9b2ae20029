"""The public address of a file: readable by everyone, cached for a year, and isolated by its headers."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from branding import storage
from dashboard.table import keys, write
from dashboard.table.items import Item
from tests.branding.pictures import upload_asset
from tests.ui.walk import calls_of


@pytest.fixture(autouse=True)
def temporary_storage(folder: Path) -> Path:
    return folder


EXPECTED_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
}


@pytest.mark.parametrize("signed_in", [False, True])
def test_everyone_may_read_a_file_and_it_is_cached_for_a_year(as_owner: Client, signed_in: bool) -> None:
    asset = upload_asset(name="Logo «grande».gif")
    browser = as_owner if signed_in else Client()
    content = storage.read(str(asset.file_name))
    answer = browser.get(f"/files/{asset.id}/", headers={"Accept-Encoding": "gzip, br"})
    assert (answer.status_code, answer.content) == (200, content)
    assert {name: answer.headers[name] for name in EXPECTED_HEADERS} == EXPECTED_HEADERS
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Content-Disposition"] == "inline; filename*=utf-8''Logo%20%C2%ABgrande%C2%BB.png"
    assert "Content-Encoding" not in answer.headers and not answer.cookies
    assert "Cookie" not in answer.headers.get("Vary", "")
    head = browser.head(f"/files/{asset.id}/")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Length"] == str(len(content or b""))
    small = browser.get(f"/files/{asset.id}/?size=thumb")
    assert small.content == storage.read(storage.thumbnail_of(str(asset.file_name)))
    assert small.headers["ETag"] != answer.headers["ETag"]
    log = calls_of(Client().get(f"/files/{asset.id}/"))
    assert [call.operation for call in log.calls] == ["GetItem"]


def test_a_matching_etag_gives_304_without_reading_the_file(as_owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asset = upload_asset()
    etag = Client().get(f"/files/{asset.id}/").headers["ETag"]
    with monkeypatch.context() as patch:
        patch.setattr(storage, "read", lambda name: pytest.fail("the file was read"))
        for known in (etag, f'"x", {etag}', "*"):
            answer = Client().get(f"/files/{asset.id}/", headers={"If-None-Match": known})
            assert (answer.status_code, answer.content) == (304, b"")
            assert answer.headers["ETag"] == etag
            assert answer.headers["Cache-Control"] == EXPECTED_HEADERS["Cache-Control"]
    assert Client().get(f"/files/{asset.id}/", headers={"If-None-Match": '"x"'}).status_code == 200


def test_unknown_foreign_and_expired_files_are_404(table: str) -> None:
    asset = upload_asset()
    key = keys.ASSET.key(asset=asset.id)
    browser = Client()
    assert browser.post(f"/files/{asset.id}/").status_code == 405
    for odd in ("x", "%2e%2e", "a" * 300, "a%00b", "a%23b", f"{asset.id}%0a"):
        assert browser.get(f"/files/{odd}/").status_code == 404
    for uri in ("s3://elsewhere/x.png", f"local:branding/harbour/{'0' * 64}.png", "local:../../secret_key", ""):
        write.update(key, [type(asset).uri.set(uri)])
        assert browser.get(f"/files/{asset.id}/").status_code == 404
    write.update(key, [type(asset).uri.set(asset.uri), type(asset).business_id.set("harbour")])
    assert browser.get(f"/files/{asset.id}/").status_code == 404
    write.update(key, [type(asset).business_id.set("andina"), Item.ttl.set(1)])
    assert browser.get(f"/files/{asset.id}/").status_code == 404
    write.update(key, [Item.ttl.remove()])
    assert browser.get(f"/files/{asset.id}/").status_code == 200
