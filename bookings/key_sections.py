"""The code for a website on the page of a public key, with a preview of the widget."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.html import escape

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.apikeys.items import ApiKey
from dashboard.platform.apikeys.sections import register_key_section


def _widget(request: Request, key: ApiKey) -> dict[str, Any] | None:
    if not key.is_public or not key.is_active:
        return None
    # For other websites: not the host and port of this request.
    loader = settings.SITE_URL + reverse("widget_loader")
    # The key itself is not stored for keys that are older than the widget.
    data_key = key.embed_key or f"{key.api_key_public or ''}…"
    return {
        "snippet": f'<script src="{escape(loader)}" data-key="{escape(data_key)}" async></script>',
        "has_key": bool(key.embed_key),
        "preview": reverse("widget_preview", args=[key.business, key.id]) if key.embed_key else "",
        "origins": key.origins,
    }


register_key_section("bookings/online/_key_section.html", _widget)
