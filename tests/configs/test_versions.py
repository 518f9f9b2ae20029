"""The pages of a config's history: every version, what it changed, and how to restore it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import now
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.configs import presenters, queries
from dashboard.platform.configs.changes import pack
from dashboard.platform.configs.items import Config, ConfigBody, ConfigVersion
from dashboard.platform.configs.views import ordered_totals
from dashboard.table import keys
from dashboard.table.connection import table as connected
from forum.configs.profanity import PROFANITY
from forum.configs.reasons import REASONS
from tests.audit.entries import put_all
from tests.configs.texts_config import BRUNO, TEXTS, add, change_as_outside_writer, put_as_outside_writer, texts
from tests.conftest import ACTOR, sign_in
from tests.forum.config_versions import save_reasons_version
from tests.forum.filter_pages import rows
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of


def test_totals_are_in_the_order_of_their_kind() -> None:
    stored = {"zebras": 1, "allowed": 0, "apes": 2, "words": 3}
    assert ordered_totals(PROFANITY, stored) == [("words", 3), ("allowed", 0), ("apes", 2), ("zebras", 1)]


def changes(page: Element) -> dict[str, tuple[str, str, str]]:
    """The verb and the values before and after of each entry on a version's page."""
    found = {}
    for row in page.all("tr"):
        if "data-verb" in row.attrs:
            verb, was, after = (cell.text for cell in row.all("td"))
            found[row.one("th").text] = (verb, was, after)
    return found


@pytest.mark.parametrize("role", Role)
def test_only_staff_and_admins_see_the_history(people_by_role: dict[str, Person], texts_pages: str, role: str) -> None:
    add("a")
    add("b")
    browser, is_allowed = sign_in(people_by_role[role]), role in {Role.ADMIN, Role.STAFF}
    for url in (texts_pages, f"{texts_pages}1/"):
        assert browser.get(url).status_code == (200 if is_allowed else 403)
    for act in ("restore", "revert"):
        answer = browser.post(f"{texts_pages}1/{act}/", {"revision": "2"})
        assert answer.status_code == (303 if is_allowed else 403)
        assert browser.get(f"{texts_pages}1/{act}/").status_code == (405 if is_allowed else 403)
    assert texts() == ([] if is_allowed else ["a", "b"]), "version 1 was restored and then undone"


def test_before_the_first_save_there_are_no_versions(as_staff: Client, texts_pages: str) -> None:
    page = parse(as_staff.get(texts_pages)).one("main")
    assert "No versions yet" in page.by_class("empty")[0].text
    put_as_outside_writer("theirs")
    page = parse(as_staff.get(texts_pages)).one("main")
    assert "No versions yet" in page.by_class("empty")[0].text
    assert not page.by_class("notice")


def test_each_version_shows_its_author_changes_and_note(as_staff: Client, texts_pages: str) -> None:
    put_as_outside_writer("old")
    add(*"abcdef", note="For the <opening>")
    add("z", removed=("a",), by=BRUNO)
    change_as_outside_writer("x", "y")
    assert "An outside service changed" in parse(as_staff.get(texts_pages)).one("main").by_class("notice")[0].text
    add("last")
    page = parse(as_staff.get(texts_pages)).one("main")
    assert not page.by_class("notice")
    fifth, fourth, third, second, first = rows(page)
    assert [row.one("a", class_="row-link").text for row in rows(page)] == ["v5", "v4", "v3", "v2", "v1"]
    assert [each.text for row in rows(page) for each in row.by_class("badge")] == ["Current"]
    assert fifth.by_class("badge")
    assert "changed by an outside service" in fourth.text
    assert (third.by_class("tally")[0].text, "Bruno Paz" in third.text) == ("+1−1", True)
    assert third.by_class("row-sub")[0].text == "z, a"
    assert second.by_class("row-sub")[0].text == "a, b, c, d and 2 more"
    assert second.one("q").text == "For the <opening>"
    assert "existed before the first change" in first.text
    assert calls_of(as_staff.get(texts_pages)).trips <= 2


def test_a_version_is_compared_with_the_previous_another_or_the_current_one(as_staff: Client, texts_pages: str) -> None:
    add("a", "b")
    add("c", removed=("a",))
    add("d")
    page = parse(as_staff.get(f"{texts_pages}2/")).one("main")
    assert page.one("section", id="changes").one("h2").text == "From v1 to v2"
    assert changes(page) == {"c": ("Added", "–", "yes"), "a": ("Removed", "yes", "–")}
    page = parse(as_staff.get(f"{texts_pages}2/?with=now")).one("main")
    assert page.one("section", id="changes").one("h2").text == "From v2 to the current version"
    assert changes(page) == {"d": ("Added", "–", "yes")}
    # The older version is always the first one.
    assert changes(parse(as_staff.get(f"{texts_pages}1/?with=3"))) == changes(
        parse(as_staff.get(f"{texts_pages}3/?with=1"))
    )
    options = [each.attrs["value"] for each in page.one("select", id="with").all("option")]
    assert options == ["now", "3", "1"]
    assert "No differences" in parse(as_staff.get(f"{texts_pages}3/?with=now")).one("main").text
    first = parse(as_staff.get(f"{texts_pages}1/")).one("main")
    assert first.one("section", id="changes").one("h2").text == "Initial content"
    assert set(changes(first)) == {"a", "b"}
    for query in ("", "?with=now", "?with=1"):
        assert calls_of(as_staff.get(f"{texts_pages}2/{query}")).trips <= 2


