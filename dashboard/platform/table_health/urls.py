"""The URLs of the table's pages."""

from django.urls import path

from dashboard.platform.table_health import views

urlpatterns = [
    path("table/", views.table, name="table"),
    path("table/item/", views.item, name="table_item"),
]
