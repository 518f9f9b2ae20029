"""The documented endpoints of branding. Their views (branding/views/api.py) need no key and answer every website."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.web.api.endpoints import open_endpoint
from dashboard.web.api.messages import Message, Moment
from dashboard.web.api.problems import declare_problem

ERRORS = (
    declare_problem("no_theme", 404, "No theme is published for this business."),
    declare_problem("theme_missing", 404, "The version that is marked as published does not exist."),
)


class ThemeFile(Message):
    id: str
    url: str | None


class ThemeBody(Message):
    business_id: str
    version: int
    name: str | None
    published_at: Moment | None
    metadata: dict[str, Any]
    tokens: dict[str, Any]
    properties: dict[str, str]
    files: dict[str, ThemeFile]
    stylesheet: str


open_endpoint(
    "businesses/<business:business>/theme",
    "theme",
    summary=_("The live theme of a business"),
    response=ThemeBody,
    errors=ERRORS,
)
open_endpoint(
    "businesses/<business:business>/theme.css",
    "theme_css",
    summary=_("The live theme as a stylesheet"),
    response=str,
    errors=ERRORS,
    media_type="text/css",
)
