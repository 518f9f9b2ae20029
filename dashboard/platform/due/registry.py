"""Who does which work: a handler for each kind of item that can be due."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

# Does the work and takes the item off the list, or moves `dueAt`, in one transaction; says what it did.
Handler = Callable[[Any], str | None]
Standing = Callable[[], str | None]
HandlerT = TypeVar("HandlerT", bound=Handler)
StandingT = TypeVar("StandingT", bound=Standing)

HANDLERS: dict[str, Handler] = {}
STANDING: list[Standing] = []


def due(kind: str) -> Callable[[HandlerT], HandlerT]:
    """Register who does the work that items of this kind stand for."""

    def register(handler: HandlerT) -> HandlerT:
        if HANDLERS.setdefault(kind, handler) is not handler:
            raise RuntimeError(f"Two handlers for {kind}.")
        return handler

    return register


def standing(ensure: StandingT) -> StandingT:
    """Register what makes sure, before each run, that work which never ends has its item. One read, no more."""
    STANDING.append(ensure)
    return ensure
