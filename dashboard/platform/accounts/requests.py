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
            return hops[-settings.TRUSTED_PROXIES]
    return str(request.META.get("REMOTE_ADDR", ""))


def network(address: str, ipv6_prefix: int = 64) -> str:
    """The network whose tries are counted: for IPv6 the /64, which one client can have for itself."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((found, ipv6_prefix), strict=False)) if found.version == 6 else address


def agent(request: HttpRequest) -> str:
    return request.headers.get("User-Agent", "")


def device(agent: str | None) -> str:
    """The browser and the system in a form that people recognise."""
    text = agent or ""
    browser = next((name for mark, name in _BROWSERS.items() if mark in text), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in text), "")
    return " · ".join(part for part in (browser, system) if part) or re.sub(r"[/ ].*", "", text) or "?"
