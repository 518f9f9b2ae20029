"""URLs of branding: pages of a business, public pages of shared drafts, and the API for apps."""

from django.urls import path, register_converter

from branding.paths import AssetConverter, ScheduleConverter, ShareConverter, SharedConverter
from branding.views import (
    api,
    assets,
    comparison,
    editor,
    files,
    preview_options,
    publishing,
    schedules,
    share_pages,
    shares,
    site_connection,
    themes,
    timeline,
)

register_converter(AssetConverter, "asset")
register_converter(ScheduleConverter, "schedule")
register_converter(ShareConverter, "share")
register_converter(SharedConverter, "shared")

_BRAND = "b/<business:business>/branding/"
_VERSION = f"{_BRAND}themes/<int:version>/"
_SHARED = "share/<shared:shared>/"

urlpatterns = [
    path(_BRAND, themes.themes, name="branding"),
    path(f"{_BRAND}themes/<int:version>/", editor.theme, name="theme"),
    path(f"{_BRAND}themes/<int:version>/contrast/", editor.theme_contrast, name="theme_contrast"),
    path(f"{_BRAND}themes/<int:version>/preview/", preview_options.theme_preview, name="theme_preview"),
    path(f"{_BRAND}themes/<int:version>/preview.css", preview_options.theme_css, name="theme_css"),
    path(f"{_BRAND}themes/", themes.new, name="theme_new"),
    path(f"{_BRAND}themes/<int:version>/keep/", themes.disable_auto_delete, name="theme_keep"),
    path(f"{_BRAND}themes/<int:version>/let-go/", themes.enable_auto_delete, name="theme_let_go"),
    path(f"{_BRAND}themes/<int:version>/discard/", themes.discard, name="theme_discard"),
    path(f"{_BRAND}themes/<int:version>/restore/", themes.restore, name="theme_restore"),
    path(f"{_BRAND}themes/<int:version>/publish/", publishing.publish, name="theme_publish"),
    path(f"{_BRAND}themes/<int:version>/withdraw/", publishing.withdraw, name="theme_withdraw"),
    path(f"{_BRAND}timeline/", timeline.timeline, name="branding_timeline"),
    path(f"{_BRAND}connect/", site_connection.connect_site, name="brand_connect"),
    path(f"{_BRAND}compare/", comparison.compare, name="theme_compare"),
    path(f"{_BRAND}assets/", assets.assets, name="assets"),
    path(f"{_BRAND}assets/<asset:asset>/", assets.asset, name="asset"),
    path(f"{_BRAND}assets/<asset:asset>/delete/", assets.delete, name="asset_delete"),
    path(f"{_BRAND}assets/<asset:asset>/restore/", assets.restore, name="asset_restore"),
    path(f"{_BRAND}assets/<asset:asset>/replace/", assets.replace, name="asset_replace"),
    path(f"{_BRAND}assets/<asset:asset>/put-back/", assets.undo_replace, name="asset_put_back"),
    path(f"{_BRAND}assets/<asset:asset>/picture/", files.outside_picture, name="outside_picture"),
    path("files/<asset:asset>/", files.brand_file, name="brand_file"),
    path(f"{_VERSION}schedule/", schedules.schedule, name="theme_schedule"),
    path(f"{_BRAND}schedules/<schedule:schedule>/cancel/", schedules.cancel, name="schedule_cancel"),
    path(f"{_VERSION}share/", shares.share, name="theme_share"),
    path(f"{_VERSION}share/<share:share>/revoke/", shares.revoke, name="share_revoke"),
    path(_SHARED, share_pages.shared, name="shared"),
    path(f"{_SHARED}preview/", share_pages.preview, name="shared_preview"),
    path(f"{_SHARED}preview.css", share_pages.stylesheet, name="shared_css"),
    path("api/v1/businesses/<business:business>/theme", api.theme, name="api_theme"),
    path("api/v1/businesses/<business:business>/theme.css", api.theme_css, name="api_theme_css"),
    path("book/<business:business>/theme.css", api.visitor_theme, name="visitor_theme"),
]
