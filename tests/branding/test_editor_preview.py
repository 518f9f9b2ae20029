"""Previews of unsaved changes: without JavaScript, and in the panel next to the fields."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.branding.editor_page import BUSINESS, find_editor_form, frame_urls, load_editor_form, sign_in_owner, url_of
from tests.branding.pictures import upload_asset
from tests.branding.theme_factory import LOW_CONTRAST, create_draft, reload
from tests.ui.html import parse, toasts

HTMX = {"HX-Request": "true"}


@pytest.fixture
def owner(table: str) -> Client:
    return sign_in_owner()


def test_preview_without_javascript_shows_the_input_and_saves_nothing(owner: Client) -> None:
    draft, logo = create_draft(BUSINESS, "Autumn"), upload_asset(BUSINESS, 8)
    form = load_editor_form(owner, draft)
    (button,) = [each for each in form.buttons if each.attrs.get("name") == "preview"]
    response = form.send(owner, button, values={"primaryColor": "#ab0000", "logo": logo.id, "name": "Typed"})
    page = parse(response)
    assert response.status_code == 200 and "Nothing is saved yet" in page.text
    assert (reload(draft).revision, reload(draft).name) == (1, "Autumn")
    again = find_editor_form(page)
    assert (again.data()["primaryColor"], again.data()["logo"], again.data()["name"]) == ("#ab0000", logo.id, "Typed")
    frame = owner.get(frame_urls(page)[0])
    assert f"/files/{logo.id}/" in frame.content.decode()
    css = owner.get(parse(frame).one("link", data_brand="").attrs["href"]).content.decode()
    assert "--brand-primary-color: #ab0000;" in css

    again.send(owner)
    assert (reload(draft).metadata["primaryColor"], reload(draft).name) == ("#ab0000", "Typed")


def test_the_fix_button_works_without_javascript(owner: Client) -> None:
    draft = create_draft(BUSINESS, values=LOW_CONTRAST)
    form = load_editor_form(owner, draft)
    fixes = [each for each in form.buttons if each.attrs.get("name") == "fix"]
    assert form.buttons[0].text == "Save", "the Enter key presses the first button, Save"
    (fix,) = [each for each in fixes if each.attrs["id"] == "fix-text-background"]
    response = form.send(owner, fix)
    assert response.status_code == 200 and reload(draft).revision == 1
    again = find_editor_form(response)
    assert f"textColor={again.data()['textColor']}" == fix.attrs["value"]
    assert "fix-text-background" not in [each.attrs.get("id") for each in again.buttons]


@pytest.mark.parametrize("fix", ["textColor=red", "typography=slab", "x", "name=<b>", "=", "textColor=#12\x00"])
def test_an_invalid_fix_changes_nothing(owner: Client, fix: str) -> None:
    draft = create_draft(BUSINESS)
    response = load_editor_form(owner, draft).send(owner, values={"fix": fix})
    assert (response.status_code, reload(draft).revision) == (200, 1)
    assert find_editor_form(response).data()["typography"] == "system"


def test_panel_requests_do_not_consume_the_toast(owner: Client) -> None:
    draft = create_draft(BUSINESS)
    sent = load_editor_form(owner, draft).send(owner, values={"name": "Winter"})
    owner.get(url_of(draft, "contrast/"), headers=HTMX)
    owner.get(url_of(draft, "preview/"))
    assert toasts(owner.get(sent.headers["Location"])) == ["v1 Winter saved."]


def test_the_contrast_panel_checks_the_typed_values(owner: Client) -> None:
    draft = create_draft(BUSINESS)
    url = url_of(draft, "contrast/")
    good = parse(owner.get(url, headers=HTMX))
    assert "All text has enough contrast" in good.text
    assert not good.all("button")
    bad = parse(owner.get(url, {"textColor": "#eeeeee", "mutedColor": "nothing"}, headers=HTMX))
    assert [each.attrs["id"] for each in bad.all("button")] == ["fix-text-background", "fix-text-surface"]
    assert bad.one("div", hx_swap_oob="innerHTML:#contrast-said").text == "2 pairs have too little contrast"
    assert owner.get(url).content.lstrip().lower().startswith(b"<!doctype html>")


def test_saving_keeps_the_chosen_screen_and_width(owner: Client) -> None:
    draft = create_draft(BUSINESS)
    url = url_of(draft) + "?screen=forum&width=375"
    sent = find_editor_form(owner.get(url)).send(owner, values={"name": "Plain"})
    assert sent.headers["Location"] == url
    form = load_editor_form(owner, draft)
    headers = HTMX | {"HX-Current-URL": f"http://testserver{url}", "HX-Target": "main"}
    sent = form.send(owner, values={"name": "By script"}, headers=headers)
    # The page is replaced in place, so the scroll position stays.
    assert sent.status_code == 200
    again = parse(sent)
    assert again.one("form", data_preview="").attrs["action"] == url
    assert toasts(again) == [f"{draft.label} By script saved."]
