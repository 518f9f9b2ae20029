"""Pages and addresses as the data that templates show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from content.addresses import is_fixed, normalized, path_of
from content.blocks.checks import PageFinding
from content.items import Content, ContentCard, ContentVersion, PageSchedule, Route
from content.queries.routes import Destination, find_destination
from content.services.schedules import MISSED_REASONS
from content.statuses import PAGE_STATUS_LABELS, PAGE_STATUS_LEVELS, PAGE_TYPE_LABELS, PageStatus
from dashboard.web.local_times import moment_text
from dashboard.web.pages import url_or_empty

# What made a version.
VERSION_LABELS = {
    "create": pgettext_lazy("version of a page", "Created"),
    "edit": pgettext_lazy("version of a page", "Edited"),
    "restore": pgettext_lazy("version of a page", "Restored"),
    "publish": pgettext_lazy("version of a page", "Published"),
    "unpublish": pgettext_lazy("version of a page", "Unpublished"),
    "archive": pgettext_lazy("version of a page", "Archived"),
    "unarchive": pgettext_lazy("version of a page", "Brought back"),
}


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


class PagePanel:
    """What can be done with a page, and where it is found."""

    def __init__(self, business: str, page: Content, schedule: PageSchedule | None, routes: list[Route]) -> None:
        self.status, self.level = status_label(page.state), status_level(page.state)
        self.is_published = page.state == PageStatus.PUBLISHED
        self.is_archived = page.state == PageStatus.ARCHIVED
        self.is_fixed = is_fixed(page.slug)
        self.type = type_label(page.page_type)
        self.schedule = schedule
        self.due = moment_text(schedule.due_at, schedule.timezone) if schedule and schedule.due_at else ""
        self.missed = str(MISSED_REASONS.get(schedule.missed, schedule.missed)) if schedule and schedule.missed else ""
        self.redirects = [each.slug for each in routes if each.leads_elsewhere]
        live = [each.slug for each in routes if not each.leads_elsewhere]
        # An outside writer restored an earlier address, which leads elsewhere.
        self.has_wrong_address = self.is_published and bool(routes) and (page.slug or "") not in live
        self.versions_url = f"{reverse('page_versions', args=[business, page.node])}?below={page.number + 1}"
        self.edit_url = url_or_empty("page_edit", business, page.node)


class VersionRow:
    """A version of a page in a list."""

    def __init__(self, business: str, version: Content | ContentVersion, current: Content) -> None:
        self.version = version
        self.is_current = isinstance(version, Content)
        self.number = version.number if isinstance(version, Content) else int(version.key_parts["version"])
        self.title = version.title or ""
        self.status, self.level = status_label(version.state), status_level(version.state)
        self.who = version.updated_by_name or version.updated_by or version.author_email or ""
        self.when = version.updated_at or version.created_at
        self.action = str(VERSION_LABELS.get(version.version_action or "", ""))
        if version.restored_from is not None:
            self.action = _("Restored from v%(number)s") % {"number": int(version.restored_from)}
        self.note = version.version_note or ""
        self.restore_url = (
            "" if self.is_current else reverse("page_restore", args=[business, current.node, self.number])
        )
        self.revision = current.revision


class RouteRow:
    """An address in a list. A redirect shows the address that it leads to."""

    def __init__(self, business: str, route: Route) -> None:
        self.slug, self.is_redirect = route.slug, route.leads_elsewhere
        self.target = (route.redirect_to or "") if route.leads_elsewhere else ""
        # A route that the service has just written has none: the follower adds it.
        self.title = route.title or ""
        self.is_manual = bool(route.is_manual)
        # A redirect of the website service does not name its page.
        self.is_outside = route.leads_elsewhere and not route.node
        self.url = url_or_empty("page", business, route.node) if route.node else ""
        self.lookup_url = f"{reverse('routes', args=[business])}?{urlencode({'lookup': route.slug})}"
        self.main_url = self.url if self.url and not self.is_redirect else self.lookup_url
        self.can_change = route.leads_elsewhere and not is_fixed(route.slug)
        self.change_url = f"{reverse('route_change', args=[business])}?{urlencode({'slug': route.slug})}"


class DestinationPanel:
    """Where an address leads, in words."""

    def __init__(self, business: str, found: Destination) -> None:
        self.slug, self.hops, self.card = found.slug, found.hops, found.card
        self.title = found.card.display_title if found.card is not None else ""
        self.url = url_or_empty("page", business, found.node) if found.card is not None else ""
        self.final = found.card.slug if found.card is not None else ""
        self.status, self.level = "", "plain"
        if found.card is not None:
            state = PageStatus.read(found.card.status)
            self.status, self.level = status_label(state), status_level(state)
        self.is_redirect, self.is_endless = found.is_redirect, found.is_endless
        self.is_page_missing = bool(found.node) and found.card is None

    @classmethod
    def of(cls, business: str, lookup: str) -> DestinationPanel:
        return cls(business, find_destination(business, normalized(path_of(lookup))))


class SearchPreview:
    """A page as search engines and share cards show it, from what is saved."""

    def __init__(self, page: Content, domain: str) -> None:
        self.title = page.seo_title or page.display_title
        self.description = page.seo_description or ""
        self.picture = page.featured_image or ""
        self.host = domain
        self.address = f"{domain}{page.slug or ''}"


class PageFindingRow:
    """A finding of the check of a page, with the link to its block in the editor."""

    def __init__(self, finding: PageFinding, url: str) -> None:
        self.text, self.detail = finding.text, finding.detail
        self.number, self.block, self.url = finding.number, finding.block, url


def build_finding_rows(
    findings: Iterable[PageFinding], edit_url: str = "", anchors: Sequence[str] | None = None
) -> list[PageFindingRow]:
    """`anchors` are the ids of the blocks in an open editor. An editor that opens gives them these numbers."""
    rows = []
    for finding in findings:
        index = finding.number - 1
        anchor = f"k{index}" if anchors is None else anchors[index] if index < len(anchors) else ""
        rows.append(PageFindingRow(finding, f"{edit_url}#{anchor}" if index >= 0 and anchor else ""))
    return rows
