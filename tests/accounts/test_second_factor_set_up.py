"""Setting the second factor up: a picture, a key, a first code, and recovery codes that are shown once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pyotp
import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts import codes, queries
from dashboard.platform.accounts.items import Person
from tests.accounts import audit_entries
from tests.accounts.second_factors import COOKIE, SET_UP, complaints, early_in_a_step, is_in, reloaded, switch_on
from tests.conftest import PASSWORD, sign_in
from tests.ui.html import Form, form_to, parse
from tests.ui.walk import new_browser, values
from tests.ui.world import World

SECOND_FACTOR = ("totp_seed", "totp_since", "totp_step", "recovery_hashes")


def key_shown(page: Any) -> str:
    (key,) = parse(page).by_class("key")
    return key.text.replace(" ", "")


def set_up_form(page: Any) -> Form:
    return form_to(page, SET_UP)


def send(browser: Client, page: Any, code: str = "") -> Any:
    """The first code, as an app would show it for the key on that page."""
    code = code or pyotp.TOTP(key_shown(page)).at(int(now().timestamp()))
    return set_up_form(page).send(browser, values={"code": code, "current": PASSWORD})


def codes_shown(page: Any) -> list[str]:
    return [each.text for box in parse(page).by_class("codes") for each in box.all("li")]


def test_from_off_to_on(world: World) -> None:
    person = world.add()
    here, there = sign_in(person), sign_in(person)
    old_cookie = here.cookies[COOKIE].value
    assert "Set up" in parse(here.get("/account/")).text
    with early_in_a_step() as moment:
        page = here.get(SET_UP)
        assert reloaded(person).revision == person.revision, "nothing is written until the code was right"
        response = send(here, page)

    assert response.status_code == 200
    after = reloaded(person)
    assert (after.totp_since, after.revision) == (moment, person.revision + 1)
    assert int(after.totp_step or 0) == int(moment.timestamp()) // 30
    shown = codes_shown(response)
    assert len(shown) == len(set(shown)) == 10 and all(len(code) == len("1234 5678 9012") for code in shown)
    plain = [code.replace(" ", "") for code in shown]
    assert after.recovery_hashes == {codes.recovery_hash(person.email, code) for code in plain}
    assert audit_entries.last(person.email) == (person.email, "person.second_factor_on", {}, {})
    assert [is_in(here), is_in(there)] == [True, False]
    assert here.cookies[COOKIE].value != old_cookie
    # They are shown once.
    manage = here.get(SET_UP)
    assert codes_shown(manage) == [] and shown[0] not in manage.content.decode()
    assert "10 left" in parse(manage).text
    assert "10 recovery codes left" in parse(here.get("/account/")).text


def test_what_is_stored_tells_nothing(world: World, settings: Any) -> None:
    """The key is made of a seed and a pepper that is in no table."""
    person = world.add()
    browser = sign_in(person)
    with early_in_a_step():
        page = browser.get(SET_UP)
        key = key_shown(page)
        response = send(browser, page)
    stored = str(reloaded(person).serialize()) + str([each.serialize() for each in audit_entries.entries(person.email)])
    assert key not in stored
    assert not any(code.replace(" ", "") in stored for code in codes_shown(response))
    seed = reloaded(person).totp_seed or ""
    assert codes.secret_of(person.email, seed) == key
    settings.API_KEY_PEPPER = "another pepper"
    assert codes.secret_of(person.email, seed) != key
    assert codes.secret_of("other@example.com", seed) != codes.secret_of(person.email, seed)


def test_the_page_shows_the_key_as_a_picture_and_in_letters_and_is_kept_nowhere(world: World) -> None:
    page = sign_in(world.add()).get(SET_UP)
    (picture,) = parse(page).by_class("qr")
    assert picture.attrs["role"] == "img" and picture.attrs["aria-label"]
    assert [path.attrs.get("fill") or path.attrs["stroke"] for path in picture.all("path")] == ["#fff", "#000"]
    assert len(key_shown(page)) == 32
    assert "no-store" in page.headers["Cache-Control"]
    field = parse(page).one("input", name="code")
    assert (field.attrs["autocomplete"], field.attrs["inputmode"]) == ("one-time-code", "numeric")


@pytest.mark.parametrize("typed", ["", "12345", "1234567", "abcdef", "１２３", "x" * 41, "123456789012", "a\x00b"])
def test_what_is_no_code_switches_nothing_on(world: World, typed: str) -> None:
    person = world.add()
    browser = sign_in(person)
    page = browser.get(SET_UP)
    response = set_up_form(page).send(browser, values={"code": typed, "current": PASSWORD})
    assert response.status_code == 422
    assert key_shown(response) == key_shown(page), "the picture that was scanned stays good"
    assert values(reloaded(person), *SECOND_FACTOR) == (None, None, None, None)


def test_a_wrong_code_switches_nothing_on_and_the_next_one_may_be_right(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    with early_in_a_step() as moment:
        page = browser.get(SET_UP)
        old = pyotp.TOTP(key_shown(page)).at(int((moment - timedelta(minutes=2)).timestamp()))
        refused = send(browser, page, old)
        assert refused.status_code == 422 and "Wrong code" in complaints(refused)
        assert not reloaded(person).has_second_factor
        assert send(browser, refused).status_code == 200
    assert reloaded(person).has_second_factor


def test_spaces_and_dashes_are_no_mistake(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    with early_in_a_step():
        page = browser.get(SET_UP)
        code = pyotp.TOTP(key_shown(page)).at(int(now().timestamp()))
        assert send(browser, page, f" {code[:3]}\u2009{code[3:5]}-{code[5:]} ").status_code == 200
    assert reloaded(person).has_second_factor


def test_two_tabs_show_one_key_and_one_of_them_switches_it_on(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    first, second = browser.get(SET_UP), browser.get(SET_UP)
    assert key_shown(first) == key_shown(second)
    with early_in_a_step():
        assert send(browser, first).status_code == 200
        seed = reloaded(person).totp_seed
        late = send(browser, second)
    assert late.status_code == 409 and "already on" in parse(late).text
    assert reloaded(person).totp_seed == seed
    assert audit_entries.actions(person.email).count("person.second_factor_on") == 1


def test_a_form_outlives_the_session_it_was_opened_in(world: World) -> None:
    """Signed out in between: the code is checked against the picture that was scanned."""
    person = world.add()
    page = sign_in(person).get(SET_UP)
    again = sign_in(person)
    assert key_shown(again.get(SET_UP)) != key_shown(page), "another session, another key"
    with early_in_a_step():
        assert send(again, page).status_code == 200
    assert codes.secret_of(person.email, reloaded(person).totp_seed or "") == key_shown(page)


def test_a_seed_of_someone_else_is_worth_nothing(world: World) -> None:
    person, other = world.add(), world.add()
    browser = sign_in(person)
    theirs = sign_in(other).get(SET_UP)
    with early_in_a_step():
        code = pyotp.TOTP(key_shown(theirs)).at(int(now().timestamp()))
        seed = set_up_form(theirs).data()["seed"]
        assert browser.post(SET_UP, {"seed": seed, "code": code, "current": PASSWORD}).status_code == 422
    assert not reloaded(person).has_second_factor


def test_a_form_sent_twice_shows_the_same_codes(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    with early_in_a_step():
        page = browser.get(SET_UP)
        form, code = set_up_form(page), pyotp.TOTP(key_shown(page)).at(int(now().timestamp()))
        first = form.send(browser, values={"code": code, "current": PASSWORD})
        cookie = browser.cookies[COOKIE].value
        again = form.send(browser, values={"code": code, "current": PASSWORD})
    assert [first.status_code, again.status_code] == [200, 200]
    assert codes_shown(first) == codes_shown(again) != []
    assert browser.cookies[COOKIE].value == cookie, "it has its session already"
    assert audit_entries.actions(person.email).count("person.second_factor_on") == 1
    assert len([each for each in queries.sessions(person.email) if each.is_good_for(reloaded(person))]) == 1


def test_a_form_sent_again_after_the_codes_were_used_shows_those_that_are_left(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    with early_in_a_step():
        page = browser.get(SET_UP)
        form, code = set_up_form(page), pyotp.TOTP(key_shown(page)).at(int(now().timestamp()))
        shown = codes_shown(form.send(browser, values={"code": code, "current": PASSWORD}))
        pending_sign_in = new_browser()
        pending_sign_in.post("/login/", {"email": person.email, "password": PASSWORD})
        assert pending_sign_in.post("/login/code/", {"code": shown[0]}).status_code == 303
        assert codes_shown(form.send(browser, values={"code": code, "current": PASSWORD})) == shown[1:]


def test_every_set_up_has_a_key_of_its_own(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    with early_in_a_step():
        page = browser.get(SET_UP)
        send(browser, page)
        off = form_to(browser.get(SET_UP), "/account/second-factor/off/")
        off.send(browser, values={"current": PASSWORD})
        assert key_shown(browser.get(SET_UP)) != key_shown(page)


def test_lists_fetch_nothing_of_it(world: World) -> None:
    person, _codes = switch_on(world.add())
    (listed,) = queries.everyone(person.email).items
    assert values(listed, *SECOND_FACTOR) == (None, None, None, None)
    (by_role,) = queries.accounts("staff", person.email).items
    assert values(by_role, *SECOND_FACTOR) == (None, None, None, None)


def test_whoever_is_signed_out_meanwhile_sets_nothing_up(world: World) -> None:
    person: Person = world.add()
    with frozen(now() - timedelta(days=15)):
        browser = sign_in(person)
        page = browser.get(SET_UP)
    assert send(browser, page).status_code == 401
    assert not reloaded(person).has_second_factor
