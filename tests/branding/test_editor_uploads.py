"""Files that are uploaded inside the editor, and saving that goes on to another page; without JavaScript."""

from __future__ import annotations

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from branding import queries
from tests.branding.brand_pages import BRAND, HTMX, url_of
from tests.branding.pictures import png
from tests.branding.theme_factory import create_draft, create_published, live_version, reload
from tests.ui.html import form_to, parse, toasts


def picture(number: int = 1, name: str = "Letters.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, png(number), content_type="image/png")


def test_an_uploaded_file_is_chosen_and_the_other_fields_keep_what_was_typed(as_owner: Client) -> None:
    draft = create_draft("andina", "Autumn")
    form = form_to(parse(as_owner.get(url_of(draft))).one("main"), url_of(draft))
    (button,) = [each for each in form.buttons if each.attrs.get("value") == "logo"]
    answer = form.send(as_owner, button, values={"primaryColor": "#aa0000", "upload_logo": picture()})
    assert (answer.status_code, toasts(answer)) == (200, ["Letters.png uploaded."])
    again = form_to(parse(answer).one("main"), url_of(draft))
    (link,) = queries.asset_links("andina").items
    assert (again.data()["logo"], again.data()["primaryColor"]) == (link.id, "#aa0000")
    assert reload(draft).asset_for("logo") is None, "nothing is saved yet"
    saved = again.send(as_owner, follow=True)
    assert toasts(saved) == ["v1 Autumn saved."] and reload(draft).asset_for("logo") == link.id


def test_save_also_uploads_the_chosen_file(as_owner: Client) -> None:
    draft = create_draft("andina", "Autumn")
    form = form_to(parse(as_owner.get(url_of(draft))).one("main"), url_of(draft))
    for number in (1, 2):
        form.send(as_owner, values={"upload_banner": picture(number), "revision": str(reload(draft).revision)})
        asset = reload(draft).asset_for("banner")
        assert asset is not None and len(queries.asset_links("andina").items) == number


def test_a_file_that_is_no_picture_is_refused_at_its_field(as_owner: Client) -> None:
    draft = create_draft("andina", "Autumn")
    form = form_to(parse(as_owner.get(url_of(draft))).one("main"), url_of(draft))
    bad = SimpleUploadedFile("notes.txt", b"no picture", content_type="image/png")
    answer = form.send(as_owner, values={"name": "Winter", "upload_icon": bad})
    page = parse(answer).one("main")
    assert answer.status_code == 422 and "notes.txt: " in page.text
    assert form_to(page, url_of(draft)).data()["name"] == "Winter" and reload(draft).name == "Autumn"
    (button,) = [each for each in form.buttons if each.attrs.get("value") == "icon"]
    headers = HTMX | {"HX-Target": "id_icon"}
    fragment = form.send(as_owner, button, values={"upload_icon": picture()}, headers=headers)
    assert fragment.status_code == 200 and "<main" not in fragment.text and "Letters.png" in fragment.text
    empty = form.send(as_owner, button, headers=headers)
    assert empty.status_code == 422 and "Choose a file." in empty.text


def test_save_and_publish_replaces_the_logo_of_the_live_version(as_owner: Client) -> None:
    live = create_published("andina", "Summer")
    form = form_to(parse(as_owner.get(url_of(live))).one("main"), url_of(live), name="Summer")
    (button,) = [each for each in form.buttons if each.attrs.get("value") == "publish"]
    answer = form.send(as_owner, button, values={"upload_logo": picture()}, follow=True)
    draft = live.number + 1
    assert answer.request["PATH_INFO"] == url_of(draft, "publish")
    form_to(parse(answer).one("main"), url_of(draft, "publish")).send(as_owner)
    assert live_version("andina") == draft and queries.load_theme("andina", draft).asset_for("logo")


def test_saving_goes_on_to_the_pressed_link_of_the_new_draft(as_owner: Client) -> None:
    live = create_published("andina", "Summer")
    form = form_to(parse(as_owner.get(url_of(live))).one("main"), url_of(live), name="Summer")
    answer = form.send(as_owner, values={"name": "Winter", "next": url_of(live, "share")})
    assert answer.headers["Location"] == url_of(live.number + 1, "share")
    form = form_to(parse(as_owner.get(url_of(live))).one("main"), url_of(live), name="Summer")
    answer = form.send(as_owner, values={"name": "Spring", "next": "https://evil.example/"})
    assert answer.headers["Location"] == url_of(live.number + 2)


def test_no_file_is_stored_for_a_version_that_does_not_exist(as_owner: Client) -> None:
    assert as_owner.post(f"{BRAND}themes/99999/", {"upload": "logo", "upload_logo": picture()}).status_code == 404
    assert queries.asset_links("andina").items == []
