"""The URLs. Each app has its own `urls.py`."""

from django.conf import settings
from django.urls import include, path, register_converter

from dashboard.platform.jobs.paths import JobConverter
from dashboard.shell import gallery, health, views

register_converter(JobConverter, "job")

urlpatterns = [
    path("", views.home, name="home"),
    path("counts/", views.navigation_counts, name="navigation_counts"),
    path("go/", views.palette, name="palette"),
    path("livez", health.livez, name="livez"),
    path("healthz", health.healthz, name="healthz"),
    *([path("ui/", include(gallery.urlpatterns))] if settings.UI_GALLERY else []),
    path("", include("dashboard.platform.accounts.urls")),
    path("", include("dashboard.platform.businesses.urls")),
    path("", include("dashboard.platform.apikeys.urls")),
    path("", include("dashboard.platform.audit.urls")),
    path("", include("dashboard.platform.mail.urls")),
    path("", include("dashboard.platform.webhooks.urls")),
    path("", include("dashboard.platform.usage.urls")),
    path("", include("dashboard.platform.security_log.urls")),
    path("", include("dashboard.platform.table_health.urls")),
    path("", include("dashboard.platform.adoption.urls")),
    path("", include("branding.urls")),
    path("", include("bookings.urls")),
    path("", include("content.urls")),
    path("", include("franchises.urls")),
    path("forum/", include("forum.urls")),
    path("rooms/", include("rooms.urls")),
    path("activity/", include("activity.urls")),
    path("", include("dashboard.platform.jobs.urls")),
]

handler400 = "dashboard.web.errors.bad_request"
handler403 = "dashboard.web.errors.permission_denied"
handler404 = "dashboard.web.errors.page_not_found"
handler500 = "dashboard.web.errors.server_error"
