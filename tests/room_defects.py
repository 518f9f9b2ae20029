"""Defects of rooms: time zones, closing times, the timeline and the demo."""

from __future__ import annotations

from tests.defect import Defect

_ZONES = "tests/rooms/test_zones.py"
_LISTS = f"{_ZONES}::test_lists_forms_and_toasts_use_the_zone_of_the_event"
_ROOM = f"{_ZONES}::test_the_page_of_a_room_uses_the_zone_of_the_room"
_CONTENT = f"{_ZONES}::test_the_pages_of_the_content_use_the_zone_of_the_room"
_NEW = f"{_ZONES}::test_a_new_room_has_the_zone_of_the_event"
_CLOSING = "tests/rooms/test_closing.py"
_DUE = f"{_CLOSING}::test_a_due_task_closes_the_room_and_the_next_opening_clears_it"
_PERSON = f"{_CLOSING}::test_a_new_opening_of_a_person_clears_the_closing_and_back_to_schedule_keeps_it"
_FORMS = f"{_CLOSING}::test_times_are_set_shown_and_undone_without_javascript"
_HANDLES = "tests/browser/test_room_closing.py"
_KEYBOARD = f"{_HANDLES}::test_a_closing_is_moved_by_keyboard_and_undone_on_another_day"
_TOUCH = f"{_HANDLES}::test_the_handles_are_moved_by_touch_and_a_phone_has_none"
_SIMULATE = "tests/dev/test_run.py::test_simulate_runs_with_the_printed_values_and_the_demos_domains_admit_its_people"
_DOMAINS = "tests/rooms/test_domains_demo.py::test_authors_in_the_demo_forum_and_simulated_people_are_allowed"
# The two pages of content whose context begins with the same lines.
_CONTEXT = '\n        context = {\n            "room": state.room,\n'

