"""Mail follows from actions."""

from __future__ import annotations

from django.conf import settings

from dashboard.platform.mail.services.queue import add_mail
from dashboard.platform.outbox.records import MAIL
from dashboard.platform.outbox.registry import FollowUp, register_follow_up

register_follow_up(FollowUp(MAIL, add_mail, is_active=lambda: bool(settings.MAIL_IS_CONFIGURED)))
