"""The forum: what its moderators work with."""

from django.urls import include, path

from dashboard.accounts.permissions import Permission
from dashboard.configs.views import history_urls
from forum.configs.reasons import REASONS
from forum.views import reasons

urlpatterns = [
    path("reasons/", reasons.reasons, name="reasons"),
    path("reasons/", include(history_urls(REASONS, Permission.FILTER))),
]
