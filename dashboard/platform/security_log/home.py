"""The security log on the home page of admins: alerts, and sign-ins and API keys that were throttled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy, ngettext

from dashboard.core.clock import now
from dashboard.platform.accounts import queries as accounts
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.home.registry import HomeLine, HomePlace, HomeSource, Reads, Results, Urgency, register_home
from dashboard.platform.security_log import alerts
from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.permissions import Permission
from dashboard.platform.security_log.queries import events_since

FAILURES, WRONG_CODES, NEW_DEVICES = "security.failures", "security.wrong_codes", "security.new_devices"
OTHER_BUSINESSES, ADMINS = "security.other_businesses", "security.admins"
THROTTLED, THROTTLED_KEYS = "security.throttled", "security.throttled_keys"


def security_reads(request: Request) -> Reads:
    since = now() - alerts.DAY
    return {
        FAILURES: alerts.recent_failures,
        WRONG_CODES: alerts.recent_wrong_codes,
        NEW_DEVICES: alerts.recent_new_devices,
        OTHER_BUSINESSES: alerts.recent_attempts_on_other_businesses,
        ADMINS: partial(accounts.accounts, Role.ADMIN),
        THROTTLED: partial(events_since, EventKind.THROTTLED, since, alerts.MAX_EVENTS),
        THROTTLED_KEYS: partial(events_since, EventKind.KEY_THROTTLED, since, alerts.MAX_EVENTS),
    }


def security_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    failures = [*results[FAILURES], *results[WRONG_CODES]]
    for alert in alerts.build_alerts(failures, results[NEW_DEVICES], results[OTHER_BUSINESSES], results[ADMINS].items):
        yield HomeLine(Urgency.BROKEN, "shield-alert", alert.text, alert.url, since=alert.latest)
    throttled, keys = results[THROTTLED], results[THROTTLED_KEYS]
    if throttled:
        text = ngettext(
            "Sign-ins were throttled %(count)s time in the last day",
            "Sign-ins were throttled %(count)s times in the last day",
            len(throttled),
        )
        yield _line(text, throttled, EventKind.THROTTLED)
    if keys:
        text = ngettext(
            "API keys were throttled %(count)s time in the last day",
            "API keys were throttled %(count)s times in the last day",
            len(keys),
        )
        yield _line(text, keys, EventKind.KEY_THROTTLED)


def _line(text: str, events: Sequence[SecurityEvent], kind: EventKind) -> HomeLine:
    url = f"{reverse('security_log')}?{urlencode({'kind': kind.value})}"
    return HomeLine(
        Urgency.TODAY, "gauge", text % {"count": alerts.count_text(events)}, url, since=alerts.latest_time(events)
    )


register_home(
    HomePlace.PLATFORM,
    HomeSource(
        name="security",
        permission=Permission.SECURITY_LOG,
        checked=gettext_lazy("sign-ins and API keys"),
        reads=security_reads,
        build_lines=security_lines,
    ),
)
