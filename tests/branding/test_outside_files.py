"""Files that an outside writer keeps in another bucket are shown where our credentials can read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest
from django.core.files.storage import storages
from django.test import Client
from moto import mock_aws

from branding import outside_files
from branding.outside_files import find_picture
from dashboard.platform.accounts.permissions import Role
from dashboard.table import connection, keys
from dashboard.table.keypattern import Key
from tests.branding.pictures import make_picture
from tests.branding.test_storage import BUCKET, use_bucket
from tests.conftest import add_business, add_person, as_on_aws, sign_in
from tests.ui.html import parse

THEIRS = "intrale-branding"
URI = f"s3://{THEIRS}/assets/logo-123.png"


@pytest.fixture
def their_bucket(settings: Any) -> Iterator[Any]:
    with mock_aws():
        boto3.resource("s3").create_bucket(Bucket=BUCKET)
        yield _their_bucket(settings)
    outside_files._client.cache_clear()


def _their_bucket(settings: Any) -> Any:
    outside_files._client.cache_clear()
    use_bucket(settings)
    created = boto3.resource("s3").create_bucket(Bucket=THEIRS)
    created.put_object(Key="assets/logo-123.png", Body=make_picture().content)
    created.put_object(Key="backup.sql", Body=b"create table")
    created.put_object(Key="page.html", Body=b"<script>alert(1)</script>")
    created.put_object(Key="large.png", Body=make_picture().content + b"\0" * outside_files.MAX_BYTES)
    return created


def test_a_picture_is_shown_and_its_signed_url_is_valid_for_five_minutes(their_bucket: Any) -> None:
    found = find_picture(URI)
    assert found is not None and found.data.startswith("data:image/png;base64,")
    query = parse_qs(urlsplit(found.url).query)
    assert THEIRS in found.url and query["X-Amz-Expires"] == ["300"]
    assert query["response-content-type"] == ["image/png"]


def test_a_large_picture_is_only_linked(their_bucket: Any) -> None:
    found = find_picture(f"s3://{THEIRS}/large.png")
    assert found is not None and not found.data and found.url


@pytest.mark.parametrize(
    "uri",
    [
        f"s3://{THEIRS}/backup.sql",
        f"s3://{THEIRS}/page.html",
        f"s3://{THEIRS}/missing.png",
        "s3://no-such-bucket-anywhere/logo.png",
        "https://example.com/logo.png",
        f"s3://{THEIRS}",
        f"s3://{THEIRS}/",
        "s3://../x",
        "",
        None,
    ],
)
def test_nothing_else_is_read(their_bucket: Any, uri: str | None) -> None:
    assert find_picture(uri) is None


def test_an_object_of_our_own_bucket_is_never_signed(their_bucket: Any) -> None:
    """It may be the file of another business: those have URLs of their own."""
    boto3.resource("s3").Bucket(BUCKET).put_object(Key="branding/harbour/x.png", Body=make_picture().content)
    assert find_picture(f"s3://{BUCKET}/branding/harbour/x.png") is None


def test_without_a_bucket_nothing_is_read(settings: Any) -> None:
    assert storages["default"] is not None
    assert find_picture(URI) is None


def _owner_with_files(settings: Any) -> Client:
    """Signed in as the owner of a business with files of an outside writer: one can be read, two are elsewhere."""
    boto3.resource("s3").create_bucket(Bucket=BUCKET)
    _their_bucket(settings)
    add_business("andina", "Coca-Cola Andina", "olivia@example.com")
    uris = {"logo-123": URI, "logo-9": f"s3://{THEIRS}/missing.png", "logo-web": "https://cdn.example.com/logo.png"}
    for asset, uri in uris.items():
        _put(keys.ASSET.key(asset=asset), businessId="andina", uri=uri, assetType="logo")
        _put(keys.ASSET_LINK.key(tenant="andina", asset=asset), assetType="logo", uri=uri)
    # The seed's links have no URI.
    _put(keys.ASSET_LINK.key(tenant="andina", asset="logo-123"), assetType="logo")
    return sign_in(add_person("olivia@example.com", Role.OWNER))


def _put(key: Key, **values: str) -> None:
    item = {name: {"S": value} for name, value in {"PK": key.pk, "SK": key.sk, **values}.items()}
    connection.client().put_item(TableName=connection.table().table_name, Item=item)


@as_on_aws
def test_the_list_shows_the_picture_or_says_that_it_is_elsewhere(table: str, settings: Any) -> None:
    owner = _owner_with_files(settings)
    cards = parse(owner.get("/b/andina/branding/assets/")).by_class("file")
    shown = {card.one("a", **{"class": "row-link"}).text: [each.attrs for each in card.all("img")] for card in cards}
    assert [each["alt"] for each in shown["logo-123"] + shown["logo-9"]] == ["Not stored here"] * 2
    assert shown["logo-web"] == [] and [card.text for card in cards if "Not stored here" in card.text]
    picture = owner.get(shown["logo-123"][0]["src"])
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/png")
    assert "sandbox" in picture["Content-Security-Policy"] and "private" in picture["Cache-Control"]
    assert owner.get(shown["logo-9"][0]["src"]).status_code == 404
    assert owner.get(shown["logo-123"][0]["src"].replace("andina", "harbour")).status_code == 404
    outside_files._client.cache_clear()


@as_on_aws
def test_the_page_shows_the_picture_or_says_that_it_is_elsewhere(table: str, settings: Any) -> None:
    owner = _owner_with_files(settings)
    shown, elsewhere = (parse(owner.get(f"/b/andina/branding/assets/{asset}/")) for asset in ("logo-123", "logo-9"))
    assert shown.by_class("big-picture")[0].one("img").attrs["src"].startswith("data:image/png")
    assert "Open original" in shown.text
    assert not elsewhere.by_class("big-picture") and "cannot be shown here" in elsewhere.text
    outside_files._client.cache_clear()
