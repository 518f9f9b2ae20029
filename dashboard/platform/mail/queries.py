"""Queries for outgoing mail and the texts of a business."""

from __future__ import annotations

from typing import Any, cast

from dashboard.core.errors import NotFound
from dashboard.platform.mail.items import MailState, MailText, OutgoingMail, mail_key
from dashboard.platform.mail.kinds import MAIL_KINDS
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

IN_LISTS = ("kind", "target", "title", "state", "sendAt", "sentAt", "to", "subject", "error", "reason", "revision")
PAGE = 50


@access_pattern(
    "Which mail was queued, the newest first?",
    *(keys.MAILS, keys.MAILS_BY_STATE, keys.SYSTEM_MAILS, keys.SYSTEM_MAILS_BY_STATE),
)
def mails(business: str, state: str = "", start_key: Any = None, limit: int = PAGE) -> read.Page[OutgoingMail]:
    """The mail of a business, or without one of the platform."""
    parts = {"tenant": business} if business else {}
    if state:
        pattern = keys.MAILS_BY_STATE if business else keys.SYSTEM_MAILS_BY_STATE
        collection = pattern.collection(**parts, state=state)
    else:
        collection = (keys.MAILS if business else keys.SYSTEM_MAILS).collection(**parts)
    return read.page(collection, OutgoingMail, newest_first=True, start_key=start_key, limit=limit, attributes=IN_LISTS)


def failed_mails(business: str, limit: int = 10) -> read.Page[OutgoingMail]:
    return mails(business, MailState.FAILED, limit=limit)


@access_pattern("Which mail is about this booking, the newest first?", keys.MAILS_ABOUT)
def mails_about(business: str, target: str, limit: int = 50) -> list[OutgoingMail]:
    """Complete items, to change them."""
    collection = keys.MAILS_ABOUT.collection(tenant=business, target=target)
    return read.page(collection, OutgoingMail, newest_first=True, limit=limit).items


@access_pattern("Which mail is this?", keys.MAIL, keys.SYSTEM_MAIL)
def load_mail(business: str, place: str) -> OutgoingMail:
    at, _separator, mail_id = place.partition("_")
    try:
        found = read.get(OutgoingMail, mail_key(business, at, mail_id))
    except BadKey:
        found = None
    if found is None:
        raise NotFound
    return found


@access_pattern("Are these mails queued already?", keys.MAIL, keys.SYSTEM_MAIL)
def current_mails(new: list[OutgoingMail]) -> list[OutgoingMail | None]:
    return cast(list[OutgoingMail | None], read.get_many([mail.key for mail in new]))


@access_pattern("Which text does this business have for a kind of mail?", keys.MAIL_TEXT)
def find_text(business: str, kind: str) -> MailText | None:
    return read.get(MailText, keys.MAIL_TEXT.key(tenant=business, mail_kind=kind))


def load_text(business: str, kind: str) -> MailText:
    """The saved text, or a new item with the default one."""
    if kind not in MAIL_KINDS or not MAIL_KINDS[kind].is_of_business:
        raise NotFound
    return find_text(business, kind) or MailText.new(tenant=business, mail_kind=kind)


@access_pattern("Which texts does this business have?", keys.MAIL_TEXT, partition=True)
def texts_of(business: str) -> dict[str, MailText]:
    """By the name of the kind; those that the business has not changed are missing."""
    collection = keys.MAIL_TEXT.collection(tenant=business)
    return {text.kind: text for text in read.page(collection, MailText, consistent=True).items}
