"""Setting up the second factor: QR code, key, first code, and recovery codes that are shown once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pyotp
import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts import codes, queries, recovery_codes
from dashboard.platform.accounts.items import Person
from tests.accounts import audit_entries
from tests.accounts.second_factors import (
    COOKIE,
    SET_UP,
    error_texts,
    frozen_at_step_start,
    is_signed_in,
    reload,
    switch_on,
)
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


def send_code(browser: Client, page: Any, code: str = "") -> Any:
    """Send the first code, as an app shows it for the key on that page."""
    code = code or pyotp.TOTP(key_shown(page)).at(int(now().timestamp()))
    return set_up_form(page).send(browser, values={"code": code, "current": PASSWORD})


def codes_shown(page: Any) -> list[str]:
    return [each.text for box in parse(page).by_class("codes") for each in box.all("li")]


def test_the_first_code_turns_the_second_factor_on(world: World) -> None:
    person = world.add()
    here, there = sign_in(person), sign_in(person)
    old_cookie = here.cookies[COOKIE].value
    assert "Set up" in parse(here.get("/account/")).text
    with frozen_at_step_start() as moment:
        page = here.get(SET_UP)
        assert reload(person).revision == person.revision, "nothing is written before a correct code"
        response = send_code(here, page)

    assert response.status_code == 200
    after = reload(person)
    assert (after.totp_since, after.revision) == (moment, person.revision + 1)
    assert int(after.totp_step or 0) == int(moment.timestamp()) // 30
    shown_codes = codes_shown(response)
    assert len(shown_codes) == len(set(shown_codes)) == 10 and all(
        len(code) == len("1234 5678 9012") for code in shown_codes
    )
    plain = [code.replace(" ", "") for code in shown_codes]
    found = {recovery_codes.find_hash(person.email, after.recovery_hashes or (), code) for code in plain}
    assert found == after.recovery_hashes
    assert audit_entries.last_entry(person.email) == (person.email, "person.second_factor_on", {}, {})
    assert [is_signed_in(here), is_signed_in(there)] == [True, False]
    assert here.cookies[COOKIE].value != old_cookie
    # The recovery codes are shown once.
    manage = here.get(SET_UP)
    assert codes_shown(manage) == [] and shown_codes[0] not in manage.content.decode()
    assert "10 left" in parse(manage).text
    assert "10 recovery codes left" in parse(here.get("/account/")).text


def test_neither_the_key_nor_recovery_codes_are_stored(world: World, settings: Any) -> None:
    """The key is derived from a stored seed and a pepper that is not in the table."""
    person = world.add()
    browser = sign_in(person)
    with frozen_at_step_start():
        page = browser.get(SET_UP)
        key = key_shown(page)
        response = send_code(browser, page)
    stored = str(reload(person).serialize()) + str([each.serialize() for each in audit_entries.entries(person.email)])
    assert key not in stored
    assert not any(code.replace(" ", "") in stored for code in codes_shown(response))
    seed = reload(person).totp_seed or ""
    assert codes.secret_of(person.email, seed) == key
    settings.API_KEY_PEPPER = "another pepper"
    assert codes.secret_of(person.email, seed) != key
    assert codes.secret_of("other@example.com", seed) != codes.secret_of(person.email, seed)


def test_the_page_shows_the_key_as_qr_code_and_text_and_is_not_cached(world: World) -> None:
    page = sign_in(world.add()).get(SET_UP)
    (qr_code,) = parse(page).by_class("qr")
    assert qr_code.attrs["role"] == "img" and qr_code.attrs["aria-label"]
    assert [path.attrs.get("fill") or path.attrs["stroke"] for path in qr_code.all("path")] == ["#fff", "#000"]
    assert len(key_shown(page)) == 32
    assert "no-store" in page.headers["Cache-Control"]
    field = parse(page).one("input", name="code")
    assert (field.attrs["autocomplete"], field.attrs["inputmode"]) == ("one-time-code", "numeric")


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "１２３", "x" * 41, "123456789012", "a\x00b"])
def test_an_invalid_code_changes_nothing_and_keeps_the_key(world: World, code: str) -> None:
    person = world.add()
    browser = sign_in(person)
    page = browser.get(SET_UP)
    response = set_up_form(page).send(browser, values={"code": code, "current": PASSWORD})
    assert response.status_code == 422
    assert key_shown(response) == key_shown(page), "the scanned QR code stays valid"
    assert values(reload(person), *SECOND_FACTOR) == (None, None, None, None)


def test_after_a_wrong_code_a_correct_code_is_accepted(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    with frozen_at_step_start() as moment:
        page = browser.get(SET_UP)
        old = pyotp.TOTP(key_shown(page)).at(int((moment - timedelta(minutes=2)).timestamp()))
        refused = send_code(browser, page, old)
        assert refused.status_code == 422 and "Wrong code" in error_texts(refused)
        assert not reload(person).has_second_factor
        assert send_code(browser, refused).status_code == 200
    assert reload(person).has_second_factor


def test_spaces_and_dashes_in_a_code_are_ignored(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    with frozen_at_step_start():
        page = browser.get(SET_UP)
        code = pyotp.TOTP(key_shown(page)).at(int(now().timestamp()))
        assert send_code(browser, page, f" {code[:3]}\u2009{code[3:5]}-{code[5:]} ").status_code == 200
    assert reload(person).has_second_factor


def test_two_tabs_show_the_same_key_and_only_one_completes_the_set_up(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    first, second = browser.get(SET_UP), browser.get(SET_UP)
    assert key_shown(first) == key_shown(second)
    with frozen_at_step_start():
        assert send_code(browser, first).status_code == 200
        seed = reload(person).totp_seed
        late = send_code(browser, second)
    assert late.status_code == 409 and "already on" in parse(late).text
    assert reload(person).totp_seed == seed
    assert audit_entries.actions(person.email).count("person.second_factor_on") == 1


def test_a_form_can_be_sent_in_a_later_session(world: World) -> None:
    """After signing in again, the code is still checked against the key that was scanned."""
    person = world.add()
    page = sign_in(person).get(SET_UP)
    again = sign_in(person)
    assert key_shown(again.get(SET_UP)) != key_shown(page), "each session has its own key"
    with frozen_at_step_start():
        assert send_code(again, page).status_code == 200
    assert codes.secret_of(person.email, reload(person).totp_seed or "") == key_shown(page)


def test_the_seed_of_another_person_is_refused(world: World) -> None:
    person, other = world.add(), world.add()
    browser = sign_in(person)
    theirs = sign_in(other).get(SET_UP)
    with frozen_at_step_start():
        code = pyotp.TOTP(key_shown(theirs)).at(int(now().timestamp()))
        seed = set_up_form(theirs).data()["seed"]
        assert browser.post(SET_UP, {"seed": seed, "code": code, "current": PASSWORD}).status_code == 422
    assert not reload(person).has_second_factor


def test_a_form_sent_twice_shows_the_same_codes(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    with frozen_at_step_start():
        page = browser.get(SET_UP)
        form, code = set_up_form(page), pyotp.TOTP(key_shown(page)).at(int(now().timestamp()))
        first = form.send(browser, values={"code": code, "current": PASSWORD})
        cookie = browser.cookies[COOKIE].value
        again = form.send(browser, values={"code": code, "current": PASSWORD})
    assert [first.status_code, again.status_code] == [200, 200]
    assert codes_shown(first) == codes_shown(again) != []
    assert browser.cookies[COOKIE].value == cookie, "the browser keeps its session"
    assert audit_entries.actions(person.email).count("person.second_factor_on") == 1
    assert len([each for each in queries.sessions(person.email) if each.is_good_for(reload(person))]) == 1


def test_a_form_sent_again_shows_only_unused_recovery_codes(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    with frozen_at_step_start():
        page = browser.get(SET_UP)
        form, code = set_up_form(page), pyotp.TOTP(key_shown(page)).at(int(now().timestamp()))
        recovery_codes = codes_shown(form.send(browser, values={"code": code, "current": PASSWORD}))
        other_browser = new_browser()
        other_browser.post("/login/", {"email": person.email, "password": PASSWORD})
        assert other_browser.post("/login/code/", {"code": recovery_codes[0]}).status_code == 303
        assert codes_shown(form.send(browser, values={"code": code, "current": PASSWORD})) == recovery_codes[1:]


def test_every_set_up_has_a_new_key(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    with frozen_at_step_start():
        page = browser.get(SET_UP)
        send_code(browser, page)
        off = form_to(browser.get(SET_UP), "/account/second-factor/off/")
        off.send(browser, values={"current": PASSWORD})
        assert key_shown(browser.get(SET_UP)) != key_shown(page)


def test_lists_do_not_read_the_second_factor(world: World) -> None:
    person, _codes = switch_on(world.add())
    (listed,) = queries.everyone(person.email).items
    assert values(listed, *SECOND_FACTOR) == (None, None, None, None)
    (by_role,) = queries.accounts("staff", person.email).items
    assert values(by_role, *SECOND_FACTOR) == (None, None, None, None)


def test_an_expired_session_cannot_set_up_a_second_factor(world: World) -> None:
    person: Person = world.add()
    with frozen(now() - timedelta(days=15)):
        browser = sign_in(person)
        page = browser.get(SET_UP)
    assert send_code(browser, page).status_code == 401
    assert not reload(person).has_second_factor
