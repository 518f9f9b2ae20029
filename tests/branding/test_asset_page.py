"""The page of one file: details, replace, delete, restore, and which business may see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from branding import queries
from branding.services import assets as services
from branding.services import drafts
from dashboard.table.commands import new_command
from tests.branding.asset_helpers import SEED_ASSET
from tests.branding.pictures import png, upload_asset
from tests.branding.theme_factory import publish, put_theme
from tests.branding.upload_helpers import FILES, XHR, has_delete_form, listed_names, uploaded_file
from tests.conftest import ACTOR, sign_in
from tests.table.notes import put
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of


@pytest.fixture(autouse=True)
def temporary_storage(folder: Path) -> Path:
    return folder


def test_the_page_shows_details_and_versions_in_use(as_owner: Client) -> None:
    asset = upload_asset(name="logo.png")
    theme = drafts.create("andina", files={"logo": asset.id}, name="Spring", command=new_command(ACTOR))
    put_theme("andina", 7, name="Of an outside service", assets=[f"ASSET#{asset.id}"])
    answer = as_owner.get(f"{FILES}{asset.id}/")
    page = parse(answer)
    assert page.one("h1").text == "logo.png"
    (picture,) = page.by_class("big-picture")
    assert picture.one("img").attrs["src"] == f"/files/{asset.id}/"
    for words in ("64 × 48", str(asset.checksum), f"v{theme.number} Spring", "v7 Of an outside service", "Alma Ríos"):
        assert words in page.text
    assert "This file is in use." in page.text and not has_delete_form(page)
    assert calls_of(answer).trips == 2


def test_delete_undo_and_restore(as_owner: Client) -> None:
    asset = upload_asset(name="logo.png")
    url = f"{FILES}{asset.id}/"
    gone = form_to(as_owner.get(url), f"{url}delete/").send(as_owner)
    assert (gone.status_code, gone.headers["Location"]) == (303, FILES)
    assert Client().get(f"/files/{asset.id}/").status_code == 404
    page = as_owner.get(FILES)
    assert toasts(page) == ["logo.png deleted."]
    undo = undo_form(page)
    deleted = parse(as_owner.get(url))
    assert "This file is deleted." in deleted.text and deleted.by_class("big-picture") == []
    back = undo.send(as_owner, follow=True)
    assert toasts(back) == ["logo.png restored."] and back.redirect_chain == [(url, 303)]
    assert Client().get(f"/files/{asset.id}/").status_code == 200
    actions = [entry.action for entry in queries.asset_history("andina", asset.id)]
    assert actions == ["asset.restore", "asset.delete", "asset.upload"]
    # The file's own page has both buttons too.
    assert has_delete_form(parse(as_owner.get(url)))
    form_to(as_owner.get(url), f"{url}delete/").send(as_owner, follow=True)
    form_to(as_owner.get(url), f"{url}restore/").send(as_owner)
    assert listed_names() == ["logo.png"]


def test_a_file_in_use_cannot_be_deleted_from_an_outdated_page(as_owner: Client) -> None:
    asset = upload_asset()
    form = form_to(as_owner.get(f"{FILES}{asset.id}/"), f"{FILES}{asset.id}/delete/")
    drafts.create("andina", files={"logo": asset.id}, command=new_command(ACTOR))
    answer = form.send(as_owner)
    assert answer.status_code == 422 and "used by v1" in parse(answer).text
    toast = as_owner.post(form.target(), form.data(), headers=XHR)
    assert toast.status_code == 422 and "used by v1" in toast.content.decode()
    assert listed_names() == ["logo-0.png"]


def test_an_outdated_form_is_a_conflict(as_owner: Client) -> None:
    asset = upload_asset()
    url = f"{FILES}{asset.id}/"
    form = form_to(as_owner.get(url), f"{url}delete/")
    gone = services.delete("andina", asset.id, revision=1, command=new_command(ACTOR))
    services.restore("andina", asset.id, revision=gone.revision, command=new_command(ACTOR))
    answer = form.send(as_owner)
    assert answer.status_code == 409 and "Alma Ríos" in parse(answer).text
    assert as_owner.post(f"{url}delete/", {"revision": "x"}).status_code == 409
    assert listed_names() == ["logo-0.png"]


def test_replace_changes_drafts_and_keeps_published_versions(as_owner: Client) -> None:
    old = upload_asset()
    publish(drafts.create("andina", files={"logo": old.id}, command=new_command(ACTOR)))
    draft = drafts.create("andina", files={"logo": old.id}, command=new_command(ACTOR))
    url = f"{FILES}{old.id}/"
    form = form_to(as_owner.get(url), f"{url}replace/")
    for _ in range(2):
        answer = as_owner.post(form.target(), form.data() | {"file": uploaded_file(png(1), "new.png")}, follow=True)
        assert toasts(answer) == [
            "new.png uploaded. 1 draft uses it now. Published versions keep the old file.",
        ]
    new = queries.load_theme("andina", draft.number).asset_for("logo")
    assert answer.redirect_chain == [(f"{FILES}{new}/", 303)] and new != old.id
    assert queries.load_theme("andina", 1).asset_for("logo") == old.id
    by_script = as_owner.post(form.target(), {"file": uploaded_file(png(2), "third.png")}, headers=XHR)
    assert (by_script.status_code, by_script.headers["HX-Redirect"][: len(FILES)]) == (204, FILES)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "This file is empty."), (b"%PDF-1.4", "This is a PDF."), (png(), "This is the same file"), (None, "Choose")],
)
def test_an_invalid_replacement_changes_nothing(as_owner: Client, content: bytes | None, words: str) -> None:
    old = upload_asset()
    draft = drafts.create("andina", files={"logo": old.id}, command=new_command(ACTOR))
    data = {"file": uploaded_file(content)} if content is not None else {}
    for headers in ({}, XHR):
        answer = as_owner.post(f"{FILES}{old.id}/replace/", data, headers=headers)
        assert answer.status_code == 422 and words in parse(answer).text
        if content is not None:
            data["file"].seek(0)
    assert queries.load_theme("andina", draft.number).revision == draft.revision and len(listed_names()) == 1


def test_a_file_of_another_service_is_shown_and_cannot_be_deleted(as_owner: Client) -> None:
    put(SEED_ASSET)
    put_theme("andina", 42, assets=["ASSET#logo-123", "ASSET#banner-123"])
    page = parse(as_owner.get(f"{FILES}logo-123/"))
    for words in (
        "This file is stored by an outside service",
        "s3://intrale-branding/assets/logo-123.png",
        "md5:abcdef",
        "v42",
    ):
        assert words in page.text
    assert not has_delete_form(page)
    assert Client().get("/files/logo-123/").status_code == 404
    refused = as_owner.post(f"{FILES}logo-123/delete/", {"revision": "0"})
    assert refused.status_code == 422


@pytest.mark.parametrize("url", ["x", "logo-999", "andina-" + "0" * 32])
def test_an_unknown_file_is_404(as_owner: Client, url: str) -> None:
    for action in ("", "delete/", "restore/", "replace/"):
        request = as_owner.post if action else as_owner.get
        assert request(f"{FILES}{url}/{action}").status_code == 404


def test_a_file_of_another_business_is_404(businesses: dict[str, Any], as_owner: Client) -> None:
    theirs = upload_asset("harbour")
    for action in ("", "delete/", "restore/", "replace/"):
        request = as_owner.post if action else as_owner.get
        assert request(f"{FILES}{theirs.id}/{action}").status_code == 404
        assert sign_in(businesses["admin"]).get(f"{FILES}{theirs.id}/").status_code == 404
    # The public address of the file works for everyone.
    assert as_owner.get(f"/files/{theirs.id}/").status_code == 200


def test_a_replacement_can_be_undone_from_the_toast(as_owner: Client) -> None:
    old = upload_asset(name="old.png")
    draft = drafts.create("andina", files={"logo": old.id}, command=new_command(ACTOR))
    url = f"{FILES}{old.id}/"
    page = as_owner.post(f"{url}replace/", {"file": uploaded_file(png(1), "new.png")}, follow=True)
    undone = undo_form(page).send(as_owner, follow=True)
    assert toasts(undone) == ["1 draft uses old.png again."] and undone.redirect_chain == [(url, 303)]
    assert queries.load_theme("andina", draft.number).asset_for("logo") == old.id
    entries = queries.theme_history("andina", draft.number)
    assert [entry.action for entry in entries] == ["theme.save", "theme.save", "theme.create"]


@pytest.mark.parametrize("versions", ["", "x", "1,,2", "1;2", "9" * 20, ",".join(["1"] * 200)])
def test_an_undo_with_invalid_fields_changes_nothing(as_owner: Client, versions: str) -> None:
    old = upload_asset()
    for new_file in (old.id, "a/b", "a#b", ""):
        answer = as_owner.post(f"{FILES}{old.id}/put-back/", {"instead": new_file, "versions": versions})
        assert answer.status_code == 422
