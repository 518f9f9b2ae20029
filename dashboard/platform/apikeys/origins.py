"""Origins as browsers write them: scheme, host, and the port unless it is the default."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused

MAX_ORIGINS = 20
# Every website.
EVERY = "*"

_DEFAULT_PORTS = {"https": 443, "http": 80}
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"(?:{_LABEL}\.)+{_LABEL}|localhost")


def normalise(text: str) -> str:
    """The origin in its normal form; raises Refused with a hint."""
    params = {"origin": text[:80]}
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").encode("idna").decode().lower()
        port = parts.port
    except ValueError as error:
        raise Refused(_("%(origin)s is not a valid address.") % params) from error
    if parts.scheme not in _DEFAULT_PORTS or not _HOST.fullmatch(host) or len(host) > 253 or port == 0:
        raise Refused(_("%(origin)s: use the form https://www.example.com.") % params)
    if parts.scheme == "http" and host != "localhost":
        raise Refused(_("%(origin)s: use https://. Only localhost can use http://.") % params)
    if "@" in parts.netloc or parts.path not in {"", "/"} or "?" in text or "#" in text:
        raise Refused(_("%(origin)s: remove everything after the domain.") % params)
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != _DEFAULT_PORTS[parts.scheme] else "")


def try_normalise(text: str) -> str | None:
    """The same; None for an invalid origin."""
    try:
        return normalise(text)
    except Refused:
        return None
