"""Uploads of one or several files, with and without JavaScript: what is stored, and which messages appear."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from branding import images, queries
from branding.forms.assets import MAX_NAME, clean_file_name
from branding.services import assets as services
from dashboard.platform.businesses import queries as businesses_queries
from dashboard.table import write
from dashboard.table.commands import new_command
from tests.branding.pictures import encode, png, png_with_size, upload_asset
from tests.branding.upload_helpers import FILES, XHR, has_delete_form, listed_names, upload_files, uploaded_file
from tests.conftest import ACTOR
from tests.ui.html import form_to, parse, toasts, undo_form


@pytest.fixture(autouse=True)
def temporary_storage(folder: Path) -> Path:
    return folder


def test_upload_list_and_undo(as_owner: Client) -> None:
    assert listed_names() == []
    answer = upload_files(as_owner, uploaded_file(png()), role="banner")
    assert (answer.status_code, answer.headers["Location"]) == (303, FILES)
    (link,) = queries.asset_links("andina").items
    assert (link.name, link.asset_type, link.width, link.height) == ("logo.png", "banner", 64, 48)
    (entry,) = queries.asset_history("andina", link.id)
    assert (entry.action, (entry.actor or {})["email"]) == ("asset.upload", "olivia@example.com")
    page = as_owner.get(FILES)
    assert toasts(page) == ["logo.png uploaded."]
    (card,) = parse(page).by_class("file")
    assert "logo.png" in card.text and "Banner · 64 × 48" in card.text and "Unused" in card.text
    assert card.one("img").attrs["src"] == f"/files/{link.id}/?size=thumb"
    undone = undo_form(page).send(as_owner, follow=True)
    assert toasts(undone) == ["logo.png deleted."] and listed_names() == []


def test_the_upload_form_works_and_repeating_it_uploads_once(as_owner: Client) -> None:
    form = form_to(as_owner.get(FILES), FILES)
    assert form.element.attrs["enctype"] == "multipart/form-data"
    answer = as_owner.post(FILES, form.data() | {"file": uploaded_file(png())})
    assert answer.status_code == 303
    again = as_owner.post(FILES, form.data() | {"file": uploaded_file(png())})
    assert again.status_code == 303
    assert toasts(as_owner.get(FILES)) == ["logo.png uploaded.", "logo.png uploaded."]
    asset = queries.asset_links("andina").items[0].id
    assert [entry.action for entry in queries.asset_history("andina", asset)] == ["asset.upload"]
    # Another file in the same form is another command.
    as_owner.post(FILES, form.data() | {"file": uploaded_file(png(1))})
    assert len(listed_names()) == 2


def test_repeating_an_upload_does_not_restore_a_deleted_file(as_owner: Client) -> None:
    form = form_to(as_owner.get(FILES), FILES)
    as_owner.post(FILES, form.data() | {"file": uploaded_file(png())})
    asset = upload_asset()
    services.delete("andina", asset.id, revision=asset.revision, command=new_command(ACTOR))
    answer = as_owner.post(FILES, form.data() | {"file": uploaded_file(png())})
    assert answer.status_code == 422 and "then deleted" in parse(answer).text
    assert listed_names() == []


def test_the_same_file_again_is_reported_as_already_uploaded_without_undo(as_owner: Client) -> None:
    upload_files(as_owner, uploaded_file(png()))
    as_owner.get(FILES)
    upload_files(as_owner, uploaded_file(png(), "again.png"))
    page = as_owner.get(FILES)
    assert toasts(page) == ["logo.png was already uploaded. You can use it as logo, banner or icon."]
    assert parse(page).all("button", **{"data-key": "z"}) == []
    assert listed_names() == ["logo.png"]


def test_several_files_are_uploaded_and_invalid_ones_are_reported(as_owner: Client) -> None:
    svg = uploaded_file(b"<svg xmlns='x'><script>1</script></svg>", "evil.svg", "image/svg+xml")
    answer = upload_files(as_owner, uploaded_file(png(1), "one.png"), svg, uploaded_file(png(2), "two.png"))
    assert answer.status_code == 422
    text = parse(answer).text
    assert "evil.svg: SVG files are not supported because they can contain scripts." in text
    assert toasts(answer) == ["one.png uploaded.", "two.png uploaded."]
    assert sorted(map(str, listed_names())) == ["one.png", "two.png"]


def test_htmx_receives_one_line_for_each_file(as_owner: Client) -> None:
    good = upload_files(as_owner, uploaded_file(png()), headers=XHR)
    (line,) = parse(good).by_class("sent-line")
    assert (good.status_code, line.attrs["data-level"]) == (200, "good")
    assert "logo.png uploaded." in line.text
    bad = upload_files(as_owner, uploaded_file(b"", "empty.png"), headers=XHR)
    (line,) = parse(bad).by_class("sent-line")
    assert (bad.status_code, line.attrs["data-level"]) == (422, "bad")
    assert "empty.png" in line.text and "This file is empty." in line.text
    assert "<html" not in bad.content.decode() and len(listed_names()) == 1


@pytest.mark.parametrize("data", [{}, {"assetType": "logo"}, {"assetType": "logo", "file": "text"}])
def test_a_form_without_a_file_is_refused(as_owner: Client, data: dict[str, str]) -> None:
    answer = as_owner.post(FILES, data)
    assert answer.status_code == 422 and "Choose a file." in parse(answer).text


def test_an_unknown_role_is_refused_and_the_chosen_role_is_kept(as_owner: Client) -> None:
    answer = upload_files(as_owner, uploaded_file(png()), role="poster")
    assert answer.status_code == 422 and listed_names() == []
    answer = upload_files(as_owner, uploaded_file(b"x"), role="icon")
    (chosen,) = [each for each in parse(answer).all("input", type="radio") if "checked" in each.attrs]
    assert chosen.attrs["value"] == "icon"


def test_files_that_are_too_large_or_too_many_are_refused(as_owner: Client) -> None:
    answer = upload_files(as_owner, uploaded_file(bytes(images.MAX_BYTES + 1), "huge.png"))
    assert answer.status_code == 422 and "huge.png: This file is larger than 5 MB" in parse(answer).text
    length = str(60 * images.MAX_BYTES)
    assert as_owner.post(FILES, {}, headers={"Content-Length": length}).status_code == 413
    many = [uploaded_file(png(number), f"{number}.png") for number in range(11)]
    assert "at most 10 files" in parse(upload_files(as_owner, *many)).text
    assert listed_names() == []


def test_a_decompression_bomb_is_refused(as_owner: Client) -> None:
    answer = upload_files(as_owner, uploaded_file(png_with_size(8000, 5000, bytes(1001 * 5000)), "bomb.png"))
    assert answer.status_code == 422 and "more than 25 megapixels" in parse(answer).text


def test_the_file_name_is_cleaned_and_the_declared_type_is_ignored(as_owner: Client) -> None:
    upload_files(as_owner, uploaded_file(png(), "..\\..\\etc/pass\u202ewd.exe", "text/html"))
    (link,) = queries.asset_links("andina").items
    assert link.name == "passwd.exe"
    assert link.uri == f"local:{link.file_name}" and str(link.file_name).startswith("branding/andina/")
    assert Client().get(f"/files/{link.id}/").headers["Content-Type"] == "image/png"


def test_an_animation_is_reduced_to_its_first_frame(as_owner: Client) -> None:
    from PIL import Image

    frames = [Image.new("RGB", (20, 20), (0, 0, shade)) for shade in (0, 250)]
    content = encode(frames[0], "GIF", save_all=True, append_images=frames[1:])
    upload_files(as_owner, uploaded_file(content, "dance.gif", "image/gif"))
    assert toasts(as_owner.get(FILES)) == [
        "dance.gif uploaded. Only the first frame of the animation is used.",
    ]


@pytest.mark.parametrize(
    ("given", "cleaned"),
    [
        ("logo.png", "logo.png"),
        ("/etc/passwd", "passwd"),
        ("C:\\Users\\Olivia\\Logo final.png", "Logo final.png"),
        ("  spaced .png ", "spaced .png"),
        ("a\x00b\x1b[31m.png", "ab[31m.png"),
        ("cafe\u0301.png", "café.png"),
        ("", ""),
        (None, ""),
        ("x" * 300 + ".png", "x" * 75 + "….png"),
        ("x" * 300, "x" * 79 + "…"),
    ],
)
def test_file_names_are_cleaned_and_shortened(given: str | None, cleaned: str) -> None:
    assert clean_file_name(given) == cleaned
    assert len(cleaned) <= MAX_NAME


def test_files_of_a_suspended_business_are_read_only(as_owner: Client) -> None:
    asset = upload_asset(name="kept.png")
    business = businesses_queries.load_business("andina")
    write.update(business.key, [type(business).status.set("SUSPENDED")])
    assert upload_files(as_owner, uploaded_file(png(1))).status_code == 403
    page = parse(as_owner.get(FILES))
    assert "kept.png" in page.text and page.all("input", type="file") == []
    page = parse(as_owner.get(f"{FILES}{asset.id}/"))
    assert page.all("input", type="file") == [] and not has_delete_form(page)
