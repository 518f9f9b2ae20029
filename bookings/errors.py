"""Errors of a booking's time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy as _

from bookings.items import Booking, Customer, Voice
from bookings.reasons import clock_times, refusal_text
from bookings.slots import TakenTime, Verdict
from dashboard.core.errors import Conflict, DomainError, Refused, Unavailable

FindStarts = Callable[[], list[datetime]]


class _HasAlternatives:
    """An error with the next free starts."""

    _find_starts: FindStarts

    @cached_property
    def alternatives(self) -> list[datetime]:
        """The next three free starts, read on first use; empty if reading fails."""
        with suppress(DomainError):
            return self._find_starts()
        return []


class SlotTaken(_HasAlternatives, Conflict):
    """Another booking has the time: `item` is that booking."""

    item: Booking | None
    code = "slot_taken"

    def __init__(self, item: Booking | None, taken: TakenTime, zone: ZoneInfo, find_starts: FindStarts = list) -> None:
        self.taken, self.zone, self._find_starts = taken, zone, find_starts
        span = (item.span if item is not None else None) or taken.span_with_buffers
        name = item.title if item is not None else taken.booking_id
        text = _("%(name)s is booked from %(start)s to %(end)s. Nothing was changed.")
        super().__init__(item, text % ({"name": name} | clock_times(span, zone)))


class StartNotBookable(_HasAlternatives, Refused):
    """A rule refuses this start: `verdict` says which."""

    code = "not_bookable"

    def __init__(self, verdict: Verdict, zone: ZoneInfo, find_starts: FindStarts = list) -> None:
        self.verdict, self.zone, self._find_starts = verdict, zone, find_starts
        super().__init__(refusal_text(verdict, zone), field="start")


class PossibleDuplicates(Refused):
    """What is about to be saved may exist already. A person can accept what `token` identifies."""

    def __init__(self, customers: list[Customer], bookings: list[Booking]) -> None:
        self.customers, self.bookings = customers, bookings
        super().__init__(_("This may be a duplicate."))

    def __bool__(self) -> bool:
        return bool(self.customers or self.bookings)

    @property
    def token(self) -> str:
        ids = sorted([*(each.id for each in self.customers), *(each.id for each in self.bookings)])
        return hashlib.sha256(repr(ids).encode()).hexdigest()[:16]


class ServiceNotOffered(Refused):
    """The staff member does not offer the service."""

    def __init__(self) -> None:
        super().__init__(_("This staff member does not offer the service. Choose another."), field="provider")


class TooManyWrites(Unavailable):
    """Too many writes at the same time. Sending the same form again is safe."""

    code = "busy"

    text = _("Many bookings are being made with this staff member right now. Nothing was changed. Try again.")


class PersonReplies(Conflict):
    """A person holds the lease: neither the bot nor a colleague may reply."""

    code = "person_replies"

    def __init__(self, item: Voice | None = None) -> None:
        name = (item.holder_name or item.holder or "") if item is not None else ""
        text = _("%(name)s replies in this conversation. Nothing was sent.") % {"name": name} if name else None
        super().__init__(item, text or _("A person replies in this conversation. Nothing was sent."))


class TurnPassed(Conflict):
    """Somebody has replied, or the lease has changed, since the turn that the sender saw."""

    code = "turn_passed"

    def __init__(self, item: Voice) -> None:
        super().__init__(item, _("The conversation has gone on in the meantime. Read it and try again."))


class ConversationClosed(Conflict):
    """Nobody can reply until the conversation is opened again."""

    code = "conversation_closed"

    def __init__(self, item: Voice) -> None:
        super().__init__(item, _("This conversation is closed. Open it again to reply."))
