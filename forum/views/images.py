"""Pages that show images of attendees, which are on other hosts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from csp.decorators import csp_update

ViewT = TypeVar("ViewT", bound=Callable[..., Any])


def shows_images(view: ViewT) -> ViewT:
    return cast(ViewT, csp_update({"img-src": ["https:"]})(view))
