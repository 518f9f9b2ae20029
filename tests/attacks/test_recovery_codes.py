"""Recovery codes are hashed like passwords: neither the table nor the pepper alone reveals one."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from django.conf import settings

from dashboard.platform.accounts import encryption, hashers, recovery_codes
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.services import second_factor
from dashboard.table import write
from dashboard.table.commands import new_command
from tests.accounts.second_factors import enter_code, enter_password, error_texts, is_signed_in, reload, switch_on
from tests.conftest import PASSWORD, sign_in
from tests.ui.html import form_to
from tests.ui.world import World


@pytest.fixture
def verifications() -> Iterator[mock.Mock]:
    """Counts how often a password or a code is compared with an Argon2 hash."""
    verify = hashers.Argon2.verify
    with mock.patch.object(hashers.Argon2, "verify", autospec=True, side_effect=verify) as counted:
        yield counted


def old_hashes(email: str, codes: list[str]) -> set[str]:
    """The hashes as they were stored before."""
    pepper = settings.API_KEY_PEPPER.encode()
    texts = [f"recovery code {email} {code}".encode() for code in codes]
    return {hmac.digest(pepper, text, hashlib.sha256).hex() for text in texts}


def test_what_is_stored_is_a_slow_hash_encrypted_with_the_pepper(world: World) -> None:
    person, codes = switch_on(world.add())
    stored = person.recovery_hashes or set()
    assert len(stored) == 10 and not stored & old_hashes(person.email, codes)
    for each in stored:
        number, _, encrypted = each.partition(".")
        plain = encryption.decrypt(encrypted, f"recovery code {person.email}") or ""
        assert plain.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$") and plain not in str(stored)
        assert not any(code in plain for code in codes)
        assert [code[0] for code in codes].count(number) == 1


def test_a_hash_is_worth_nothing_for_another_person(world: World) -> None:
    person, codes = switch_on(world.add())
    other, _ = switch_on(world.add())
    write.update(other.key, [Person.recovery_hashes.set(person.recovery_hashes)])
    browser = enter_password(other)
    enter_code(browser, codes[0])
    assert not is_signed_in(browser)


def test_a_check_costs_one_verification_whether_the_code_is_right_wrong_or_used(
    world: World, verifications: mock.Mock
) -> None:
    person, codes = switch_on(world.add())
    hashes, command = person.recovery_hashes or set(), new_command(person.actor)
    left = {each for each in hashes if each[0] != "0"}
    for known, code in ((hashes, codes[0]), (hashes, codes[0][:-1] + "x"), (left, codes[0]), ((), codes[0])):
        verifications.reset_mock()
        recovery_codes.find_hash(person.email, known, code)
        assert verifications.call_count == 1
    verifications.reset_mock()
    assert recovery_codes.still_valid(person.email, hashes, command) == [], "the codes of another command"
    assert verifications.call_count == 0


def test_a_repeated_form_shows_the_codes_again_without_verifying_them(world: World, verifications: mock.Mock) -> None:
    person, _ = switch_on(world.add())
    command = new_command(person.actor)
    after = second_factor.new_recovery_codes(person.email, current=PASSWORD, session_id="", command=command)
    codes = recovery_codes.codes_of(command)
    verifications.reset_mock()
    assert second_factor.recovery_codes_of(after, command) == codes
    assert verifications.call_count == 0


def test_codes_from_before_work_once_and_are_replaced_by_new_ones(world: World) -> None:
    person, _ = switch_on(world.add())
    codes = [f"{number:012}" for number in range(900_000, 900_010)]
    write.update(person.key, [Person.recovery_hashes.set(old_hashes(person.email, codes))])
    for code, is_accepted in ((codes[0], True), (codes[0], False), (codes[1], True), ("000000900011", False)):
        browser = enter_password(person)
        response = enter_code(browser, code)
        assert is_signed_in(browser) is is_accepted, error_texts(response)
    assert reload(person).recovery_hashes == old_hashes(person.email, codes[2:])
    browser = sign_in(reload(person))
    page: Any = browser.get("/account/second-factor/")
    form_to(page, "/account/second-factor/recovery/").send(browser, values={"current": PASSWORD})
    renewed = reload(person).recovery_hashes or set()
    assert len(renewed) == 10 and all(len(each.partition(".")[2]) > 100 for each in renewed)
