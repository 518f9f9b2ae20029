"""Defects that any page can have: layout, headers of tables, time zones and landmarks."""

from __future__ import annotations

from tests.defect import Defect

LAYOUT = "tests/browser/test_layout.py"
ZONES = "tests/ui/test_time_zones.py"
NO_PROBLEM = f"{LAYOUT}::test_no_field_table_or_address_is_cut_off_or_broken"

PAGE_DEFECTS = [
    Defect(
        "Pages: a date field of the log is wider than its column",
        "static/css/audit-trail.css",
        '  .trail-filters input[type="date"] {\n    min-inline-size: 0;\n  }\n',
        '  .trail-filters input[type="date"] {\n    min-inline-size: 14rem;\n  }\n',
        NO_PROBLEM,
    ),
    Defect(
        "Pages: the × of the bulk bar is among the other buttons",
        "static/css/bulk-actions.css",
        "    position: absolute;\n    inset-block-start: var(--space-2);\n    inset-inline-end: var(--space-2);\n",
        "",
        f"{LAYOUT}::test_the_bulk_bar_has_its_clear_button_in_the_corner",
    ),
    Defect(
        "Pages: a receptionist's booking links to a page that answers 403",
        "templates/bookings/booking.html",
        '{% if provider and "bookings.catalog" in shell.permissions %}',
        "{% if provider %}",
        "tests/ui/test_links.py::test_no_page_links_to_what_the_person_may_not_open",
    ),
    Defect(
        "Pages: a toast covers the main action on a phone",
        "static/js/toasts.js",
        "  chooseEdge(region);\n",
        "",
        "tests/browser/test_toasts.py::test_the_toast_after_save_and_publish_does_not_cover_the_button_publish",
    ),
    Defect(
        "Pages: the notice about new posts covers the hints for keys",
        "static/css/moderation-desk.css",
        "      order: -1;\n      justify-self: end;\n",
        "",
        f"{LAYOUT}::test_the_notice_about_new_posts_covers_neither_the_hints_nor_the_tabs",
    ),
    Defect(
        "Pages: a table is cut off on a phone",
        "static/css/charts.css",
        "  @media (width < 48rem) {\n    .figures,\n",
        "  @media (width < 1rem) {\n    .figures,\n",
        NO_PROBLEM,
    ),
    Defect(
        "Pages: an e-mail address is broken across lines",
        "static/css/lists.css",
        "    .rows .main {\n      inline-size: 52%;\n    }\n",
        "",
        NO_PROBLEM,
    ),
    Defect(
        "Pages: on a tablet an e-mail address in the history is broken across lines",
        "static/css/conflict.css",
        "      inline-size: 20%;\n",
        "      inline-size: 28%;\n",
        NO_PROBLEM,
    ),
    Defect(
        "Pages: on a tablet a badge leaves no space for an e-mail address",
        "static/css/lists.css",
        "    .rows .long .badge {\n      white-space: normal;\n    }\n",
        "",
        NO_PROBLEM,
    ),
    Defect(
        "Pages: on a tablet the buttons of a version leave no space for its name",
        "static/css/themes.css",
        "  @media (width < 64rem) {\n    .versions",
        "  @media (width < 48rem) {\n    .versions",
        f"{LAYOUT}::test_the_buttons_of_a_version_leave_space_for_its_name",
    ),
    Defect(
        "Pages: on a phone a tab is outside the screen",
        "static/css/tabs.css",
        "      gap: var(--space-3);\n",
        "      gap: var(--space-5);\n",
        f"{LAYOUT}::test_no_tab_is_outside_a_phone_in_spanish",
    ),
    Defect(
        "Pages: the proportion of restored bans is headed Share",
        "templates/forum/statistics.html",
        '<th scope="col" class="number">{% trans "% restored" %}</th>',
        '<th scope="col" class="number">{% trans "Share" %}</th>',
        f"{ZONES}::test_a_head_of_a_table_names_a_proportion",
    ),
    Defect(
        "Pages: the head of a proportion is not translated",
        "templates/forum/statistics.html",
        '<th scope="col" class="number">{% trans "% restored" %}</th>',
        '<th scope="col" class="number">% restored</th>',
        f"{ZONES}::test_a_head_of_a_table_names_a_proportion",
    ),
    Defect(
        "Pages: a time zone is shown by its technical name",
        "dashboard/web/time_zones.py",
        '    return f"{place} · {local:%H:%M} ({zone_name(local)})"',
        '    return f"{name} · {local:%H:%M} ({zone_name(local)})"',
        f"{ZONES}::test_a_zone_is_chosen_by_its_city_and_its_current_time",
    ),
    Defect(
        "Pages: a time zone is shown without its current time",
        "dashboard/web/time_zones.py",
        '    return f"{place} · {local:%H:%M} ({zone_name(local)})"',
        '    return f"{place} ({zone_name(local)})"',
        f"{ZONES}::test_a_zone_is_chosen_by_its_city_and_its_current_time",
    ),
    Defect(
        "Pages: the common time zones are among the others",
        "dashboard/web/time_zones.py",
        "for name in (*COMMON, *others)]",
        "for name in sorted((*COMMON, *others))]",
        f"{ZONES}::test_the_common_zones_are_the_first_group_of_every_select",
    ),
    Defect(
        "Pages: a form has its own select of time zones",
        "dashboard/web/local_times.py",
        "widget=ZoneSelect",
        "widget=forms.Select",
        f"{ZONES}::test_the_common_zones_are_the_first_group_of_every_select",
    ),
    Defect(
        "Pages: two landmarks of one page have the same name",
        "templates/bookings/calendar.html",
        'class="cal-steps" aria-label="{% trans "Days" %}"',
        'class="cal-steps" aria-label="{% trans "Views" %}"',
        "tests/browser/test_accessibility.py::test_axe_finds_nothing_serious_in_any_template",
    ),
]
