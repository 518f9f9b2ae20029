"""The sample screens: pages without scripts that show the typed values and only files of the business."""

from __future__ import annotations

import re

import pytest
from django.test import Client, RequestFactory

from branding import preview
from branding.items import AssetRole
from branding.tokens import Style
from tests.branding.editor_page import BUSINESS, sign_in_owner, url_of
from tests.branding.pictures import upload_asset
from tests.branding.theme_factory import create_draft, put_theme
from tests.conftest import add_business
from tests.ui.html import parse

POLICY = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'self'",
}


@pytest.fixture
def owner(table: str) -> Client:
    return sign_in_owner()


def policy(response: object) -> dict[str, str]:
    text = response.headers["Content-Security-Policy"]  # type: ignore[attr-defined]
    return dict(part.strip().split(" ", 1) for part in text.split(";"))


@pytest.mark.parametrize("screen", preview.SCREENS)
def test_a_sample_screen_has_no_scripts_and_only_our_site_can_frame_it(owner: Client, screen: str) -> None:
    response = owner.get(url_of(create_draft(BUSINESS), "preview/"), {"screen": screen})
    page = parse(response)
    assert response.status_code == 200
    assert policy(response) == POLICY
    assert response.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "no-store" in response.headers["Cache-Control"]
    assert not page.all("script", "form", "iframe", "style")
    assert [link.attrs["href"].split("?")[0] for link in page.all("link", rel="stylesheet")][1] == url_of(
        1, "preview.css"
    )
    assert "Coca-Cola Andina" in page.text
    assert len(page.all("h1")) == 1


def test_links_lead_to_sample_screens_and_keep_the_typed_values(owner: Client) -> None:
    draft = create_draft(BUSINESS)
    typed = {"primaryColor": "#ab0000", "spacing": "airy", "screen": "home"}
    for screen in preview.SCREENS:
        page = parse(owner.get(url_of(draft, "preview/"), typed | {"screen": screen}))
        links = {link.attrs["href"] for link in page.all("a")}
        for link in links:
            assert re.fullmatch(rf"{url_of(draft, 'preview/')}\?primaryColor=%23ab0000&spacing=airy&screen=\w+", link)
        assert len(links) >= 3
    assert owner.get(next(iter(links))).status_code == 200


@pytest.mark.parametrize("screen", ["", "nothing", "../home", "home\x00", "<b>"])
def test_an_unknown_screen_is_the_first_one(owner: Client, screen: str) -> None:
    response = owner.get(url_of(create_draft(BUSINESS), "preview/"), {"screen": screen})
    assert response.status_code == 200
    assert "Good things for slow mornings" in parse(response).text


def test_files_are_shown_in_their_places(owner: Client) -> None:
    draft = create_draft(BUSINESS)
    logo, banner, icon = (upload_asset(BUSINESS, number, role) for number, role in enumerate(AssetRole))
    files = {"logo": logo.id, "banner": banner.id, "icon": icon.id}
    page = parse(owner.get(url_of(draft, "preview/"), files))
    pictures = [each.attrs["src"] for each in page.all("img")]
    assert pictures == [f"/files/{logo.id}/", f"/files/{banner.id}/", f"/files/{icon.id}/"]
    assert not parse(owner.get(url_of(draft, "preview/"))).all("img"), "nothing was saved"
    booking = parse(owner.get(url_of(draft, "preview/"), files | {"screen": "booking"}))
    assert [each.attrs["src"] for each in booking.all("img")] == [
        f"/files/{logo.id}/",
        f"/files/{icon.id}/",
        f"/files/{icon.id}/",
    ]


def test_files_of_other_businesses_or_stored_elsewhere_are_not_shown(owner: Client) -> None:
    add_business("harbour", "Harbour Coffee")
    foreign = upload_asset("harbour", 1)
    put_theme(BUSINESS, 42, assets=["ASSET#logo-123"])
    for logo in (foreign.id, "logo-123", "nobody", "a/../b", "x" * 5000, "\x00"):
        page = owner.get(url_of(42, "preview/"), {"logo": logo})
        assert (page.status_code, parse(page).all("img")) == (200, [])


def test_a_removed_file_is_not_shown(owner: Client) -> None:
    draft, logo = create_draft(BUSINESS), upload_asset(BUSINESS, 1)
    known = {logo.id: object()}
    assert preview.displayed_assets({"logo": logo.id}, {}, {}) == {"logo": logo.id}
    assert preview.displayed_assets({"logo": logo.id}, {"logo": ""}, known) == {}  # type: ignore[arg-type]
    assert owner.get(url_of(draft, "preview/"), {"logo": ""}).status_code == 200


def test_the_preview_stylesheet_is_not_cached(owner: Client) -> None:
    response = owner.get(url_of(create_draft(BUSINESS), "preview.css"), {"accentColor": "#0F0", "textSize": "huge"})
    assert response.headers["Content-Type"] == "text/css; charset=utf-8"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in response.headers["Cache-Control"]
    css = response.content.decode()
    assert "--brand-accent-color: #00ff00;" in css and "--brand-text-size: 16px;" in css


def test_a_missing_version_is_404_in_the_frame(owner: Client) -> None:
    response = owner.get(url_of(7, "preview/"))
    assert (response.status_code, policy(response)) == (404, POLICY)
    assert "There is nothing here." in parse(response).text
    assert owner.get(url_of(7, "preview.css")).status_code == 404


def test_the_sample_stylesheet_is_not_in_our_own_pages(owner: Client) -> None:
    assert b"brand-sample" not in owner.get(url_of(create_draft(BUSINESS))).content
    assert b"css/tokens" not in owner.get(url_of(1, "preview/")).content


def test_the_business_name_is_escaped(table: str) -> None:
    request = RequestFactory().get("/")
    response = preview.render_sample(
        request, Style.of({}), "<b>&", {"logo": "a b"}, "home", "/x.css?a=1&b=2", "/x/?t=1"
    )
    page = parse(response)
    assert page.one("title").text == "Shop · <b>&"
    assert page.all("a")[0].attrs["href"] == "/x/?t=1&screen=home"
    assert not page.all("img", "b")
