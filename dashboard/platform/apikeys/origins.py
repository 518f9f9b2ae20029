"""Where a script comes from, in the one way that browsers write it: scheme, host, and a port that is not the usual."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused

MOST = 20

_USUAL = {"https": 443, "http": 80}
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"(?:{_LABEL}\.)+{_LABEL}|localhost")


def normalise(text: str) -> str:
    """The origin that a person means; Refused with what to write instead."""
    shown = {"origin": text[:80]}
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").encode("idna").decode().lower()
        port = parts.port
    except ValueError as error:
        raise Refused(_("%(origin)s is not an address of a site.") % shown) from error
    if parts.scheme not in _USUAL or not _HOST.fullmatch(host) or len(host) > 253 or port == 0:
        raise Refused(_("%(origin)s: write it like https://www.example.com.") % shown)
    if parts.scheme == "http" and host != "localhost":
        raise Refused(_("%(origin)s: begin with https://. Only localhost may have http://.") % shown)
    if "@" in parts.netloc or parts.path not in {"", "/"} or "?" in text or "#" in text:
        raise Refused(_("%(origin)s: leave out what follows the name of the site.") % shown)
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != _USUAL[parts.scheme] else "")


def normalised(text: str) -> str | None:
    """The same where nobody is there to be told; none for what is no origin."""
    try:
        return normalise(text)
    except Refused:
        return None
