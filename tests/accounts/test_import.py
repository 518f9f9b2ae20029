"""People from a file: sent, looked at, invited, and taken back."""

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
from dashboard.platform.jobs.items import Job, State
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.imports import URL, begun, reloaded, rows, send, uploaded
from tests.accounts.invitations import assert_dead, join
from tests.accounts.person_page import ALDO
from tests.conftest import ACTOR
from tests.jobs.execution import finish
from tests.ui.html import form_to, forms, parse
from tests.ui.walk import calls_of
from tests.ui.world import World


def fresh(count: int, role: str = "staff") -> tuple[list[str], str]:
    """New addresses, and the file that names them."""
    emails = [f"imp-{new_id()[-8:]}-{number}@example.net" for number in range(count)]
    return emails, "\n".join(["email,name,role", *(f"{email},Name {n},{role}" for n, email in enumerate(emails))])


def preview_of(browser: Any, text: str, **typed: Any) -> Any:
    response = send(browser, text, **typed)
    assert response.status_code == 303, parse(response).text
    assert response.headers["Location"].startswith(URL)
    return browser.get(response.headers["Location"])


def work_of(preview: Any) -> Job:
    job = job_queries.find_job(preview.request["PATH_INFO"].split("/")[3])
    assert job is not None
    return job


def read_csv(response: Any) -> list[list[str]]:
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.headers["Content-Disposition"].startswith("attachment;")
    assert response.headers["Cache-Control"] == "no-store, private"
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))


def test_from_the_file_to_the_invitations(world: World) -> None:
    browser, (emails, text) = world.browser("admin"), fresh(10)
    button = [a for a in parse(browser.get("/people/")).all("a") if a.attrs.get("href") == URL]
    assert [a.text for a in button] == ["Import"]
    shown = preview_of(browser, text + "\nnobody,x,staff\nmarco@example.com,,moderator\n")
    assert all(queries.find_person(email) is None for email in emails), "nobody is invited yet"
    assert rows(shown)[:3] == [
        ["xLine 12 · nobody", "Event staff", "Not an e-mail address"],
        ["marco@example.comLine 13", "Moderator", "Already has an account"],
        [f"Name 0Line 2 · {emails[0]}", "Event staff", "Will be invited"],
    ]
    text_shown = parse(shown).text
    assert "1 line has an error" in text_shown and "2 lines will be skipped." in text_shown
    job = work_of(shown)
    confirm = form_to(shown, f"{URL}{job.id}/confirm/")
    assert confirm.buttons[0].text == "Invite 10 people"
    begun = confirm.send(browser)
    assert (begun.status_code, begun.headers["Location"]) == (303, f"/operations/{job.id}/")
    confirm.send(browser)
    end = finish(reloaded(job))
    assert (end.state, end.total, end.done, end.failed) == (State.DONE, 10, 10, 0)
    for number, email in enumerate(emails):
        person = queries.load_account(email)
        assert (person.state, person.name, person.office_role) == ("invited", f"Name {number}", Role.STAFF)
        assert audit_entries.last(email)[:2] == (ACTOR.email, "person.invite")
        assert audit_entries.actions(email) == ["person.invite"]
    confirm.send(browser)
    assert reloaded(job).state == State.DONE and queries.load_account(emails[0]).revision == 1
    # The preview's address now leads to what came of it.
    again = browser.get(f"{URL}{job.id}/")
    assert (again.status_code, again.headers["Location"]) == (303, f"/operations/{job.id}/")
    assert "10 people invited" in parse(browser.get(f"/operations/{job.id}/")).text


def test_the_preview_has_an_address_and_costs_two_trips(world: World) -> None:
    browser, (_, text) = world.browser("admin"), fresh(120)
    first = preview_of(browser, text + "\nnobody,x,staff")
    job = work_of(first)
    pages = [first, browser.get(first.request["PATH_INFO"])]
    assert rows(pages[0]) == rows(pages[1]) and len(rows(first)) == 50
    assert [calls_of(page).trips for page in pages] == [2, 2]
    found = rows(first)
    while more := [a for a in parse(pages[-1]).all("a") if "data-more" in a.attrs]:
        pages.append(browser.get(more[0].attrs["href"]))
        assert calls_of(pages[-1]).trips == 2
        found += rows(pages[-1])
    assert len(found) == 121 and [row[0].split("Line ")[1].split()[0] for row in found] == [
        "122",
        *(str(n) for n in range(2, 122)),
    ]
    assert world.browser("admin2").get(f"{URL}{job.id}/").status_code == 404
    # It waits among one's work, and leads back here.
    assert job.id in browser.get("/operations/").content.decode()
    assert browser.get(f"/operations/{job.id}/").headers["Location"] == f"{URL}{job.id}/"


