"""Webhooks that fail on the home pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import HomeLine, HomePlace, HomeSource, Reads, Results, Urgency, register_home
from dashboard.platform.webhooks import queries
from dashboard.platform.webhooks.items import OffReason
from dashboard.platform.webhooks.permissions import Permission

WEBHOOKS = "webhooks"
MAX_LINES = 3


def _reads(request: Request, *, in_business: bool) -> Reads:
    return {WEBHOOKS: partial(queries.webhooks_of, request.business.id if in_business else "")}


def _lines(request: Request, results: Results, *, in_business: bool) -> Iterator[HomeLine]:
    broken = [each for each in results[WEBHOOKS] if each.is_failing_for_long or each.off_reason in _BROKEN]
    for webhook in broken[:MAX_LINES]:
        if webhook.is_on:
            text = _("The webhook %(name)s does not reach its receiver")
        else:
            text = _("The webhook %(name)s was switched off because its receiver failed")
        args = [webhook.business, webhook.id] if in_business else [webhook.id]
        url = reverse("business_webhook" if in_business else "webhook", args=args)
        yield HomeLine(Urgency.BROKEN, "zap", text % {"name": webhook.title}, url, detail=webhook.url)


_BROKEN = {OffReason.FAILED, OffReason.GONE}

for place, permission, in_business in (
    (HomePlace.PLATFORM, Permission.SYSTEM_WEBHOOKS, False),
    (HomePlace.BUSINESS, Permission.BUSINESS_WEBHOOKS, True),
):
    register_home(
        place,
        HomeSource(
            name="webhooks",
            permission=permission,
            checked=gettext_lazy("webhooks that do not reach their receiver"),
            reads=partial(_reads, in_business=in_business),
            build_lines=partial(_lines, in_business=in_business),
        ),
    )
