"""Pictures in posts. Outside writers store their URLs, so nothing is loaded until a person asks for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode, urlsplit

from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from branding.public import picture_type
from dashboard.core.errors import NotFound
from dashboard.core.rotation import secret_keys
from dashboard.table.nested import text_of
from dashboard.web.capacity import Share, ShareFull
from dashboard.web.outside_files import FetchFailed, FetchFailureReason, fetch
from dashboard.web.pages import url_or_empty
from forum.items import Comment, Post
from forum.targets import ForumTarget

# The pictures of the demo.
_OWN = re.compile(r"/static/demo/[a-z0-9-]+\.webp")
_ACCEPT = "image/avif,image/webp,image/png,image/jpeg,image/gif"

# Each fetch occupies a thread of the server for some seconds.
MAX_FETCHES = 3
MAX_FETCHES_OF_PERSON = 2
RETRY_AFTER = 2
fetches = Share(lambda: MAX_FETCHES, lambda: MAX_FETCHES_OF_PERSON)

_PROBLEMS: dict[FetchFailureReason, Promise] = {
    FetchFailureReason.BAD_URL: _("The address of this picture is not valid."),
    FetchFailureReason.NOT_PUBLIC: _("The address of this picture is not on the public internet, so it is not loaded."),
    FetchFailureReason.UNREACHABLE: _("The server of this picture cannot be reached."),
    FetchFailureReason.TOO_SLOW: _("The server of this picture takes too long to answer."),
    FetchFailureReason.TOO_LARGE: _("This picture is larger than 5 MB."),
    FetchFailureReason.TOO_MANY_REDIRECTS: _("The address of this picture redirects too often."),
    FetchFailureReason.NO_FILE: _("The picture is no longer at its address."),
}


class PictureError(Exception):
    """A picture cannot be shown, with the reason as a text for the person."""

    def __init__(self, text: Promise, *, is_busy: bool = False) -> None:
        self.text, self.is_busy = text, is_busy
        super().__init__(str(text))


@dataclass(frozen=True)
class LoadedPicture:
    content: bytes
    content_type: str


@dataclass(frozen=True)
class PostPicture:
    post: str
    # From 1, in the order of the stored list.
    number: int
    address: str

    @property
    def host(self) -> str:
        """The host as it is written in the address; empty for a file of this site."""
        return urlsplit(self.address).hostname or ""

    @property
    def is_own(self) -> bool:
        return _OWN.fullmatch(self.address) is not None

    @property
    def url(self) -> str:
        """Its page, which loads nothing from the host."""
        return url_or_empty("post_picture", self.post, str(self.number))

    @property
    def show_url(self) -> str:
        """The picture itself. Only our pages can contain this link, so no other site can trigger a fetch."""
        return f"{self.url}?{urlencode({'key': self.key})}" if self.url else ""

    @property
    def key(self) -> str:
        """The address is part of it: if an outside writer changes the address, an earlier link does not load it."""
        return self._keys[0]

    def accepts(self, key: str) -> bool:
        """Whether the key was made with the current secret key or with one of the fallbacks."""
        return any(constant_time_compare(key, each) for each in self._keys)

    @cached_property
    def _keys(self) -> list[str]:
        signed = json.dumps([self.post, self.number, self.address])
        made = [salted_hmac("forum.pictures", signed, secret, algorithm="sha256") for secret in secret_keys()]
        return [each.hexdigest() for each in made]

    def load(self, email: str) -> LoadedPicture:
        """Fetch it from its host for a person. Raises `PictureError`."""
        try:
            with fetches.take(email):
                content = fetch(self.address, _ACCEPT)
        except ShareFull:
            text = _("Too many pictures are being loaded. Wait a moment and try again.")
            raise PictureError(text, is_busy=True) from None
        except FetchFailed as failure:
            raise PictureError(_PROBLEMS[failure.reason]) from None
        content_type = picture_type(content)
        if not content_type:
            raise PictureError(_("This file is not a picture that can be shown here."))
        return LoadedPicture(content, content_type)


def pictures_of(item: Post | Comment) -> Iterator[PostPicture]:
    """The pictures of a post that can be shown; other values are left out."""
    stored = getattr(item, "images", None) or []
    for number, address in enumerate(stored, 1):
        if _can_be_shown(text_of(address) or ""):
            yield PostPicture(ForumTarget.of(item).post, number, address)


def pick_picture(item: Post | Comment, number: int) -> PostPicture:
    found = next((each for each in pictures_of(item) if each.number == number), None)
    if found is None:
        raise NotFound
    return found


def _can_be_shown(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return _OWN.fullmatch(address) is not None or (parts.scheme in {"https", "http"} and bool(parts.hostname))
    except ValueError:
        return False
