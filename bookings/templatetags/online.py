"""Filters for the pages of visitors. Times are in the time zone of the page."""

from __future__ import annotations

import datetime as dt

from django.template import Library
from django.utils import timezone
from django.utils.formats import date_format

from bookings.items import Service
from dashboard.web.money import format_amount
from dashboard.web.templatetags.ui import long_day_format

register = Library()


@register.filter
def visitor_day(day: dt.date) -> str:
    return date_format(day, long_day_format())


@register.filter
def visitor_time(moment: dt.datetime) -> str:
    return date_format(timezone.localtime(moment), "H:i")


@register.filter
def visitor_moment(moment: dt.datetime) -> str:
    local = timezone.localtime(moment)
    return f"{visitor_day(local.date())}, {local:%H:%M}"


@register.filter
def minutes_of(service: Service) -> int:
    length = service.slot_length
    return int(length.duration.total_seconds()) // 60 if length is not None else 0


@register.filter
def price_of(service: Service) -> str:
    """Empty for a service without a price."""
    return format_amount(service.price, service.currency) if service.price is not None else ""
