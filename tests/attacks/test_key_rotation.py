"""A secret key and a pepper are replaced while people work: nothing is lost and nothing happens twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest

from dashboard.core.errors import BadCursor
from dashboard.platform.apikeys import queries as api_keys
from dashboard.platform.apikeys import services as api_key_services
from dashboard.platform.apikeys.services import hash_secret
from dashboard.platform.jobs import runner
from dashboard.table import cursors
from dashboard.table.commands import Actor, Command, new_command
from tests.accounts import audit_entries
from tests.accounts.person_page import form_of
from tests.accounts.second_factors import (
    reload,
)
from tests.apikeys.factories import call_api, create_key, error_of
from tests.apikeys.pages import new_key_form
from tests.attacks.conftest import Rotate
from tests.audit.seal_helpers import FRIDAY, FRIDAY_NIGHT, seal_night, verify, write_entry, write_week
from tests.conftest import add_business, real_engines
from tests.jobs.count_job import lines, start_count, times_counted
from tests.jobs.execution import finish
from tests.jobs.execution import reloaded as reloaded_job
from tests.ui.html import parse, undo_form
from tests.ui.walk import calls_of
from tests.ui.world import World


# --- Forms, links and cursors --------------------------------------------------------------------
def test_a_form_opened_before_the_rotation_acts_once_however_often_it_is_sent(world: World, rotate: Rotate) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, "edit")
    rotate()
    for _ in range(2):
        assert form.send(browser, values={"name": "New"}).status_code == 303
    assert audit_entries.actions(person.email) == ["person.edit", "person.create"]
    assert reload(person).revision == person.revision + 1


def test_a_form_sent_before_and_again_after_the_rotation_acts_once(world: World, rotate: Rotate) -> None:
    """It creates one API key and shows the same secret each time."""
    add_business("rotated", "Rotated", "olivia@example.com")
    browser = world.browser("owner")
    form = new_key_form(browser, "rotated")

    def send() -> str:
        page = parse(form.send(browser, values={"name": "Once"}))
        return page.one("input", id="secret").attrs["value"]

    first = send()
    for _ in range(2):
        rotate()
        assert send() == first
    assert [key.name for key in api_keys.keys_of("rotated").items] == ["Once"]


def test_a_form_sent_again_after_the_rotation_shows_the_same_one_time_link(world: World, rotate: Rotate) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, "link")

    def link() -> list[str]:
        page = parse(form.send(browser, follow=True))
        return [each.attrs["value"] for each in page.all("input") if "/join/" in each.attrs.get("value", "")]

    first = link()
    rotate()
    assert link() == first and len(first) == 1


def test_undo_works_after_the_rotation(world: World, rotate: Rotate) -> None:
    person, browser = world.add(name="Old"), world.browser("admin")
    answer = form_of(browser, person, "edit").send(browser, values={"name": "New"})
    # The toast is in a signed cookie until the next page.
    rotate()
    undo_form(browser.get(answer.headers["Location"])).send(browser)
    assert reload(person).name == "Old"


def test_a_command_without_a_mark_belongs_to_the_oldest_keys(rotate: Rotate) -> None:
    """Such as a form that was opened before an update to the version that marks its commands."""
    command = Command("01k0000000000000000000000-0", Actor("ana@example.com"))
    part, secret = command.part("one").id, command.secret("link")
    rotate()
    assert (command.part("one").id, command.secret("link")) == (part, secret)


def test_the_keys_of_a_new_command_are_the_current_ones(rotate: Rotate, forget_old_keys: Rotate) -> None:
    rotate()
    command = new_command(Actor("ana@example.com"))
    part, secret = command.part("one").id, command.part("one").part("two").secret("link")
    forget_old_keys()
    assert (command.part("one").id, command.part("one").part("two").secret("link")) == (part, secret)


def test_a_server_that_does_not_sign_with_the_new_keys_yet_accepts_them(rotate: Rotate, settings: Any) -> None:
    """With several servers the new keys are fallbacks first."""
    before = settings.SECRET_KEY, settings.API_KEY_PEPPER
    rotate()
    command, cursor = new_command(Actor("ana@example.com")), cursors.encode(7, "people")
    part, new = command.part("one").id, (settings.SECRET_KEY, settings.API_KEY_PEPPER)
    settings.SECRET_KEY, settings.API_KEY_PEPPER = before
    settings.SECRET_KEY_FALLBACKS, settings.API_KEY_PEPPER_FALLBACKS = [new[0]], [new[1]]
    assert command.part("one").id == part and cursors.decode(cursor, "people") == 7


def test_a_cursor_stays_valid_until_its_key_is_removed(rotate: Rotate, forget_old_keys: Rotate) -> None:
    cursor = cursors.encode({"at": 7}, "alma@example.com", "people")
    rotate()
    assert cursors.decode(cursor, "alma@example.com", "people") == {"at": 7}
    forget_old_keys()
    with pytest.raises(BadCursor):
        cursors.decode(cursor, "alma@example.com", "people")


# --- Jobs and seals ------------------------------------------------------------------------------
@real_engines
def test_a_job_continues_and_does_no_target_twice(table: str, rotate: Rotate) -> None:
    """Also the targets of a step whose progress was not saved before the restart."""
    given = lines(30)
    job = start_count(Actor("ana@example.com"), *given)
    runner.advance(job, seconds=0)
    done = reloaded_job(job)
    assert 0 < done.done < 30
    # The server stops after the targets of a step, before its progress is written.
    with mock.patch.object(runner, "_save", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        runner.advance(done, seconds=0)
    rotate()
    assert finish(reloaded_job(job)).done == 30
    assert [times_counted(line["name"]) for line in given] == [1] * 30


def test_seals_stay_valid_and_sealing_continues(table: str, rotate: Rotate, forget_old_keys: Rotate) -> None:
    write_week()
    seal_night()
    rotate()
    assert verify()[0] == []
    write_entry(FRIDAY)
    seal_night(FRIDAY_NIGHT + timedelta(days=1))
    forget_old_keys()
    assert verify(FRIDAY_NIGHT + timedelta(days=1))[0] == []


# --- API keys ------------------------------------------------------------------------------------
def test_an_api_key_is_hashed_again_at_its_next_use(table: str, rotate: Rotate, forget_old_keys: Rotate) -> None:
    add_business("andina", "Coca-Cola Andina", "olivia@example.com")
    key, secret = create_key("andina")
    _, unused = create_key("andina")
    rotate()
    first = call_api(secret)
    assert first.status_code == 200
    after = api_keys.load_key("andina", key.id)
    assert (after.api_key_hash, after.revision) == (hash_secret(secret), key.revision)
    # From then on the current hash is found at once.
    usual = [each.operation for each in calls_of(call_api(secret)).calls]
    assert len(usual) < len(calls_of(first).calls)
    forget_old_keys()
    assert call_api(secret).status_code == 200
    assert error_of(call_api(unused)) == (401, "unknown_key"), "it was not used while both peppers were known"


@real_engines
def test_sixteen_requests_hash_a_key_again_while_it_is_edited(table: str, rotate: Rotate) -> None:
    """No lost update: the edit is there, the hash is the current one."""
    add_business("andina", "Coca-Cola Andina", "olivia@example.com")
    key, secret = create_key("andina", limit=1000)
    rotate()

    def use() -> int:
        return int(call_api(secret).status_code)

    def edit() -> int:
        command = new_command(Actor("olivia@example.com"))
        values: dict[str, Any] = {"name": "New", "origins": [], "rate_limit": 900}
        api_key_services.edit("andina", key.id, revision=key.revision, command=command, **values)
        return 200

    with ThreadPoolExecutor(16) as threads:
        work = [threads.submit(copy_context().run, each) for each in [*[use] * 15, edit]]
        assert [future.result() for future in work] == [200] * 16
    after = api_keys.load_key("andina", key.id)
    assert (after.name, after.limit, after.api_key_hash) == ("New", 900, hash_secret(secret))
    assert call_api(secret).status_code == 200
