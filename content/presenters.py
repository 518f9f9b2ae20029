"""Pages and addresses as the data that templates show."""

from __future__ import annotations

from content.items import ContentCard
from content.statuses import PAGE_STATUS_LABELS, PAGE_STATUS_LEVELS, PAGE_TYPE_LABELS, PageStatus
from dashboard.web.pages import url_or_empty


def status_label(status: str) -> str:
    """The name of a status; one of an outside writer as it is stored."""
    return str(PAGE_STATUS_LABELS[PageStatus(status)]) if status in set(PageStatus) else status


def status_level(status: str) -> str:
    return PAGE_STATUS_LEVELS.get(status, "warn")


def type_label(page_type: str) -> str:
    return str(PAGE_TYPE_LABELS.get(page_type, page_type))


class PageRow:
    """A page in a list."""

    def __init__(self, business: str, card: ContentCard) -> None:
        self.card = card
        self.title, self.slug = card.display_title, card.slug or ""
        status = PageStatus.read(card.status)
        self.status, self.level = status_label(status), status_level(status)
        self.type = type_label(card.page_type or "")
        self.tags = ", ".join(str(tag) for tag in card.tags or ())
        self.url = url_or_empty("page", business, card.node)
