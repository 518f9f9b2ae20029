"""The event: its rooms, what plays in them, its people, and who is let in."""

from django.urls import include, path

from dashboard.accounts.permissions import Permission
from dashboard.configs.views import history_urls
from rooms.configs.domains import DOMAINS
from rooms.views import domains, importing_domains, rooms

urlpatterns = [
    path("", rooms.rooms, name="rooms"),
    path("domains/", domains.domains, name="domains"),
    path("domains/recount/", domains.recount, name="domains_recount"),
    path("domains/import/", importing_domains.upload, name="domains_import"),
    path("domains/export/", importing_domains.export, name="domains_export"),
    path("domains/", include(history_urls(DOMAINS, Permission.DOMAINS))),
]
