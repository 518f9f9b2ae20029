"""The URLs of the audit trails."""

from django.urls import path, register_converter

from dashboard.platform.audit import views


class EntryConverter:
    """The time and the id of an entry. An id of an outside writer may contain any character but `#`."""

    regex = r"[^#_]{4,64}_[^#]{1,512}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(EntryConverter, "entry")

urlpatterns = [
    path("audit/", views.trail, name="audit"),
    path("audit/export.csv", views.export_csv, name="audit_export"),
    path("audit/<entry:entry>/", views.entry, name="audit_entry"),
    path("b/<business:business>/audit/", views.business_trail, name="business_audit"),
    path("b/<business:business>/audit/export.csv", views.business_export_csv, name="business_audit_export"),
    path("b/<business:business>/audit/<entry:entry>/", views.business_entry, name="business_audit_entry"),
]
