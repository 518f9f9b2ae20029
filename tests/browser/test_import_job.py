"""The job of an import in a real browser: preview, progress, stop, continue, lost connections."""

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
IN_PROGRESS = re.compile(rf"(8|16|24|32|40|48|56|64) of {PEOPLE} done")


@pytest.fixture(autouse=True)
def one_batch_per_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "TIME_BOX", 0)


def upload_csv(page: Page, text: str) -> None:
    page.get_by_label("CSV file").set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": text.encode("utf-8-sig")}
    )
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Preview")


def state_badge(page: Page, state: str) -> Locator:
    return page.locator(".progress .badge").filter(has_text=state)


def assert_invited_once(count: int = PEOPLE) -> None:
    for number in range(0, count, 7):
        email = f"many-{number:04}@example.com"
        assert queries.load_account(email).state == "invited"
        assert audit_entries.actions(email) == ["person.invite"]


def test_preview_invite_everyone_download_links_and_withdraw(open_as: Open, tmp_path: Path) -> None:
    page = open_as("admin", "/people/")
    page.get_by_role("link", name="Import").click()
    upload_csv(page, csv_of_people(PEOPLE) + "\nnobody,Nobody,staff")
    expect(page.get_by_text("1 line has an error")).to_be_visible()
    assert complaints(page) == []
    page.reload()
    page.get_by_role("button", name=f"Invite {PEOPLE} people").click()
    expect(page.locator(".progress").get_by_text(IN_PROGRESS)).to_be_visible()
    page.reload()
    expect(state_badge(page, "Finished")).to_be_visible(timeout=60_000)
    expect(page.locator(".progress").get_by_text(f"{PEOPLE} of {PEOPLE} done")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert complaints(page) == []
    assert_invited_once()
    button = page.get_by_role("button", name="Download links")
    for _ in range(2):  # A download does not change the page, so it can be repeated.
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
    expect(state_badge(page, "Finished")).to_be_visible(timeout=60_000)
    assert queries.find_person("many-0003@example.com") is None


def test_a_job_can_be_stopped_continued_and_resumed_after_leaving(open_as: Open) -> None:
    page = open_as("admin", "/people/import/")
    upload_csv(page, csv_of_people(PEOPLE))
    page.get_by_role("button", name=f"Invite {PEOPLE} people").click()
    expect(page.locator(".progress").get_by_text(IN_PROGRESS)).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(state_badge(page, "Stopped")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    expect(state_badge(page, "In progress")).to_be_visible()
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_be_visible()
    page.context.set_offline(False)
    # Leave the page half-way: the job continues when it is opened again from the menu.
    page.goto("/")
    page.get_by_role("button", name="Alma Ríos").click()
    page.get_by_role("link", name="Jobs").click()
    page.get_by_role("link", name=f"Invite {PEOPLE} people").click()
    expect(state_badge(page, "Finished")).to_be_visible(timeout=60_000)
    assert_invited_once()


def test_a_job_continues_after_lost_connections(open_as: Open) -> None:
    page = open_as("admin", "/people/import/")
    upload_csv(page, csv_of_people(PEOPLE))
    lost: list[str] = []

    def lose(route: object) -> None:
        if len(lost) < 3:
            lost.append("")
            route.abort("connectionreset")  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    page.route("**/next/", lose)
    page.get_by_role("button", name=f"Invite {PEOPLE} people").click()
    expect(state_badge(page, "Finished")).to_be_visible(timeout=60_000)
    assert len(lost) == 3
    assert_invited_once()


def test_a_job_is_continued_by_its_button_without_scripts(open_as: Open) -> None:
    page = open_as("admin", "/people/import/", java_script_enabled=False)
    page.get_by_label("Or paste the lines").fill(csv_of_people(20).replace(",", ";"))
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Invite 20 people").click()
    presses = 0
    continue_button = page.get_by_role("button", name="Continue")
    expect(continue_button).to_be_visible()
    while continue_button.count():
        with page.expect_navigation():
            continue_button.click()
        presses += 1
    assert presses >= 3
    expect(state_badge(page, "Finished")).to_be_visible()
    assert_invited_once(20)
    with page.expect_download():
        page.get_by_role("button", name="Download links").click()
