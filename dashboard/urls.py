"""The routes: each capability brings its own."""

from django.urls import include, path, register_converter

from dashboard.operations.paths import WorkConverter
from dashboard.ui import gallery, health, views

register_converter(WorkConverter, "work")

urlpatterns = [
    path("", views.home, name="home"),
    path("go/", views.palette, name="palette"),
    path("healthz", health.healthz, name="healthz"),
    path("ui/", include(gallery.urlpatterns)),
    path("", include("dashboard.accounts.urls")),
    path("", include("dashboard.businesses.urls")),
    path("", include("dashboard.apikeys.urls")),
    path("", include("dashboard.audit.urls")),
    path("", include("branding.urls")),
    path("", include("bookings.urls")),
    path("forum/", include("forum.urls")),
    path("rooms/", include("rooms.urls")),
    path("", include("dashboard.operations.urls")),
]

handler400 = "dashboard.ui.errors.bad_request"
handler403 = "dashboard.ui.errors.permission_denied"
handler404 = "dashboard.ui.errors.page_not_found"
handler500 = "dashboard.ui.errors.server_error"
