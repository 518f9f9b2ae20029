"""URLs of sites."""

from __future__ import annotations

from django.urls import path, register_converter

from content import visitor_urls
from content.paths import LibraryConverter, LibraryItemConverter, MediaFileConverter
from content.views import (
    api,
    joint_publication,
    library,
    media,
    page,
    page_comparison,
    page_editor,
    page_pictures,
    page_presence,
    page_preview,
    page_sharing,
    pages,
    resources,
    routes,
    schedules,
    site_files,
    versions,
)

register_converter(LibraryConverter, "library")
register_converter(LibraryItemConverter, "library_item")
register_converter(MediaFileConverter, "media_file")

_SITE = "b/<business:business>/site/"
_PAGES = f"{_SITE}pages/"
_PAGE = f"{_PAGES}<str:node>/"
_ROUTES = f"{_SITE}routes/"
_API = "api/v1/businesses/<business:business>/"
_LIBRARY = f"{_SITE}<library:library>/"
_LIBRARY_ITEM = f"{_LIBRARY}<library_item:item>/"

urlpatterns = [
    path(_SITE, pages.site, name="site"),
    # Pages. The id of a page is never "new": those of the service are UUIDs.
    path(f"{_PAGES}new/", page.create, name="page_new"),
    path(_PAGE, page.show, name="page"),
    path(f"{_PAGE}status/", page.change_status, name="page_status"),
    path(f"{_PAGE}schedule/", schedules.schedule, name="page_schedule"),
    path(f"{_PAGE}schedule/cancel/", schedules.cancel, name="page_schedule_cancel"),
    path(f"{_PAGE}edit/", page_editor.edit, name="page_edit"),
    path(f"{_PAGE}edit/open/", page_presence.report, name="page_editing"),
    path(f"{_PAGE}edit/picture/", page_pictures.picture, name="page_picture"),
    path(f"{_PAGE}preview/", page_preview.preview, name="page_preview"),
    path(f"{_PAGE}preview/frame/", page_preview.frame, name="page_preview_frame"),
    path(f"{_PAGE}publish/<int:version>/", joint_publication.publish, name="joint_publication"),
    path(f"{_SITE}publications/<job:job_id>/undo/", joint_publication.undo, name="joint_publication_undo"),
    path(f"{_PAGE}share/", page_sharing.share, name="page_share"),
    path(f"{_PAGE}share/<str:page_share>/revoke/", page_sharing.revoke, name="page_share_revoke"),
    path(f"{_PAGE}share/<str:page_share>/restore/", page_sharing.restore, name="page_share_restore"),
    path("draft/<str:page_token>/", page_sharing.shared_page, name="shared_page"),
    path(f"{_PAGE}versions/", versions.versions, name="page_versions"),
    path(f"{_PAGE}versions/compare/", page_comparison.comparison, name="page_comparison"),
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
    path("api/v1/domains/<str:site_domain>", api.site_domain, name="api_site_domain"),
    path("api/v1/domains/<str:site_domain>/routes/", api.site_domain_route, name="api_site_domain_home"),
    path(
        "api/v1/domains/<str:site_domain>/routes/<path:site_path>",
        api.site_domain_route,
        name="api_site_domain_route",
    ),
    # Products, resources, contexts, signals and files, and the shop.
    path(f"{_SITE}resources/new/", resources.upload, name="resource_upload"),
    path(f"{_SITE}resources/<library_item:resource>/download/", resources.download, name="resource_download"),
    path(f"{_SITE}files/new/", media.upload, name="site_file_upload"),
    path(f"{_SITE}files/<library_item:site_file>/uses/", media.uses, name="site_file_uses"),
    path("media/<business:business>/<media_file:media_name>", media.media_file, name="site_media"),
    path(f"{_SITE}files/<library_item:site_file>/picture/", site_files.picture, name="site_file_picture"),
    path(f"{_SITE}shop/", library.shop, name="site_shop"),
    path(_LIBRARY, library.items, name="site_library"),
    path(f"{_LIBRARY}new/", library.create, name="site_library_new"),
    path(_LIBRARY_ITEM, library.item, name="site_item"),
    path(f"{_LIBRARY_ITEM}undo/", library.undo, name="site_item_undo"),
    path(f"{_LIBRARY_ITEM}delete/", library.delete, name="site_item_delete"),
    path(f"{_LIBRARY_ITEM}restore/", library.restore, name="site_item_restore"),
    path(f"{_SITE}signals/<library_item:signal>/mark/", library.mark, name="signal_mark"),
    *visitor_urls.urlpatterns,
]
