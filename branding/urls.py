"""A business's look: inside the business, for strangers with a link, and for apps."""

from django.urls import path

from branding.views import editing, stage, themes

_BRAND = "b/<business:business>/branding/"

urlpatterns = [
    path(_BRAND, themes.themes, name="branding"),
    path(f"{_BRAND}themes/<int:version>/", editing.theme, name="theme"),
    path(f"{_BRAND}themes/<int:version>/contrast/", editing.theme_contrast, name="theme_contrast"),
    path(f"{_BRAND}themes/<int:version>/preview/", stage.theme_preview, name="theme_preview"),
    path(f"{_BRAND}themes/<int:version>/preview.css", stage.theme_css, name="theme_css"),
]
