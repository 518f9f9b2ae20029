"""Codes of the second factor: the secret of the authenticator app, its codes and the recovery codes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import unicodedata

import pyotp
import segno
from django.conf import settings
from django.core import signing
from django.utils.safestring import SafeString

from dashboard.core.clock import now
from dashboard.table.commands import Command

ISSUER = "Trastienda"
DIGITS = 6
SECONDS = 30
# The number of steps that the clock of a phone may differ.
DRIFT = 1

# Digits only, because they are typed into the same field as the codes of the app.
RECOVERY_CODES = 10
RECOVERY_DIGITS = 12
_SEPARATORS = {"Pd", "Zs", "Cc", "Cf"}


def pending_seed(email: str, session_id: str) -> str:
    """The seed during set-up: the same in every tab of a browser and after a reload.

    Every change of the second factor ends the session, so a seed is never used twice.
    """
    return _digest(f"totp seed {email} {session_id}").hex()[:32]


def signed_seed(email: str, seed: str) -> str:
    """The signed seed for the form, so that a code is checked against the QR code on the same page."""
    return signing.dumps(seed, salt=_salt(email))


def read_seed(email: str, signed: str) -> str | None:
    try:
        seed: str = signing.loads(signed, salt=_salt(email), max_age=24 * 3600)
    except signing.BadSignature:
        return None
    return seed


def secret_of(email: str, seed: str) -> str:
    """The secret of the app, in base32, derived from the stored seed and the pepper."""
    return base64.b32encode(_digest(f"totp {email}{seed}")[:20]).decode()


def find_step(email: str, seed: str, code: str) -> int | None:
    """The time step of a code, within the allowed drift; None for a wrong code."""
    app = pyotp.TOTP(secret_of(email, seed), digits=DIGITS, interval=SECONDS)
    current = int(now().timestamp()) // SECONDS
    steps = range(current - DRIFT, current + DRIFT + 1)
    return max((step for step in steps if hmac.compare_digest(app.generate_otp(step), code)), default=None)


def app_link(email: str, seed: str) -> str:
    """The otpauth URI that an authenticator app reads."""
    app = pyotp.TOTP(secret_of(email, seed), digits=DIGITS, interval=SECONDS)
    return app.provisioning_uri(name=email, issuer_name=ISSUER)


def qr_code(email: str, seed: str) -> SafeString:
    """The QR code as inline SVG. It is dark on light in every theme, because cameras need that."""
    svg = segno.make(app_link(email, seed), error="m", micro=False).svg_inline(
        omitsize=True, border=4, svgclass=None, lineclass=None, dark="#000", light="#fff"
    )
    return SafeString(svg)  # It contains only numbers from segno.


def in_groups(text: str) -> str:
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def strip_separators(text: str) -> str:
    """A code without spaces and dashes."""
    return "".join(
        char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) not in _SEPARATORS
    )


def is_code(text: str) -> bool:
    return len(text) == DIGITS and text.isascii() and text.isdigit()


def is_recovery_code(text: str) -> bool:
    return len(text) == RECOVERY_DIGITS and text.isascii() and text.isdigit()


def recovery_codes(command: Command) -> list[str]:
    """The recovery codes of a command: the same ones if it is repeated."""
    secret = command.secret("recovery codes")
    values = (int.from_bytes(_digest(f"recovery {secret} {number}")) for number in range(RECOVERY_CODES))
    return [f"{value % 10**RECOVERY_DIGITS:0{RECOVERY_DIGITS}}" for value in values]


def recovery_hash(email: str, code: str) -> str:
    return _digest(f"recovery code {email} {code}").hex()


def _digest(text: str) -> bytes:
    return hmac.digest(settings.API_KEY_PEPPER.encode(), text.encode(), hashlib.sha256)


def _salt(email: str) -> str:
    return f"totp:{email}"
