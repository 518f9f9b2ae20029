"""URLs of usage."""

from django.urls import path

from dashboard.platform.usage import views

urlpatterns = [
    path("usage/", views.usage, name="usage"),
    path("usage/file/", views.usage_file, name="usage_file"),
    path("b/<business:business>/usage/", views.business_usage, name="business_usage"),
    path("b/<business:business>/usage/file/", views.business_usage_file, name="business_usage_file"),
]
