"""Reserves room for Python's call stack in one piece.

CPython keeps the frames of a thread in chunks of 16 KB. It allocates a chunk when a call crosses its end and frees it
when the call returns. A template that calls in a loop across such an end causes two system calls and a page fault each
time: a page of the audit trail took a third longer. A chunk is large enough for its first frame, so a frame that
declares a large stack reserves room for all frames below it. The memory is reserved, not used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# In words of 8 bytes. With its own frame the chunk has 1 MB, of which more than 200 KB are left.
FRAME_WORDS = 100_000


def with_deep_stack(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap `function` so that all calls below it have room in one chunk of the stack."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)

    call.__code__ = call.__code__.replace(co_stacksize=FRAME_WORDS)
    return call
