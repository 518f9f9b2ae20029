"""Pages: create and save. Publishing is in `publishing.py`, earlier versions are in `versions.py`."""

from __future__ import annotations

from typing import Any

from content.addresses import ensure_available, ensure_can_move, normalized
from content.blocks.fingerprints import is_same
from content.fields import PAGE_FIELDS
from content.items import Content
from content.queries.pages import find_page
from content.queries.routes import url_prefixes
from content.services.audit import audit_values, record_page_change
from content.services.markers import after_change
from content.services.page_routes import RoutePlan, plan_routes, plan_title
from content.services.page_versions import PageChange, change_page, put_card
from content.statuses import PageStatus
from dashboard.core.errors import NotFound, StaleRevision
from dashboard.core.ids import new_id
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent

# What a new page does not take from the page that it is made from.
_OWN = frozenset(
    {
        *("page_id", "node_id", "slug", "status", "version", "author", "author_email", "restored_from"),
        *("version_action", "version_note", "created_at", "updated_at", "updated_by", "updated_by_name"),
        *("stored_revision", "pk", "sk", "ttl"),
    }
)


@idempotent
def create(
    business: str,
    values: dict[str, Any],
    *,
    blocks: list[Any] | None = None,
    template: str = "",
    source: str = "",
    command: Command,
) -> Content:
    """A draft: empty, from a template with these blocks, or as a copy of the page `source`."""
    slug = normalized(values["slug"])
    ensure_available(slug, url_prefixes(business))
    origin = find_page(business, source) if source else None
    if source and origin is None:
        raise NotFound

    def attempt() -> Content:
        page = Content.new(tenant=business, node=new_id())
        if origin is not None:
            _copy(origin, page)
        if blocks is not None:
            page.blocks = blocks
        PAGE_FIELDS.apply(page, {**values, "slug": slug})
        page.page_id, page.node_id, page.type = new_id(), page.node, "Page"
        page.status, page.version = PageStatus.DRAFT, 1
        page.template = template or page.template
        page.author, page.author_email = command.by.email, command.by.email
        page.blocks = page.blocks or []
        page.access_type = page.access_type or "Public"
        page.comments_mode = page.comments_mode or "Enabled"
        page.version_action = "create"
        transaction = Transaction(command)
        transaction.create(page, on_failure=StaleRevision)
        put_card(transaction, page)
        plan_routes(business, page.node, slug, None, command, title=page.title).add_to(transaction, kept_free=1)
        record_page_change(transaction, "create", page, None, audit_values(page))
        return transaction.commit(page)

    return retry_on(StaleRevision, attempt)


def _copy(origin: Content, page: Content) -> None:
    """All values, also those of outside writers that we do not know."""
    for name in origin.get_attributes():
        if name not in _OWN and not name.startswith("gsi"):
            setattr(page, name, getattr(origin, name))
    known = {str(attribute.attr_name) for attribute in origin.get_attributes().values()}
    page.extra_attributes = {name: value for name, value in origin.raw.items() if name not in known}


@idempotent
def save(
    business: str,
    node: str,
    values: dict[str, Any],
    blocks: list[Any] | None = None,
    *,
    revision: int,
    note: str = "",
    command: Command,
) -> Content:
    """Save the changed values as the next version, if the page is still the one that the person saw.

    Without `blocks`, those of the page stay. Attributes that nobody here knows are kept.
    """

    def apply(page: Content) -> PageChange | None:
        before, old_blocks = audit_values(page), page.blocks
        old_slug, old_title = page.slug, page.title
        changes = dict(values)
        if "slug" in changes:
            changes["slug"] = _checked_slug(business, page, changes["slug"])
        PAGE_FIELDS.apply(page, changes)
        has_new_blocks = blocks is not None and not is_same(blocks, old_blocks)
        if has_new_blocks:
            page.blocks = blocks
        after = audit_values(page)
        if after == before and not has_new_blocks:
            return None
        routes: RoutePlan | None = None
        if page.slug != old_slug:
            routes = plan_routes(business, node, str(page.slug), old_slug, command, title=page.title)
        elif page.title != old_title:
            routes = plan_title(business, node, page.slug, page.title)
        result = {"before": before, "after": after}
        return PageChange("edit", note, before, after, result, routes)

    return after_change(change_page(business, node, revision, command, apply))


def _checked_slug(business: str, page: Content, sent: str) -> str:
    """The address to store. One that is not changed is not checked: outside writers have other rules."""
    if sent == page.slug:
        return sent
    slug = normalized(sent)
    if slug != page.slug:
        ensure_can_move(page.slug, slug)
        ensure_available(slug, url_prefixes(business))
    return slug
