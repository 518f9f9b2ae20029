"""Mail to the people of a business: the next step of a lead is due."""

from __future__ import annotations

from datetime import date, timedelta

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from content.items import LeadState
from content.items.leads import LEAD
from content.lead_people import may_follow_up
from content.lead_stages import LeadStage
from content.queries.leads import find_state
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.queries import find_person
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.queries import find_business, find_member
from dashboard.platform.mail.items import CancelReason, OutgoingMail
from dashboard.platform.mail.kinds import (
    MailContent,
    MailKind,
    NotNeeded,
    QueueChanges,
    SampleValues,
    mail_after,
    new_mail,
    register_mail,
)
from dashboard.platform.mail.texts import language_of
from dashboard.table.read import gather
from dashboard.web.locale import zone
from dashboard.web.templatetags.ui import long_day_format

STEP = "lead.step"
PLACEHOLDERS = {
    "name": gettext_lazy("the name of the person who does the step"),
    "lead": gettext_lazy("the name of the lead"),
    "step": gettext_lazy("the next step"),
    "day": gettext_lazy("the day"),
    "link": gettext_lazy("the link to the lead"),
    "business": gettext_lazy("the name of the business"),
}


def load_content(mail: OutgoingMail) -> MailContent:
    """The step as it is now, to the person who takes it, if they may still see leads."""
    lead = mail.target
    try:
        state, business = gather(lambda: find_state(mail.business, lead), lambda: find_business(mail.business))
    except NotFound:
        raise NotNeeded(CancelReason.GONE) from None
    if business is None or business.is_closed:
        raise NotNeeded(CancelReason.CLOSED)
    if state is None or state.stage == LeadStage.ARCHIVED or not state.next_step_on or not state.step_for:
        raise NotNeeded(CancelReason.GONE)
    if state.next_step_on > timezone.localdate(now(), zone(business.timezone)).isoformat():
        raise NotNeeded(CancelReason.GONE)  # It was put off meanwhile.
    to = state.step_for
    person, member = gather(lambda: find_person(to), lambda: find_member(mail.business, to))
    if person is None or not may_follow_up(member):
        raise NotNeeded(CancelReason.NO_ADDRESS)
    language = language_of(person.language, business.language)
    return MailContent(to, language, _values(state, business, language, person.title), sender=business.title)


def _values(state: LeadState, business: Business, language: str, name: str) -> dict[str, str]:
    with translation.override(language):
        try:
            day = date_format(date.fromisoformat(state.next_step_on or ""), long_day_format())
        except ValueError:
            day = ""
        return {
            "name": name,
            "lead": state.title,
            "step": state.next_step or _("Follow up"),
            "day": day,
            "link": settings.SITE_URL + reverse("lead", args=[business.id, state.id]),
            "business": business.title,
        }


def load_sample(business_id: str) -> SampleValues:
    """Made-up values."""
    business = find_business(business_id)
    if business is None:
        raise NotFound
    state = LeadState.new(tenant=business_id, lead="ana@example.com")
    state.email, state.name = "ana@example.com", "Ana Soto"
    state.next_step_on = (now() + timedelta(days=1)).date().isoformat()
    return SampleValues(
        {language: _values(state, business, language, "Rosa Medina") for language, _name in settings.LANGUAGES}
    )


register_mail(
    MailKind(
        STEP,
        label=gettext_lazy("Next step of a lead"),
        hint=gettext_lazy("In the morning of its day, to the person who does it"),
        subject=gettext_lazy("Today: {step} ({lead})"),
        body=gettext_lazy(
            "Hello {name},\n\nThe next step with {lead} is due on {day}:\n\n{step}\n\n{link}\n\n{business}"
        ),
        placeholders=PLACEHOLDERS,
        load=load_content,
        load_sample=load_sample,
    )
)


@mail_after("lead.step_due", delay=timedelta())
def queue_reminder(entry: AuditEntry) -> QueueChanges:
    business = entry.record_place.business
    lead = str(entry.target_data.get("id") or "").removeprefix(f"{LEAD}:")
    return QueueChanges([new_mail(entry, STEP, lead, business=business)])
