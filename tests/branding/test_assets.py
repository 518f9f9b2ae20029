"""The screens of files: what a request does, what it answers, and what is on the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from branding import images, queries, storage
from branding.forms.assets import MAX_NAME, cleaned_name
from branding.items import Role
from branding.services import assets as services
from branding.services import drafts
from dashboard.businesses import queries as businesses_queries
from dashboard.table import keys, write
from dashboard.table.items import Item
from dashboard.table.operations import new_operation
from tests.branding.making import publish, put_theme
from tests.branding.pictures import encoded, png, stored
from tests.conftest import ALMA, sign_in
from tests.table.notes import put
from tests.ui.html import Element, form_to, forms, parse, toasts, undo_form
from tests.ui.walk import calls_of

FILES = "/b/andina/branding/assets/"
XHR = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def files_here(folder: Path) -> Path:
    return folder


def a_file(content: bytes, name: str = "logo.png", type: str = "image/png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, content_type=type)


def send(browser: Client, *files: Any, role: str = "logo", **options: Any) -> Any:
    return browser.post(FILES, {"assetType": role, "file": list(files)}, **options)


def listed() -> list[str | None]:
    return [link.name for link in queries.files("andina").items]


def deletable(page: Element) -> bool:
    return any(form.action.endswith("/delete/") for form in forms(page))


# --- Uploading -----------------------------------------------------------------------------------
def test_upload_then_the_list_then_undo(as_owner: Client) -> None:
    assert listed() == []
    answer = send(as_owner, a_file(png()), role="banner")
    assert (answer.status_code, answer.headers["Location"]) == (303, FILES)
    (link,) = queries.files("andina").items
    assert (link.name, link.asset_type, link.width, link.height) == ("logo.png", "banner", 64, 48)
    (entry,) = queries.history_of_file("andina", link.id)
    assert (entry.action, (entry.actor or {})["email"]) == ("asset.upload", "olivia@example.com")
    page = as_owner.get(FILES)
    assert toasts(page) == ["logo.png is uploaded."]
    (card,) = parse(page).by_class("file")
    assert "logo.png" in card.text and "Banner · 64 × 48" in card.text and "Unused" in card.text
    assert card.one("img").attrs["src"] == f"/files/{link.id}/?size=thumb"
    undone = undo_form(page).send(as_owner, follow=True)
    assert toasts(undone) == ["logo.png is deleted."] and listed() == []


def test_the_form_works_as_it_stands(as_owner: Client) -> None:
    form = form_to(as_owner.get(FILES), FILES)
    assert form.element.attrs["enctype"] == "multipart/form-data"
    answer = as_owner.post(FILES, form.data() | {"file": a_file(png())})
    assert answer.status_code == 303
    again = as_owner.post(FILES, form.data() | {"file": a_file(png())})
    assert again.status_code == 303
    assert toasts(as_owner.get(FILES)) == ["logo.png is uploaded.", "logo.png is uploaded."]
    asset = queries.files("andina").items[0].id
    assert [entry.action for entry in queries.history_of_file("andina", asset)] == ["asset.upload"]
    # Another file in the same form is another wish.
    as_owner.post(FILES, form.data() | {"file": a_file(png(1))})
    assert len(listed()) == 2


def test_the_very_form_that_uploaded_it_does_not_bring_it_back(as_owner: Client) -> None:
    form = form_to(as_owner.get(FILES), FILES)
    as_owner.post(FILES, form.data() | {"file": a_file(png())})
    asset = stored()
    services.delete("andina", asset.id, seen=asset.seen, operation=new_operation(ALMA))
    answer = as_owner.post(FILES, form.data() | {"file": a_file(png())})
    assert answer.status_code == 422 and "deleted since" in parse(answer).text
    assert listed() == []


def test_the_same_file_is_told_as_here_and_offers_no_undo(as_owner: Client) -> None:
    send(as_owner, a_file(png()))
    as_owner.get(FILES)
    send(as_owner, a_file(png(), "again.png"))
    page = as_owner.get(FILES)
    assert toasts(page) == ["logo.png is already here: the same file is kept once."]
    assert parse(page).all("button", **{"data-key": "z"}) == []
    assert listed() == ["logo.png"]


def test_several_at_once_some_of_them_bad(as_owner: Client) -> None:
    svg = a_file(b"<svg xmlns='x'><script>1</script></svg>", "evil.svg", "image/svg+xml")
    answer = send(as_owner, a_file(png(1), "one.png"), svg, a_file(png(2), "two.png"))
    assert answer.status_code == 422
    text = parse(answer).text
    assert "evil.svg: SVG files are not taken: they can carry scripts." in text
    assert toasts(answer) == ["one.png is uploaded.", "two.png is uploaded."]
    assert sorted(map(str, listed())) == ["one.png", "two.png"]


def test_a_script_gets_a_line_for_each_file(as_owner: Client) -> None:
    good = send(as_owner, a_file(png()), headers=XHR)
    (line,) = parse(good).by_class("sent-line")
    assert (good.status_code, line.attrs["data-level"]) == (200, "good")
    assert "logo.png is uploaded." in line.text
    bad = send(as_owner, a_file(b"", "empty.png"), headers=XHR)
    (line,) = parse(bad).by_class("sent-line")
    assert (bad.status_code, line.attrs["data-level"]) == (422, "bad")
    assert "empty.png" in line.text and "This file is empty." in line.text
    assert "<html" not in bad.content.decode() and len(listed()) == 1


@pytest.mark.parametrize("data", [{}, {"assetType": "logo"}, {"assetType": "logo", "file": "text"}])
def test_without_a_file_the_form_says_so(as_owner: Client, data: dict[str, str]) -> None:
    answer = as_owner.post(FILES, data)
    assert answer.status_code == 422 and "Choose a file first." in parse(answer).text


def test_a_role_that_is_none_is_refused_and_what_was_chosen_stays(as_owner: Client) -> None:
    answer = send(as_owner, a_file(png()), role="poster")
    assert answer.status_code == 422 and listed() == []
    answer = send(as_owner, a_file(b"x"), role="icon")
    (chosen,) = [each for each in parse(answer).all("input", type="radio") if "checked" in each.attrs]
    assert chosen.attrs["value"] == "icon"


def test_too_large_is_said_beside_the_field_and_out_of_all_proportion_not_even_read(as_owner: Client) -> None:
    answer = send(as_owner, a_file(bytes(images.MAX_BYTES + 1), "huge.png"))
    assert answer.status_code == 422 and "huge.png: This file is larger than 5 MB" in parse(answer).text
    length = str(60 * images.MAX_BYTES)
    assert as_owner.post(FILES, {}, headers={"Content-Length": length}).status_code == 413
    many = [a_file(png(number), f"{number}.png") for number in range(11)]
    assert "at most 10 files" in parse(send(as_owner, *many)).text
    assert listed() == []


def test_the_bomb_is_refused_with_a_clear_word(as_owner: Client) -> None:
    from tests.branding.test_images import png_saying

    answer = send(as_owner, a_file(png_saying(8000, 5000, bytes(1001 * 5000)), "bomb.png"))
    assert answer.status_code == 422 and "more than 25 million pixels" in parse(answer).text


def test_name_and_type_of_the_browser_mean_nothing(as_owner: Client) -> None:
    send(as_owner, a_file(png(), "..\\..\\etc/pass\u202ewd.exe", "text/html"))
    (link,) = queries.files("andina").items
    assert link.name == "passwd.exe"
    assert link.uri == f"local:{link.file_name}" and str(link.file_name).startswith("branding/andina/")
    assert Client().get(f"/files/{link.id}/").headers["Content-Type"] == "image/png"


def test_an_animation_is_told_to_stand_still(as_owner: Client) -> None:
    from PIL import Image

    frames = [Image.new("RGB", (20, 20), (0, 0, shade)) for shade in (0, 250)]
    content = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    send(as_owner, a_file(content, "dance.gif", "image/gif"))
    assert toasts(as_owner.get(FILES)) == [
        "dance.gif is uploaded. Only the first picture of the animation is kept.",
    ]


@pytest.mark.parametrize(
    ("given", "kept"),
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
def test_names_are_one_line_without_a_path(given: str | None, kept: str) -> None:
    assert cleaned_name(given) == kept
    assert len(kept) <= MAX_NAME


def test_a_closed_business_can_be_looked_at(as_owner: Client) -> None:
    asset = stored(name="kept.png")
    tenant = businesses_queries.business("andina")
    write.touch(tenant.key, [type(tenant).status.set("SUSPENDED")])
    assert send(as_owner, a_file(png(1))).status_code == 403
    page = parse(as_owner.get(FILES))
    assert "kept.png" in page.text and page.all("input", type="file") == []
    page = parse(as_owner.get(f"{FILES}{asset.id}/"))
    assert page.all("input", type="file") == [] and not deletable(page)


# --- The list ------------------------------------------------------------------------------------
def test_an_empty_list_teaches(as_owner: Client) -> None:
    text = parse(as_owner.get(FILES)).text
    assert "No files yet" in text and "Upload the logo" in text


def test_the_list_says_what_each_file_is_for_and_who_shows_it(as_owner: Client) -> None:
    logo = stored(name="logo.png")
    stored(number=1, role=Role.BANNER, name="banner.png")
    stored(number=2, role=Role.ICON, name="icon.png")
    for _ in range(6):
        drafts.create("andina", files={"logo": logo.id}, operation=new_operation(ALMA))
    page = parse(as_owner.get(FILES))
    cards = {card.one("a", **{"class": "row-link"}).text: card for card in page.by_class("file")}
    assert set(cards) == {"logo.png", "banner.png", "icon.png"}
    assert [each.text for each in cards["logo.png"].all("a")] == ["logo.png", "v6", "v5", "v4", "v3"]
    assert "+2" in cards["logo.png"].text and "Unused" not in cards["logo.png"].text
    assert "Unused" in cards["banner.png"].text

    def shown(query: str) -> set[str]:
        found = parse(as_owner.get(f"{FILES}{query}"))
        return {card.one("a", **{"class": "row-link"}).text for card in found.by_class("file")}

    assert shown("?role=logo") == {"logo.png"}
    assert shown("?role=banner") == {"banner.png"} and shown("?role=icon") == {"icon.png"}
    assert shown("?role=unused") == {"banner.png", "icon.png"}
    assert shown("?role=poster") == set()


def test_the_list_costs_two_trips_with_no_files_and_with_two_hundred(as_owner: Client) -> None:
    few = calls_of(as_owner.get(FILES))
    for number in range(40):
        link = keys.ASSET_LINK.key(tenant="andina", asset=f"logo-{number}")
        put({"PK": {"S": link.pk}, "SK": {"S": link.sk}, "uri": {"S": "s3://elsewhere/x.png"}})
    many = calls_of(as_owner.get(FILES))
    assert few.trips == many.trips == 2 and len(few.calls) == len(many.calls)


def test_more_than_a_page_can_be_paged_through(as_owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MOST_FILES", 3)
    for number in range(7):
        link = keys.ASSET_LINK.key(tenant="andina", asset=f"logo-{number}")
        put({"PK": {"S": link.pk}, "SK": {"S": link.sk}})
    seen, url = [], FILES
    for _ in range(3):
        page = parse(as_owner.get(url))
        seen += [card.one("a", **{"class": "row-link"}).text for card in page.by_class("file")]
        following = [each.attrs["href"] for each in page.all("a") if each.text == "Next page"]
        url = following[0] if following else ""
    assert seen == [f"logo-{number}" for number in range(7)] and not url


ODD: dict[str, dict[str, Any]] = {
    "without anything": {},
    "odd id": {"SK": {"S": "ASSET#logo ñ / 1"}},
    "odd types": {"uri": {"N": "5"}, "width": {"S": "wide"}, "usedBy": {"L": []}, "name": {"M": {}}},
    "odd numbers": {"width": {"N": "1.5"}, "height": {"N": "1E5"}, "size": {"N": "-3"}},
    "odd uses": {"usedBy": {"M": {"x": {"S": "y"}, "7": {"S": "for ever"}, "²": {"N": "0"}}}},
    "odd role": {"assetType": {"S": "<b>poster</b>"}, "name": {"S": "<script>alert(1)</script>" * 20}},
}  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
def test_links_of_other_services_are_shown_as_they_are(as_owner: Client, odd: str) -> None:
    put({"PK": {"S": "BUS#andina"}, "SK": {"S": "ASSET#logo-1"}} | ODD[odd])
    page = as_owner.get(FILES)
    assert page.status_code == 200
    (card,) = parse(page).by_class("file")
    assert "Not kept here" in card.text and card.all("img") == [] and card.all("script") == []


# --- One file ------------------------------------------------------------------------------------
def test_a_file_with_all_that_is_known_of_it(as_owner: Client) -> None:
    asset = stored(name="logo.png")
    theme = drafts.create("andina", files={"logo": asset.id}, name="Spring", operation=new_operation(ALMA))
    put_theme("andina", 7, name="Of another service", assets=[f"ASSET#{asset.id}"])
    answer = as_owner.get(f"{FILES}{asset.id}/")
    page = parse(answer)
    assert page.one("h1").text == "logo.png"
    (picture,) = page.by_class("big-picture")
    assert picture.one("img").attrs["src"] == f"/files/{asset.id}/"
    for words in ("64 × 48", str(asset.checksum), f"v{theme.number} Spring", "v7 Of another service", "Alma Ríos"):
        assert words in page.text
    assert "Versions show this file, so it stays." in page.text and not deletable(page)
    assert calls_of(answer).trips == 2


def test_delete_undo_and_bring_back(as_owner: Client) -> None:
    asset = stored(name="logo.png")
    url = f"{FILES}{asset.id}/"
    gone = form_to(as_owner.get(url), f"{url}delete/").send(as_owner)
    assert (gone.status_code, gone.headers["Location"]) == (303, FILES)
    assert Client().get(f"/files/{asset.id}/").status_code == 404
    page = as_owner.get(FILES)
    assert toasts(page) == ["logo.png is deleted."]
    undo = undo_form(page)
    deleted = parse(as_owner.get(url))
    assert "This file is deleted." in deleted.text and deleted.by_class("big-picture") == []
    back = undo.send(as_owner, follow=True)
    assert toasts(back) == ["logo.png is back."] and back.redirect_chain == [(url, 303)]
    assert Client().get(f"/files/{asset.id}/").status_code == 200
    actions = [entry.action for entry in queries.history_of_file("andina", asset.id)]
    assert actions == ["asset.restore", "asset.delete", "asset.upload"]
    # From the page itself as well.
    assert deletable(parse(as_owner.get(url)))
    form_to(as_owner.get(url), f"{url}delete/").send(as_owner, follow=True)
    form_to(as_owner.get(url), f"{url}restore/").send(as_owner)
    assert listed() == ["logo.png"]


def test_one_in_use_cannot_be_deleted_whatever_the_page_showed(as_owner: Client) -> None:
    asset = stored()
    form = form_to(as_owner.get(f"{FILES}{asset.id}/"), f"{FILES}{asset.id}/delete/")
    drafts.create("andina", files={"logo": asset.id}, operation=new_operation(ALMA))
    answer = form.send(as_owner)
    assert answer.status_code == 422 and "shown by v1 and stays" in parse(answer).text
    toast = as_owner.post(form.target(), form.data(), headers=XHR)
    assert toast.status_code == 422 and "shown by v1" in toast.content.decode()
    assert listed() == ["logo-0.png"]


def test_a_page_from_before_is_a_conflict(as_owner: Client) -> None:
    asset = stored()
    url = f"{FILES}{asset.id}/"
    form = form_to(as_owner.get(url), f"{url}delete/")
    gone = services.delete("andina", asset.id, seen=1, operation=new_operation(ALMA))
    services.restore("andina", asset.id, seen=gone.seen, operation=new_operation(ALMA))
    answer = form.send(as_owner)
    assert answer.status_code == 409 and "Alma Ríos" in parse(answer).text
    assert as_owner.post(f"{url}delete/", {"version": "x"}).status_code == 409
    assert listed() == ["logo-0.png"]


def test_replace_points_the_drafts_to_the_new_file(as_owner: Client) -> None:
    old = stored()
    publish(drafts.create("andina", files={"logo": old.id}, operation=new_operation(ALMA)))
    draft = drafts.create("andina", files={"logo": old.id}, operation=new_operation(ALMA))
    url = f"{FILES}{old.id}/"
    form = form_to(as_owner.get(url), f"{url}replace/")
    for _ in range(2):
        answer = as_owner.post(form.target(), form.data() | {"file": a_file(png(1), "new.png")}, follow=True)
        assert toasts(answer) == [
            "new.png is uploaded. One draft shows it now. What was published keeps the old file.",
        ]
    new = queries.theme("andina", draft.number).file("logo")
    assert answer.redirect_chain == [(f"{FILES}{new}/", 303)] and new != old.id
    assert queries.theme("andina", 1).file("logo") == old.id
    by_script = as_owner.post(form.target(), {"file": a_file(png(2), "third.png")}, headers=XHR)
    assert (by_script.status_code, by_script.headers["HX-Redirect"][: len(FILES)]) == (204, FILES)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "This file is empty."), (b"%PDF-1.4", "This is a PDF."), (png(), "This is the same file"), (None, "Choose")],
)
def test_a_bad_replacement_changes_nothing(as_owner: Client, content: bytes | None, words: str) -> None:
    old = stored()
    draft = drafts.create("andina", files={"logo": old.id}, operation=new_operation(ALMA))
    data = {"file": a_file(content)} if content is not None else {}
    for headers in ({}, XHR):
        answer = as_owner.post(f"{FILES}{old.id}/replace/", data, headers=headers)
        assert answer.status_code == 422 and words in parse(answer).text
        if content is not None:
            data["file"].seek(0)
    assert queries.theme("andina", draft.number).seen == draft.seen and len(listed()) == 1


def test_the_seeds_file_is_shown_with_a_word(as_owner: Client) -> None:
    from tests.branding.test_asset_services import SEED

    put(SEED)
    put_theme("andina", 42, assets=["ASSET#logo-123", "ASSET#banner-123"])
    page = parse(as_owner.get(f"{FILES}logo-123/"))
    for words in ("This file is not kept here", "s3://intrale-branding/assets/logo-123.png", "md5:abcdef", "v42"):
        assert words in page.text
    assert not deletable(page)
    assert Client().get("/files/logo-123/").status_code == 404
    refused = as_owner.post(f"{FILES}logo-123/delete/", {"version": "0"})
    assert refused.status_code == 422


@pytest.mark.parametrize("url", ["x", "logo-999", "andina-" + "0" * 32])
def test_what_is_not_there_is_not_found(as_owner: Client, url: str) -> None:
    for way in ("", "delete/", "restore/", "replace/"):
        ask = as_owner.post if way else as_owner.get
        assert ask(f"{FILES}{url}/{way}").status_code == 404


def test_the_neighbours_file_is_not_found_here(businesses: dict[str, Any], as_owner: Client) -> None:
    theirs = stored("harbour")
    for way in ("", "delete/", "restore/", "replace/"):
        ask = as_owner.post if way else as_owner.get
        assert ask(f"{FILES}{theirs.id}/{way}").status_code == 404
        assert sign_in(businesses["admin"]).get(f"{FILES}{theirs.id}/").status_code == 404
    # The world may see it all the same, where its own business shows it.
    assert as_owner.get(f"/files/{theirs.id}/").status_code == 200


# --- The file itself -----------------------------------------------------------------------------
EXPECTED = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
}


@pytest.mark.parametrize("signed_in", [False, True])
def test_a_file_for_everyone_for_ever(as_owner: Client, signed_in: bool) -> None:
    asset = stored(name="Logo «grande».gif")
    browser = as_owner if signed_in else Client()
    content = storage.read(str(asset.file_name))
    answer = browser.get(f"/files/{asset.id}/", headers={"Accept-Encoding": "gzip, br"})
    assert (answer.status_code, answer.content) == (200, content)
    assert {name: answer.headers[name] for name in EXPECTED} == EXPECTED
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


def test_what_a_browser_has_is_not_sent_again(as_owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asset = stored()
    etag = Client().get(f"/files/{asset.id}/").headers["ETag"]
    with monkeypatch.context() as patch:
        patch.setattr(storage, "read", lambda name: pytest.fail("the file was read"))
        for known in (etag, f'"x", {etag}', "*"):
            answer = Client().get(f"/files/{asset.id}/", headers={"If-None-Match": known})
            assert (answer.status_code, answer.content) == (304, b"")
            assert answer.headers["ETag"] == etag
            assert answer.headers["Cache-Control"] == EXPECTED["Cache-Control"]
    assert Client().get(f"/files/{asset.id}/", headers={"If-None-Match": '"x"'}).status_code == 200


def test_what_is_not_there_for_anyone(table: str) -> None:
    asset = stored()
    key = keys.ASSET.key(asset=asset.id)
    browser = Client()
    assert browser.post(f"/files/{asset.id}/").status_code == 405
    for odd in ("x", "%2e%2e", "a" * 300, "a%00b", "a%23b", f"{asset.id}%0a"):
        assert browser.get(f"/files/{odd}/").status_code == 404
    for uri in ("s3://elsewhere/x.png", f"local:branding/harbour/{'0' * 64}.png", "local:../../secret_key", ""):
        write.touch(key, [type(asset).uri.set(uri)])
        assert browser.get(f"/files/{asset.id}/").status_code == 404
    write.touch(key, [type(asset).uri.set(asset.uri), type(asset).business_id.set("harbour")])
    assert browser.get(f"/files/{asset.id}/").status_code == 404
    write.touch(key, [type(asset).business_id.set("andina"), Item.ttl.set(1)])
    assert browser.get(f"/files/{asset.id}/").status_code == 404
    write.touch(key, [Item.ttl.remove()])
    assert browser.get(f"/files/{asset.id}/").status_code == 200
