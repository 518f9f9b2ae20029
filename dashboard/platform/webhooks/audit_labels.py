"""Audit labels of webhooks."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.labels import register_labels, register_target_page
from dashboard.platform.webhooks.fields import WEBHOOK_FIELDS
from dashboard.platform.webhooks.items import OFF_LABELS, STATE_LABELS
from dashboard.platform.webhooks.permissions import Permission

register_labels(
    "webhook",
    title=_("Webhooks"),
    actions={
        "create": _("created the webhook %(target)s"),
        "edit": _("edited the webhook %(target)s"),
        "switch_off": _("switched off the webhook %(target)s"),
        "switch_on": _("switched on the webhook %(target)s"),
        "rotate": _("rotated the secret of the webhook %(target)s"),
        "end_overlap": _("dropped the previous secret of the webhook %(target)s"),
        "test": _("sent a test to the webhook %(target)s"),
        "remove": _("deleted the webhook %(target)s"),
        "restore": _("restored the webhook %(target)s"),
    },
    fields=WEBHOOK_FIELDS.audit_labels | {"webhookState": _("state"), "offReason": _("reason")},
    values={
        "webhookState": {"on": _("on"), "off": _("off")},
        "events": {"none": _("none")},
        "offReason": OFF_LABELS,
    },
    show_new_values=("offReason",),
    in_business=True,
)
register_labels(
    "delivery",
    title=_("Webhook deliveries"),
    actions={
        "replay": _("sent %(target)s to a webhook again"),
        "cancel": _("cancelled the delivery of %(target)s"),
    },
    fields={"deliveryState": _("state")},
    values={"deliveryState": STATE_LABELS},
    in_business=True,
)

register_target_page("webhook", "business_webhook", Permission.BUSINESS_WEBHOOKS, in_business=True)
