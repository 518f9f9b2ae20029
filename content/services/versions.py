"""Restores an earlier version of a page as a new one."""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from content.addresses import is_fixed
from content.items import Content, ContentVersion
from content.items.pages import PageAttributes
from content.queries.versions import load_version
from content.services.audit import audit_values
from content.services.markers import after_change
from content.services.page_routes import RoutePlan, plan_routes, plan_title
from content.services.page_versions import PageChange, change_page
from dashboard.core.errors import Refused
from dashboard.table import schema
from dashboard.table.commands import Command
from dashboard.table.keypattern import BadKey
from dashboard.table.transactions import idempotent

# What stays as it is now: the identity of the page, its state, and what describes the version itself.
_STAYS = frozenset(
    {
        *("page_id", "node_id", "type", "status", "version", "author", "author_email"),
        *("restored_from", "version_action", "version_note", "slug"),
    }
)
_RESTORED = tuple(
    name for name in vars(PageAttributes) if hasattr(getattr(PageAttributes, name), "attr_name") and name not in _STAYS
)
# The name in the result of the address that could not be restored.
KEPT_SLUG = "kept_slug"


@idempotent
def restore(business: str, node: str, number: int, *, revision: int, command: Command) -> Content:
    """Make the content of an earlier version the next version. The page stays a draft, published or archived.

    The earlier address is restored too, unless another page has it by now: then the page keeps its own.
    """
    version = load_version(business, node, number)

    def apply(page: Content) -> PageChange:
        before, old_slug, old_title = audit_values(page), page.slug, page.title
        for name in _RESTORED:
            wire_name = str(Content.get_attributes()[name].attr_name)
            if wire_name not in version.mistyped:
                setattr(page, name, getattr(version, name))
        routes, kept_slug = _restore_slug(business, page, version, command)
        if page.slug == old_slug:
            routes = plan_title(business, node, page.slug, page.title) if page.title != old_title else None
        result = {KEPT_SLUG: version.slug} if kept_slug else {}
        after = audit_values(page)
        return PageChange(
            "restore",
            before=before,
            after={**after, "restored_from": number},
            result=result,
            routes=routes,
            restored_from=number,
            more=list(_unknown_attributes(page, version)),
        )

    return after_change(change_page(business, node, revision, command, apply))


def _restore_slug(
    business: str, page: Content, version: ContentVersion, command: Command
) -> tuple[RoutePlan | None, bool]:
    """The changes of routes, and whether the page keeps its address although the version has another one."""
    if not version.slug or version.slug == page.slug:
        return None, False
    if is_fixed(page.slug):
        return None, True
    try:
        plan = plan_routes(business, page.node, version.slug, page.slug, command, title=page.title)
    except (Refused, BadKey):
        return None, True
    page.slug = version.slug
    return plan, False


def _unknown_attributes(page: Content, version: ContentVersion) -> Iterator[Action]:
    """What an outside writer stored in the version, exactly as it is. What only the page has now stays."""
    known = {str(attribute.attr_name) for attribute in ContentVersion.get_attributes().values()}
    index_keys = {name for index in schema.INDEXES if index.sk for name in (index.pk, index.sk)}
    for name, value in version.raw.items():
        is_unknown = name not in known or (name in version.mistyped and _is_restored(name))
        if is_unknown and name not in index_keys and page.raw.get(name) != value:
            yield Path([name]).set(value)


def _is_restored(wire_name: str) -> bool:
    return any(str(Content.get_attributes()[name].attr_name) == wire_name for name in _RESTORED)
