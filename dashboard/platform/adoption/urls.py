"""URLs of adoption."""

from django.urls import path

from dashboard.platform.adoption.views import adoption, found, owners

urlpatterns = [
    path("table/found/", found.found, name="found"),
    path("table/found/id/<business:found>/", found.found_business, name="found_business"),
    path("table/found/id/<business:found>/undo/", found.undo, name="found_undo"),
    path("table/found/owner/", owners.owner, name="found_owner"),
    path("table/found/owner/unlink/", owners.unlink, name="found_owner_unlink"),
    path("table/found/adopt/", adoption.prepare, name="adoption_prepare"),
    path("table/found/adopt/<job:adoption>/", adoption.preview, name="adoption_preview"),
    path("table/found/adopt/<job:adoption>/confirm/", adoption.confirm, name="adoption_confirm"),
    path("table/found/adopt/<job:adoption>/undo/", adoption.undo, name="adoption_undo"),
]
