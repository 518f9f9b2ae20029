"""Failed mail on the home pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import HomeLine, HomePlace, HomeSource, Reads, Results, Urgency, register_home
from dashboard.platform.mail import queries
from dashboard.platform.mail.items import MailState
from dashboard.platform.mail.permissions import Permission

FAILED = "mail.failed"


def _reads(request: Request, *, in_business: bool) -> Reads:
    return {FAILED: partial(queries.failed_mails, request.business.id if in_business else "")}


def _lines(request: Request, results: Results, *, in_business: bool) -> Iterator[HomeLine]:
    found = results[FAILED]
    if not found.items:
        return
    count = f"{len(found.items)}+" if found.next_start_key else len(found.items)
    text = ngettext("%(count)s mail could not be sent", "%(count)s mails could not be sent", len(found.items))
    url = reverse("business_mail", args=[request.business.id]) if in_business else reverse("mail")
    url += f"?state={MailState.FAILED}"
    yield HomeLine(Urgency.BROKEN, "mail", text % {"count": count}, url, detail=found.items[0].title or "")


for place, permission, in_business in (
    (HomePlace.PLATFORM, Permission.SYSTEM_MAIL, False),
    (HomePlace.BUSINESS, Permission.BUSINESS_MAIL, True),
):
    register_home(
        place,
        HomeSource(
            name="mail",
            permission=permission,
            checked=gettext_lazy("mail that could not be sent"),
            reads=partial(_reads, in_business=in_business),
            build_lines=partial(_lines, in_business=in_business),
        ),
    )
