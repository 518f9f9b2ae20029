"""A business's look: inside the business, for strangers with a link, and for apps."""

from django.urls import path, register_converter

from branding.paths import AssetConverter, ScheduleConverter
from branding.views import api, assets, editing, files, schedules, themes

register_converter(AssetConverter, "asset")
register_converter(ScheduleConverter, "schedule")

_BRAND = "b/<business:business>/branding/"
_VERSION = f"{_BRAND}themes/<int:version>/"

urlpatterns = [
    path(_BRAND, themes.themes, name="branding"),
    path(f"{_BRAND}themes/<int:version>/", editing.theme, name="theme"),
    path(f"{_BRAND}assets/", assets.assets, name="assets"),
    path("files/<asset:asset>/", files.brand_file, name="brand_file"),
    path(f"{_VERSION}schedule/", schedules.schedule, name="theme_schedule"),
    path(f"{_BRAND}schedules/<schedule:schedule>/cancel/", schedules.cancel, name="schedule_cancel"),
    path("api/v1/businesses/<business:business>/theme", api.theme, name="api_theme"),
    path("api/v1/businesses/<business:business>/theme.css", api.theme_css, name="api_theme_css"),
]
