"""An owner resolves what others have changed, and connects a site, on a slow network and by keyboard."""

from __future__ import annotations

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from branding import queries
from branding.services import drafts
from dashboard.core.clock import now
from dashboard.table.commands import new_command
from tests.attacks.outside_host import NAME, http, outside_host
from tests.branding.publishing_factory import put_schedule
from tests.branding.theme_factory import create_draft, create_published, live_version, reload
from tests.browser.axe import complaints_at_both_widths
from tests.browser.conftest import Open
from tests.browser.network import slow_down
from tests.conftest import ACTOR
from tests.ui.samples import BUSINESS

BRAND = f"/b/{BUSINESS}/branding/"


def schedules() -> list[int | None]:
    return [each.number for each in queries.schedules(BUSINESS)]


def test_a_rollback_cancels_a_pending_schedule_in_place_and_undo_restores_it(open_as: Open) -> None:
    first = create_published(BUSINESS, "First")
    create_published(BUSINESS, "Second")
    planned = create_draft(BUSINESS, "Planned")
    before = schedules()
    put_schedule(BUSINESS, planned.number, now() + timedelta(days=2))
    page = slow_down(open_as("owner", f"{BRAND}timeline/"))
    page.locator("[data-row]", has_text="First").first.get_by_role("link", name="Make live").click()
    box = page.get_by_role("checkbox", name=f"Cancel the schedule of v{planned.number}")
    expect(box).not_to_be_checked()
    assert complaints_at_both_widths(page) == []
    box.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Make live").press("Enter")
    toast = page.locator("[data-toast]").last
    expect(toast).to_contain_text(f"v{first.number} is live")
    expect(toast).to_contain_text(f"v{planned.number}: schedule for")
    assert (live_version(BUSINESS), schedules()) == (first.number, before)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-toast]").last).to_contain_text(f"v{planned.number}: schedule for")
    assert schedules() == [*before, planned.number]


def test_a_conflict_is_resolved_field_by_field_with_swatches(open_as: Open) -> None:
    draft = create_draft(BUSINESS, "Autumn", {"primaryColor": "#000000"})
    page = slow_down(open_as("owner", f"{BRAND}themes/{draft.number}/"))
    page.get_by_label("Primary").fill("#222222")
    page.get_by_label("Corners").select_option("none")
    theirs = {"primaryColor": "#111111", "spacing": "airy"}
    revision = reload(draft).revision
    options = {"files": {}, "name": "Theirs", "revision": revision, "command": new_command(ACTOR)}
    drafts.save(BUSINESS, draft.number, values=theirs, **options)  # type: ignore[arg-type]
    page.keyboard.press("Control+s")
    expect(page.locator("#conflict-title")).to_contain_text("changed this while you had it open")
    row = page.locator(".compare tr", has=page.get_by_role("rowheader", name="Primary"))
    expect(row.locator("rect").first).to_have_css("fill", "rgb(34, 34, 34)")
    expect(row.locator("rect").last).to_have_css("fill", "rgb(17, 17, 17)")
    assert complaints_at_both_widths(page) == []
    # Their colour, chosen with the arrow keys, and the own corners. Only they changed the name.
    page.get_by_role("radio", name="Primary: ").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Primary: #111111 (Saved version)")).to_be_checked()
    page.get_by_role("button", name="Save the selected values").press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("saved.")
    after = reload(draft)
    assert (after.name, after.style["primaryColor"]) == ("Theirs", "#111111")
    assert (after.style["cornerRadius"], after.style["spacing"]) == ("none", "airy")


def test_a_site_is_connected(open_as: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    create_published(BUSINESS, "Live")
    with outside_host(monkeypatch) as host:
        host.answers["/"] = http(b"<html><head></head></html>", "Content-Type: text/html")
        page = slow_down(open_as("owner", BRAND))
        page.get_by_role("link", name="Connect your site").click()
        link = page.get_by_label("Stylesheet link").input_value()
        assert link.endswith(f'/api/v1/businesses/{BUSINESS}/theme.css">')
        # The owner adds the line after the first check.
        page.get_by_label("Address of your site").fill(f"http://{NAME}/")
        page.keyboard.press("Enter")
        notice = page.locator("main .notice")
        expect(notice).to_contain_text("does not contain the link")
        expect(notice).to_be_focused()
        assert complaints_at_both_widths(page) == []
        host.answers["/"] = http(f"<html><head>{link}</head></html>".encode(), "Content-Type: text/html")
        expect(page.get_by_label("Address of your site")).to_have_value(f"http://{NAME}/")
        page.get_by_role("button", name="Check site").click()
        expect(notice).to_contain_text("is connected")
