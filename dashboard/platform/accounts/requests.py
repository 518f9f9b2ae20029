"""The address and the browser of a request."""

from __future__ import annotations

import ipaddress
import re

from django.conf import settings
from django.http import HttpRequest

_BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
_SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows", "Mac OS": "Mac"}
_SYSTEMS |= {"CrOS": "ChromeOS", "Linux": "Linux"}


def address(request: HttpRequest) -> str:
    """The client address, as our outermost proxy saw it."""
    if settings.TRUSTED_PROXIES:
        hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
        if len(hops) >= settings.TRUSTED_PROXIES:
            return _without_port(hops[-settings.TRUSTED_PROXIES])
    return str(request.META.get("REMOTE_ADDR", ""))


def _without_port(hop: str) -> str:
    """Some proxies add the port: with it, each connection would count as another client."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


def network(address: str, ipv6_prefix: int = 64, ipv4_prefix: int = 32) -> str:
    """The network of an address. One IPv6 client can have a whole /64 for itself."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    # A server that listens on IPv6 sees IPv4 clients as mapped addresses.
    found = getattr(found, "ipv4_mapped", None) or found
    prefix = ipv4_prefix if found.version == 4 else ipv6_prefix
    return str(ipaddress.ip_network((found, prefix), strict=False)) if prefix < found.max_prefixlen else str(found)


def agent(request: HttpRequest) -> str:
    return request.headers.get("User-Agent", "")


def device(agent: str | None) -> str:
    """The browser and the system in a form that people recognise."""
    text = agent or ""
    browser = next((name for mark, name in _BROWSERS.items() if mark in text), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in text), "")
    return " · ".join(part for part in (browser, system) if part) or re.sub(r"[/ ].*", "", text) or "?"
