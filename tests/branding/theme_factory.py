"""Versions of a theme for the tests, created with the services."""

from __future__ import annotations

from typing import Any

from branding import queries, tokens
from branding.items import Publication, PublishedMarker, Theme
from branding.services import drafts, publishing
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Actor, new_command
from dashboard.table.connection import table
from tests.conftest import ACTOR

# Colours with too little contrast between them.
LOW_CONTRAST = {"textColor": "#aaaaaa", "backgroundColor": "#ffffff"}


StyleValues = dict[str, str]


def create_draft(
    business: str, name: str = "", values: StyleValues | None = None, *, by: Actor = ACTOR, source: int | None = None
) -> Theme:
    """Create a draft: these values, and defaults for the others."""
    return drafts.create(business, source=source, values=values or {}, name=name or None, command=new_command(by))


def publish(theme: Theme, by: Actor = ACTOR, note: str = "") -> PublishedMarker:
    """Publish it, whichever version is live."""
    marker = queries.find_marker(theme.business)
    return publishing.publish(
        theme.business,
        theme.number,
        expected_live_version=marker.number if marker else None,
        note=note,
        accept_low_contrast=True,
        command=new_command(by),
    )


def create_published(
    business: str, name: str = "", values: StyleValues | None = None, *, by: Actor = ACTOR, note: str = ""
) -> Theme:
    theme = create_draft(business, name, values, by=by)
    publish(theme, by, note)
    return reload(theme)


def create_discarded(business: str, name: str = "") -> Theme:
    theme = create_draft(business, name)
    return drafts.discard(business, theme.number, revision=theme.revision, command=new_command(ACTOR))


def reload(theme: Theme) -> Theme:
    return queries.load_theme(theme.business, theme.number)


def live_version(business: str) -> int | None:
    marker = queries.find_marker(business)
    return marker.number if marker else None


def publications(business: str) -> list[Publication]:
    return queries.publications(business).items


def raw_theme(business: str, version: int, **attributes: Any) -> dict[str, Any]:
    """A version as an outside writer would write it."""
    key = keys.THEME.key(tenant=business, version=version)
    values = {"type": "THEME", "version": version, "status": "draft", "metadata": dict(tokens.DEFAULTS)} | attributes
    item = {"PK": key.pk, "SK": key.sk, "updatedAt": "2025-09-21T10:00:00Z"} | values
    return {name: to_attribute(value) for name, value in item.items()}


def put_theme(business: str, version: int, **attributes: Any) -> int:
    """Write a version with this number, without any check."""
    request = {"TableName": table().table_name, "Item": raw_theme(business, version, **attributes)}
    table().connection.dispatch("PutItem", request)
    return version
