"""A business's look: inside the business, for strangers with a link, and for apps."""

from django.urls import path, register_converter

from branding.paths import AssetConverter
from branding.views import assets, editing, files, themes

register_converter(AssetConverter, "asset")

_BRAND = "b/<business:business>/branding/"

urlpatterns = [
    path(_BRAND, themes.themes, name="branding"),
    path(f"{_BRAND}themes/<int:version>/", editing.theme, name="theme"),
    path(f"{_BRAND}assets/", assets.assets, name="assets"),
    path("files/<asset:asset>/", files.brand_file, name="brand_file"),
]
