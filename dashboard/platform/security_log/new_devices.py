"""Whether someone signs in from a network or with a browser that their earlier sign-ins did not have."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.platform.accounts.requests import network
from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import EventKind

NETWORK, BROWSER = "network", "browser"


def new_parts(event: SecurityEvent, earlier: Sequence[SecurityEvent]) -> str:
    """What is new in a sign-in: `network`, `browser`, both or nothing. Without earlier sign-ins nothing is."""
    known = [each for each in earlier if each.kind == EventKind.SIGNED_IN]
    if not known:
        return ""
    new = []
    if _network(event) not in {_network(each) for each in known}:
        new.append(NETWORK)
    if event.browser not in {each.browser for each in known}:
        new.append(BROWSER)
    return " ".join(new)


def _network(event: SecurityEvent) -> str:
    """A wide network: providers give their customers changing addresses within it."""
    return network(event.address or "", ipv6_prefix=48, ipv4_prefix=24)
