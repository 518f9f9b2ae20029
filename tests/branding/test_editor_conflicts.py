"""Conflicts in the editor: two editors of one draft, repeated forms, drafts published or discarded meanwhile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from branding import queries
from branding.items import Theme, ThemeStatus
from branding.services import drafts
from dashboard.core.clock import frozen, now
from dashboard.platform.accounts.queries import load_person
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from tests.branding.editor_page import (
    ALDO,
    BUSINESS,
    find_editor_form,
    frame_urls,
    load_editor_form,
    sign_in_owner,
    url_of,
)
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
    assert list(rows)[:2] == ["Primarydiffers", "Cornersdiffers"], "not below fields that are the same"
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


def save_as_aldo(draft: Theme, **changes: str) -> Theme:
    current = reload(draft)
    name = changes.pop("name", current.name or "")
    options = {"files": current.assets_by_role, "name": name, "revision": current.revision}
    return drafts.save(BUSINESS, draft.number, values=changes, command=new_command(ALDO), **options)  # type: ignore[arg-type]


def test_changes_of_different_fields_are_merged_and_the_toast_names_what_was_kept(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn", {"primaryColor": "#000000"})
    form = load_editor_form(owner, draft)
    save_as_aldo(draft, primaryColor="#111111", spacing="airy")
    sent = form.send(owner, values={"cornerRadius": "none", "name": "Mine"}, follow=True)
    after = reload(draft)
    assert (after.name, after.revision, after.updated_by_name) == ("Mine", 3, "Olivia Andrade")
    assert [after.style[name] for name in ("primaryColor", "spacing", "cornerRadius")] == ["#111111", "airy", "none"]
    assert toasts(sent) == ["v1 Mine saved. Aldo Paz's change of “Primary”, “Spacing” was kept as well."]
    entry = audit_entries(1)[0]
    assert entry.before is not None and entry.after is not None
    changed = {name for name in entry.after if entry.before.get(name) != entry.after[name]}
    assert (entry.action, changed) == ("theme.save", {"cornerRadius", "name"})

    # Undo reverts the own changes only.
    undo_form(sent).send(owner)
    after = reload(draft)
    assert (after.name, after.style["cornerRadius"]) == ("Autumn", "medium")
    assert (after.style["primaryColor"], after.style["spacing"]) == ("#111111", "airy")


def test_each_person_is_named_with_their_own_change(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn")
    first, second = load_editor_form(owner, draft), load_editor_form(owner, draft)
    first.send(owner, values={"spacing": "airy"})
    save_as_aldo(draft, primaryColor="#111111")
    sent = second.send(owner, values={"cornerRadius": "none"}, follow=True)
    text = toasts(sent)[-1]
    assert "Aldo Paz's change of “Primary” was kept as well." in text
    assert "Your change of “Spacing” in another tab was kept as well." in text


def test_a_merged_form_sent_twice_saves_once(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn")
    form = load_editor_form(owner, draft)
    save_as_aldo(draft, primaryColor="#111111")
    twice = [form.send(owner, values={"cornerRadius": "none"}, follow=True) for _ in range(2)]
    assert toasts(twice[0]) == toasts(twice[1])
    assert "Aldo Paz's change of “Primary”" in toasts(twice[0])[0]
    assert (reload(draft).revision, len(audit_entries(1))) == (3, 3)


def test_one_common_field_is_enough_for_the_conflict_page(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn")
    form = load_editor_form(owner, draft)
    save_as_aldo(draft, primaryColor="#111111", spacing="airy")
    refused = form.send(owner, values={"primaryColor": "#222222", "cornerRadius": "none"})
    assert refused.status_code == 409
    assert (reload(draft).revision, reload(draft).style["cornerRadius"]) == (2, "medium")


def test_a_save_between_the_merge_and_the_write_is_not_overwritten(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = create_draft(BUSINESS, "Autumn")
    form = load_editor_form(owner, draft)
    save_as_aldo(draft, primaryColor="#111111")
    save = drafts.save

    def save_after_another(*args: Any, **options: Any) -> Theme:
        monkeypatch.setattr(drafts, "save", save)
        # In a thread of its own, because a request may not execute another person's command.
        with ThreadPoolExecutor(1) as threads:
            threads.submit(save_as_aldo, draft, spacing="airy").result()
        return save(*args, **options)

    monkeypatch.setattr(drafts, "save", save_after_another)
    refused = form.send(owner, values={"cornerRadius": "none"})
    assert refused.status_code == 409
    rows = {row.one("th").text: [cell.text for cell in row.all("td")] for row in parse(refused).one("tbody").all("tr")}
    assert {name for name, cells in rows.items() if cells[0] != cells[1]} == {"Cornersdiffers"}
    assert [reload(draft).style[name] for name in ("primaryColor", "spacing")] == ["#111111", "airy"]


def test_the_contrast_of_merged_colours_is_checked(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn", {"textColor": "#000000", "backgroundColor": "#ffffff"})
    form = load_editor_form(owner, draft)
    save_as_aldo(draft, backgroundColor="#777777")
    sent = form.send(owner, values={"textColor": "#555555", "then": "publish"}, follow=True)
    assert "Too little contrast now: Text on the background" in toasts(sent)[0]
    refused = form_to(sent, url_of(draft, "publish/")).send(owner)
    assert refused.status_code == 422 and "too little contrast" in parse(refused).text
    assert live_version(BUSINESS) is None


def test_invalid_input_is_not_merged(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn")
    form = load_editor_form(owner, draft)
    save_as_aldo(draft, primaryColor="#111111")
    refused = form.send(owner, values={"textColor": "grey"})
    assert (refused.status_code, reload(draft).revision) == (422, 2)
    # After the correction it is merged, and the toast says so.
    sent = find_editor_form(refused).send(owner, values={"textColor": "#222222"}, follow=True)
    assert "Aldo Paz's change of “Primary” was kept as well." in toasts(sent)[0]
    assert (reload(draft).style["primaryColor"], reload(draft).style["textColor"]) == ("#111111", "#222222")


def test_a_discarded_draft_is_not_merged(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn")
    form = load_editor_form(owner, draft)
    drafts.discard(BUSINESS, draft.number, revision=1, command=new_command(ALDO))
    assert form.send(owner, values={"textColor": "#222222"}).status_code == 409
    assert reload(draft).is_discarded


def test_the_change_of_an_outside_writer_is_not_attributed_to_the_last_editor(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn")
    save_as_aldo(draft, primaryColor="#111111")
    form = load_editor_form(owner, draft)
    save_as_aldo(draft, spacing="airy")
    write.update(draft.key, [Theme.metadata.set(reload(draft).metadata | {"primaryColor": "#333333"})])
    (text,) = toasts(form.send(owner, values={"cornerRadius": "none"}, follow=True))
    assert "A change of “Primary” from an outside service was kept as well." in text
    assert "Aldo Paz's change of “Spacing” was kept as well." in text


def test_the_title_of_a_conflict_with_oneself_names_no_one_else(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn")
    first, second = load_editor_form(owner, draft), load_editor_form(owner, draft)
    first.send(owner, values={"primaryColor": "#111111"})
    refused = second.send(owner, values={"primaryColor": "#222222"})
    assert (refused.status_code, parse(refused).one("h1").text) == (409, "Saved in another tab")


def test_the_history_shows_the_labels_of_values(owner: Client) -> None:
    draft = create_draft(BUSINESS, "Autumn", {"cornerRadius": "medium"})
    save_as_aldo(draft, cornerRadius="none")
    assert "Corners: Round → Square" in parse(owner.get(url_of(draft))).text
