"""A due pointer that cannot be read does not stop other due tasks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bookings.states import Status
from dashboard.core.clock import frozen, now
from dashboard.platform.due import runner
from dashboard.table import keys
from tests.bookings.bookable_business import BUSINESS, at, book, open_shop, put_raw, reloaded
from tests.bookings.catalog import raw_at

LATE = "2020-01-01T00:00:00Z"
ODD: dict[str, dict[str, Any]] = {
    "nothing": {},
    "no provider": {"startTime": LATE, "dueAt": LATE},
    "no start": {"providerId": "maria", "dueAt": LATE},
    "another tenant": {"providerId": f"maria#BOOKING#{LATE}", "startTime": f"{LATE}#x", "dueAt": LATE},
    "another tenant's key": {"providerId": "TENANT#cafe#PROVIDER#maria", "startTime": LATE, "dueAt": LATE},
    "the end of time": {"providerId": 5, "startTime": LATE, "dueAt": "9999-12-31T23:59:59-14:00"},
    "the beginning of time": {"providerId": "maria", "startTime": LATE, "dueAt": "0001-01-01T00:00:00+14:00"},
    "numbers": {"providerId": 5, "startTime": 5, "dueAt": 5, "status": 5, "revision": "x"},
    "nulls": {"providerId": None, "startTime": None, "dueAt": None, "status": None, "revision": None},
    "lists": {"providerId": [], "startTime": [], "dueAt": [], "status": {}, "revision": {}},
    "later": {"providerId": "maria", "startTime": LATE, "dueAt": "2999-01-01T00:00:00Z"},
}


def test_odd_pointers_do_not_stop_other_due_tasks(table: str) -> None:
    open_shop()
    pending = book(at(10), status=Status.PENDING, lapses_at=now() + timedelta(hours=1))
    due = keys.DUE.key(due_at=now() - timedelta(days=1))
    for name, values in ODD.items():
        where = keys.BOOKING_REF.key(tenant=BUSINESS, booking=name)
        put_raw(*where, GSIStatusPK=due.pk, GSIStatusSK=due.sk, **values)
    put_raw(f"TENANT#{BUSINESS}", "BOOKINGREF#", GSIStatusPK=due.pk, GSIStatusSK=due.sk)
    # A kind without due tasks.
    place = keys.BOOKING.key(tenant=BUSINESS, provider="maria", start=LATE, booking="x")
    put_raw(*place, GSIStatusPK=due.pk, GSIStatusSK=due.sk, dueAt="9999-12-31T23:59:59-14:00")
    with frozen(now() + timedelta(hours=2)):
        failed = [each.task for each in runner.run() if each.failed]
        assert len(failed) == 2, "items without a handler are reported"
        assert reloaded(pending.id).status == Status.CANCELLED
    for name in ODD:
        assert "GSIStatusPK" not in raw_at(*keys.BOOKING_REF.key(tenant=BUSINESS, booking=name)), name
