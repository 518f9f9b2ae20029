"""Codes of the second factor: the secret of the authenticator app and its codes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import unicodedata
from dataclasses import dataclass

import pyotp
import segno
from django.core import signing
from django.utils.safestring import SafeString

from dashboard.core.clock import now
from dashboard.core.rotation import peppers
from dashboard.platform.accounts import encryption

ISSUER = "Trastienda"
DIGITS = 6
SECONDS = 30
# The number of steps that the clock of a phone may differ.
DRIFT = 1

_SEPARATORS = {"Pd", "Zs", "Cc", "Cf"}


@dataclass(frozen=True)
class AcceptedCode:
    """The time step of a correct code, and the seed to store from now on: encrypted with the current pepper."""

    step: int
    seed: str


def pending_seed(email: str, session_id: str) -> str:
    """The seed during set-up: the same in every tab of a browser and after a reload.

    Every change of the second factor ends the session, so a seed is never used twice.
    """
    return encryption.encrypt(_as_base32(_digest(f"totp seed {email} {session_id}", peppers()[0])), _salt(email))


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
    """The secret of the app, in base32."""
    return _possible_secrets(email, seed)[0]


def accept(email: str, seed: str, code: str) -> AcceptedCode | None:
    """Check a code within the allowed drift; None for a wrong one."""
    current = int(now().timestamp()) // SECONDS
    steps = range(current - DRIFT, current + DRIFT + 1)
    for secret in _possible_secrets(email, seed):
        app = pyotp.TOTP(secret, digits=DIGITS, interval=SECONDS)
        step = max((step for step in steps if hmac.compare_digest(app.generate_otp(step), code)), default=None)
        if step is not None:
            is_derived_now = secret == _derived_secret(email, seed, peppers()[0])
            return AcceptedCode(step, seed if is_derived_now else encryption.encrypt(secret, _salt(email)))
    return None


def encrypt_again(email: str, seed: str) -> str:
    """The seed encrypted with the current pepper. A seed from before the encryption stays as it is."""
    return encryption.encrypt_again(seed, _salt(email))


def _possible_secrets(email: str, seed: str) -> list[str]:
    """The secret that a seed contains. Seeds from before the encryption are combined with each pepper."""
    secret = encryption.decrypt(seed, _salt(email))
    return [secret] if secret else [_derived_secret(email, seed, pepper) for pepper in peppers()]


def _derived_secret(email: str, seed: str, pepper: str) -> str:
    return _as_base32(_digest(f"totp {email}{seed}", pepper))


def _as_base32(digest: bytes) -> str:
    return base64.b32encode(digest[:20]).decode()


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


def _digest(text: str, key: str) -> bytes:
    return hmac.digest(key.encode(), text.encode(), hashlib.sha256)


def _salt(email: str) -> str:
    return f"totp:{email}"
