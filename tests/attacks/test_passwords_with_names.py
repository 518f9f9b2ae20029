"""A password must not contain the name or the address of the person, but short parts of a name reject no password."""

from __future__ import annotations

import pytest

from dashboard.platform.accounts.forms import ChangePasswordForm, NewPasswordForm
from dashboard.platform.accounts.items import Person


def errors_of(password: str, name: str | None, email: str = "a@b.co") -> list[str]:
    person = Person.new(email=email)
    person.email, person.name = email, name
    found = NewPasswordForm({"password": password}, person=person).errors.as_data()
    return [str(text) for error in found.get("password", []) for text in error.messages]


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Li", "quietly-lighting-lanterns"),
        ("Ana", "banana-split-umbrella"),
        ("Ana Li", "banana-lighting-umbrella"),
        ("José de la O", "delaware-orange-lamp"),
        ("Bo 'Al' Xu", "boat-al-xu-umbrella"),
        ("Íñi", "íñigo-umbrella-lamp"),
        (None, "quietly-lighting-lanterns"),
        ("", "quietly-lighting-lanterns"),
    ],
)
def test_parts_of_a_name_shorter_than_four_letters_reject_no_password(name: str | None, password: str) -> None:
    assert errors_of(password, name) == []


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Marco Peña", "xx-marco-2026-xx"),
        ("Marco Peña", "xx-PEÑA-2026-xxxx"),
        ("Ana Li", "umbrella-ana li-2026"),
        ("Rosa", "umbrella-rosas-2026"),
    ],
)
def test_a_password_with_the_name_or_a_longer_part_of_it_is_rejected(name: str, password: str) -> None:
    assert errors_of(password, name) == ["The password must not contain your name or e-mail address."]


def test_a_password_with_the_address_is_rejected() -> None:
    assert errors_of("my-A@B.CO-password", "Ana")


def test_a_change_of_the_password_has_the_same_rule() -> None:
    person = Person.new(email="ana@example.com")
    person.email, person.name = "ana@example.com", "Ana"
    sent = {"current": "x", "password": "banana-split-umbrella"}
    assert ChangePasswordForm(sent, person=person).errors == {}
