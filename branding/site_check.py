"""Check whether a page of a business's site links the stylesheet of its theme.

The page is fetched with the protections of `outside_files`: only public addresses, and limits of time, size and
redirects.
"""

from __future__ import annotations

from enum import StrEnum
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.web.outside_files import FetchFailed, FetchFailureReason, fetch

# Links to stylesheets are in the head of a page: the rest of a long page is not parsed.
MAX_PARSED = 512 * 1024
# Joining addresses takes time that grows with their length. No real page has longer or more of them.
MAX_ADDRESS = 2_000
MAX_LINKS = 100


class SiteState(StrEnum):
    CONNECTED = "connected"
    NOT_LINKED = "not linked"
    NOT_LOADED = "not loaded"


PROBLEMS: dict[FetchFailureReason, Promise] = {
    FetchFailureReason.BAD_URL: _("This is not the address of a website. Enter it as in the browser's address bar."),
    FetchFailureReason.NOT_PUBLIC: _("This address is not on the public internet, so it cannot be checked from here."),
    FetchFailureReason.UNREACHABLE: _("The site cannot be reached. Check the address, or try again later."),
    FetchFailureReason.TOO_SLOW: _("The site takes too long to answer. Try again later."),
    FetchFailureReason.TOO_LARGE: _("The page is larger than 5 MB. Enter the address of a smaller page of the site."),
    FetchFailureReason.TOO_MANY_REDIRECTS: _("The address redirects too often. Enter the address that it leads to."),
    FetchFailureReason.NO_FILE: _("There is no page at this address. Open it in a browser to check it."),
}


class _StylesheetLinks(HTMLParser):
    """Collects the addresses of the stylesheets that a page links."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.base = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        address = values.get("href", "")
        if not address or len(address) > MAX_ADDRESS:
            return
        if tag == "base" and not self.base:
            self.base = address
        is_stylesheet = tag == "link" and "stylesheet" in values.get("rel", "").lower().split()
        if is_stylesheet and len(self.addresses) < MAX_LINKS:
            self.addresses.append(address)


def normalize_address(typed: str) -> str:
    """The typed address with a scheme."""
    return typed if "://" in typed else f"https://{typed}"


def check_site(address: str, stylesheet: str) -> tuple[SiteState, str | Promise]:
    """Whether the page links the stylesheet, and if it cannot be loaded, why."""
    try:
        content = fetch(address, "text/html,application/xhtml+xml")
    except FetchFailed as failure:
        return SiteState.NOT_LOADED, PROBLEMS[failure.reason]
    links = _StylesheetLinks()
    links.feed(content[:MAX_PARSED].decode("utf-8", "replace"))
    base = _join(address, links.base)
    found = any(_target(_join(base, each)) == _target(stylesheet) for each in links.addresses)
    return (SiteState.CONNECTED if found else SiteState.NOT_LINKED), ""


def _join(base: str, address: str) -> str:
    try:
        return urljoin(base, address.strip())
    except ValueError:
        return base


def _target(url: str) -> tuple[str, str]:
    """Host and path: the scheme and a query that avoids caches may differ."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", url
    return parts.netloc.lower(), parts.path
