"""URLs of API keys and of the API."""

from django.urls import path

from dashboard.platform.apikeys import documentation, views
from dashboard.platform.apikeys.endpoint_urls import endpoint_urls

urlpatterns = [
    path("b/<business:business>/keys/", views.keys, name="api_keys"),
    path("b/<business:business>/keys/new/", views.create, name="api_key_new"),
    path("b/<business:business>/keys/<str:key_id>/", views.key, name="api_key"),
    path("b/<business:business>/keys/<str:key_id>/edit/", views.edit, name="api_key_edit"),
    path("b/<business:business>/keys/<str:key_id>/revoke/", views.revoke, name="api_key_revoke"),
    path("b/<business:business>/keys/<str:key_id>/restore/", views.restore, name="api_key_restore"),
    path("keys/", views.platform_keys, name="platform_api_keys"),
    path("keys/new/", views.create_platform_key, name="platform_api_key_new"),
    path("keys/<str:key_id>/", views.platform_key, name="platform_api_key"),
    path("keys/<str:key_id>/edit/", views.edit_platform_key, name="platform_api_key_edit"),
    path("keys/<str:key_id>/revoke/", views.revoke_platform_key, name="platform_api_key_revoke"),
    path("keys/<str:key_id>/restore/", views.restore_platform_key, name="platform_api_key_restore"),
    path("api/", documentation.page, name="api_documentation"),
    path("api/v1/openapi.json", documentation.openapi, name="api_openapi"),
    *endpoint_urls(),
]
