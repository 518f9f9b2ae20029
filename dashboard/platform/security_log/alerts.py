"""Alerts on the home page of admins, from the events of the last hour and the last day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.core.clock import now
from dashboard.platform.accounts.items import Person
from dashboard.platform.security_log.hashes import account_hashes
from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.queries import events_since

# This many wrong passwords and codes in an hour make an alert. At most MAX_EVENTS events of each kind are read.
MANY_FAILURES, MAX_EVENTS = 20, 100
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True)
class Alert:
    text: str
    latest: datetime | None
    url: str


def recent_failures() -> list[SecurityEvent]:
    return events_since(EventKind.SIGN_IN_FAILED, now() - HOUR, MAX_EVENTS)


def recent_wrong_codes() -> list[SecurityEvent]:
    return events_since(EventKind.FACTOR_FAILED, now() - HOUR, MAX_EVENTS)


def recent_new_devices() -> list[SecurityEvent]:
    return events_since(EventKind.NEW_DEVICE, now() - DAY, MAX_EVENTS)


def recent_attempts_on_other_businesses() -> list[SecurityEvent]:
    return events_since(EventKind.FOREIGN_BUSINESS, now() - DAY, MAX_EVENTS)


def build_alerts(
    failures: Sequence[SecurityEvent],
    new_devices: Sequence[SecurityEvent],
    other_businesses: Sequence[SecurityEvent],
    admins: Iterable[Person],
) -> list[Alert]:
    """The alerts for these events. The admins are passed to name the accounts, because events have only hashes."""
    alerts: list[Alert] = []
    if len(failures) >= MANY_FAILURES:
        addresses = len({each.address for each in failures})
        text = ngettext(
            "%(count)s failed sign-ins in the last hour, from %(addresses)s address",
            "%(count)s failed sign-ins in the last hour, from %(addresses)s addresses",
            addresses,
        )
        # The log shows one kind at a time: the more frequent one.
        kind = EventKind(Counter(each.kind for each in failures).most_common(1)[0][0])
        alerts.append(_alert(text % {"count": count_text(failures), "addresses": addresses}, failures, kind))
    if new_devices:
        names = {each: admin.title for admin in admins for each in account_hashes(admin.email)}
        found = sorted({names.get(each.account or "", _("an admin")) for each in new_devices})
        text = _("Sign-in from a new network or browser: %(names)s") % {"names": ", ".join(found)}
        alerts.append(_alert(text, new_devices, EventKind.NEW_DEVICE))
    if other_businesses:
        alerts.append(_alert(_attempts_text(other_businesses), other_businesses, EventKind.FOREIGN_BUSINESS))
    return alerts


def _attempts_text(attempts: Sequence[SecurityEvent]) -> str:
    """How many people and API keys made these attempts. An API key has no account."""
    people = len({each.account for each in attempts if each.account})
    api_keys = len({(each.details or {}).get("key") for each in attempts if not each.account})
    texts = []
    if people:
        text = ngettext(
            "%(count)s person tried to open someone else’s business",
            "%(count)s people tried to open someone else’s business",
            people,
        )
        texts.append(text % {"count": people})
    if api_keys:
        text = ngettext(
            "%(count)s API key asked for a file of another business",
            "%(count)s API keys asked for files of another business",
            api_keys,
        )
        texts.append(text % {"count": api_keys})
    return " · ".join(texts)


def latest_time(events: Sequence[SecurityEvent]) -> datetime | None:
    return max(events, key=lambda event: event.sk).at_time


def count_text(events: Sequence[SecurityEvent]) -> str:
    return f"{MAX_EVENTS}+" if len(events) >= MAX_EVENTS else str(len(events))


def _alert(text: str, events: Sequence[SecurityEvent], kind: EventKind) -> Alert:
    return Alert(text, latest_time(events), f"{reverse('security_log')}?{urlencode({'kind': kind.value})}")
