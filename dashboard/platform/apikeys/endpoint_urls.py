"""The URLs of all endpoints that apps declare."""

from __future__ import annotations

from itertools import groupby

from django.urls import URLPattern, path

from dashboard.platform.apikeys.calls import view_of
from dashboard.web.api.endpoints import BASE, ENDPOINTS


def endpoint_urls() -> list[URLPattern]:
    """One URL per address, named for its first endpoint."""
    ordered = sorted((each for each in ENDPOINTS if each.needs_key), key=lambda each: (each.path, each.method))
    addresses = [list(found) for _, found in groupby(ordered, key=lambda each: each.path)]
    return [
        path(BASE.removeprefix("/") + found[0].path, view_of(found), name=f"api_{found[0].name}") for found in addresses
    ]
