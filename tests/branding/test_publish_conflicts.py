"""Conflicts while publishing: the page names who, when and which version is live, and keeps the input."""

from __future__ import annotations

import pytest
from django.test import Client

from branding.services import drafts
from dashboard.platform.accounts.items import Person
from dashboard.table import keys
from dashboard.table.commands import Actor, new_command
from dashboard.table.connection import table as the_table
from tests.branding.brand_pages import (
    HTMX,
    OLIVIA,
    badges,
    publish_form,
    url_of,
)
from tests.branding.theme_factory import (
    create_draft,
    create_published,
    live_version,
    publish,
    reload,
)
from tests.conftest import sign_in
from tests.ui.html import form_to, forms, parse, toasts

MAIN = HTMX | {"HX-Target": "main"}


@pytest.mark.parametrize("headers", [{}, MAIN, HTMX], ids=["plain", "htmx", "fragment"])
def test_a_conflict_shows_who_published_when_and_which_version(as_owner: Client, headers: dict[str, str]) -> None:
    create_published("andina", "Summer")
    mine, theirs = create_draft("andina", "Mine"), create_draft("andina", "Theirs", {"primaryColor": "#123456"})
    form = publish_form(as_owner, mine)
    publish(theirs, by=Actor("alma@example.com", "Alma Ríos"))
    response = form.send(as_owner, values={"note": "Because"}, headers=headers)
    assert response.status_code == 409
    page = parse(response).by_class("conflict")[0]
    assert "Alma Ríos published v3 while you had this open" in page.text
    assert page.by_class("notice")[0].all("time") and "v2 was not published" in page.text
    panel = page.by_class("brand-now")[0]
    assert badges(panel) == ["Live"] and "v3 Theirs" in panel.text
    assert "#123456" in panel.one("svg", class_="swatches").attrs["aria-label"]
    assert live_version("andina") == 3 and reload(mine).is_draft
    # The next form compares with the live version and keeps the note.
    (again,) = forms(page)
    confirmation = again.send(as_owner)
    assert confirmation.status_code == 200
    form = form_to(parse(confirmation).one("main"), url_of(mine, "publish"))
    assert (form.data()["expected"], form.data()["note"]) == ("3", "Because")
    assert form.send(as_owner).status_code == 303 and live_version("andina") == 2


def test_a_conflict_with_oneself_is_explained(as_owner: Client) -> None:
    one, other = create_draft("andina"), create_draft("andina")
    form = publish_form(as_owner, one)
    publish(other, by=OLIVIA)
    assert "You published v2 in another tab or browser" in parse(form.send(as_owner)).text


def test_a_conflict_over_the_same_version_offers_no_form(as_owner: Client) -> None:
    create_published("andina")
    draft = create_draft("andina")
    form = publish_form(as_owner, draft)
    publish(draft)
    response = form.send(as_owner)
    assert response.status_code == 409
    page = parse(response).by_class("conflict")[0]
    assert "Alma Ríos published v2" in page.text and forms(page) == []


def test_the_live_version_was_withdrawn_meanwhile(as_owner: Client) -> None:
    first, second = create_published("andina"), create_draft("andina")
    form = publish_form(as_owner, second)
    as_owner.post(url_of(first, "withdraw"))
    response = form.send(as_owner)
    assert response.status_code == 409
    assert "was withdrawn" in parse(response).text
    (again,) = forms(parse(response).by_class("conflict")[0])
    assert again.send(as_owner).status_code == 200 and "against" not in again.data()


def test_an_outside_writer_published_meanwhile(as_owner: Client) -> None:
    create_published("andina")
    draft, theirs = create_draft("andina"), create_draft("andina", "Theirs")
    form = publish_form(as_owner, draft)
    marker = the_table().get_item(*keys.PUBLISHED.key(tenant="andina"))["Item"]
    the_table().connection.dispatch(
        "PutItem", {"TableName": the_table().table_name, "Item": marker | {"version": {"N": str(theirs.number)}}}
    )
    text = parse(form.send(as_owner)).text
    assert "An outside service published v3" in text and "v3 Theirs" in text and "Alma" not in text


def test_a_draft_changed_meanwhile_is_not_published(as_owner: Client) -> None:
    draft = create_draft("andina")
    form = publish_form(as_owner, draft)
    drafts.save(
        "andina",
        1,
        values={"primaryColor": "#000000"},
        files={},
        name="",
        revision=draft.revision,
        command=new_command(Actor("alma@example.com", "Alma Ríos")),
    )
    response = form.send(as_owner)
    assert response.status_code == 409 and live_version("andina") is None
    page = parse(response).by_class("conflict")[0]
    assert "Alma Ríos changed v1 while you had it open" in page.text
    (again,) = forms(page)
    assert publish_form(as_owner, draft).send(as_owner).status_code == 303
    assert again.send(as_owner).status_code == 200


def test_a_late_withdrawal_changes_nothing(as_owner: Client) -> None:
    first = create_published("andina")
    publish(create_draft("andina"))
    response = as_owner.post(url_of(first, "withdraw"))
    assert response.status_code == 409 and live_version("andina") == 2
    page = parse(response).by_class("conflict")[0]
    assert "published v2" in page.text and forms(page) == []
    assert toasts(response) == []


def test_publishing_requires_the_permission_and_the_method(as_owner: Client, businesses: dict[str, Person]) -> None:
    draft = create_draft("andina")
    assert as_owner.get(url_of(draft, "withdraw")).status_code == 405
    for who, status in (("moderator", 403), ("staff", 403), ("neighbour", 404)):
        browser = sign_in(businesses[who])
        assert browser.get(url_of(draft, "publish")).status_code == status
        assert browser.post(url_of(draft, "publish"), {"expected": ""}).status_code == status
    assert live_version("andina") is None
