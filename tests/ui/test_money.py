"""Amounts: parsed by their currency, formatted for the reader's language."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation

from dashboard.web import money


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("25000", "CLP", "25000"),
        ("19.9", "USD", "19.9"),
        ("19,90", "EUR", "19.90"),
        ("1.234", "KWD", "1.234"),
        ("", "USD", None),
        ("15.000", "CLP", "15000"),
        ("15,000", "CLP", "15000"),
        ("1.500.000", "PYG", "1500000"),
    ],
)
def test_amounts_are_parsed_by_currency(text: str, currency: str, amount: str | None) -> None:
    assert money.read_amount(text, currency) == (Decimal(amount) if amount else None)


@pytest.mark.parametrize(
    ("text", "currency"),
    [("1.2345", "KWD"), ("19.999", "USD"), ("1,000.00", "USD"), ("9" * 13, "USD"), ("15.000", "USD")]
    + [(text, "CLP") for text in ("15.00", "1.5000", "1.500,000", "15.000.0", "1234.567", ".500")],
)
def test_invalid_and_ambiguous_amounts_are_refused(text: str, currency: str) -> None:
    with pytest.raises(ValidationError):
        money.read_amount(text, currency)


@pytest.mark.parametrize(
    ("amount", "currency", "language", "formatted"),
    [
        ("25000", "CLP", "es", "CLP 25 000"),
        ("25000.5", "USD", "en", "USD 25,000.50"),
        ("0", "JPY", "en", "JPY 0"),
        ("19.999", "USD", "en", "USD 19.999"),
        ("7", None, "en", "7"),
    ],
)
def test_amounts_are_formatted_for_the_language(amount: str, currency: str, language: str, formatted: str) -> None:
    with translation.override(language):
        assert money.format_amount(Decimal(amount), currency).replace("\xa0", " ") == formatted