def test_the_same_form_twice_is_one_import_and_another_file_another(world: World) -> None:
    browser, (_, text), (_, other) = world.browser("admin"), fresh(2), fresh(3)
    form = form_to(browser.get(URL), URL)
    sent = [form.send(browser, values={"text": given}).headers["Location"] for given in (text, text, other)]
    assert sent[0] == sent[1] != sent[2]
    files = [form.send(browser, values={"file": _file(given)}).headers["Location"] for given in (text, text, other)]
    assert files[0] == files[1] != files[2]


def _file(text: str) -> Any:
    made = io.BytesIO(text.encode())
    made.name = "people.csv"
    return made


def test_nobody_to_invite_is_no_import(world: World) -> None:
    browser = world.browser("admin")
    shown = preview_of(browser, "email,role\nmarco@example.com,moderator\nsofia@example.com,owner\n")
    assert "Nobody to invite" in parse(shown).text
    job = work_of(shown)
    assert not [form for form in forms(shown) if "/confirm/" in form.action]
    assert browser.post(f"{URL}{job.id}/confirm/").status_code == 422
    assert reloaded(job).state == State.WAITING
    assert queries.load_account("sofia@example.com").office_role == Role.STAFF


def test_the_lines_left_out_can_be_taken_along_and_hold_no_formula(world: World) -> None:
    browser = world.browser("admin")
    shown = preview_of(browser, 'email,name,role\n=1+1,"=cmd|x",+staff\n@x,-y,staff\nok@example.net,x,staff\n')
    lines = read_csv(browser.get(f"{shown.request['PATH_INFO']}left-out/"))
    assert lines == [
        ["line", "email", "name", "role", "reason"],
        ["2", "'=1+1", "'=cmd|x", "'+staff", "Not an e-mail address"],
        ["3", "'@x", "'-y", "staff", "Not an e-mail address"],
    ]
    assert world.browser("admin2").get(f"{shown.request['PATH_INFO']}left-out/").status_code == 404


def test_someone_else_invites_one_of_them_meanwhile(world: World) -> None:
    emails, text = fresh(12)
    job = begun(text)
    theirs = people.invite(emails[4], name="Theirs", role=Role.OWNER, command=new_command(ALDO))
    end = finish(job)
    assert (end.done, end.failed) == (11, 1)
    (failure,) = job_queries.failures(job.id).items
    assert (failure.target, failure.reason) == (emails[4], "This person already has an account.")
    assert failure.line["n"] == 6
    assert queries.load_account(emails[4]).revision == theirs.revision
    page = parse(world.browser("admin").get(f"/operations/{job.id}/"))
    assert f"Line 6 {emails[4]}" in page.text


def links_of(browser: Any, job: Job) -> list[list[str]]:
    page = browser.get(f"/operations/{job.id}/")
    return read_csv(form_to(page, f"{URL}{job.id}/links/").send(browser))


def test_the_links_open_the_accounts_and_only_their_maker_gets_them(world: World) -> None:
    browser, (emails, text) = world.browser("admin"), fresh(3)
    job = finish(begun(text))
    page = browser.get(f"/operations/{job.id}/")
    assert "Anyone with these links can open the accounts" in parse(page).text
    header, *given = links_of(browser, job)
    assert header == ["email", "name", "role", "link", "valid until"]
    assert [line[0] for line in given] == emails
    path = given[0][3].removeprefix("http://testserver")
    assert join(path).status_code == 303
    assert queries.load_account(emails[0]).state == "staff"
    assert_dead(path)
    # Used, and replaced by a newer one: neither is given again.
    links.create_link(emails[1], revision=1, command=new_command(ALDO))
    assert [line[0] for line in links_of(browser, job)[1:]] == emails[2:]
    assert latest(1)[0].action == "people.links" and latest(1)[0].actor["email"] == ACTOR.email
    assert latest(1)[0].target["id"] == job.id
    for who, status in (("admin2", 404), ("moderator", 403)):
        assert world.browser(who).post(f"{URL}{job.id}/links/").status_code == status
    assert browser.get(f"{URL}{job.id}/links/").status_code == 405, "a link that is followed gives nothing away"


