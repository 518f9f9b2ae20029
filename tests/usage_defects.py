"""Defects of usage: each request is counted once, for whom it belongs to."""

from __future__ import annotations

from tests.defect import Defect

_METER = "dashboard/platform/usage/meter.py"
_TEST = "tests/usage/test_usage.py"

USAGE_DEFECTS = [
    Defect(
        "Usage: an addition whose reply was lost counts twice",
        _METER,
        "write.update(addition.key, actions, last.does_not_exist() | (last < addition.number))",
        "write.update(addition.key, actions)",
        f"{_TEST}::test_a_lost_reply_adds_nothing_twice",
    ),
    Defect(
        "Usage: what could not be added is forgotten",
        _METER,
        "                    self._pending = waiting[number:]\n",
        "",
        f"{_TEST}::test_what_could_not_be_added_is_added_later",
    ),
    Defect(
        "Usage: a process overwrites what others added",
        _METER,
        "Path([name]).add(to_attribute(",
        "Path([name]).set(to_attribute(",
        f"{_TEST}::test_eight_processes_at_once_lose_nothing",
    ),
    Defect(
        "Usage: pages of people count towards the limit",
        _METER,
        "({API_REQUESTS: requests} if place.api_key != PEOPLE else {})",
        "{API_REQUESTS: requests}",
        f"{_TEST}::test_pages_of_people_are_counted_but_not_towards_the_limit",
    ),
    Defect(
        "Usage: an address that anyone guesses creates items",
        _METER,
        '    return response.status_code == 404 or hasattr(request, "is_of_platform")\n',
        "    return False\n",
        f"{_TEST}::test_a_business_and_a_key_that_do_not_exist_have_no_usage",
    ),
    Defect(
        "Usage: refused requests are not counted",
        _METER,
        "        **({refusal: 1} if refusal else {}),\n",
        "",
        f"{_TEST}::test_refusals_are_counted_for_the_key_that_they_belong_to",
    ),
    Defect(
        "Usage: an item gets any number of access patterns",
        _METER,
        "pattern if pattern in totals or len(totals) < items.MAX_PATTERNS else items.OTHER_PATTERNS",
        "pattern",
        f"{_TEST}::test_many_access_patterns_need_several_additions_and_have_a_maximum",
    ),
    Defect(
        "Usage: a refused button of a widget is not counted",
        "bookings/online/views/widget.py",
        "            note_refusal(request, error)\n",
        "",
        f"{_TEST}::test_the_button_of_a_widget_is_counted_for_its_key",
    ),
]
