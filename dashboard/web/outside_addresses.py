"""Addresses of other hosts: the server may only contact those on the public internet.

Whatever the notation in a URL (decimal, octal, hexadecimal, a name), only the resolved address is examined.
"""

from __future__ import annotations

import socket
import threading
from ipaddress import ip_address, ip_network

# The only part of IPv6 that is assigned to the public internet. IPv4-mapped addresses are outside.
_PUBLIC_IPV6 = ip_network("2000::/3")
_REFUSED = tuple(
    ip_network(each)
    for each in (
        # They contain an IPv4 address, which a gateway would contact: 6to4 and its relays, Teredo, NAT64.
        "2002::/16",
        "192.88.99.0/24",
        "2001::/23",
        "64:ff9b::/96",
        # Not every version of Python knows that these are not public.
        "192.0.0.0/24",
        "3fff::/20",
        # The metadata service of a cloud, which has a public address.
        "168.63.129.16/32",
    )
)

# A lookup cannot be interrupted. More than this many at once are refused.
MAX_LOOKUPS = 8
_lookups = threading.BoundedSemaphore(MAX_LOOKUPS)


class NotPublic(Exception):
    """A host has an address that is not on the public internet."""


class UnknownHost(Exception):
    """A host has no address."""


def is_public(address: str) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if found.version == 6 and (found not in _PUBLIC_IPV6 or found.scope_id):
        return False
    if any(found in network for network in _REFUSED):
        return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_link_local)


def look_up(host: str, port: int) -> list[str]:
    """All addresses of a host."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def find_public_addresses(host: str, port: int, seconds: float) -> list[str]:
    """The addresses of a host, all of which are public. Raises `TimeoutError` after this time."""
    addresses = list(dict.fromkeys(_look_up_within(host, port, seconds)))
    if not addresses:
        raise UnknownHost
    # A host with a public and a private address is an attempt to get past this check.
    if not all(is_public(each) for each in addresses):
        raise NotPublic
    return addresses


def _look_up_within(host: str, port: int, seconds: float) -> list[str]:
    """The operating system has no time limit for a lookup, so it runs in its own thread."""
    found: list[str] = []
    if not _lookups.acquire(blocking=False):
        raise TimeoutError

    def work() -> None:
        try:
            found.extend(look_up(host, port))
        except (OSError, ValueError):
            pass  # Without an address the host is unknown.
        finally:
            _lookups.release()

    thread = threading.Thread(target=work, name="lookup", daemon=True)
    try:
        thread.start()
    except RuntimeError:
        _lookups.release()
        raise TimeoutError from None
    thread.join(max(0, seconds))
    if thread.is_alive():
        raise TimeoutError
    return found