def withdrawing(browser: Any, job: Job) -> Job:
    """Press Withdraw, twice."""
    form = form_to(browser.get(f"/operations/{job.id}/"), f"{URL}{job.id}/withdraw/")
    twice = [form.send(browser).headers["Location"] for _ in range(2)]
    assert twice[0] == twice[1] != f"/operations/{job.id}/"
    taking = job_queries.find_job(twice[0].split("/")[2])
    assert taking is not None
    return taking


def test_the_invitations_are_taken_back_where_nobody_used_them(world: World) -> None:
    browser, (emails, text) = world.browser("admin"), fresh(12)
    job = finish(begun(text))
    given = links_of(browser, job)[1:]
    paths = [line[3].removeprefix("http://testserver") for line in given]
    join(paths[0])
    taking = withdrawing(browser, job)
    assert (taking.title, taking.total) == ("Withdraw 11 invitations", 11)
    # What happens between the press and the work is respected.
    join(paths[1])
    links.create_link(emails[2], revision=1, command=new_command(ALDO))
    people.withdraw(emails[3], revision=1, command=new_command(ALDO))
    people.invite(emails[3], name="Anew", role=Role.OWNER, command=new_command(ALDO))
    people.withdraw(emails[4], revision=1, command=new_command(ALDO))
    end = finish(taking)
    assert (end.state, end.done, end.failed) == (State.DONE, 7, 4)
    newer = "This person has a newer link. Withdraw it on their page."
    assert {each.target: each.reason for each in job_queries.failures(taking.id).items} == {
        emails[1]: "This person already has an account. It was not changed.",
        emails[2]: newer,
        emails[3]: newer,
        emails[4]: "This person is no longer invited.",
    }
    assert [queries.find_person(email) is None for email in emails] == [False] * 4 + [True] * 8
    assert [audit_entries.actions(email) for email in emails[5:]] == [["person.withdraw", "person.invite"]] * 7
    assert_dead(paths[6])
    assert browser.post(f"{URL}{job.id}/withdraw/").status_code == 422, "nothing is left"


def test_an_import_that_was_stopped_is_taken_back_as_far_as_it_got(world: World) -> None:
    browser, (emails, text) = world.browser("admin"), fresh(20)
    job = runner.advance(begun(text), seconds=0)
    services.stop(job)
    taking = withdrawing(browser, job)
    assert (taking.total, finish(taking).done) == (8, 8)
    assert all(queries.find_person(email) is None for email in emails)


def test_what_still_invites_cannot_be_taken_back_yet(world: World) -> None:
    browser, (_, text) = world.browser("admin"), fresh(2)
    for job in (uploaded(text), begun(text)):
        assert browser.post(f"{URL}{job.id}/withdraw/").status_code == 422
    page = browser.get(f"/operations/{job.id}/")
    assert not [form for form in forms(page) if "/withdraw/" in form.action or "/links/" in form.action]


def test_other_work_is_no_import(world: World) -> None:
    browser, other = world.browser("admin"), world.samples("admin")["job_id"]
    for method, act in (
        ("get", ""),
        ("get", "left-out/"),
        ("post", "confirm/"),
        ("post", "links/"),
        ("post", "withdraw/"),
    ):
        assert getattr(browser, method)(f"{URL}{other}/{act}").status_code == 404


def test_an_import_is_gone_after_thirty_days(world: World) -> None:
    browser, job = world.browser("admin"), uploaded()
    with shifted(timedelta(days=30)), pytest.raises(Exception, match="nothing here"):
        job_queries.load_own_job(job.id, ACTOR.email)
    assert browser.get(f"{URL}{job.id}/").status_code == 200
