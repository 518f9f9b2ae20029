"""The allowed domains: listed with their people, checked, added, removed, restored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.audit.sentences import history_line
from dashboard.platform.configs import queries
from dashboard.table.commands import new_command
from forum.services import posts
from rooms.configs.domains import DOMAINS
from tests.conftest import ACTOR, every_engine, sign_in
from tests.rooms.domain_counts import stored_count
from tests.rooms.domains import (
    URL,
    allow_domains,
    current_revision,
    domain_entries,
    listed_domains,
    listed_outside_domains,
    put_count,
    put_whitelist,
    stored_whitelist,
)
from tests.ui.html import form_to, forms, parse, toasts, undo_form
from tests.ui.walk import calls_of

SEED_WHITELIST = ["@sura.com.co", "@bancoldex.com"]
HX = {"HX-Request": "true"}


def send(browser: Client, **fields: Any) -> Any:
    """Send the form with the current revision."""
    return browser.post(URL, fields | {"revision": current_revision()}, follow=True)


def add(browser: Client, text: str) -> Any:
    return send(browser, domains=text)


def remove(browser: Client, name: str) -> Any:
    return send(browser, remove=name)


@pytest.mark.parametrize("role", Role)
def test_only_staff_and_admins_see_the_page_and_its_link(people_by_role: dict[str, Person], role: str) -> None:
    browser, is_allowed = sign_in(people_by_role[role]), role in {Role.ADMIN, Role.STAFF}
    assert browser.get(URL).status_code == (200 if is_allowed else 403)
    links = [each.attrs["href"] for each in parse(browser.get("/")).all("a") if "href" in each.attrs]
    assert (URL in links) == is_allowed


def test_with_an_empty_list_everyone_is_allowed(as_staff: Client) -> None:
    answer = as_staff.get(URL)
    assert "Everyone is allowed" in parse(answer).one("main").text
    assert calls_of(answer).trips == 2
    assert "Not counted yet" in parse(answer).one("main").text
    assert posts.write_post("ana@anything.example", "Hola", command=new_command(ACTOR)).status == "active"


def test_saving_keeps_the_format_of_the_seed(table: str, as_staff: Client) -> None:
    put_whitelist(SEED_WHITELIST)
    assert list(listed_domains(as_staff.get(URL))) == ["bancoldex.com", "sura.com.co"]
    add(as_staff, "nueva.example")
    assert stored_whitelist() == [*SEED_WHITELIST, "@nueva.example"]
    # The list of the outside writer became version 1, so saving loses nothing.
    assert [each.number for each in queries.history(DOMAINS).items] == [2, 1]


def test_the_seed_contains_this_whitelist(settings: Any) -> None:
    seeds = Path(settings.BASE_DIR, "tests", "transfer", "seed_items.jsonl")
    lines = [json.loads(line) for line in seeds.read_text().splitlines()]
    (item,) = [each for each in lines if each["PK"] == "CONFIG#domains"]
    assert item == {"PK": "CONFIG#domains", "SK": "CONFIG#domains", "whitelist": SEED_WHITELIST}


@every_engine
def test_add_several_domains_and_undo(table: str, as_staff: Client) -> None:
    allow_domains("sura.com.co")
    form = form_to(parse(as_staff.get(URL)).by_class("filter-lists")[0], URL, domains="")
    answer = form.send(as_staff, values={"domains": "@Nueva.example, ana@otra.example\notra.example sura.com.co"})
    assert (answer.status_code, answer.headers["Location"]) == (303, URL)
    assert stored_whitelist() == ["@sura.com.co", "@nueva.example", "@otra.example"]
    page = parse(as_staff.get(URL))
    assert toasts(page) == ["2 domains added."]
    entry = domain_entries()[0]
    assert history_line(entry).what == "saved the domains as v2"
    assert (entry.after["domains"], entry.after["add"]) == (3, "nueva.example, otra.example")
    assert posts.write_post("ana@otra.example", "Hola", command=new_command(ACTOR)).status == "active"
    answer = undo_form(page).send(as_staff, headers={"Referer": f"http://testserver{URL}"})
    assert (answer.status_code, answer.headers["Location"]) == (303, URL)
    assert stored_whitelist() == ["@sura.com.co"]
    assert [each.action for each in domain_entries()][:2] == ["domains.revert", "domains.save"]


def test_a_repeated_form_saves_once(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    form = form_to(parse(as_staff.get(URL)).by_class("filter-lists")[0], URL, domains="")
    for _ in range(2):
        assert form.send(as_staff, values={"domains": "nueva.example"}).status_code in {303, 422}
    assert len(domain_entries()) == 2
    assert stored_whitelist() == ["@sura.com.co", "@nueva.example"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "Enter a domain, like sura.com.co"),
        (" , ; ", "Enter a domain, like sura.com.co"),
        ("sura", "“sura” has no dot"),
        ("new.example *.sura.com.co", "has a wildcard"),
        ("SURA.com.co", "sura.com.co is already listed"),
        ("xn--bcher-kva.de", "bücher.de is already listed"),
        ("x" * 10_001, "at most 10000 characters"),
    ],
)
@pytest.mark.parametrize("headers", [{}, HX])
def test_an_invalid_form_shows_errors_and_keeps_the_input(
    as_staff: Client, text: str, error: str, headers: dict[str, str]
) -> None:
    allow_domains("sura.com.co", "bücher.de")
    answer = as_staff.post(URL, {"domains": text}, headers=headers | ({"HX-Target": "main"} if headers else {}))
    assert answer.status_code == 422
    page = parse(answer)
    field = page.one("input", name="domains")
    assert field.attrs.get("value", "") == text
    assert error in page.one("p", id=f"{field.attrs['id']}_error").text
    assert stored_whitelist() == ["@sura.com.co", "@bücher.de"]


def test_adding_a_public_provider_shows_a_warning(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    answer = add(as_staff, "gmail.com")
    assert toasts(answer) == ["gmail.com added. Anyone can get an address of gmail.com."]
    (badge,) = parse(answer).one("div", id="list").by_class("badge")
    assert badge.text == "Public provider"


def test_remove_one_domain_and_several_selected_ones(table: str, as_staff: Client) -> None:
    allow_domains("a.example", "b.example", "c.example", "d.example")
    assert toasts(remove(as_staff, "b.example")) == ["b.example removed."]
    assert stored_whitelist() == ["@a.example", "@c.example", "@d.example"]
    answer = send(as_staff, action="remove", selected=["a.example", "d.example"])
    assert toasts(answer) == ["2 domains removed."]
    assert stored_whitelist() == ["@c.example"]
    undo_form(parse(answer)).send(as_staff)
    assert sorted(stored_whitelist()) == ["@a.example", "@c.example", "@d.example"]
    assert domain_entries()[1].after["remove"] == "a.example, d.example"


def test_removing_a_domain_removes_all_its_spellings(as_staff: Client) -> None:
    put_whitelist(["@bücher.de", "@xn--bcher-kva.de", "@BÜCHER.de", "@a.example"])
    assert list(listed_domains(as_staff.get(URL))) == ["a.example", "bücher.de"]
    remove(as_staff, "bücher.de")
    assert stored_whitelist() == ["@a.example"]


def test_removing_a_domain_that_is_not_listed_changes_nothing(as_staff: Client) -> None:
    allow_domains("a.example", "b.example")
    assert toasts(remove(as_staff, "c.example")) == ["Nothing was changed."]
    assert queries.newest_number(DOMAINS) == 1
    answer = as_staff.post(URL, {"action": "remove"})
    assert answer.status_code == 422
    assert "Select 1 to 1,000 domains" in answer.content.decode()


def test_changes_of_two_people_are_merged(people_by_role: dict[str, Person]) -> None:
    allow_domains("a.example")
    one, two = sign_in(people_by_role["staff"]), sign_in(people_by_role["admin"])
    mine = form_to(parse(one.get(URL)).by_class("filter-lists")[0], URL, domains="")
    add(two, "theirs.example")
    mine.send(one, values={"domains": "mine.example"})
    assert stored_whitelist() == ["@a.example", "@theirs.example", "@mine.example"]
    assert toasts(one.get(URL)) == ["mine.example added. Merged with the changes that Alma Ríos saved."]


def test_people_are_counted_for_allowed_and_for_other_domains(as_staff: Client) -> None:
    allow_domains("sura.com.co", "b.example")
    put_count(sura_com_co=1_204, gmail_com=30, mail_sura_com_co=40, localhost=2)
    answer = as_staff.get(URL)
    assert listed_domains(answer) == {"b.example": "0", "sura.com.co": "1,204"}
    assert listed_outside_domains(answer) == {"mail.sura.com.co": "40", "gmail.com": "30", "localhost": "2"}
    assert "1,276 people counted." in parse(answer).one("main").text
    section = parse(answer).by_class("outside")[0]
    (form,) = forms(section)
    assert [each.attrs["value"] for each in form.buttons] == ["mail.sura.com.co", "gmail.com"]
    form.send(as_staff, form.buttons[0])
    assert stored_whitelist() == ["@sura.com.co", "@b.example", "@mail.sura.com.co"]
    assert list(listed_outside_domains(as_staff.get(URL))) == ["gmail.com", "localhost"]


def test_a_domain_not_counted_separately_shows_no_number(as_staff: Client) -> None:
    allow_domains("sura.com.co", "b.example")
    put_count(**{"sura_com_co": 4, "*": 9})
    answer = as_staff.get(URL)
    assert listed_domains(answer) == {"b.example": "–", "sura.com.co": "4"}
    assert "9 have rare domains" in parse(answer).one("main").text


def test_start_a_recount(as_staff: Client) -> None:
    allow_domains("sura.com.co")
    put_count(sura_com_co=4)
    form = form_to(as_staff.get(URL), f"{URL}recount/")
    answer = form.send(as_staff, follow=True)
    assert toasts(answer) == ["Recount started. It takes a few minutes."]
    assert stored_count().is_recounting and domain_entries()[0].action == "domains.recount"
    assert "Recounting" in parse(answer).one("main").text
    assert listed_domains(answer) == {"sura.com.co": "4"}
    assert not [each for each in forms(answer) if each.action == f"{URL}recount/"]
    answer = as_staff.post(f"{URL}recount/", follow=True)
    assert toasts(answer) == ["A recount is already running."]
    assert len(domain_entries()) == 2


def test_a_long_list_is_paginated_and_searchable(as_staff: Client) -> None:
    put_whitelist([f"@d{number:04d}.example" for number in range(2_000)] + ["@bücher.de"])
    answer = as_staff.get(URL)
    assert len(listed_domains(answer)) == 100
    more = parse(answer).one("a", **{"data-more": ""})
    following = parse(as_staff.get(more.attrs["href"], headers=HX))
    assert following.by_class("domain")[0].text == "d0099.example"
    assert list(listed_domains(as_staff.get(URL, {"q": "D1234"}))) == ["d1234.example"]
    assert list(listed_domains(as_staff.get(URL, {"q": "xn--bcher"}))) == ["bücher.de"]
    nothing = as_staff.get(URL, {"q": "nobody"})
    assert "No domains match." in nothing.content.decode()
    assert not parse(as_staff.get(URL, {"q": "D1234"}, headers=HX)).all("h1"), "htmx receives only the list"


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_page_takes_the_same_calls_with_2_and_with_2000_domains(table: str, as_staff: Client) -> None:
    calls = []
    for count in (2, 2_000):
        put_whitelist([f"@d{number}.example" for number in range(count)])
        put_count(**{f"d{number}_example": number + 1 for number in range(count)})
        log = calls_of(as_staff.get(URL))
        calls.append((sorted((each.operation, each.pattern) for each in log.calls), log.trips))
    assert calls[0] == calls[1]
    assert calls[0][1] == 2


def test_the_history_shows_changes_and_restores_a_version(as_staff: Client) -> None:
    allow_domains("a.example")
    allow_domains("b.example")
    assert "b.example" in parse(as_staff.get(f"{URL}versions/2/")).one("main").text
    restore = form_to(as_staff.get(f"{URL}versions/1/"), f"{URL}versions/1/restore/")
    assert restore.send(as_staff).status_code == 303
    assert stored_whitelist() == ["@a.example"]
