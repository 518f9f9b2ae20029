"""Private files: upload, and download by a signed address that expires. A file of another business is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from moto import mock_aws

from content import files
from content.files import MAX_BYTES, clean_name, is_own_key
from dashboard.core.errors import Refused
from tests.bookings.catalog import press_undo
from tests.branding.test_storage import BUCKET, use_bucket
from tests.content.library_items import library_item_url, library_url, put_outside, put_resource, stored
from tests.content.site import BUSINESS, NEIGHBOURS, SITE
from tests.ui.html import form_to, parse

NEW = f"{SITE}resources/new/"


def send(browser: Client, name: str, content: bytes) -> Any:
    return browser.post(NEW, form_to(browser.get(NEW), NEW).data() | {"file": SimpleUploadedFile(name, content)})


def test_a_file_is_uploaded_downloaded_and_undone(table: str, as_owner: Client) -> None:
    answer = send(as_owner, "../Guía de lana & hilo.pdf", b"%PDF-1.4 \x00")
    assert answer.status_code == 303
    url = answer.headers["Location"]
    raw = stored("resources", url.rstrip("/").rpartition("/")[2])
    assert raw is not None
    assert (raw["fileName"], raw["uploadedBy"]) == ({"S": "Guía-de-lana-hilo.pdf"}, {"S": "olivia@example.com"})
    assert raw["s3Key"]["S"].startswith(f"{BUSINESS}/")
    (link,) = [each for each in parse(as_owner.get(url)).all("a") if each.attrs["href"] == f"{url}download/"]
    address = as_owner.get(link.attrs["href"]).headers["Location"]
    assert address.startswith(f"{url}download/?signature=")
    answer = as_owner.get(address)
    assert (answer.status_code, answer.content) == (200, b"%PDF-1.4 \x00")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    send(as_owner, "b.pdf", b"b")
    assert press_undo(as_owner, library_url("resources")).status_code == 303
    assert len(parse(as_owner.get(library_url("resources"))).all("tr", data_row="")) == 1


def test_a_form_that_is_sent_twice_adds_one_resource(table: str, as_owner: Client) -> None:
    data = form_to(as_owner.get(NEW), NEW).data()
    for _time in range(2):
        as_owner.post(NEW, data | {"file": SimpleUploadedFile("a.pdf", b"a")})
    assert len(parse(as_owner.get(library_url("resources"))).all("tr", data_row="")) == 1


@pytest.mark.parametrize(
    ("file", "message"),
    [(None, "required"), (("a.pdf", b""), "empty"), (("a.pdf", b"x" * (MAX_BYTES + 1)), "larger than 10 MB")],
)
def test_an_unusable_file_is_refused(table: str, as_owner: Client, file: Any, message: str) -> None:
    sent = {"file": SimpleUploadedFile(*file)} if file else {}
    answer = as_owner.post(NEW, sent)
    assert answer.status_code == 422
    assert message in parse(answer).text


def test_a_signature_expires_and_belongs_to_one_file(
    table: str, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (library_item_url("resources", put_resource()) for _each in range(2))
    address = as_owner.get(f"{one}download/").headers["Location"]
    signature = address.partition("?")[2]
    assert as_owner.get(f"{one}download/?{signature}").status_code == 200
    assert as_owner.get(f"{other}download/?{signature}").status_code == 422
    assert as_owner.get(f"{one}download/?signature=:x:y").status_code == 422
    monkeypatch.setattr(files, "SIGNED_FOR", -1)
    answer = as_owner.get(f"{one}download/?{signature}")
    assert answer.status_code == 422
    assert "expired" in parse(answer).text


@pytest.mark.parametrize(
    "key",
    [
        f"{NEIGHBOURS}/a-guide.pdf",
        f"{BUSINESS}/../{NEIGHBOURS}/a-guide.pdf",
        f"/{NEIGHBOURS}/a",
        "branding/andina/a.png",
        f"{BUSINESS}",
        f"{BUSINESS}\\..\\{NEIGHBOURS}",
        "",
        None,
        7,
    ],
)
def test_a_file_of_another_business_is_refused(table: str, as_owner: Client, key: Any) -> None:
    default_storage.save(f"{NEIGHBOURS}/a-guide.pdf", SimpleUploadedFile("a", b"theirs"))
    put_outside("resources", "stolen", s3Key=key)
    url = library_item_url("resources", "stolen")
    answer = as_owner.get(f"{url}download/")
    assert answer.status_code == 422
    assert "not in the storage" in parse(answer).text
    assert as_owner.get(f"{url}download/?signature=:a:b").status_code == 422


def test_a_missing_file_is_reported(table: str, as_owner: Client) -> None:
    put_outside("resources", "gone", s3Key=f"{BUSINESS}/gone.pdf")
    answer = as_owner.get(f"{library_item_url('resources', 'gone')}download/")
    assert answer.status_code == 422


def test_names_and_keys() -> None:
    assert clean_name("C:\\x\\a b.tar.gz") == "a-b.tar.gz"
    assert clean_name("..") == "file"
    assert clean_name("x" * 200 + ".pdf") == "x" * 76 + ".pdf"
    assert not is_own_key("branding", "branding/andina/a.png"), "a business with the name of our folder"


@pytest.fixture
def bucket(settings: Any) -> Iterator[Any]:
    """S3 storage, as in production."""
    with mock_aws():
        created = boto3.resource("s3").create_bucket(Bucket=BUCKET)
        use_bucket(settings)
        yield created


def test_on_aws_the_address_is_signed_by_the_storage(bucket: Any) -> None:
    files.put_file(f"{BUSINESS}/a-guide.pdf", b"guide")
    address = urlsplit(files.signed_address(BUSINESS, f"{BUSINESS}/a-guide.pdf", "Guía.pdf", "/unused/"))
    query = parse_qs(address.query)
    assert address.netloc.startswith(BUCKET) and address.path.endswith(f"/{BUSINESS}/a-guide.pdf")
    assert query["X-Amz-Expires"] == ["300"] and query["X-Amz-Signature"]
    assert query["response-content-type"] == ["application/octet-stream"]
    assert query["response-content-disposition"] == ["attachment; filename*=UTF-8''Gu%C3%ADa.pdf"]
    for key in (f"{NEIGHBOURS}/a-guide.pdf", f"{BUSINESS}/missing.pdf"):
        with pytest.raises(Refused):
            files.signed_address(BUSINESS, key, "x", "/unused/")
