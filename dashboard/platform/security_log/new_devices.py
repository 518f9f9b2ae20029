"""Whether someone signs in from a network or with a browser that their earlier sign-ins did not have."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import Kind

NETWORK, BROWSER = "network", "browser"


def differences(event: SecurityEvent, earlier: Sequence[SecurityEvent]) -> str:
    """What is new in a sign-in: `network`, `browser`, both or nothing. Without earlier sign-ins nothing is."""
    known = [each for each in earlier if each.kind == Kind.SIGNED_IN]
    if not known:
        return ""
    new = []
    if network_around(event.address) not in {network_around(each.address) for each in known}:
        new.append(NETWORK)
    if event.browser not in {each.browser for each in known}:
        new.append(BROWSER)
    return " ".join(new)


def network_around(address: str | None) -> str:
    """The network around an address: providers give their customers changing addresses within it."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return address or ""
    return str(ipaddress.ip_network((found, 24 if found.version == 4 else 48), strict=False))
