"""URLs of webhooks: those of a business, and those of the platform."""

from django.urls import path

from dashboard.platform.webhooks.views import deliveries, webhooks
from dashboard.platform.webhooks.views.scopes import ScopedViews

_ONE = "<str:webhook_id>/"
_DELIVERY = f"{_ONE}deliveries/<entry:place>/"
_PAGES: dict[str, tuple[str, ScopedViews]] = {
    "webhooks": ("", webhooks.webhooks),
    "webhook_new": ("new/", webhooks.create),
    "webhook": (_ONE, webhooks.webhook),
    "webhook_edit": (f"{_ONE}edit/", webhooks.edit),
    "webhook_off": (f"{_ONE}off/", webhooks.switch_off),
    "webhook_on": (f"{_ONE}on/", webhooks.switch_on),
    "webhook_rotate": (f"{_ONE}rotate/", webhooks.rotate),
    "webhook_end_overlap": (f"{_ONE}end-overlap/", webhooks.end_overlap),
    "webhook_remove": (f"{_ONE}remove/", webhooks.remove),
    "webhook_restore": (f"{_ONE}restore/", webhooks.restore),
    "webhook_test": (f"{_ONE}test/", webhooks.send_test),
    "webhook_replay": (f"{_DELIVERY}replay/", deliveries.replay),
    "webhook_cancel": (f"{_DELIVERY}cancel/", deliveries.cancel),
    # Last, because an id may contain a slash.
    "webhook_delivery": (_DELIVERY, deliveries.delivery),
}

urlpatterns = [
    *(path(f"webhooks/{place}", views.of_platform, name=name) for name, (place, views) in _PAGES.items()),
    *(
        path(f"b/<business:business>/webhooks/{place}", views.of_business, name=f"business_{name}")
        for name, (place, views) in _PAGES.items()
    ),
]
