"""Recovery codes, which replace a lost phone. They are hashed like passwords and the hashes are encrypted."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Collection

from django.contrib.auth.hashers import check_password, make_password

from dashboard.core.rotation import peppers
from dashboard.platform.accounts import encryption
from dashboard.table.commands import Command

# Digits only, because they are typed into the same field as the codes of the app. The first digit is the number of the
# code: it selects the one hash to check.
COUNT = 10
DIGITS = 12
# Checked if no hash has the number of the code, so that the answer takes the same time.
_UNKNOWN_HASH = make_password("nobody has this code")


def is_recovery_code(text: str) -> bool:
    return len(text) == DIGITS and text.isascii() and text.isdigit()


def codes_of(command: Command) -> list[str]:
    """The recovery codes of a command: the same ones if it is repeated."""
    values = (int(_derived(command, f"code {number}"), 16) for number in range(COUNT))
    rest = DIGITS - 1
    return [f"{number}{value % 10**rest:0{rest}}" for number, value in enumerate(values)]


def hashes_of(email: str, command: Command) -> set[str]:
    """The hashes of the codes of a command, to be stored."""
    return {
        f"{code[0]}.{encryption.encrypt(make_password(code, salt=_salt(command, code)), _context(email))}"
        for code in codes_of(command)
    }


def still_valid(email: str, hashes: Collection[str], command: Command) -> list[str]:
    """The codes of a command whose hashes are stored. They are recognised by their salts, without hashing."""
    stored = {each[0]: _decrypted(email, each) for each in hashes}
    return [code for code in codes_of(command) if _salt_as_stored(command, code) in stored.get(code[0], "")]


def find_hash(email: str, hashes: Collection[str], code: str) -> str | None:
    """The stored hash of a code, or None. It takes the time of one password check."""
    stored_hash = next((each for each in hashes if has_number_of(each, code)), "")
    is_right = check_password(code, _decrypted(email, stored_hash) or _UNKNOWN_HASH)
    if stored_hash and is_right:
        return stored_hash
    older = (_older_hash(email, code, pepper) for pepper in peppers())
    return next((each for each in older if each in hashes), None)


def has_number_of(stored: str, code: str) -> bool:
    return stored.startswith(f"{code[0]}.")


def encrypt_again(email: str, stored: str) -> str:
    """The same hash encrypted with the current pepper. An older hash stays as it is."""
    number, dot, encrypted = stored.partition(".")
    return f"{number}.{encryption.encrypt_again(encrypted, _context(email))}" if dot else stored


def _decrypted(email: str, stored: str) -> str:
    return encryption.decrypt(stored.partition(".")[2], _context(email)) or ""


def _older_hash(email: str, code: str, pepper: str) -> str:
    """The hash as it was stored before codes were hashed like passwords."""
    return hmac.digest(pepper.encode(), f"recovery code {email} {code}".encode(), hashlib.sha256).hex()


def _derived(command: Command, name: str) -> str:
    return hmac.digest(command.secret("recovery codes").encode(), name.encode(), hashlib.sha256).hex()


def _salt(command: Command, code: str) -> str:
    return _derived(command, f"salt {code[0]}")[:32]


def _salt_as_stored(command: Command, code: str) -> str:
    return "$" + base64.b64encode(_salt(command, code).encode()).decode().rstrip("=") + "$"


def _context(email: str) -> str:
    return f"recovery code {email}"
