"""Businesses, for the platform and from inside."""

from django.urls import path, register_converter

from dashboard.businesses import views
from dashboard.businesses.paths import BusinessConverter

register_converter(BusinessConverter, "business")

urlpatterns = [
    path("b/<business:business>/", views.overview, name="business"),
]
