"""Queries for the home page of a business."""

from __future__ import annotations

from branding.items import Theme
from branding.queries.themes import with_number
from branding.queries.version_list import PAGE_SIZE
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern


@access_pattern("Which of the newest versions are drafts?", keys.THEME, partition=True)
def newest_drafts(business: str) -> list[Theme]:
    """Among the versions of the first page of the list."""
    collection = keys.THEME.collection(tenant=business)
    found = read.page(collection, Theme, limit=PAGE_SIZE, attributes=Theme.IN_LISTS, newest_first=True)
    return [theme for theme in with_number(found.items) if theme.is_draft]
