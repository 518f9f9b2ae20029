"""The CPU time of requests to the API, as a ratio to plain botocore that makes the same calls for the same items.

`make bench ARGS=api`. A request includes Django, the check of the key, the rate limit, the rules and the JSON.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from typing import Any

from tests import demo

import botocore.session  # isort: skip

from bookings.items import Booking
from dashboard.table import connection
from dashboard.table.timestamps import to_wire
from tests.api.shop import get, make_shop, secret_key
from tests.audit.entries import put_all
from tests.bookings.bookable_business import BUSINESS, HOUR, at
from tests.faults import bad_network
from tests.ui.walk import calls_of

STAFF = ("maria", *(f"p{number}" for number in range(19)))
BOOKINGS_A_DAY, DAYS = 6, 7
ROUNDS, TIMES = 7, 5
DAY, NEXT_WEEK = to_wire(at(0)), to_wire(at(0, day=DAYS))
REQUESTS = {
    "slots of a week, one staff member": f"slots?service=masaje&from={DAY}&to={NEXT_WEEK}&provider=maria",
    f"slots of a week, all {len(STAFF)}": f"slots?service=masaje&from={DAY}&to={NEXT_WEEK}",
    "a page of 50 bookings": f"bookings?from={DAY}",
    "the services": "services",
}


def put_bookings() -> None:
    """Bookings of a week, an hour each."""
    items = []
    for provider in STAFF:
        for number in range(BOOKINGS_A_DAY * DAYS):
            day, slot = divmod(number, BOOKINGS_A_DAY)
            start = at(9 + slot, day=day) + timedelta(minutes=15 * (day % 3))
            item = Booking.new(tenant=BUSINESS, provider=provider, start=start, booking=f"{provider}-{number}")
            item.service_id, item.customer_id, item.status = "masaje", "juan", "CONFIRMED"
            item.customer_name, item.service_name = "María José Fernández", "Masaje descontracturante"
            item.end_time, item.payment_status, item.revision = start + HOUR, "NONE", 1
            item.set_index_keys()
            items.append(item.serialize(null_check=False))
    put_all(items)


def plain_calls(act: Callable[[], Any]) -> Callable[[], int]:
    """What makes the same calls with a client of plain botocore, and returns the number of items."""
    ours = connection.client()
    client: Any = botocore.session.get_session().create_client(
        "dynamodb",
        region_name=ours.meta.region_name,
        endpoint_url=ours.meta.endpoint_url,
        aws_access_key_id="x",
        aws_secret_access_key="x",
    )
    client._endpoint.http_session = ours._endpoint.http_session
    with bad_network() as network:
        act()
    sent = [(re.sub(r"(?<!^)(?=[A-Z])", "_", each.operation).lower(), each.body) for each in network.log]

    def replay() -> int:
        answers = [getattr(client, name)(**body) for name, body in sent]
        batches = [items for each in answers for items in each.get("Responses", {}).values()]
        return sum(len(each.get("Items", ())) for each in answers) + sum(map(len, batches))

    return replay


def cpu_ms(act: Callable[[], Any]) -> float:
    since = time.process_time()
    for _ in range(TIMES):
        act()
    return 1000 * (time.process_time() - since) / TIMES


def measure(name: str, path: str, secret: str) -> None:
    def request() -> Any:
        answer = get(secret, path)
        assert answer.status_code == 200, answer.content
        return answer

    request()  # Records the use of the key.
    log, replay = calls_of(request()), plain_calls(request)
    items, pairs = replay(), [(cpu_ms(request), cpu_ms(replay)) for _ in range(ROUNDS)]
    ours, plain = median(each for each, _ in pairs), median(each for _, each in pairs)
    ratio = median(one / other for one, other in pairs)
    cost = f"{log.trips} trips  {len(log.calls)} calls  {log.units:g} units  {items} items"
    print(f"{name:36} {cost:44} {ours:6.1f} ms  plain {plain:5.1f} ms  ×{ratio:.2f}")


def main() -> None:
    with demo.engine() as engine:
        print(f"Engine: {engine}. CPU of this process, the median of {ROUNDS} rounds of {TIMES} requests.")
        make_shop(*STAFF)
        put_bookings()
        secret = secret_key("read")
        for name, path in REQUESTS.items():
            measure(name, path, secret)


if __name__ == "__main__":
    main()
