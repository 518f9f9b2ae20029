"""The hours form: changes are written once, with the revision of the schedule, and can be undone."""

from __future__ import annotations

import datetime as dt
from datetime import timedelta

import pytest
from django.test import Client

from bookings.hours import WEEKDAYS, DayHours, Range
from bookings.presenters import short_day
from bookings.queries import providers as queries
from bookings.services import providers
from bookings.services.schedule import HoursChanged
from dashboard.core.clock import now
from dashboard.table.commands import new_command
from tests.bookings.catalog import (
    ALWAYS,
    BUSINESS,
    SANTIAGO,
    SPLIT,
    a_provider,
    a_week,
    actions,
    hours_now,
    press_undo,
    put_hours,
    put_provider,
    seed_items,
    set_hours,
    today,
)
from tests.bookings.hours_form import button, open_form, reloaded, url_of, weekday_raw
from tests.conftest import ACTOR, every_engine
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of


def test_hours_are_saved_audited_and_undone(table: str, as_owner: Client) -> None:
    provider = a_provider()
    form = open_form(as_owner, provider.id)
    fields = {"MON_range_0_start": "09:00", "MON_range_0_end": "13:00", "FRI_range_0_start": "22:00"}
    answer = as_owner.post(url_of(provider.id), form.data(None, **fields, FRI_range_0_end="00:00"))
    assert answer.status_code == 303
    raw = weekday_raw(provider.id, "MON")
    assert raw["timeRanges"] == {"L": [{"M": {"startTime": {"S": "09:00"}, "endTime": {"S": "13:00"}}}]}
    assert (raw["breaks"], raw["exceptions"]) == ({"L": []}, {"L": []})
    assert raw["GSITypeSK"] == {"S": f"MON#{provider.id}"}
    assert weekday_raw(provider.id, "FRI")["timeRanges"]["L"][0]["M"]["endTime"] == {"S": "24:00"}
    assert weekday_raw(provider.id, "TUE") == {}, "an unchanged day is not written"
    after = reloaded(provider.id)
    assert (after.schedule_revision, after.schedule_by_name, after.revision) == (1, "Olivia Andrade", 1)
    assert sorted(filter(None, actions("provider", provider.id))) == ["hours.save", "provider.create"]
    assert press_undo(as_owner, url_of(provider.id)).status_code == 303
    assert hours_now(provider.id).weekly[0] == DayHours()
    assert reloaded(provider.id).schedule_revision == 2
    assert press_undo(as_owner, url_of(provider.id)).status_code == 303, "undo of the undo"
    assert hours_now(provider.id).weekly[0] == DayHours((Range(540, 780),))


@every_engine
def test_seven_days_and_a_special_date_are_saved_once(table: str, as_owner: Client) -> None:
    provider = a_provider()
    form = open_form(as_owner, provider.id)
    fields = {f"{day}_range_0_{end}": time for day in WEEKDAYS for end, time in (("start", "09:00"), ("end", "18:00"))}
    data = form.data(None, **fields) | {"date_0_day": (today() + timedelta(days=9)).isoformat(), "date_0_kind": "off"}
    assert as_owner.post(url_of(provider.id), data).status_code == 303
    hours = hours_now(provider.id)
    assert set(hours.weekly) == set(range(7)) and len(hours.exceptions) == 1
    assert reloaded(provider.id).schedule_revision == 1
    as_owner.get(url_of(provider.id))
    assert as_owner.post(url_of(provider.id), data).status_code == 303, "the form sent twice"
    assert reloaded(provider.id).schedule_revision == 1
    assert toasts(as_owner.get(url_of(provider.id))) == ["Hours of María González saved."]


def test_extra_values_of_outside_writers_are_kept_and_restored(table: str, as_owner: Client) -> None:
    put_provider("pro_1", name="María", timezone=SANTIAGO)
    ranges = [{"startTime": "09:00", "endTime": "13:00", "room": "A"}, {"odd": 1}]
    put_hours("pro_1", "MON", timeRanges=ranges, breaks=[], exceptions=[3], note="de otro")
    form = open_form(as_owner, "pro_1")
    as_owner.post(url_of("pro_1"), form.data(MON_range_0_end="14:00"))
    raw = weekday_raw("pro_1", "MON")
    assert raw["note"] == {"S": "de otro"} and {"M": {"odd": {"N": "1"}}} in raw["timeRanges"]["L"]
    assert raw["exceptions"] == {"L": [{"N": "3"}]}
    assert press_undo(as_owner, url_of("pro_1")).status_code == 303
    restored = weekday_raw("pro_1", "MON")
    assert restored["timeRanges"]["L"][0]["M"]["room"] == {"S": "A"}, "restored exactly"
    assert restored["note"] == {"S": "de otro"}


