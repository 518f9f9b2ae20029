"""Sends a message to a receiver, whose URL was written by somebody else.

Only public addresses are contacted, at the address that was checked; redirects are not followed; one deadline covers
everything; of an answer only the status and a short beginning are read.
"""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.web.outside_addresses import NotPublic, UnknownHost, is_public
from dashboard.web.outside_connections import BadUrl, Deadline, Location, request

MAX_SECONDS = 8.0
MAX_ANSWER = 1024
MAX_SHOWN = 500
# How long a receiver may ask us to wait.
MAX_RETRY_AFTER = 3600
_LOCAL_NAMES = ("localhost", "local", "internal", "localdomain", "lan", "home.arpa")


class SendError(StrEnum):
    BAD_URL = "bad_url"
    NOT_PUBLIC = "not_public"
    UNKNOWN_HOST = "unknown_host"
    TOO_SLOW = "too_slow"
    BAD_CERTIFICATE = "bad_certificate"
    UNREACHABLE = "unreachable"
    BAD_ANSWER = "bad_answer"
    REDIRECT = "redirect"
    STATUS = "status"
    NO_SECRET = "no_secret"  # noqa: S105


ERROR_LABELS: dict[str, Promise] = {
    SendError.BAD_URL: _("The address is not valid"),
    SendError.NOT_PUBLIC: _("The address is not on the public internet, so nothing was sent"),
    SendError.UNKNOWN_HOST: _("The name of the host is unknown"),
    SendError.TOO_SLOW: _("No answer within eight seconds"),
    SendError.BAD_CERTIFICATE: _("The certificate is not valid for this address, so nothing was sent"),
    SendError.UNREACHABLE: _("The receiver could not be reached"),
    SendError.BAD_ANSWER: _("The answer is no HTTP"),
    SendError.REDIRECT: _("The receiver answered with a redirect, which is not followed"),
    SendError.STATUS: _("The receiver answered with an error"),
    SendError.NO_SECRET: _("The secret cannot be read any more: rotate it"),
}


@dataclass(frozen=True)
class Answer:
    """What came of one attempt. Without an answer, the status is 0."""

    status: int = 0
    error: str = ""
    milliseconds: int = 0
    beginning: str = ""
    retry_after: int = 0

    @property
    def is_accepted(self) -> bool:
        return not self.error

    @property
    def is_gone(self) -> bool:
        return self.status == 410

    @property
    def is_about_receiver(self) -> bool:
        """Whether other messages would fail too: it is not only this message that the receiver refuses."""
        return bool(self.error) and (not 400 <= self.status < 500 or self.status in {401, 403, 404, 408, 410, 429})


def send(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post a message. Raises nothing: every failure is an answer."""
    started, deadline = time.monotonic(), Deadline(MAX_SECONDS)
    try:
        with request("POST", Location.of(url), deadline, {"Content-Type": "application/json", **headers}, body) as got:
            answer = _read(got)
    except BadUrl:
        answer = Answer(error=SendError.BAD_URL)
    except NotPublic:
        answer = Answer(error=SendError.NOT_PUBLIC)
    except UnknownHost:
        answer = Answer(error=SendError.UNKNOWN_HOST)
    except TimeoutError:
        answer = Answer(error=SendError.TOO_SLOW)
    except ssl.SSLCertVerificationError:
        answer = Answer(error=SendError.BAD_CERTIFICATE)
    except OSError:
        answer = Answer(error=SendError.UNREACHABLE)
    except (http.client.HTTPException, ValueError):
        answer = Answer(error=SendError.BAD_ANSWER)
    milliseconds = round((time.monotonic() - started) * 1000)
    return Answer(answer.status, answer.error, milliseconds, answer.beginning, answer.retry_after)


def _read(response: http.client.HTTPResponse) -> Answer:
    """The status decides: the receiver has read the message, whatever its answer contains."""
    if 200 <= response.status < 300:
        return Answer(response.status)
    error = SendError.REDIRECT if 300 <= response.status < 400 else SendError.STATUS
    wanted = response.headers.get("Retry-After") or ""
    wait = min(int(wanted), MAX_RETRY_AFTER) if wanted.isascii() and wanted.isdigit() and len(wanted) < 8 else 0
    return Answer(response.status, error, beginning=_beginning(response), retry_after=wait)


def _beginning(response: http.client.HTTPResponse) -> str:
    """The beginning of the answer as text, as far as it arrives in time."""
    try:
        content = response.read1(MAX_ANSWER)
    except (OSError, http.client.HTTPException, ValueError):
        return ""
    text = content.decode("utf-8", "replace")
    return "".join(char if char.isprintable() else " " for char in text)[:MAX_SHOWN].strip()


def is_allowed_url(url: str) -> bool:
    """Whether the URL can be one of a receiver: https, a public address or a name that is not of a local network.

    Names are resolved at each attempt, because their addresses change.
    """
    try:
        location = Location.of(url)
    except BadUrl:
        return False
    host = location.host.rstrip(".")
    if location.scheme != "https" or not host:
        return False
    try:
        ip_address(host)
    except ValueError:
        is_local = any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES)
        # A name of digits is an address in another notation.
        last = host.rpartition(".")[2]
        return not is_local and "." in host and not last.isdigit() and not last.startswith("0x")
    return is_public(host)
