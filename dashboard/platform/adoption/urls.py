"""URLs of adoption."""

from django.urls import path

from dashboard.platform.adoption.views import adoption, owners, unknown_businesses

urlpatterns = [
    path("table/found/", unknown_businesses.unknown_businesses, name="unknown_businesses"),
    path("table/found/id/<business:business_id>/", unknown_businesses.unknown_business, name="unknown_business"),
    path("table/found/id/<business:business_id>/undo/", unknown_businesses.undo, name="unknown_business_undo"),
    path("table/found/owner/", owners.owner, name="outside_owner"),
    path("table/found/owner/unlink/", owners.unlink, name="outside_owner_unlink"),
    path("table/found/adopt/", adoption.prepare, name="adoption_prepare"),
    path("table/found/adopt/<job:adoption>/", adoption.preview, name="adoption_preview"),
    path("table/found/adopt/<job:adoption>/confirm/", adoption.confirm, name="adoption_confirm"),
    path("table/found/adopt/<job:adoption>/undo/", adoption.undo, name="adoption_undo"),
]