def test_the_seeds_hours_are_shown_and_saving_changes_nothing(table: str, as_owner: Client) -> None:
    seed_items()
    fields = dict(open_form(as_owner, "pro_55").fields)
    assert (fields["MON_range_0_start"], fields["MON_range_1_end"]) == ("09:00", "19:00")
    assert (fields["MON_break_0_start"], fields["MON_break_0_end"]) == ("11:00", "11:15")
    before = weekday_raw("pro_55", "MON")
    assert as_owner.post(url_of("pro_55"), open_form(as_owner, "pro_55").data()).status_code == 303
    assert toasts(as_owner.get(url_of("pro_55"))) == ["Nothing was changed."]
    assert weekday_raw("pro_55", "MON") == before


@pytest.mark.parametrize(
    ("fields", "invalid_name"),
    [
        ({"MON_range_0_start": "13:00", "MON_range_0_end": "09:00"}, "MON_range_0_end"),
        ({"MON_range_0_start": "nine", "MON_range_0_end": "10:00"}, "MON_range_0_start"),
        ({"TUE_break_0_start": "10:00", "TUE_break_0_end": "10:15"}, "TUE_break_0_start"),
        ({"date_0_day": "2020-01-01"}, "date_0_day"),
    ],
)
def test_an_invalid_field_shows_an_error_and_keeps_the_input(
    table: str, as_owner: Client, fields: dict[str, str], invalid_name: str
) -> None:
    provider = a_provider()
    answer = as_owner.post(url_of(provider.id), open_form(as_owner, provider.id).data() | fields)
    assert answer.status_code == 422
    page = parse(answer)
    field = page.one("input", name=invalid_name)
    assert (field.attrs["aria-invalid"], field.attrs["aria-describedby"]) == ("true", f"id_{invalid_name}_error")
    assert page.one("p", id=f"id_{invalid_name}_error").text
    assert page.all("a", href=f"#id_{invalid_name}"), "the summary links to the field"
    for name, value in fields.items():
        element = page.one("input", name=name)
        assert element.attrs["value"] == value
        assert value != "nine" or element.attrs["type"] == "text", "a time input cannot show this text"
    assert queries.hours_of(BUSINESS, provider.id) == [] and reloaded(provider.id).schedule_revision == 0


# --- Rows and days, without JavaScript ---
def test_rows_are_added_and_removed_by_buttons_and_nothing_is_saved(table: str, as_owner: Client) -> None:
    provider = a_provider()
    set_hours(provider, a_week({"MON": SPLIT}))
    url = url_of(provider.id)
    form = open_form(as_owner, provider.id)
    added = as_owner.post(url, form.data(button(form, "add MON range"), MON_range_0_start="08:00"))
    assert added.status_code == 200
    form = form_to(added, url)
    fields = dict(form.fields)
    assert (fields["MON_range_0_start"], fields["MON_range_2_start"]) == ("08:00", "")
    assert "autofocus" in parse(added).one("input", name="MON_range_2_start").attrs
    removed = as_owner.post(url, form.data(button(form, "remove MON range 1")))
    fields = dict(form_to(removed, url).fields)
    assert [fields[f"MON_range_{n}_start"] for n in (0, 1)] == ["08:00", ""]
    assert parse(removed).one("form", class_="hours").attrs["data-unsaved"] == "changed"
    assert hours_now(provider.id).weekly[0] == SPLIT


def test_hours_are_copied_to_other_days(table: str, as_owner: Client) -> None:
    provider = a_provider()
    set_hours(provider, a_week({"MON": SPLIT}))
    url = url_of(provider.id)
    form = open_form(as_owner, provider.id)
    nothing = as_owner.post(url, form.data(button(form, "copy"), copy_from="MON"))
    assert nothing.status_code == 422 and "Choose the days" in parse(nothing).text
    checked = {"copy_to_TUE": "1", "copy_to_WED": "1", "copy_from": "MON"}
    copied = as_owner.post(url, form.data(button(form, "copy"), **checked))
    assert copied.status_code == 200
    again = form_to(copied, url)
    assert as_owner.post(url, again.data()).status_code == 303
    weekly = hours_now(provider.id).weekly
    assert weekly[1] == weekly[2] == SPLIT and weekly.get(3, DayHours()) == DayHours()


# --- Concurrent edits ---
def test_concurrent_edits_are_a_conflict_with_both_versions(table: str, as_owner: Client) -> None:
    provider = a_provider()
    url = url_of(provider.id)
    form = open_form(as_owner, provider.id)
    set_hours(provider, a_week({"MON": SPLIT}))
    answer = as_owner.post(url, form.data(MON_range_0_start="08:00", MON_range_0_end="12:00"))
    assert answer.status_code == 409
    page = parse(answer)
    assert "Alma Ríos changed these hours while you had them open" in page.text
    assert "Monday: saved now 09:00–13:00, 15:00–19:00 − 11:00–11:15, yours 08:00–12:00" in page.text
    assert page.one("input", name="MON_range_0_start").attrs["value"] == "08:00"
    assert hours_now(provider.id).weekly[0] == SPLIT, "nothing was overwritten"
    again = form_to(answer, url)
    assert as_owner.post(url, again.data()).status_code == 303, "the person replaces them deliberately"
    assert hours_now(provider.id).weekly[0] == DayHours((Range(480, 720),))
    with pytest.raises(HoursChanged):
        set_hours(provider, a_week(), revision=1)


