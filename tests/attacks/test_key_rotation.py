"""A secret key and a pepper are replaced while people work: nothing is lost and nothing happens twice."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta
from typing import Any
from unittest import mock

import pyotp
import pytest

from dashboard.core.clock import frozen, now
from dashboard.core.errors import BadCursor
from dashboard.platform.accounts import codes
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import second_factor, sessions
from dashboard.platform.apikeys import queries as api_keys
from dashboard.platform.apikeys import services as api_key_services
from dashboard.platform.apikeys.services import hash_secret
from dashboard.platform.jobs import runner
from dashboard.table import cursors
from dashboard.table.commands import Actor, Command, new_command
from tests.accounts import audit_entries
from tests.accounts.person_page import form_of
from tests.accounts.second_factors import (
    SET_UP,
    code_of,
    early_in_a_step,
    give_code,
    give_password,
    is_in,
    reloaded,
    switch_on,
)
from tests.apikeys.factories import ask, create_key, refused
from tests.apikeys.pages import new_key_form
from tests.audit.seal_helpers import FRIDAY, FRIDAY_NIGHT, seal_night, verify, write_entry, write_week
from tests.conftest import add_business, add_person, real_engines, sign_in
from tests.jobs.count_job import lines, start_count, times_counted
from tests.jobs.execution import finish
from tests.jobs.execution import reloaded as reloaded_job
from tests.ui.html import form_to, parse, undo_form
from tests.ui.walk import calls_of
from tests.ui.world import World

Rotate = Callable[[], None]
OLD_PEPPERS = "API_KEY_PEPPER_FALLBACKS"


@pytest.fixture
def rotate(settings: Any) -> Rotate:
    """Replaces both secrets, as docs/key-rotation.md says: the current ones become fallbacks."""

    def replace() -> None:
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        settings.API_KEY_PEPPER_FALLBACKS = [settings.API_KEY_PEPPER, *getattr(settings, OLD_PEPPERS, [])]
        settings.SECRET_KEY = f"a new key that nobody knows {len(settings.SECRET_KEY_FALLBACKS)}"
        settings.API_KEY_PEPPER = f"a new pepper that nobody knows {len(settings.SECRET_KEY_FALLBACKS)}"

    return replace


@pytest.fixture
def forget_old_keys(settings: Any) -> Rotate:
    def forget() -> None:
        settings.SECRET_KEY_FALLBACKS = []
        settings.API_KEY_PEPPER_FALLBACKS = []

    return forget


# --- Forms, links and cursors --------------------------------------------------------------------
def test_a_form_opened_before_the_rotation_acts_once_however_often_it_is_sent(world: World, rotate: Rotate) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, "edit")
    rotate()
    for _ in range(2):
        assert form.send(browser, values={"name": "New"}).status_code == 303
    assert audit_entries.actions(person.email) == ["person.edit", "person.create"]
    assert reloaded(person).revision == person.revision + 1


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
    assert reloaded(person).name == "Old"


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
    first = ask(secret)
    assert first.status_code == 200
    after = api_keys.load_key("andina", key.id)
    assert (after.api_key_hash, after.revision) == (hash_secret(secret), key.revision)
    # From then on the current hash is found at once.
    usual = [each.operation for each in calls_of(ask(secret)).calls]
    assert len(usual) < len(calls_of(first).calls)
    forget_old_keys()
    assert ask(secret).status_code == 200
    assert refused(ask(unused)) == (401, "unknown_key"), "it was not used while both peppers were known"


@real_engines
def test_sixteen_requests_hash_a_key_again_while_it_is_edited(table: str, rotate: Rotate) -> None:
    """No lost update: the edit is there, the hash is the current one."""
    add_business("andina", "Coca-Cola Andina", "olivia@example.com")
    key, secret = create_key("andina", limit=1000)
    rotate()

    def use() -> int:
        return int(ask(secret).status_code)

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
    assert ask(secret).status_code == 200


# --- Second factors ------------------------------------------------------------------------------
def app_of(person: Person) -> pyotp.TOTP:
    """The app on the person's phone, which knows nothing of a rotation."""
    return pyotp.TOTP(codes.secret_of(person.email, person.totp_seed or ""))


