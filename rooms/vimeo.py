"""Addresses of Vimeo videos: parsing, and the one form that is stored. Vimeo is not contacted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qs, urlsplit

HOSTS = {"vimeo.com", "www.vimeo.com", "player.vimeo.com"}
# Addresses of the players for the content security policy of the page that embeds them.
PLAYERS = ("https://player.vimeo.com", "https://vimeo.com/event/")

_ID = r"(?P<id>[1-9][0-9]{0,14})"
_HASH = r"(?:/(?P<hash>[0-9a-fA-F]{6,32}))?"
_NAME = r"[\w.~%-]+"
# Paths of a video; the part before the number does not matter.
_VIDEO = re.compile(
    rf"/(?:(?:manage/)?videos?/|channels/{_NAME}/|groups/{_NAME}/videos/|ondemand/{_NAME}/"
    rf"|(?:showcase|album)/{_NAME}/video/)?{_ID}{_HASH}/?"
)
_EVENT = re.compile(rf"/event/{_ID}(?:/embed)?{_HASH}/?")
_HASH_PARAM = re.compile("[0-9a-fA-F]{6,32}")


@dataclass(frozen=True)
class Video:
    """A video or a live event; `hash` is the key of an unlisted one."""

    id: str
    hash: str = ""
    is_event: bool = False

    @property
    def address(self) -> str:
        """The form that is stored."""
        path = f"event/{self.id}" if self.is_event else self.id
        return f"https://vimeo.com/{path}" + (f"/{self.hash}" if self.hash else "")

    @property
    def player(self) -> str:
        """The address of the player."""
        if self.is_event:
            return f"https://vimeo.com/event/{self.id}/embed" + (f"/{self.hash}" if self.hash else "")
        return f"https://player.vimeo.com/video/{self.id}" + (f"?h={self.hash}" if self.hash else "")


def parse_video(text: str | None) -> Video | None:
    """The video of an address, or None. The scheme may be missing."""
    split = _split((text or "").strip())
    if split is None or split.hostname not in HOSTS:
        return None
    found = _EVENT.fullmatch(split.path)
    if found is not None:
        return Video(found["id"], found["hash"] or "", is_event=True)
    found = _VIDEO.fullmatch(split.path)
    if found is None:
        return None
    return Video(found["id"], found["hash"] or _hash_param(split.query))


def is_web_address(text: str | None) -> bool:
    """Whether it is an HTTP address that a page can link to."""
    try:
        split = urlsplit((text or "").strip())
        return split.scheme in {"http", "https"} and bool(split.hostname)
    except ValueError:
        return False


def _split(text: str) -> SplitResult | None:
    """The parts of an address; None if it is invalid or has a user name or a port."""
    scheme, mark, rest = text.partition("://")
    if not mark:
        scheme, rest = "https", text.removeprefix("//")
    if scheme.lower() not in {"http", "https"} or any(char.isspace() or char == "\\" for char in rest):
        return None
    try:
        split = urlsplit(f"https://{rest}")
        plain = split.port is None and split.username is None and split.password is None
    except ValueError:
        return None
    return split if plain else None


def _hash_param(query: str) -> str:
    """The parameter `h` of the player's address."""
    try:
        given = parse_qs(query, max_num_fields=50).get("h", [""])[0]
    except ValueError:
        return ""
    return given if _HASH_PARAM.fullmatch(given) else ""