ROOM_DEFECTS = [
    # One time zone for each page.
    Defect(
        "Rooms: the list uses the zone of the person",
        "rooms/views/rooms.py",
        "with timezone.override(zone(event_zone(all_rooms))):",
        "with timezone.override(timezone.get_current_timezone()):",
        _LISTS,
    ),
    Defect(
        "Rooms: the list does not name its zone",
        "templates/rooms/rooms.html",
        "· {% blocktrans with zone=zone_text %}Time zone: {{ zone }}{% endblocktrans %}",
        "",
        _LISTS,
    ),
    Defect(
        "Rooms: the toast about an override uses another zone than the list",
        "templates/rooms/rooms.html",
        '<input type="hidden" name="zone" value="{{ day.zone.key }}">',
        "",
        _LISTS,
    ),
    Defect(
        "Rooms: the toast about an opening uses another zone than the list",
        "rooms/forms/rooms.py",
        "return shown if shown in ZONES else self.zone_name",
        "return self.zone_name",
        _LISTS,
    ),
    Defect(
        "Rooms: the pages of a shift use the zone of the person",
        "rooms/views/shifts.py",
        "form.signed_minutes, event_zone(rooms), command",
        'form.signed_minutes, "UTC", command',
        f"{_ZONES}::test_the_pages_of_a_shift_use_the_zone_of_the_event",
    ),
    Defect(
        "Rooms: the page of a room uses the zone of the person",
        "rooms/views/room.py",
        "    with timezone.override(time_zone):\n",
        "    with timezone.override(timezone.get_current_timezone()):\n",
        _ROOM,
    ),
    Defect(
        "Rooms: the page of a version uses the zone of the person",
        "rooms/views/content.py",
        f'zone(zone_of(state.room))):{_CONTEXT}            "this"',
        f'timezone.get_current_timezone()):{_CONTEXT}            "this"',
        _CONTENT,
    ),
    Defect(
        "Rooms: a comparison of versions uses the zone of the person",
        "rooms/presenters/content.py",
        "return moment_text(value, timezone.get_current_timezone_name())",
        'return moment_text(value, "UTC")',
        _CONTENT,
    ),
    Defect(
        "Rooms: a conflict about content uses the zone of the person",
        "rooms/views/content.py",
        f'zone(zone_of(state.room))):{_CONTEXT}            "is_own"',
        f'timezone.get_current_timezone()):{_CONTEXT}            "is_own"',
        _CONTENT,
    ),
    Defect(
        "Rooms: a conflict uses the zone of the person",
        "dashboard/web/conflicts.py",
        "zone(time_zone) if time_zone else timezone.get_current_timezone()",
        "timezone.get_current_timezone()",
        f"{_ZONES}::test_a_conflict_uses_the_zone_of_the_page_that_sent_the_form",
    ),
    Defect(
        "Rooms: a conflict about an opening uses another zone than the list",
        "rooms/forms/rooms.py",
        "return format_moment(moment.utc if moment else None, self.page_zone)",
        "return format_moment(moment.utc if moment else None, self.zone_name)",
        f"{_ZONES}::test_a_conflict_uses_the_zone_of_the_page_that_sent_the_form",
    ),
    Defect(
        "Rooms: the form of a new room has the zone of the person",
        "rooms/views/room.py",
        'RoomForm(initial={"zone": default_zone})',
        "RoomForm()",
        _NEW,
    ),
    Defect(
        "Rooms: a new room without a zone has that of the person",
        "rooms/views/room.py",
        "form = bind(request, RoomForm, default_zone=default_zone)",
        "form = bind(request, RoomForm)",
        _NEW,
    ),
    Defect(
        "Rooms: a room without an opening loses its zone",
        "rooms/services/schedule.py",
        "zone = zone if open_at is not None else room.open_zone",
        "zone = zone if open_at is not None else None",
        _NEW,
    ),
    # Closing times.
    Defect(
        "Rooms: a room stays open after its closing",
        "rooms/state.py",
        "return now >= self.open_at and not self.is_past_closing(now), StateReason.SCHEDULE",
        "return now >= self.open_at, StateReason.SCHEDULE",
        f"{_CLOSING}::test_a_room_is_open_from_its_opening_to_its_closing",
    ),
    Defect(
        "Rooms: no due task closes a room",
        "rooms/items.py",
        "            return None if plan.closing == self.closed_at else plan.open_at\n        return plan.closing",
        "            return None if plan.closing == self.closed_at else plan.open_at\n        return None",
        _DUE,
    ),
    Defect(
        "Rooms: readers that know only the seed see a closed room as open",
        "rooms/items.py",
        "self.manual_override = CLOSED if self.closed_at is not None else None",
        "self.manual_override = None",
        _DUE,
    ),
    Defect(
        "Rooms: the next opening does not clear the closing",
        "rooms/items.py",
        "return None if plan.closing == self.closed_at else plan.open_at",
        "return None",
        _DUE,
    ),
    Defect(
        "Rooms: an opening of a person does not clear the closing",
        "rooms/services/schedule.py",
        "    ended_override = _adjust_override(room)\n    room.mark_schedule(now())\n",
        "    ended_override = _adjust_override(room)\n",
        _PERSON,
    ),
    Defect(
        "Rooms: back to schedule opens a room that its schedule has closed",
        "rooms/services/overrides.py",
        "    room.override_by = room.override_by_name = None\n    room.mark_schedule(now())\n",
        "    room.override_by = room.override_by_name = None\n",
        _PERSON,
    ),
    Defect(
        "Rooms: the closing replaces the override of a person",
        "rooms/items.py",
        "        if self.override is not None:\n            self.closed_at = None\n            return\n",
        "",
        f"{_CLOSING}::test_an_override_of_a_person_stays_after_the_closing",
    ),
    Defect(
        "Rooms: a room may close before it opens",
        "rooms/services/schedule.py",
        "if close_at is not None and (open_at is None or close_at <= open_at):",
        "if False:",
        _FORMS,
    ),
    Defect(
        "Rooms: a moved opening removes the closing",
        "rooms/views/room.py",
        "        return schedule_service.KEEP\n",
        "        return None\n",
        _FORMS,
    ),
    Defect(
        "Rooms: undo does not restore the closing",
        "rooms/views/room.py",
        '        "close_at": previous.get("close_at", ""),\n',
        "",
        _FORMS,
    ),
    Defect(
        "Rooms: a shift does not move the closing",
        "rooms/services/shift_job.py",
        "room.open_zone, closing or room.close_at)",
        "room.open_zone, room.close_at)",
        f"{_CLOSING}::test_a_shift_moves_the_closing_along",
    ),
    # The timeline.
    Defect(
        "Rooms: the timeline shows a room as open after its closing",
        "rooms/timeline.py",
        "moment >= plan.open_at and not plan.is_past_closing(moment) else",
        "moment >= plan.open_at else",
        "tests/rooms/test_timeline.py::test_segments_of_the_timeline",
    ),
    Defect(
        "Rooms: the timeline does not show the time of the closing",
        "templates/rooms/rooms.html",
        '{{ room.open_at|date:"H:i" }}–{{ room.close_at|date:"H:i" }}',
        '{{ room.open_at|date:"H:i" }}',
        _FORMS,
    ),
    Defect(
        "Rooms: a day on which rooms only close has no tab",
        "rooms/presenters/rooms.py",
        "moments = (room.plan.open_at, room.plan.closing)",
        "moments = (room.plan.open_at,)",
        _FORMS,
    ),
    Defect(
        "Rooms: a closing on another day than the opening cannot be moved",
        "rooms/presenters/rooms.py",
        "return self.day.minute(closing) if closing is not None and self.day.contains(closing) else None",
        "return self.day.minute(closing) if self.opening_minute is not None and closing is not None else None",
        _FORMS,
    ),
    Defect(
        "Rooms: the handle of the closing moves the opening",
        "templates/rooms/rooms.html",
        'data-field="close_at"',
        'data-field="open_at"',
        _KEYBOARD,
    ),
    Defect(
        "Rooms: the form of a room has no closing",
        "rooms/forms/rooms.py",
        '    close_at = LocalTimeField(gettext_lazy("Closes at"))\n',
        "",
        _FORMS,
    ),
    Defect(
        "Rooms: a handle cannot be moved by touch",
        "static/css/rooms.css",
        "    cursor: ew-resize;\n    pointer-events: auto;\n",
        "",
        _TOUCH,
    ),
    Defect(
        "Rooms: a handle that is moved by touch is not saved",
        "static/js/opening-slider.js",
        'document.addEventListener("pointerup", () => {',
        'document.addEventListener("mouseup", () => {',
        _TOUCH,
    ),
    Defect(
        "Rooms: a phone shows handles that cannot be moved",
        "static/css/rooms.css",
        "    .day-opening {\n      display: none;\n    }\n",
        "",
        _TOUCH,
    ),
    # Simulated traffic.
    Defect(
        "Rooms: make run does not print the command for simulated traffic",
        "dashboard/dev/__main__.py",
        '  Commands   make command ENGINE_ENDPOINT={engine.endpoint} ARGS="simulate --seconds 60"\n',
        "",
        _SIMULATE,
    ),
    Defect(
        "Rooms: a command beside make run has other secrets",
        "dashboard/dev/command.py",
        "    environment = command_environment(read_options(), endpoint)\n",
        "    environment = local_environment(endpoint)\n",
        _SIMULATE,
    ),
    Defect(
        "Rooms: the demo's domains do not admit simulated people",
        "rooms/demo/domains.py",
        "[DOMAIN, ATTENDEES_DOMAIN, SIMULATED_DOMAIN]",
        "[DOMAIN, ATTENDEES_DOMAIN]",
        _DOMAINS,
    ),
    Defect(
        "Rooms: the demo's domains do not admit its attendees",
        "rooms/demo/domains.py",
        "[DOMAIN, ATTENDEES_DOMAIN, SIMULATED_DOMAIN]",
        "[DOMAIN, SIMULATED_DOMAIN]",
        _DOMAINS,
    ),
]
