"""URLs of sites."""

from __future__ import annotations

from django.urls import path

from content.views import pages

_SITE = "b/<business:business>/site/"

urlpatterns = [
    path(_SITE, pages.site, name="site"),
]
