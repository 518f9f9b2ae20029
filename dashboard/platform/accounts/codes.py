"""The second factor's arithmetic: the secret that an app holds, its codes, and the recovery codes."""

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
# How many steps a phone's clock may be off, either way.
DRIFT = 1

# Digits only: they are typed into the same field, on the same number pad, as the app's codes.
RECOVERY_CODES = 10
RECOVERY_DIGITS = 12
_SEPARATORS = {"Pd", "Zs", "Cc", "Cf"}


def pending_seed(email: str, session_id: str) -> str:
    """The seed of a set-up that is under way: the same in every tab of a browser and after a reload.

    Every change of the second factor ends the session it was made in, so that no seed comes twice.
    """
    return _digest(f"totp seed {email} {session_id}").hex()[:32]


def signed_seed(email: str, seed: str) -> str:
    """What the form carries: a code is checked against the picture it was shown with, whatever happened since."""
    return signing.dumps(seed, salt=_salt(email))


def read_seed(email: str, signed: str) -> str | None:
    try:
        seed: str = signing.loads(signed, salt=_salt(email), max_age=24 * 3600)
    except signing.BadSignature:
        return None
    return seed


def secret_of(email: str, seed: str) -> str:
    """What the app holds, in base32. Made from the stored seed and the pepper: the table alone tells nothing."""
    return base64.b32encode(_digest(f"totp {email}{seed}")[:20]).decode()


def matching_step(email: str, seed: str, code: str) -> int | None:
    """The step that a code belongs to, as the clock is now or a step off; none where it is wrong."""
    app = pyotp.TOTP(secret_of(email, seed), digits=DIGITS, interval=SECONDS)
    here = int(now().timestamp()) // SECONDS
    steps = range(here - DRIFT, here + DRIFT + 1)
    return max((step for step in steps if hmac.compare_digest(app.generate_otp(step), code)), default=None)


def app_link(email: str, seed: str) -> str:
    """What an authenticator app reads, as an address that a phone opens it with."""
    app = pyotp.TOTP(secret_of(email, seed), digits=DIGITS, interval=SECONDS)
    return app.provisioning_uri(name=email, issuer_name=ISSUER)


def picture(email: str, seed: str) -> SafeString:
    """The QR code: an inline SVG that is dark on light in every theme, as cameras want it."""
    drawn = segno.make(app_link(email, seed), error="m", micro=False).svg_inline(
        omitsize=True, border=4, svgclass=None, lineclass=None, dark="#000", light="#fff"
    )
    return SafeString(drawn)  # Only numbers of segno's own are in it.


def in_groups(text: str) -> str:
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def typed(text: str) -> str:
    """A code without the spaces and dashes people type or paste."""
    return "".join(
        char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) not in _SEPARATORS
    )


def is_code(text: str) -> bool:
    return len(text) == DIGITS and text.isascii() and text.isdigit()


def is_recovery_code(text: str) -> bool:
    return len(text) == RECOVERY_DIGITS and text.isascii() and text.isdigit()


def recovery_codes(command: Command) -> list[str]:
    """The codes that this command makes, and makes again when it is repeated."""
    secret = command.secret("recovery codes")
    made = (int.from_bytes(_digest(f"recovery {secret} {number}")) for number in range(RECOVERY_CODES))
    return [f"{value % 10**RECOVERY_DIGITS:0{RECOVERY_DIGITS}}" for value in made]


def recovery_hash(email: str, code: str) -> str:
    return _digest(f"recovery code {email} {code}").hex()


def _digest(text: str) -> bytes:
    return hmac.digest(settings.API_KEY_PEPPER.encode(), text.encode(), hashlib.sha256)


def _salt(email: str) -> str:
    return f"totp:{email}"
