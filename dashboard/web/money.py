"""Reads and formats amounts: decimal places by currency, never a float."""

from __future__ import annotations

import re
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.translation import gettext as _

# The ISO 4217 codes in use.
_CODES = """
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLF CLP CNY
COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR
IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR
MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD
SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD
XOF XPF YER ZAR ZMW ZWG
"""
CURRENCIES = tuple(_CODES.split())
_NO_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND"
_DIGITS = dict.fromkeys(_NO_DECIMALS.split(), 0) | dict.fromkeys(_THREE_DECIMALS.split(), 3) | {"CLF": 4}
USUAL_DIGITS = 2
MAX_DIGITS = 12
_AMOUNT = re.compile(r"([0-9]+)(?:[.,]([0-9]+))?")
# One separator throughout: `1.500.000` or `1,500,000`.
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:(?:\.[0-9]{3})+|(?:,[0-9]{3})+)")


def digits_of(currency: str | None) -> int:
    """The number of decimal places."""
    return _DIGITS.get(currency or "", USUAL_DIGITS)


def read_amount(text: str, currency: str | None) -> Decimal | None:
    """The amount that was typed, with a point or a comma; None for an empty text.

    In a currency without decimal places, `15.000` is 15 thousand. In others, more decimal places than the currency has
    are refused: `25.000` may mean 25 or 25 thousand.
    """
    text = text.strip()
    if not text:
        return None
    if not digits_of(currency) and _THOUSANDS.fullmatch(text):
        text = text.replace(".", "").replace(",", "")
    match = _AMOUNT.fullmatch(text) if text.isascii() else None
    if match is None or len(match[1]) > MAX_DIGITS:
        raise ValidationError(_("Enter an amount in digits, such as 25000 or 19.90."))
    digits = digits_of(currency)
    if len(match[2] or "") > digits:
        if digits:
            text = _("%(currency)s has %(digits)s decimal places. Leave out thousands separators.")
        else:
            text = _("%(currency)s has no decimal places. Enter a whole amount, such as 15000 or 15.000.")
        raise ValidationError(text % {"currency": currency or _("An amount"), "digits": digits})
    return Decimal(f"{match[1]}.{match[2] or 0}")


def amount_for_input(amount: Decimal | None, currency: str | None) -> str:
    """An amount as text for a form field. Digits of outside writers are not rounded away."""
    if amount is None:
        return ""
    if not currency:
        return format(amount, "f")
    digits = digits_of(currency)
    rounded = amount.quantize(Decimal(1).scaleb(-digits)) if abs(amount) < 10**MAX_DIGITS else amount
    return format(rounded if rounded == amount else amount, "f")


def format_amount(amount: Decimal | None, currency: str | None) -> str:
    """An amount in the reader's language with the currency code; empty for None."""
    if amount is None:
        return ""
    number = number_format(amount_for_input(amount, currency), use_l10n=True, force_grouping=True)
    return f"{currency} {number}" if currency else number
