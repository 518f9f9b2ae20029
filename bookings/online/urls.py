"""URLs for visitors of businesses."""

from django.urls import path

from bookings.online.views import booking, own_booking, own_times, widget

_PAGE = "book/<business:business>/"
_OWN = f"{_PAGE}bookings/<str:booking_link>/"

urlpatterns = [
    path(_PAGE, booking.booking_page, name="online_booking"),
    path(f"{_PAGE}colors.css", widget.colors, name="online_colors"),
    path(_OWN, own_booking.own_booking, name="online_own_booking"),
    path(f"{_OWN}confirm/", own_booking.confirm, name="online_confirm"),
    path(f"{_OWN}cancel/", own_booking.cancel, name="online_cancel"),
    path(f"{_OWN}times/", own_times.times, name="online_times"),
    path(f"{_OWN}move/", own_times.move, name="online_move"),
    path(f"{_OWN}booking.ics", own_booking.calendar_download, name="online_calendar_file"),
    path("b/<business:business>/bookings/widget/<str:key_id>/", widget.preview, name="widget_preview"),
    path("widget/v1.js", widget.loader, name="widget_loader"),
    path("widget/button/", widget.button, name="widget_button"),
]
