"""Versions of a look as tests need them, made by what people do."""

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

# Colours that too little contrast on each other.
FAINT = {"textColor": "#aaaaaa", "backgroundColor": "#ffffff"}


Look = dict[str, str]


def a_draft(
    business: str, name: str = "", look: Look | None = None, *, by: Actor = ACTOR, source: int | None = None
) -> Theme:
    """A new draft, with these values where they are not the defaults."""
    return drafts.create(business, source=source, values=look or {}, name=name or None, command=new_command(by))


def publish(theme: Theme, by: Actor = ACTOR, note: str = "") -> PublishedMarker:
    """Put it in force, whatever is."""
    marker = queries.find_marker(theme.business)
    return publishing.publish(
        theme.business,
        theme.number,
        expected_live_version=marker.number if marker else None,
        note=note,
        accept_low_contrast=True,
        command=new_command(by),
    )


def a_published(business: str, name: str = "", look: Look | None = None, *, by: Actor = ACTOR, note: str = "") -> Theme:
    theme = a_draft(business, name, look, by=by)
    publish(theme, by, note)
    return reloaded(theme)


def a_discarded(business: str, name: str = "") -> Theme:
    theme = a_draft(business, name)
    return drafts.discard(business, theme.number, revision=theme.revision, command=new_command(ACTOR))


def reloaded(theme: Theme) -> Theme:
    return queries.load_theme(theme.business, theme.number)


def live_version(business: str) -> int | None:
    marker = queries.find_marker(business)
    return marker.number if marker else None


def publications(business: str) -> list[Publication]:
    return queries.publications(business).items


def raw_theme(business: str, version: int, **attributes: Any) -> dict[str, Any]:
    """A version as another service would write it."""
    key = keys.THEME.key(tenant=business, version=version)
    values = {"type": "THEME", "version": version, "status": "draft", "metadata": dict(tokens.DEFAULTS)} | attributes
    item = {"PK": key.pk, "SK": key.sk, "updatedAt": "2025-09-21T10:00:00Z"} | values
    return {name: to_attribute(value) for name, value in item.items()}


def put_theme(business: str, version: int, **attributes: Any) -> int:
    """Write it past every rule, at a number of one's choice."""
    request = {"TableName": table().table_name, "Item": raw_theme(business, version, **attributes)}
    table().connection.dispatch("PutItem", request)
    return version