def test_unknown_version_numbers_are_not_found(as_staff: Client, texts_pages: str) -> None:
    add("a")
    for number in ("0", "-1", "2", "99999999", "100000000", "9" * 40):
        assert as_staff.get(f"{texts_pages}{number}/").status_code == 404, number
        for act in ("restore", "revert"):
            assert as_staff.post(f"{texts_pages}{number}/{act}/", {"revision": "1"}).status_code == 404, number
    for compared in ("2", "x", "-1", "١", "9" * 40, "1e3", "%00"):
        assert as_staff.get(f"{texts_pages}1/?with={compared}").status_code == 404, compared
    assert len(queries.history(TEXTS).items) == 1


def test_a_version_without_its_predecessor_cannot_be_undone(as_staff: Client, texts_pages: str) -> None:
    put_all([raw_version(7), raw_body(7)])
    page = parse(as_staff.get(f"{texts_pages}7/")).one("main")
    assert "its changes are unknown" in page.text
    assert not [button for button in page.all("button") if "Undo" in button.text]
    assert as_staff.post(f"{texts_pages}7/revert/").status_code == 404


def test_the_author_of_an_entry_is_found(table: str) -> None:
    for number in range(queries.MAX_AUTHOR_VERSIONS + 2):
        save_reasons_version(f"Spam {number}", BRUNO if number % 2 else ACTOR)

    def author(name: str) -> ConfigVersion | None:
        return queries.find_authors(REASONS, queries.current(REASONS), [name]).get(name)

    newest = author("reason:spam")
    assert newest is not None and (newest.number, newest.who) == (queries.MAX_AUTHOR_VERSIONS + 3, "Bruno Paz")
    assert author("reason:hate") is None, "no recent version changed it"
    key = keys.CONFIG.key(name="reasons")
    theirs = [{"id": "spam", "en": "Spam 2", "es": "Spam 2"}]
    connected().update_item(key.pk, key.sk, actions=[Config.reasons.set(theirs)])
    assert author("reason:spam") is None, "an outside writer changed it, so it has no author"


def test_thousands_of_changes_are_shown_in_part_or_all_on_request(as_staff: Client, texts_pages: str) -> None:
    add(*(f"w{n:04}" for n in range(5_000)))
    page = parse(as_staff.get(f"{texts_pages}1/")).one("main")
    assert len(changes(page)) == presenters.MAX_ROWS
    assert "4800 of 5000 not shown" in page.text
    everything = next(each.attrs["href"] for each in page.all("a") if each.text == "Show all")
    assert len(changes(parse(as_staff.get(everything)).one("main"))) == 5_000


def raw_version(number: int) -> dict[str, Any]:
    version = ConfigVersion.new(name="texts", version=number)
    version.version, version.created_at, version.by_name = number, now(), "Alma Ríos"
    version.counts, version.totals, version.sample = {"add": 1}, {"texts": number}, [f"w{number}"]
    return version.serialize()


def raw_body(number: int) -> dict[str, Any]:
    body = ConfigBody.new(name="texts", version=number)
    body.packed = pack({"whitelist": [f"w{number}"]})
    return body.serialize()


def test_a_thousand_versions_cost_the_same_as_twenty(as_staff: Client, texts_pages: str) -> None:
    def cost(url: str) -> tuple[int, list[str]]:
        log = calls_of(as_staff.get(url))
        return log.trips, sorted(call.operation for call in log.calls)

    put_all([raw_version(number) for number in range(1, 23)])
    put_all([raw_body(number) for number in range(1, 23)])
    few = [cost(texts_pages), cost(f"{texts_pages}9/")]
    put_all([raw_version(number) for number in range(23, 1_001)])
    put_all([raw_body(number) for number in range(990, 1_001)])
    assert [cost(texts_pages), cost(f"{texts_pages}9/")] == few
    page = parse(as_staff.get(texts_pages)).one("main")
    assert len(rows(page)) == queries.PAGE
    more = next(each for each in page.all("a") if "data-more" in each.attrs)
    answer = as_staff.get(more.attrs["href"], headers={"HX-Request": "true"})
    assert rows(parse(answer))[0].one("a", class_="row-link").text == "v980"
    assert len(parse(as_staff.get(f"{texts_pages}1000/")).one("select", id="with").all("option")) <= 24


def test_odd_versions_of_outside_writers_are_shown(as_staff: Client, texts_pages: str) -> None:
    odd = ConfigVersion.new(name="texts", version=3)
    odd.counts, odd.sample, odd.origin = {"add": "many", "change": 2}, [1, "a"], "elsewhere-else"
    put_all([odd.serialize(), {"PK": {"S": "CONFIG#texts"}, "SK": {"S": "vnext"}}])
    (row,) = rows(parse(as_staff.get(texts_pages)).one("main"))
    assert row.by_class("tally")[0].text == "~2" and "elsewhere-else" in row.text
    assert keys.CONFIG_VERSION.key(name="texts", version=3).sk == "v00000003"
