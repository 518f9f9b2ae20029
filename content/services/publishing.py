"""Publish, unpublish and archive a page. Each makes a version, as every change of a page does."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from content.addresses import FIXED_TEXT, is_fixed
from content.items import Content
from content.queries.schedules import find_schedule
from content.services.markers import after_change
from content.services.page_routes import plan_routes
from content.services.page_versions import PageChange, change_page
from content.statuses import PageStatus
from dashboard.core.errors import Conflict, Refused
from dashboard.table.commands import Command
from dashboard.table.keypattern import BadKey
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import idempotent

# The action that leads to each status.
ACTIONS = {
    PageStatus.DRAFT: "unpublish",
    PageStatus.PUBLISHED: "publish",
    PageStatus.ARCHIVED: "archive",
}
SAME_STATUS = {
    PageStatus.DRAFT: _("This page is already a draft."),
    PageStatus.PUBLISHED: _("This page is already published."),
    PageStatus.ARCHIVED: _("This page is already archived."),
}
CANCELLED = _("The schedule was cancelled.")
NO_ADDRESS = _("Give the page an address first.")


@idempotent
def set_status(
    business: str,
    node: str,
    status: PageStatus,
    *,
    revision: int,
    is_scheduled: bool = False,
    command: Command,
) -> Content:
    """Publishing also makes sure that the address leads to the page, and ends its schedule.

    `is_scheduled` is for the schedule itself: one that was cancelled publishes nothing.
    """

    def apply(page: Content) -> PageChange:
        previous, old_slug = page.state, page.slug
        if previous == status:
            raise Conflict(page, SAME_STATUS[status])
        if status == PageStatus.ARCHIVED and is_fixed(page.slug):
            raise Refused(FIXED_TEXT)
        page.status = status
        action = "unarchive" if previous == PageStatus.ARCHIVED and status == PageStatus.DRAFT else ACTIONS[status]
        change = PageChange(action, before={"status": previous}, after={"status": str(status)})
        change.result = {"previous": previous}
        if status == PageStatus.PUBLISHED:
            if not page.slug:
                raise Refused(NO_ADDRESS, "slug")
            try:
                change.routes = plan_routes(business, node, page.slug, old_slug, command, title=page.title)
            except BadKey as error:
                raise Refused(NO_ADDRESS, "slug") from error
            change.schedule = find_schedule(business, node)
            if is_scheduled and change.schedule is None:
                raise Conflict(page, CANCELLED)
            if change.schedule is not None and change.schedule.due_at and not change.schedule.missed:
                due_at, zone = to_wire(change.schedule.due_at), change.schedule.timezone or ""
                change.result["schedule"] = {"due_at": due_at, "timezone": zone}
        return change

    return after_change(change_page(business, node, revision, command, apply))
