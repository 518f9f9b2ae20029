"""A business's look: inside the business, for strangers with a link, and for apps."""

from django.urls import path

from branding.views import editing, themes

_BRAND = "b/<business:business>/branding/"

urlpatterns = [
    path(_BRAND, themes.themes, name="branding"),
    path(f"{_BRAND}themes/<int:version>/", editing.theme, name="theme"),
]
