"""What visitors left on the demo's site: comments in each status, leads in each stage, and consents."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from content.comment_refs import CommentRef
from content.comment_statuses import DECISIONS, CommentStatus
from content.demo.visitor_texts import COMMENTS, CONTACTS, DemoContact
from content.items import Consent, ConsentDay, ContentCard, Lead, LeadState, PageComment
from content.items.consents import listed_choice
from content.lead_repairs import contact_of, describe
from content.lead_stages import LeadStage
from content.queries.leads import find_state
from content.queries.pages import pages
from content.services import comments as comment_services
from content.services import leads as lead_services
from content.statuses import PageStatus
from dashboard.core.clock import now
from dashboard.core.ids import new_id, predictable
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import days_ago
from dashboard.table import keys, write
from dashboard.table.commands import Actor, Command

BUSINESS = "andina"
PEOPLE = (Actor(f"receptionist@{DOMAIN}", "Rosa Medina"), Actor(f"diego@{DOMAIN}", "Diego Paredes"))
TIMEZONE = "America/Bogota"
CONSENTS, DAYS = 70, 30
# Pages on which nobody comments.
_FIXED = ("/", "/contact")
_BROWSERS = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X)",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/140.0",
    "Mozilla/5.0 (Linux; Android 15) Chrome/141.0",
)


def seed() -> tuple[int, int, int]:
    """Add what is missing, and return the numbers of comments, leads and consents."""
    if find_business(BUSINESS) is None or find_state(BUSINESS, CONTACTS[0].email.casefold()) is not None:
        return 0, 0, 0
    published = pages(BUSINESS, status=PageStatus.PUBLISHED).items
    commented = sorted((card for card in published if card.slug not in _FIXED), key=lambda card: card.node)[:3]
    return _add_comments(commented), _add_leads(), _add_consents()


def _add_comments(commented: Sequence[ContentCard]) -> int:
    if not commented:
        return 0
    for number, (name, text, decisions) in enumerate(COMMENTS):
        with days_ago(14 - number * 0.55, f"site comment {number}"):
            card = commented[number % len(commented)]
            ref = CommentRef(card.node, _milliseconds(now()))
            comment = PageComment.new(tenant=BUSINESS, page=ref.page, at=ref.at)
            comment.author_id, comment.author_name = f"1045{number:04}", name
            comment.author_email = f"{name.split()[0].lower()}@correo.example"
            comment.content, comment.status, comment.created_at = text, CommentStatus.PENDING.value, now()
            comment.page_title = card.title
            if decisions and decisions[0] not in DECISIONS:
                comment.status, decisions = decisions[0], ()
            write.put(comment)
        for step, decision in enumerate(decisions):
            with days_ago(13.9 - number * 0.55 - step * 0.1, f"site decision {number} {step}"):
                command = Command(f"demo-site-comment-{number}-{step}", PEOPLE[(number + step) % 2])
                comment_services.decide(BUSINESS, ref, DECISIONS[decision], revision=step, command=command)
    return len(COMMENTS)


def _add_leads() -> int:
    for number, contact in enumerate(CONTACTS):
        for again, message in enumerate(contact.messages):
            with days_ago(contact.days - again * 2, f"site lead {number} {again}"):
                _add_contact(contact, message, is_last=again == len(contact.messages) - 1)
    for number, contact in enumerate(CONTACTS):
        if contact.stage:
            _follow_up(number, contact)
    return len({contact.email.casefold() for contact in CONTACTS})


def _add_contact(contact: DemoContact, message: str, *, is_last: bool) -> None:
    row = Lead.new(tenant=BUSINESS, email=contact.email)
    row.row_id, row.email, row.name, row.source = new_id(), contact.email, contact.name, contact.source
    row.status, row.created_at = LeadStage.NEW.value, now()
    if is_last and (stage := _stage_of(row.lead)):
        # As the follow-up leaves it: a new row of a lead that has a stage would be repaired.
        row.status, row.stage_revision = stage, 1
    row.stored_data = {"message": message, "userAgent": _BROWSERS[0], **contact.extra} if message else None
    lead = row.lead
    state = find_state(BUSINESS, lead)
    if state is None:
        state = LeadState.new(tenant=BUSINESS, lead=lead)
        state.email, state.stored_stage, state.created_at = lead, LeadStage.NEW.value, now()
    describe(state, row)
    write.put(state)
    # The service keeps only the latest contact.
    write.put(row if is_last else contact_of(Lead.of(row.serialize())))


def _stage_of(lead: str) -> str:
    """The stage that the follow-up sets. A lead can have several addresses, which differ in capital letters."""
    return next((each.stage for each in CONTACTS if each.stage and each.email.casefold() == lead), "")


def _follow_up(number: int, contact: DemoContact) -> None:
    lead, person = contact.email.casefold(), PEOPLE[number % 2]

    def command(name: str) -> Command:
        return Command(f"demo-site-lead-{number}-{name}", person)

    with days_ago(contact.days - 1, f"site lead {number} follow-up"):
        stage = LeadStage(contact.stage)
        saved = lead_services.set_stage(BUSINESS, lead, stage, revision=0, command=command("stage"))
        if contact.note:
            lead_services.add_note(BUSINESS, lead, contact.note, command=command("note"))
    if contact.step:
        day = (now() + timedelta(days=contact.step_in)).date().isoformat()
        values = {"next_step": contact.step, "next_step_on": day, "step_for": person.email}
        with days_ago(contact.days - 1.1, f"site lead {number} step"):
            lead_services.edit(
                BUSINESS, lead, values, revision=saved.revision, timezone=TIMEZONE, command=command("step")
            )


def _add_consents() -> int:
    chance = random.Random("site consents")
    totals: Counter[tuple[str, str]] = Counter()
    for number in range(CONSENTS):
        at = now() - timedelta(days=chance.random() * DAYS)
        with predictable(f"site consent {number}"):
            milliseconds = int(at.timestamp() * 1000)
            visitor = f"visitor_{milliseconds - 4448}_{chance.randrange(36**9):09x}"[:40]
            consent = Consent.new(tenant=BUSINESS, visitor=visitor, at=str(milliseconds))
            consent.choice = chance.choices(("all", "necessary", "denied"), (6, 3, 1))[0]
            consent.timestamp, consent.created_at = milliseconds, at
            consent.user_agent = chance.choice(_BROWSERS)
            consent.ip = f"203.0.113.{chance.randrange(1, 255)}" if number % 3 else None
            consent.counted_on = at.date().isoformat()
            write.put(consent)
        totals[consent.counted_on, listed_choice(consent.choice)] += 1
    for (day, choice), number in totals.items():
        counter: Any = getattr(ConsentDay, choice)
        write.update(keys.CONSENT_DAY.key(tenant=BUSINESS, date=day), [counter.add(number)])
    return CONSENTS


def _milliseconds(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}.114Z"