def test_a_conflict_names_a_date_that_someone_else_added(table: str, as_owner: Client) -> None:
    provider = a_provider()
    url = url_of(provider.id)
    mine, theirs = open_form(as_owner, provider.id), open_form(as_owner, provider.id)
    added = form_to(as_owner.post(url, theirs.data(button(theirs, "add date"))), url)
    day = (now() + timedelta(days=9)).date()
    assert as_owner.post(url, added.data(date_0_day=day.isoformat())).status_code == 303
    answer = as_owner.post(url, mine.data(MON_range_0_start="08:00", MON_range_0_end="12:00"))
    assert answer.status_code == 409
    assert f"{short_day(day)}: saved now Off all day, yours –" in parse(answer).text


def test_edits_of_the_name_and_of_the_hours_do_not_conflict(table: str, as_owner: Client) -> None:
    provider = a_provider()
    form = open_form(as_owner, provider.id)
    new_name = {"name": "Marta"}
    providers.edit(BUSINESS, provider.id, new_name, revision=1, business_zone=SANTIAGO, command=new_command(ACTOR))
    sent = form.data(MON_range_0_start="08:00", MON_range_0_end="12:00")
    assert as_owner.post(url_of(provider.id), sent).status_code == 303
    old_name = {"name": "María"}
    providers.edit(BUSINESS, provider.id, old_name, revision=2, business_zone=SANTIAGO, command=new_command(ACTOR))
    assert (reloaded(provider.id).name, reloaded(provider.id).schedule_revision) == ("María", 1)


def test_undo_works_only_for_the_same_person_and_provider(table: str, as_owner: Client, as_admin: Client) -> None:
    one, other = a_provider("Una"), a_provider("Otra")
    form = open_form(as_owner, one.id)
    as_owner.post(url_of(one.id), form.data(MON_range_0_start="08:00", MON_range_0_end="12:00"))
    undo = undo_form(as_owner.get(url_of(one.id)))
    assert as_owner.post(f"{url_of(other.id)}undo/", undo.data() | {"revision": 0}).status_code == 422
    assert as_admin.post(undo.action, undo.data()).status_code == 404
    for of in ("", "x", "a#b"):
        assert as_owner.post(undo.action, undo.data() | {"of": of}).status_code == 422
    set_hours(one, a_week(), revision=1)
    assert as_owner.post(undo.action, undo.data()).status_code == 409, "someone has changed them since"
    assert hours_now(one.id).weekly[0] == ALWAYS


def test_the_page_takes_two_trips_and_draws_the_week(table: str, as_owner: Client) -> None:
    provider = a_provider()
    set_hours(provider, a_week({"MON": SPLIT}))
    answer = as_owner.get(url_of(provider.id))
    assert calls_of(answer).trips == 2
    monday = parse(answer).by_class("week")[0].all("li")[0]
    assert [(each.attrs["x"], each.attrs["width"]) for each in monday.all("rect") if "x" in each.attrs] == [
        ("37.500%", "16.667%"),
        ("62.500%", "16.667%"),
        ("45.833%", "1.042%"),
    ]
    assert "09:00–13:00, 15:00–19:00" in monday.text
    assert as_owner.get(url_of("nobody")).status_code == 404


def test_a_far_date_of_an_outside_writer_is_kept(table: str, as_owner: Client) -> None:
    put_provider("pro_1", name="María", timezone=SANTIAGO)
    far = dt.date(today().year + 3, 5, 5)
    put_hours("pro_1", "MON", timeRanges=[], breaks=[], exceptions=[far.isoformat()])
    form = open_form(as_owner, "pro_1")
    assert dict(form.fields)["date_0_day"] == far.isoformat()
    sent = form.data(MON_range_0_start="08:00", MON_range_0_end="12:00")
    assert as_owner.post(url_of("pro_1"), sent).status_code == 303
    assert hours_now("pro_1").exceptions == {far: None}


def test_hundreds_of_dates_and_ranges_of_an_outside_writer_are_kept(table: str, as_owner: Client) -> None:
    """There are more than the form shows: saving another change removes none of them."""
    put_provider("pro_1", name="María", timezone=SANTIAGO)
    days = [today() + timedelta(days=number) for number in range(1, 301)]
    slots = [
        {"startTime": f"{hour:02}:{part}", "endTime": f"{hour:02}:{part + 9}"}
        for hour in range(24)
        for part in range(10, 60, 10)
    ]
    put_hours("pro_1", "MON", timeRanges=slots, breaks=[], exceptions=[each.isoformat() for each in days])
    form = open_form(as_owner, "pro_1")
    assert "There are more dates from" in parse(as_owner.get(url_of("pro_1"))).text
    sent = form.data(TUE_range_0_start="08:00", TUE_range_0_end="12:00", date_0_day="")
    assert as_owner.post(url_of("pro_1"), sent).status_code == 303
    assert set(hours_now("pro_1").exceptions) == set(days[1:]), "only the removed date is gone"
    assert len(hours_now("pro_1").weekly[0].ranges) == 120
