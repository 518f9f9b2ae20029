"""What a request says about the browser it comes from."""

from __future__ import annotations

import ipaddress
import re

from django.conf import settings
from django.http import HttpRequest

_BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
_SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows", "Mac OS": "Mac"}
_SYSTEMS |= {"CrOS": "ChromeOS", "Linux": "Linux"}


def address(request: HttpRequest) -> str:
    """The address that counts: what the outermost proxy of ours saw."""
    if settings.TRUSTED_PROXIES:
        hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
        if len(hops) >= settings.TRUSTED_PROXIES:
            return hops[-settings.TRUSTED_PROXIES]
    return str(request.META.get("REMOTE_ADDR", ""))


def network(address: str) -> str:
    """Where tries are counted: one household or server has a whole /64 of IPv6 addresses to itself."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else address


def agent(request: HttpRequest) -> str:
    return request.headers.get("User-Agent", "")


def device(agent: str | None) -> str:
    """A browser in a few words a person recognises."""
    text = agent or ""
    browser = next((name for mark, name in _BROWSERS.items() if mark in text), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in text), "")
    return " · ".join(part for part in (browser, system) if part) or re.sub(r"[/ ].*", "", text) or "?"
