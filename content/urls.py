"""URLs of sites."""

from __future__ import annotations

from django.urls import path

from content import visitor_urls
from content.views import api, page, pages, routes, schedules, versions

_SITE = "b/<business:business>/site/"
_PAGES = f"{_SITE}pages/"
_PAGE = f"{_PAGES}<str:node>/"
_ROUTES = f"{_SITE}routes/"
_API = "api/v1/businesses/<business:business>/"

urlpatterns = [
    path(_SITE, pages.site, name="site"),
    # Pages. The id of a page is never "new": those of the service are UUIDs.
    path(f"{_PAGES}new/", page.create, name="page_new"),
    path(_PAGE, page.show, name="page"),
    path(f"{_PAGE}status/", page.change_status, name="page_status"),
    path(f"{_PAGE}schedule/", schedules.schedule, name="page_schedule"),
    path(f"{_PAGE}schedule/cancel/", schedules.cancel, name="page_schedule_cancel"),
    path(f"{_PAGE}versions/", versions.versions, name="page_versions"),
    path(f"{_PAGE}versions/<int:page_version>/restore/", versions.restore, name="page_restore"),
    # Addresses.
    path(_ROUTES, routes.routes, name="routes"),
    path(f"{_ROUTES}new/", routes.create, name="route_new"),
    path(f"{_ROUTES}change/", routes.change, name="route_change"),
    path(f"{_ROUTES}remove/", routes.remove, name="route_remove"),
    # The public API.
    path(f"{_API}pages/<str:node>", api.site_page, name="api_site_page"),
    path(f"{_API}routes/", api.site_route, name="api_site_home"),
    path(f"{_API}routes/<path:site_path>", api.site_route, name="api_site_route"),
    *visitor_urls.urlpatterns,
]
