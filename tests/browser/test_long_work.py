"""An import in a real browser: looked at, begun, watched, interrupted in every way a browser can be."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.platform.accounts import queries
from dashboard.platform.jobs import runner
from tests.accounts import audit_entries
from tests.accounts.imports import csv_of_people
from tests.browser.axe import complaints
from tests.browser.conftest import Open

PEOPLE = 96
HALF_WAY = re.compile(rf"(8|16|24|32|40|48|56|64) of {PEOPLE} done")


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "TIME_BOX", 0)


def send(page: Page, text: str) -> None:
    page.get_by_label("CSV file").set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": text.encode("utf-8-sig")}
    )
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Preview")


def state(page: Page, word: str) -> Locator:
    return page.locator(".progress .badge").filter(has_text=word)


def invited_once(count: int = PEOPLE) -> None:
    for number in range(0, count, 7):
        email = f"many-{number:04}@example.com"
        assert queries.load_account(email).state == "invited"
        assert audit_entries.actions(email) == ["person.invite"]


def test_a_file_is_looked_at_invited_and_watched_to_its_end(open_as: Open, tmp_path: Path) -> None:
    page = open_as("admin", "/people/")
    page.get_by_role("link", name="Import").click()
    send(page, csv_of_people(PEOPLE) + "\nnobody,Nobody,staff")
    expect(page.get_by_text("1 line has an error")).to_be_visible()
    assert complaints(page) == []
    page.reload()
    page.get_by_role("button", name=f"Invite {PEOPLE} people").click()
    expect(page.locator(".progress").get_by_text(HALF_WAY)).to_be_visible()
    page.reload()
    expect(state(page, "Finished")).to_be_visible(timeout=60_000)
    expect(page.locator(".progress").get_by_text(f"{PEOPLE} of {PEOPLE} done")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert complaints(page) == []
    invited_once()
    button = page.get_by_role("button", name="Download links")
    for _ in range(2):  # A download leaves the page as it is, and can be repeated.
        with page.expect_download() as download:
            button.click()
        download.value.save_as(tmp_path / "links.csv")
    with (tmp_path / "links.csv").open(encoding="utf-8-sig") as file:
        links = list(csv.DictReader(file))
    assert len(links) == PEOPLE
    other = open_as(None, links[3]["link"])
    expect(other.get_by_role("button", name="Set password and sign in")).to_be_visible()
    page.get_by_role("button", name="Withdraw invitations").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Withdraw {PEOPLE} invitations")
    expect(state(page, "Finished")).to_be_visible(timeout=60_000)
    assert queries.find_person("many-0003@example.com") is None


def test_stopped_continued_offline_and_closed(open_as: Open) -> None:
    page = open_as("admin", "/people/import/")
    send(page, csv_of_people(PEOPLE))
    page.get_by_role("button", name=f"Invite {PEOPLE} people").click()
    expect(page.locator(".progress").get_by_text(HALF_WAY)).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(state(page, "Stopped")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    expect(state(page, "In progress")).to_be_visible()
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_be_visible()
    page.context.set_offline(False)
    # Closed half-way; whoever comes back by the menu goes on.
    page.goto("/")
    page.get_by_role("button", name="Alma Ríos").click()
    page.get_by_role("link", name="Jobs").click()
    page.get_by_role("link", name=f"Invite {PEOPLE} people").click()
    expect(state(page, "Finished")).to_be_visible(timeout=60_000)
    invited_once()


def test_a_lost_connection_is_picked_up_again(open_as: Open) -> None:
    page = open_as("admin", "/people/import/")
    send(page, csv_of_people(PEOPLE))
    lost: list[str] = []

    def lose(route: object) -> None:
        if len(lost) < 3:
            lost.append("")
            route.abort("connectionreset")  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    page.route("**/next/", lose)
    page.get_by_role("button", name=f"Invite {PEOPLE} people").click()
    expect(state(page, "Finished")).to_be_visible(timeout=60_000)
    assert len(lost) == 3
    invited_once()


def test_without_a_script(open_as: Open) -> None:
    page = open_as("admin", "/people/import/", java_script_enabled=False)
    page.get_by_label("Or paste the lines").fill(csv_of_people(20).replace(",", ";"))
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Invite 20 people").click()
    presses = 0
    goes_on = page.get_by_role("button", name="Continue")
    expect(goes_on).to_be_visible()
    while goes_on.count():
        with page.expect_navigation():
            goes_on.click()
        presses += 1
    assert presses >= 3
    expect(state(page, "Finished")).to_be_visible()
    invited_once(20)
    with page.expect_download():
        page.get_by_role("button", name="Download links").click()
