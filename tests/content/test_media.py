"""Media that people upload: encoded again, listed with a thumbnail, public, and kept while they are used."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from content.files import is_own_key
from content.media_files import thumbnail_path
from content.media_uses import marks_in
from content.queries.pages import cards_of
from dashboard.platform.stream.changes import Change
from dashboard.table import keys, read
from tests.bookings.catalog import press_undo
from tests.conftest import every_engine
from tests.content.library_items import (
    ID,
    actions_of,
    content_of,
    library_item_url,
    library_url,
    put_outside,
    put_site_file,
    stored,
)
from tests.content.site import BUSINESS, NEIGHBOURS, SITE, a_page, put_outside_page, save_page
from tests.outside_writes import follow
from tests.ui.html import form_to, parse, toasts
from tests.ui.walk import calls_of

NEW, LIST = f"{SITE}files/new/", library_url("files")


def picture(color: str = "teal", size: tuple[int, int] = (640, 480), kind: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, color).save(out, kind, **options)
    return out.getvalue()


def send(browser: Client, *files: tuple[str, bytes], **options: Any) -> Any:
    data = form_to(browser.get(NEW), NEW).data()
    return browser.post(NEW, data | {"file": [SimpleUploadedFile(*file) for file in files]}, **options)


def only_item(browser: Client) -> tuple[str, dict[str, Any]]:
    """The id and the item of the only file in the list."""
    link = parse(browser.get(LIST)).one("a", class_="row-link")
    item_id = str(link.attrs["href"]).rstrip("/").rpartition("/")[2]
    raw = stored("files", item_id)
    assert raw is not None
    return item_id, raw


@every_engine
def test_a_picture_is_stored_as_the_service_stores_one(table: str, as_owner: Client, settings: Any) -> None:
    settings.SITE_URL = "https://office.example"
    exif = Image.Exif()
    exif[0x010F] = "SECRET-CAMERA"
    answer = send(as_owner, ("Telar «azul».jpg", picture(kind="JPEG", exif=exif)))
    assert (answer.status_code, answer.headers["Location"]) == (303, LIST)
    item_id, raw = only_item(as_owner)
    values = {name: next(iter(value.values())) for name, value in raw.items()}
    assert (values["Type"], values["id"], values["tenantId"]) == ("Asset", item_id, BUSINESS)
    assert (values["fileName"], values["fileType"]) == ("Telar «azul».jpg", "image/jpeg")
    assert raw["size"].keys() == {"N"} and values["uploadedBy"] == "olivia@example.com"
    assert values["publicUrl"].startswith(f"https://office.example/media/{BUSINESS}/")
    public = Client().get(values["publicUrl"].removeprefix("https://office.example"))
    assert (public.status_code, public.headers["Content-Type"]) == (200, "image/jpeg")
    assert "immutable" in public.headers["Cache-Control"] and "sandbox" in public.headers["Content-Security-Policy"]
    assert len(public.content) == int(values["size"]) and b"SECRET-CAMERA" not in public.content
    assert actions_of("files", item_id) == ["site_file.create"]
    send(as_owner, ("b.png", picture("red")))
    assert press_undo(as_owner, LIST).status_code == 303
    assert only_item(as_owner)[0] == item_id


def test_several_files_are_stored_or_refused_each_on_its_own(table: str, as_owner: Client) -> None:
    files = [("a.png", picture("red")), ("evil.svg", b"<svg onload='x'/>"), ("b.gif", picture("blue", kind="GIF"))]
    answer = send(as_owner, *files, ("cut.png", picture()[:200]), ("page.png", b"<html>"))
    assert answer.status_code == 422
    text = parse(answer).text
    assert "evil.svg: SVG files are not supported" in text
    assert "cut.png: This picture is damaged" in text and "page.png: This is a web page" in text
    assert len(parse(as_owner.get(LIST)).all("tr", data_row="")) == 2


def test_a_script_gets_a_line_for_each_file(table: str, as_owner: Client) -> None:
    answer = send(as_owner, ("a.png", picture()), headers={"HX-Request": "true"})
    line = parse(answer).one("li", class_="sent-line")
    assert (answer.status_code, line.attrs["data-level"]) == (200, "good")
    item_id, _raw = only_item(as_owner)
    assert line.one("a").attrs["href"] == library_item_url("files", item_id)
    form = form_to(answer, f"{library_item_url('files', item_id)}delete/")
    refused = send(as_owner, ("a.svg", b"<svg/>"), headers={"HX-Request": "true"})
    assert (refused.status_code, parse(refused).one("li").attrs["data-level"]) == (422, "bad")
    assert as_owner.post(form.action, form.data()).status_code == 303
    assert stored("files", item_id) is None


def test_the_same_picture_is_one_item(table: str, as_owner: Client) -> None:
    send(as_owner, ("a.png", picture()))
    item_id, before = only_item(as_owner)
    assert send(as_owner, ("b.png", picture())).status_code == 303
    assert toasts(as_owner.get(LIST)) == ["b.png is among the media already."]
    assert stored("files", item_id) == before
    data = form_to(as_owner.get(NEW), NEW).data()
    for _time in range(2):
        as_owner.post(NEW, data | {"file": SimpleUploadedFile("c.png", picture("red"))})
    assert len(parse(as_owner.get(LIST)).all("tr", data_row="")) == 2, "a form sent twice adds once"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([], "Choose a file"),
        ([("empty.png", b"")], "empty"),
        ([("big.png", b"\x89PNG\r\n\x1a\n" + b"x" * (5 * 1024 * 1024))], "larger than 5 MB"),
        ([("wide.png", picture(size=(17_000, 2)))], "longer than 16,384"),
        ([(f"{number}.png", b"x") for number in range(11)], "at most 10"),
    ],
)
def test_what_cannot_be_stored_is_explained(
    table: str, as_owner: Client, files: list[tuple[str, bytes]], message: str
) -> None:
    answer = send(as_owner, *files)
    assert answer.status_code == 422
    assert message in parse(answer).text
    assert not parse(as_owner.get(LIST)).all("tr", data_row="")


# --- The list ---
def test_only_our_own_pictures_have_thumbnails(table: str, as_owner: Client) -> None:
    send(as_owner, ("a.png", picture()))
    put_site_file()
    put_outside("files", "pdf", fileType="application/pdf", fileName="guide.pdf")
    put_outside("files", "stolen", s3Key=f"site-media/{NEIGHBOURS}/{'a' * 64}.png")
    answer = as_owner.get(LIST)
    page = parse(answer)
    assert len(page.all("span", class_="thumbnail checkered")) == 4
    (image,) = [each for each in page.all("img") if "loading" in each.attrs]
    assert (image.attrs["loading"], image.attrs["width"], image.attrs["height"]) == ("lazy", "48", "48")
    assert image.attrs["alt"] == "a.png"
    small = Client().get(str(image.attrs["src"]))
    with Image.open(io.BytesIO(small.content)) as found:
        assert max(found.size) == 320
    assert calls_of(answer).trips == 2


def test_the_page_of_an_uploaded_picture_shows_it(table: str, as_owner: Client) -> None:
    send(as_owner, ("a.png", picture()))
    item_id, raw = only_item(as_owner)
    (image,) = parse(as_owner.get(library_item_url("files", item_id))).all("img")
    assert raw["publicUrl"]["S"].endswith(str(image.attrs["src"]))


@pytest.mark.parametrize("name", ["a" * 64 + ".png", "a" * 64 + ".thumb.jpg", "../x.png", "a.png", "a" * 64 + ".svg"])
def test_other_addresses_of_files_are_not_found(table: str, name: str) -> None:
    assert Client().get(f"/media/{BUSINESS}/{name}").status_code == 404


def test_a_private_file_is_never_public() -> None:
    assert not is_own_key("site-media", f"site-media/{BUSINESS}/{'a' * 64}.png")
    assert thumbnail_path(BUSINESS, f"{BUSINESS}/{'a' * 64}.png") == ""


# --- Uses ---
ADDRESS = "https://cdn.example.com/andina/loom.webp"
HERO = {"type": "hero", "attrs": {"headline": "Hi", "imageSrc": ADDRESS, "ctaLink": "/contact"}}
TEXT = {"type": "paragraph", "content": [{"type": "text", "text": ADDRESS, "marks": []}]}


def uses_of(browser: Client) -> list[str]:
    page = parse(browser.get(library_item_url("files")))
    (link,) = [each.attrs["href"] for each in page.all("a") if "/uses/" in str(each.attrs.get("href"))]
    answer = browser.get(str(link))
    assert calls_of(answer).trips == 2
    return [each.text for each in parse(answer).one("div", class_="media-uses").all("a")]


def test_a_used_file_shows_where_and_is_not_deleted(table: str, as_owner: Client) -> None:
    put_outside("files")
    put_outside("files", business=NEIGHBOURS)
    put_outside("products", imageLink=ADDRESS)
    put_outside("products", "other", title="Other", imageLink="https://x.example/a", additionalImageLinks=[ADDRESS])
    page = a_page("Inicio", slug="/inicio", blocks=[HERO])
    a_page("Nothing", slug="/nothing", blocks=[{"type": "paragraph"}])
    assert sorted(uses_of(as_owner)) == ["Inicio", "Other", "Walnut rug"]
    url = library_item_url("files")
    delete = form_to(as_owner.get(url), f"{url}delete/")
    refused = as_owner.post(delete.action, delete.data())
    assert refused.status_code == 422 and "Inicio" in parse(refused).text
    assert stored("files") is not None
    save_page(page, blocks=[{"type": "paragraph"}])
    put_outside("products", imageLink="")
    put_outside("products", "other", additionalImageLinks=[])
    assert uses_of(as_owner) == []
    delete = form_to(as_owner.get(url), f"{url}delete/")
    assert as_owner.post(delete.action, delete.data()).status_code == 303
    assert press_undo(as_owner, LIST).status_code == 303
    assert content_of(stored("files"))["publicUrl"] == {"S": ADDRESS}


def test_the_follower_marks_the_addresses_of_a_page_of_the_service(table: str) -> None:
    put_outside_page("theirs", title="Theirs", slug="/theirs", blocks=[HERO])
    raw = read.raw_item(keys.CONTENT.key(tenant=BUSINESS, node="theirs"))
    assert raw is not None
    follow(Change(None, raw))
    card = cards_of(BUSINESS, ["theirs"])["theirs"]
    assert card.address_marks == marks_in([HERO]) and len(card.address_marks) == 2


def test_marks_are_bounded() -> None:
    many = [{"src": f"https://x.example/{number}"} for number in range(500)]
    assert len(marks_in(many, None, 7, {"a": "no address"}, ["https://" + "x" * 3000])) == 200
    assert ID not in str(marks_in(many))
