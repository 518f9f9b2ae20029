"""The toy config with its history under `/texts/`, beside the product's own pages."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest
from django.test import override_settings
from django.urls import clear_url_caches, include, path

from dashboard import urls
from dashboard.platform.configs.views import history_urls
from forum.permissions import Permission
from tests.configs.texts_config import TEXTS

_routes = ModuleType("tests.configs.routes")
_routes.urlpatterns = [  # type: ignore[attr-defined]
    *urls.urlpatterns,
    path("texts/", include(history_urls(TEXTS, Permission.FILTER))),
]


@pytest.fixture
def texts_pages() -> Iterator[str]:
    """The URL of the toy config's history."""
    with override_settings(ROOT_URLCONF=_routes):
        clear_url_caches()
        yield "/texts/versions/"
    clear_url_caches()
