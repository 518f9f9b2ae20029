"""The registry of due tasks: a handler for each kind of item that can be due."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

# Executes the task, and removes the item from the list or moves `dueAt`, in one transaction. Returns what it did.
Handler = Callable[[Any], str | None]
Preparation = Callable[[], str | None]
HandlerT = TypeVar("HandlerT", bound=Handler)
PreparationT = TypeVar("PreparationT", bound=Preparation)

HANDLERS: dict[str, Handler] = {}
BEFORE_EACH_RUN: list[Preparation] = []


def due(kind: str) -> Callable[[HandlerT], HandlerT]:
    """Register the handler of due items of this kind."""

    def register(handler: HandlerT) -> HandlerT:
        if HANDLERS.setdefault(kind, handler) is not handler:
            raise RuntimeError(f"Two handlers for {kind}.")
        return handler

    return register


def before_each_run(prepare: PreparationT) -> PreparationT:
    """Register a function that runs before each run and creates the item of a repeating task if it is absent.

    It must cost one read at most.
    """
    BEFORE_EACH_RUN.append(prepare)
    return prepare
