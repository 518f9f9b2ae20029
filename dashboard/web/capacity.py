"""A bounded share of the threads for expensive work: exports, imports, pictures, reports and jobs.

Beyond the share a request is refused at once: a queue of expensive requests would occupy the threads of all others.
"""

from __future__ import annotations

import functools
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any, TypeVar

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Busy

View = TypeVar("View", bound=Callable[..., Any])

# How long a request may wait for its turn, in seconds.
TURN_SECONDS = 1.0
# Decoding the largest picture takes several hundred MB, so only one request does it at a time.
PICTURES = threading.Semaphore(1)


class ShareFull(Exception):
    """All of a share is in use, or all that one person may use (`is_own`)."""

    def __init__(self, *, is_own: bool) -> None:
        self.is_own = is_own


class Share:
    """Counts the requests of one kind that this process is working on, in total and for each person."""

    def __init__(self, max_at_once: Callable[[], int], max_per_person: Callable[[], int]) -> None:
        self._max_at_once, self._max_per_person = max_at_once, max_per_person
        self._lock = threading.Lock()
        self._people: Counter[str] = Counter()
        # `give_back` may run inside the garbage collector, even while this thread holds the lock: it takes no lock.
        self._given_back: SimpleQueue[str] = SimpleQueue()

    def take(self, person: str) -> SharePart:
        """Raises ShareFull."""
        with self._lock:
            while not self._given_back.empty():
                self._people.subtract([self._given_back.get()])
            if self._people[person] >= self._max_per_person():
                raise ShareFull(is_own=True)
            self._people = +self._people  # Without those who have none.
            if self._people.total() >= self._max_at_once():
                raise ShareFull(is_own=False)
            self._people[person] += 1
        return SharePart(self, person)

    def give_back(self, person: str) -> None:
        self._given_back.put(person)


class SharePart:
    """One request's part of the share, until it is released."""

    def __init__(self, share: Share, person: str) -> None:
        self._share, self._person = share, person
        self._is_taken = True

    def release(self) -> None:
        if self._is_taken:
            self._is_taken = False
            self._share.give_back(self._person)

    def __enter__(self) -> SharePart:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    # A response that is never sent is never closed.
    __del__ = release


class _ReleasingStream:
    """The content of a streamed response. Django closes it with the response."""

    def __init__(self, content: Any, part: SharePart) -> None:
        self._content, self._part = content, part

    def __iter__(self) -> Iterator[Any]:
        return iter(self._content)

    def close(self) -> None:
        self._part.release()


def new_share() -> Share:
    return Share(lambda: settings.EXPENSIVE_AT_ONCE, lambda: settings.EXPENSIVE_PER_PERSON)


share = new_share()


def expensive(
    *, method: str = "", with_files: bool = False, turn: threading.Semaphore | None = None
) -> Callable[[View], View]:
    """A view that needs a part of the share.

    With `method`, only for requests with this method; with `with_files`, only for requests that upload files.

    A streamed response keeps its part until it is sent or its client has left. With `turn`, the view also waits for
    this semaphore, up to TURN_SECONDS.
    """

    def decorate(view: View) -> View:
        @functools.wraps(view)
        def bounded(request: Any, *args: Any, **kwargs: Any) -> Any:
            if (method and request.method != method) or (with_files and not request.FILES):
                return view(request, *args, **kwargs)
            part = _take_part(request.actor.email)
            try:
                response = _take_turn(turn, lambda: view(request, *args, **kwargs))
            except BaseException:
                part.release()
                raise
            if isinstance(response, StreamingHttpResponse):
                response.streaming_content = _ReleasingStream(response.streaming_content, part)
            else:
                part.release()
            return response

        bounded.is_expensive = True  # type: ignore[attr-defined]
        return bounded  # type: ignore[return-value]

    return decorate


def _take_part(person: str) -> SharePart:
    try:
        return share.take(person)
    except ShareFull as full:
        if full.is_own:
            text = _("You have too many exports, imports or reports running. Wait until one has finished.")
        else:
            text = _("Too many exports, imports and reports are running right now. Nothing was changed.")
        raise Busy(text) from None


def _take_turn(turn: threading.Semaphore | None, work: Callable[[], Any]) -> Any:
    if turn is None:
        return work()
    if not turn.acquire(timeout=TURN_SECONDS):
        raise Busy(_("Other pictures are being checked right now. Nothing was changed."))
    try:
        return work()
    finally:
        turn.release()
