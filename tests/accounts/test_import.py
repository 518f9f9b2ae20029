"""Import of people from a file: upload, preview, invite, withdraw."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest

from dashboard.core.clock import shifted
from dashboard.core.ids import new_id
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links, people
from dashboard.platform.audit.queries import latest
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import runner, services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.imports import URL, preview_rows, reload, send_file, start_import, upload_import
from tests.accounts.invitations import assert_link_is_refused, join
from tests.accounts.person_page import ALDO
from tests.conftest import ACTOR
from tests.jobs.execution import finish
from tests.ui.html import form_to, forms, parse
from tests.ui.walk import calls_of
from tests.ui.world import World


def new_people(count: int, role: str = "staff") -> tuple[list[str], str]:
    """New addresses, and a CSV text with them."""
    emails = [f"imp-{new_id()[-8:]}-{number}@example.net" for number in range(count)]
    return emails, "\n".join(["email,name,role", *(f"{email},Name {n},{role}" for n, email in enumerate(emails))])


def preview_of(browser: Any, text: str, **fields: Any) -> Any:
    response = send_file(browser, text, **fields)
    assert response.status_code == 303, parse(response).text
    assert response.headers["Location"].startswith(URL)
    return browser.get(response.headers["Location"])


def job_of(preview: Any) -> Job:
    job = job_queries.find_job(preview.request["PATH_INFO"].split("/")[3])
    assert job is not None
    return job


def read_csv(response: Any) -> list[list[str]]:
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.headers["Content-Disposition"].startswith("attachment;")
    assert response.headers["Cache-Control"] == "no-store, private"
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))


def test_an_import_is_previewed_confirmed_and_invites_everyone_once(world: World) -> None:
    browser, (emails, text) = world.browser("admin"), new_people(10)
    button = [a for a in parse(browser.get("/people/")).all("a") if a.attrs.get("href") == URL]
    assert [a.text for a in button] == ["Import"]
    preview = preview_of(browser, text + "\nnobody,x,staff\nmarco@example.com,,moderator\n")
    assert all(queries.find_person(email) is None for email in emails), "the preview invites nobody"
    assert preview_rows(preview)[:3] == [
        ["xLine 12 · nobody", "Event staff", "Not an e-mail address"],
        ["marco@example.comLine 13", "Moderator", "Already has an account"],
        [f"Name 0Line 2 · {emails[0]}", "Event staff", "Will be invited"],
    ]
    preview_text = parse(preview).text
    assert "1 line has an error" in preview_text and "2 lines will be skipped." in preview_text
    job = job_of(preview)
    confirm = form_to(preview, f"{URL}{job.id}/confirm/")
    assert confirm.buttons[0].text == "Invite 10 people"
    started = confirm.send(browser)
    assert (started.status_code, started.headers["Location"]) == (303, f"/operations/{job.id}/")
    confirm.send(browser)
    finished = finish(reload(job))
    assert (finished.state, finished.total, finished.done, finished.failed) == (JobState.DONE, 10, 10, 0)
    for number, email in enumerate(emails):
        person = queries.load_account(email)
        assert (person.state, person.name, person.office_role) == ("invited", f"Name {number}", Role.STAFF)
        assert audit_entries.last_entry(email)[:2] == (ACTOR.email, "person.invite")
        assert audit_entries.actions(email) == ["person.invite"]
    confirm.send(browser)
    assert reload(job).state == JobState.DONE and queries.load_account(emails[0]).revision == 1
    # The URL of the preview now redirects to the result.
    again = browser.get(f"{URL}{job.id}/")
    assert (again.status_code, again.headers["Location"]) == (303, f"/operations/{job.id}/")
    assert "10 people invited" in parse(browser.get(f"/operations/{job.id}/")).text


def test_the_preview_has_pages_that_cost_two_trips_each(world: World) -> None:
    browser, (_, text) = world.browser("admin"), new_people(120)
    first = preview_of(browser, text + "\nnobody,x,staff")
    job = job_of(first)
    pages = [first, browser.get(first.request["PATH_INFO"])]
    assert preview_rows(pages[0]) == preview_rows(pages[1]) and len(preview_rows(first)) == 50
    assert [calls_of(page).trips for page in pages] == [2, 2]
    listed = preview_rows(first)
    while more := [a for a in parse(pages[-1]).all("a") if "data-more" in a.attrs]:
        pages.append(browser.get(more[0].attrs["href"]))
        assert calls_of(pages[-1]).trips == 2
        listed += preview_rows(pages[-1])
    assert len(listed) == 121 and [row[0].split("Line ")[1].split()[0] for row in listed] == [
        "122",
        *(str(n) for n in range(2, 122)),
    ]
    assert world.browser("admin2").get(f"{URL}{job.id}/").status_code == 404
    # The import is in the list of jobs, and its job page redirects to the preview.
    assert job.id in browser.get("/operations/").content.decode()
    assert browser.get(f"/operations/{job.id}/").headers["Location"] == f"{URL}{job.id}/"


def test_a_form_sent_twice_creates_one_import_and_another_file_creates_another(world: World) -> None:
    browser, (_, text), (_, other) = world.browser("admin"), new_people(2), new_people(3)
    form = form_to(browser.get(URL), URL)
    sent = [form.send(browser, values={"text": content}).headers["Location"] for content in (text, text, other)]
    assert sent[0] == sent[1] != sent[2]
    files = [form.send(browser, values={"file": _file(content)}).headers["Location"] for content in (text, text, other)]
    assert files[0] == files[1] != files[2]


def _file(text: str) -> Any:
    file = io.BytesIO(text.encode())
    file.name = "people.csv"
    return file


def test_an_import_without_anyone_to_invite_cannot_be_confirmed(world: World) -> None:
    browser = world.browser("admin")
    preview = preview_of(browser, "email,role\nmarco@example.com,moderator\nsofia@example.com,owner\n")
    assert "Nobody to invite" in parse(preview).text
    job = job_of(preview)
    assert not [form for form in forms(preview) if "/confirm/" in form.action]
    assert browser.post(f"{URL}{job.id}/confirm/").status_code == 422
    assert reload(job).state == JobState.WAITING
    assert queries.load_account("sofia@example.com").office_role == Role.STAFF


def test_the_skipped_lines_can_be_downloaded_without_formulas(world: World) -> None:
    browser = world.browser("admin")
    preview = preview_of(browser, 'email,name,role\n=1+1,"=cmd|x",+staff\n@x,-y,staff\nok@example.net,x,staff\n')
    lines = read_csv(browser.get(f"{preview.request['PATH_INFO']}left-out/"))
    assert lines == [
        ["line", "email", "name", "role", "reason"],
        ["2", "'=1+1", "'=cmd|x", "'+staff", "Not an e-mail address"],
        ["3", "'@x", "'-y", "staff", "Not an e-mail address"],
    ]
    assert world.browser("admin2").get(f"{preview.request['PATH_INFO']}left-out/").status_code == 404


def test_a_person_whom_a_colleague_invited_meanwhile_is_a_failure(world: World) -> None:
    emails, text = new_people(12)
    job = start_import(text)
    theirs = people.invite(emails[4], name="Theirs", role=Role.OWNER, command=new_command(ALDO))
    finished = finish(job)
    assert (finished.done, finished.failed) == (11, 1)
    (failure,) = job_queries.failures(job.id).items
    assert (failure.target, failure.reason) == (emails[4], "This person already has an account.")
    assert failure.line["n"] == 6
    assert queries.load_account(emails[4]).revision == theirs.revision
    page = parse(world.browser("admin").get(f"/operations/{job.id}/"))
    assert f"Line 6 {emails[4]}" in page.text


def links_of(browser: Any, job: Job) -> list[list[str]]:
    page = browser.get(f"/operations/{job.id}/")
    return read_csv(form_to(page, f"{URL}{job.id}/links/").send(browser))


def test_the_links_open_the_accounts_and_only_their_creator_can_download_them(world: World) -> None:
    browser, (emails, text) = world.browser("admin"), new_people(3)
    job = finish(start_import(text))
    page = browser.get(f"/operations/{job.id}/")
    assert "Anyone with these links can open the accounts" in parse(page).text
    header, *lines = links_of(browser, job)
    assert header == ["email", "name", "role", "link", "valid until"]
    assert [line[0] for line in lines] == emails
    path = lines[0][3].removeprefix("http://testserver")
    assert join(path).status_code == 303
    assert queries.load_account(emails[0]).state == "staff"
    assert_link_is_refused(path)
    # A used link and a replaced link are not in the file any more.
    links.create_link(emails[1], revision=1, command=new_command(ALDO))
    assert [line[0] for line in links_of(browser, job)[1:]] == emails[2:]
    assert latest(1)[0].action == "people.links" and latest(1)[0].actor["email"] == ACTOR.email
    assert latest(1)[0].target["id"] == job.id
    for who, status in (("admin2", 404), ("moderator", 403)):
        assert world.browser(who).post(f"{URL}{job.id}/links/").status_code == status
    assert browser.get(f"{URL}{job.id}/links/").status_code == 405, "a GET request returns no links"


def send_withdraw_form(browser: Any, job: Job) -> Job:
    """Send the withdraw form twice. Returns the job that it started."""
    form = form_to(browser.get(f"/operations/{job.id}/"), f"{URL}{job.id}/withdraw/")
    twice = [form.send(browser).headers["Location"] for _ in range(2)]
    assert twice[0] == twice[1] != f"/operations/{job.id}/"
    withdrawal = job_queries.find_job(twice[0].split("/")[2])
    assert withdrawal is not None
    return withdrawal


def test_withdrawing_an_import_removes_only_unused_invitations(world: World) -> None:
    browser, (emails, text) = world.browser("admin"), new_people(12)
    job = finish(start_import(text))
    lines = links_of(browser, job)[1:]
    paths = [line[3].removeprefix("http://testserver") for line in lines]
    join(paths[0])
    withdrawal = send_withdraw_form(browser, job)
    assert (withdrawal.title, withdrawal.total) == ("Withdraw 11 invitations", 11)
    # Changes between the click and the job are kept.
    join(paths[1])
    links.create_link(emails[2], revision=1, command=new_command(ALDO))
    people.withdraw(emails[3], revision=1, command=new_command(ALDO))
    people.invite(emails[3], name="Anew", role=Role.OWNER, command=new_command(ALDO))
    people.withdraw(emails[4], revision=1, command=new_command(ALDO))
    finished = finish(withdrawal)
    assert (finished.state, finished.done, finished.failed) == (JobState.DONE, 7, 4)
    newer = "This person has a newer link. Withdraw it on their page."
    assert {each.target: each.reason for each in job_queries.failures(withdrawal.id).items} == {
        emails[1]: "This person already has an account. It was not changed.",
        emails[2]: newer,
        emails[3]: newer,
        emails[4]: "This person is no longer invited.",
    }
    assert [queries.find_person(email) is None for email in emails] == [False] * 4 + [True] * 8
    assert [audit_entries.actions(email) for email in emails[5:]] == [["person.withdraw", "person.invite"]] * 7
    assert_link_is_refused(paths[6])
    assert browser.post(f"{URL}{job.id}/withdraw/").status_code == 422, "there is nothing left to withdraw"


def test_withdrawing_a_stopped_import_removes_the_invitations_it_made(world: World) -> None:
    browser, (emails, text) = world.browser("admin"), new_people(20)
    job = runner.advance(start_import(text), seconds=0)
    services.stop(job)
    withdrawal = send_withdraw_form(browser, job)
    assert (withdrawal.total, finish(withdrawal).done) == (8, 8)
    assert all(queries.find_person(email) is None for email in emails)


def test_an_import_that_is_not_finished_cannot_be_withdrawn(world: World) -> None:
    browser, (_, text) = world.browser("admin"), new_people(2)
    for job in (upload_import(text), start_import(text)):
        assert browser.post(f"{URL}{job.id}/withdraw/").status_code == 422
    page = browser.get(f"/operations/{job.id}/")
    assert not [form for form in forms(page) if "/withdraw/" in form.action or "/links/" in form.action]


def test_a_job_of_another_kind_is_not_found_as_import(world: World) -> None:
    browser, other = world.browser("admin"), world.samples("admin")["job_id"]
    for method, act in (
        ("get", ""),
        ("get", "left-out/"),
        ("post", "confirm/"),
        ("post", "links/"),
        ("post", "withdraw/"),
    ):
        assert getattr(browser, method)(f"{URL}{other}/{act}").status_code == 404


def test_an_import_is_deleted_after_thirty_days(world: World) -> None:
    browser, job = world.browser("admin"), upload_import()
    with shifted(timedelta(days=30)), pytest.raises(Exception, match="nothing here"):
        job_queries.load_own_job(job.id, ACTOR.email)
    assert browser.get(f"{URL}{job.id}/").status_code == 200
