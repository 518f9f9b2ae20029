"""Actions in the list of versions: create, keep, discard, restore, and undo."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from branding import queries
from branding.items import BrandMeta, ThemeStatus
from branding.services import drafts
from dashboard.platform.accounts.items import Person
from dashboard.table.commands import new_command
from tests.branding.brand_pages import (
    BRAND,
    HTMX,
    OLIVIA,
    audit_actions,
    badges,
    press_row_button,
    row_of,
    rows,
    titles,
    toast_text,
    url_of,
)
from tests.branding.theme_factory import (
    create_discarded,
    create_draft,
    create_published,
    live_version,
    publish,
    put_theme,
    reload,
)
from tests.conftest import add_business, sign_in
from tests.ui.html import form_to, forms, parse, undo_form


def test_a_draft_is_created_empty_or_from_a_version(as_owner: Client) -> None:
    source = create_published("andina", "Summer", {"primaryColor": "#aa0011"})
    head = parse(as_owner.get(BRAND)).by_class("page-actions")[0]
    form = form_to(head, f"{BRAND}themes/")
    scratch, copy = form.buttons
    assert (copy.attrs["value"], copy.attrs["data-key"]) == (str(source.number), "n")
    response = form.send(as_owner, copy)
    assert (response.status_code, response.headers["Location"]) == (303, url_of(2))
    created = queries.load_theme("andina", 2)
    assert created.made_from == 1 and created.style["primaryColor"] == "#aa0011" and created.is_draft
    assert form.send(as_owner, scratch).headers["Location"] == url_of(3)
    assert queries.load_theme("andina", 3).style["primaryColor"] != "#aa0011"
    assert audit_actions(2) == ["theme.create"]


def test_creating_a_draft_can_be_undone(as_owner: Client) -> None:
    response = as_owner.post(f"{BRAND}themes/", {"from": ""}, follow=True)
    assert toast_text(response) == "Draft v1 created."
    undo_form(response).send(as_owner)
    assert queries.load_theme("andina", 1).is_discarded


@pytest.mark.parametrize("source", ["x", "-1", "1.5", str(10**8), "9" * 5000, "1; 2", "\x00"])
def test_an_invalid_source_creates_no_draft(as_owner: Client, source: str) -> None:
    for headers in ({}, HTMX):
        response = as_owner.post(f"{BRAND}themes/", {"from": source}, headers=headers)
        assert response.status_code == 422
        assert "Enter a version number" in response.content.decode()
    assert queries.versions("andina").items == []


def test_a_source_of_another_business_creates_no_draft(as_owner: Client) -> None:
    put_theme("harbour", 7)
    assert as_owner.post(f"{BRAND}themes/", {"from": "7"}).status_code == 404
    assert queries.find_brand_meta("andina") is None


def test_a_repeated_form_creates_one_draft(as_owner: Client) -> None:
    form = form_to(parse(as_owner.get(BRAND)).by_class("empty")[0], f"{BRAND}themes/")
    locations = {form.send(as_owner).headers["Location"] for _ in range(3)}
    assert locations == {url_of(1)} and len(queries.versions("andina").items) == 1
    counter: Any = queries.find_brand_meta("andina")
    assert isinstance(counter, BrandMeta) and counter.last_version == 1


# --- Keep, discard and undo ----------------------------------------------------------------------
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_keep_and_undo(as_owner: Client, headers: dict[str, str]) -> None:
    draft = create_draft("andina")
    answer = press_row_button(as_owner, draft, "keep", headers=headers)
    assert answer.status_code == (204 if headers else 303)
    assert answer.headers["HX-Redirect" if headers else "Location"] == BRAND
    after = as_owner.get(BRAND)
    assert toast_text(after) == "v1 will not be deleted automatically."
    assert reload(draft).expires_at is None and reload(draft).ttl is None
    assert "deleted automatically on" not in row_of(as_owner, draft).text
    back = undo_form(after).send(as_owner, follow=True)
    assert toast_text(back) == "v1 will be deleted automatically if nobody changes it."
    assert reload(draft).expires_at is not None
    assert audit_actions(1) == ["theme.let_go", "theme.keep", "theme.create"]


def test_discard_and_undo(as_owner: Client) -> None:
    draft = create_draft("andina", "Autumn")
    after = press_row_button(as_owner, draft, "discard", follow=True)
    assert toast_text(after) == "v1 discarded."
    assert reload(draft).status == ThemeStatus.DISCARDED
    row = row_of(as_owner, draft)
    assert badges(row) == ["Discarded"] and "Publish" not in row.text
    back = undo_form(after).send(as_owner, follow=True)
    assert toast_text(back) == "v1 restored."
    assert reload(draft).status == ThemeStatus.DRAFT
    assert audit_actions(1) == ["theme.restore", "theme.discard", "theme.create"]


def test_the_restore_button_leads_back_to_the_tab(as_owner: Client) -> None:
    draft = create_discarded("andina")
    tab = f"http://testserver{BRAND}?status=discarded"
    response = press_row_button(as_owner, draft, "restore", headers={"Referer": tab})
    assert response.headers["Location"] == f"{BRAND}?status=discarded"
    assert reload(draft).is_draft


@pytest.mark.parametrize("referer", ["https://evil.example/", f"http://testserver{BRAND}themes/1/discard/", ""])
def test_an_unknown_referer_leads_to_the_list(as_owner: Client, referer: str) -> None:
    draft = create_draft("andina")
    response = as_owner.post(url_of(draft, "discard"), {"revision": draft.revision}, headers={"Referer": referer})
    assert response.headers["Location"] == BRAND


@pytest.mark.parametrize("action", ["keep", "let-go", "discard"])
def test_an_outdated_revision_is_a_conflict(as_owner: Client, action: str) -> None:
    draft = create_draft("andina")
    drafts.save("andina", 1, values={}, files={}, name="Theirs", revision=draft.revision, command=new_command(OLIVIA))
    response = as_owner.post(url_of(draft, action), {"revision": draft.revision})
    assert response.status_code == 409
    assert reload(draft).is_draft and reload(draft).expires_at is not None
    # The form on the conflict page applies the action anyway.
    again = form_to(parse(response), url_of(draft, action)).send(as_owner)
    assert again.status_code == 303


@pytest.mark.parametrize("action", ["keep", "let-go", "discard", "restore"])
def test_a_published_version_cannot_be_kept_discarded_or_restored(as_owner: Client, action: str) -> None:
    theme = create_published("andina")
    response = as_owner.post(url_of(theme, action), {"revision": theme.revision})
    assert response.status_code == 409
    assert "can no longer change" in parse(response).text
    assert reload(theme).status == ThemeStatus.PUBLISHED and audit_actions(1)[0] == "theme.publish"
    row = row_of(as_owner, theme)
    assert not [button for button in row.all("button") if f"/{action}/" in button.attrs.get("formaction", "")]


@pytest.mark.parametrize("action", ["keep", "let-go", "discard", "restore", "publish", "withdraw"])
@pytest.mark.parametrize("number", [9, 0, 10**8, 10**30])
def test_an_unknown_version_is_404(as_owner: Client, action: str, number: int) -> None:
    assert as_owner.post(url_of(number, action), {"revision": "1"}).status_code == 404


def test_versions_of_a_suspended_business_are_read_only(businesses: dict[str, Person]) -> None:
    add_business("shut", "Shut", "olivia@example.com", status="SUSPENDED")
    for _ in range(2):
        publish(create_draft("shut"))
    browser = sign_in(businesses["owner"])
    page = parse(browser.get("/b/shut/branding/")).one("main")
    assert titles(page) == ["v2", "v1"] and forms(page) == []
    assert "Compare" in rows(page)[1].text
    for url in ("/b/shut/branding/themes/1/publish/?against=2", "/b/shut/branding/timeline/"):
        main = parse(browser.get(url)).one("main")
        assert forms(main) == [] and "Make live" not in main.text
    assert browser.post("/b/shut/branding/themes/", {"from": ""}).status_code == 403
    assert live_version("shut") == 2


def test_a_row_links_to_the_editor_publish_schedule_and_compare(as_owner: Client) -> None:
    current, draft = create_published("andina"), create_draft("andina")
    links = [link.attrs["href"] for link in row_of(as_owner, draft).all("a")]
    publish, compare = f"{url_of(2, 'publish')}?against=1", f"{BRAND}compare/?a=1&b=2"
    assert links == [url_of(2), publish, url_of(2, "schedule"), compare]
    assert [link.attrs["href"] for link in row_of(as_owner, current).all("a")] == [url_of(1)]
    for url in links:
        assert as_owner.get(url).status_code == 200
