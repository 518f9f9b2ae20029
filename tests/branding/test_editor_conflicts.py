"""Conflicts in the editor: two editors of one draft, repeated forms, drafts published or discarded meanwhile."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from branding import queries
from branding.items import ThemeStatus
from branding.services import drafts
from dashboard.core.clock import frozen, now
from dashboard.platform.accounts.queries import load_person
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from tests.branding.editor_page import ALDO, BUSINESS, frame_urls, load_editor_form, sign_in_owner, url_of
from tests.branding.theme_factory import create_discarded, create_draft, create_published, live_version, publish, reload
from tests.conftest import sign_in
from tests.ui.html import form_to, parse, toasts, undo_form


@pytest.fixture
def owner(table: str) -> Client:
    return sign_in_owner()


def audit_entries(version: int) -> list[AuditEntry]:
    return queries.theme_history(BUSINESS, version)


def test_a_conflict_shows_both_versions_and_the_other_editor(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn", {"primaryColor": "#000000"})
    form = load_editor_form(owner, draft)
    drafts.save(
        BUSINESS,
        draft.number,
        values={"primaryColor": "#111111", "accentColor": "#00ff00", "spacing": "airy"},
        files={},
        name="Autumn",
        revision=1,
        command=new_command(ALDO),
    )
    refused = form.send(owner, values={"primaryColor": "#222222", "cornerRadius": "none"})
    assert refused.status_code == 409
    page = parse(refused)
    assert "Aldo Paz changed this while you had it open" in page.text
    rows = {row.one("th").text: [cell.text for cell in row.all("td")] for row in page.one("tbody").all("tr")}
    differing = {name.removesuffix("differs"): cells for name, cells in rows.items() if cells[0] != cells[1]}
    assert differing == {"Primary": ["#222222", "#111111"], "Corners": ["Square", "Round"]}
    assert rows["Accent"] == ["#00ff00", "#00ff00"] and rows["Spacing"] == ["Spacious", "Spacious"]

    assert form_to(page, url_of(draft)).send(owner).status_code == 303
    after = reload(draft).metadata
    assert [after[name] for name in ("primaryColor", "accentColor", "spacing", "cornerRadius")] == [
        "#222222",
        "#00ff00",
        "airy",
        "none",
    ]
    assert reload(draft).revision == 3


def test_a_conflict_is_resolved_field_by_field(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn", {"primaryColor": "#000000"})
    form = load_editor_form(owner, draft)
    theirs = {"primaryColor": "#111111", "spacing": "airy"}
    drafts.save(BUSINESS, draft.number, values=theirs, files={}, name="Theirs", revision=1, command=new_command(ALDO))
    values = {"primaryColor": "#222222", "cornerRadius": "none", "name": "Mine"}
    page = parse(form.send(owner, values=values)).one("main")
    radios = [each for each in page.all("input") if each.attrs.get("type") == "radio"]
    assert [(each.attrs["name"], each.attrs["value"], "checked" in each.attrs) for each in radios] == [
        ("name", "Mine", True),
        ("name", "Theirs", False),
        ("primaryColor", "#222222", True),
        ("primaryColor", "#111111", False),
        ("cornerRadius", "none", True),
        ("cornerRadius", "medium", False),
    ]
    row = next(each for each in page.all("tr") if "Primary" in each.text)
    assert [each.attrs["fill"] for each in row.all("rect")] == ["#222222", "#111111"]
    again = form_to(page, url_of(draft))
    assert [button.text for button in again.buttons] == ["Save the selected values"]
    again.send(owner, values={"primaryColor": "#111111", "cornerRadius": "none", "name": "Mine"})
    after = reload(draft)
    assert (after.name, after.style["primaryColor"], after.style["cornerRadius"], after.style["spacing"]) == (
        "Mine",
        "#111111",
        "none",
        "airy",
    )


def test_a_form_sent_twice_saves_once(owner: Client) -> None:
    draft = create_draft(BUSINESS)
    form = load_editor_form(owner, draft)
    twice = [form.send(owner, values={"primaryColor": "#abcdef"}, follow=True) for _ in range(2)]
    assert toasts(twice[0]) == toasts(twice[1]) == ["v1 saved."]
    assert (reload(draft).revision, len(audit_entries(1))) == (2, 2)


def test_saving_a_published_version_creates_a_new_draft(owner: Client) -> None:
    live = create_published(BUSINESS, "Spring", {"primaryColor": "#111111"})
    page = parse(owner.get(url_of(live)))
    assert "Save as new draft" in page.one("form", data_preview="").text
    sent = load_editor_form(owner, live).send(owner, values={"primaryColor": "#222222"})
    assert (sent.status_code, sent.headers["Location"]) == (303, url_of(2))
    created = queries.load_theme(BUSINESS, 2)
    assert (reload(live).metadata["primaryColor"], created.metadata["primaryColor"]) == ("#111111", "#222222")
    assert (created.made_from, created.status, live_version(BUSINESS)) == (1, ThemeStatus.DRAFT, 1)
    after = owner.get(url_of(2))
    assert "Your changes are in a new draft, v2 Spring" in toasts(after)[0]
    assert undo_form(after).send(owner).status_code == 303
    assert queries.load_theme(BUSINESS, 2).is_discarded


def test_saving_a_draft_published_meanwhile_is_a_conflict_then_a_new_draft(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn", {"primaryColor": "#000000"})
    form = load_editor_form(owner, draft)
    publish(draft)
    refused = form.send(owner, values={"primaryColor": "#222222"})
    assert refused.status_code == 409
    sent = form_to(refused, url_of(draft)).send(owner)
    assert sent.headers["Location"] == url_of(2)
    assert reload(draft).metadata["primaryColor"] == "#000000"
    assert queries.load_theme(BUSINESS, 2).metadata["primaryColor"] == "#222222"


def test_a_discarded_draft_can_be_restored(owner: Client) -> None:
    draft = create_discarded(BUSINESS, "Autumn")
    page = owner.get(url_of(draft))
    assert "This draft is discarded" in parse(page).text
    form_to(page, url_of(draft, "restore/")).send(owner)
    assert reload(draft).is_draft


def test_an_expired_draft_is_404(owner: Client) -> None:
    draft = create_draft(BUSINESS)
    form = load_editor_form(owner, draft)
    with frozen(now() + timedelta(days=91)):
        later = sign_in(load_person("olivia@example.com"))
        assert later.get(url_of(draft)).status_code == 404
        assert form.send(later, values={"name": "Late"}).status_code == 404


def test_in_a_suspended_business_the_editor_is_read_only(table: str) -> None:
    owner = sign_in_owner()
    draft = create_draft(BUSINESS, "Autumn")
    form = load_editor_form(owner, draft)
    write.update(keys.TENANT.key(tenant=BUSINESS), [Business.status.set("SUSPENDED")])
    page = owner.get(url_of(draft))
    assert page.status_code == 200 and not parse(page).all("form", data_preview="")
    assert frame_urls(page) == [url_of(draft, "preview/?screen=home")]
    assert form.send(owner, values={"name": "Late"}).status_code == 403
    assert reload(draft).name == "Autumn"