def enter(person: Person, code: str) -> bool:
    browser = give_password(person)
    give_code(browser, code)
    return is_in(browser)


@pytest.mark.parametrize("set_up", ["by a page", "before seeds were encrypted"])
def test_a_second_factor_stays_valid_after_one_use(
    world: World, rotate: Rotate, forget_old_keys: Rotate, set_up: str
) -> None:
    person = world.add()
    if set_up == "by a page":
        browser = sign_in(person)
        with frozen(now() - timedelta(hours=1)), early_in_a_step():
            page = browser.get(SET_UP)
            key = "".join(parse(page).by_class("key")[0].text.split())
            form_to(page, SET_UP).send(browser, values={"code": pyotp.TOTP(key).at(now())})
        person = reloaded(person)
    else:
        person, _ = switch_on(person)
    phone = app_of(person)
    rotate()
    with early_in_a_step() as moment:
        assert enter(person, phone.at(moment))
    assert reloaded(person).revision == person.revision
    forget_old_keys()
    with frozen(moment + timedelta(minutes=5)):
        assert enter(person, phone.at(moment + timedelta(minutes=5)))


def test_a_second_factor_can_be_set_up_with_a_picture_from_before_the_rotation(world: World, rotate: Rotate) -> None:
    person = world.add()
    browser = sign_in(person)
    with early_in_a_step() as moment:
        page = browser.get(SET_UP)
        phone = pyotp.TOTP("".join(parse(page).by_class("key")[0].text.split()))
        rotate()
        wrong = form_to(page, SET_UP).send(browser, values={"code": "12"})
        assert parse(wrong).by_class("key")[0].text == parse(page).by_class("key")[0].text
        assert form_to(page, SET_UP).send(browser, values={"code": phone.at(moment)}).status_code == 200
    with frozen(moment + timedelta(minutes=5)):
        assert enter(reloaded(person), phone.at(moment + timedelta(minutes=5)))


def test_unused_recovery_codes_stay_valid_after_one_sign_in(
    world: World, rotate: Rotate, forget_old_keys: Rotate
) -> None:
    person, recovery = switch_on(world.add())
    rotate()
    assert enter(person, recovery[0])
    forget_old_keys()
    assert [enter(person, code) for code in recovery[:3]] == [False, True, True]
    assert reloaded(person).recovery_left == 7


def test_a_form_sent_again_after_the_rotation_shows_the_same_recovery_codes(world: World, rotate: Rotate) -> None:
    person, _ = switch_on(world.add())
    command = new_command(person.actor)
    with early_in_a_step():
        after = second_factor.new_recovery_codes(person.email, proof=code_of(person), command=command)
    shown = second_factor.recovery_codes_of(after, command)
    rotate()
    assert enter(person, shown[0])
    assert second_factor.recovery_codes_of(reloaded(person), command) == shown[1:]


@real_engines
def test_recovery_codes_used_at_once_during_the_rotation_work_once_each(table: str, rotate: Rotate) -> None:
    """Encrypting the codes again must not bring back one that was used in the meantime."""
    person, recovery = switch_on(add_person("ana@example.com", Role.STAFF))
    pending = [sessions.find(sessions.admit(person, address="10.0.0.1", agent="")) for _ in recovery]
    rotate()

    def enter_with(number: int) -> str:
        half = pending[number]
        assert half is not None
        return second_factor.sign_in(half, recovery[number], address="10.0.0.1", agent="")

    with ThreadPoolExecutor(5) as threads:
        work = [threads.submit(copy_context().run, enter_with, number) for number in range(5)]
        assert all(future.result() for future in work)
    assert reloaded(person).recovery_left == 5
