"""A sealed day contains each of its events once."""

from __future__ import annotations

from datetime import date, datetime

from activity.archive import manifest
from activity.archive.storage import Storage
from activity.archive.writer import write_events
from activity.events import fold_country
from tests.activity.archive.helpers import DAY, event, events, ids, rows, stored
from tests.table.notes import on_dynoxide


@on_dynoxide
def test_events_become_one_file_for_each_day_and_country(archive: Storage) -> None:
    write_events(
        archive,
        [
            event("a", metadata={"duration": 30, "title": "ñandú"}),
            event("b", country="El Salvador", at="2025-08-18T23:59:59.999Z"),
            event("c", country=None, room=None, at="2025-08-19T00:00:00Z"),
        ],
    )
    assert stored(archive) == [
        "events/date=2025-08-18/country=el%20salvador/events.parquet",
        "events/date=2025-08-18/country=mexico/events.parquet",
        "events/date=2025-08-19/country=unknown/events.parquet",
    ]
    first, second, third = rows(archive, DAY, date(2025, 8, 19))
    assert first == {
        "event_id": "a",
        "user": "ana@example.com",
        "at": datetime(2025, 8, 18, 10, 30, 0, 250_000),
        "action": "room_enter",
        "room": "sala1",
        "domain": "example.com",
        "metadata": '{"duration":30,"title":"ñandú"}',
        "country": "mexico",
        "date": DAY,
    }
    assert (second["country"], third["country"], third["room"]) == ("el salvador", "unknown", None)
    assert manifest.sealed_days(DAY, DAY) == {DAY: 1}
    assert manifest.incoming() == []


@on_dynoxide
def test_an_event_that_is_written_twice_is_once_in_the_archive(archive: Storage) -> None:
    write_events(archive, [*events(3), events(3)[1]])
    write_events(archive, events(3))
    write_events(archive, events(4))
    assert sorted(ids(archive)) == ["e0", "e1", "e2", "e3"]
    # The second time nothing was new, so that stored results of the day stay valid.
    (sealed,) = manifest.sealed(DAY, DAY)
    assert (sealed.rows, sealed.generation) == (4, 2)


@on_dynoxide
def test_the_day_of_an_event_is_its_date_in_utc(archive: Storage) -> None:
    evening = event("evening", at="2025-08-18T19:30:00-05:00")
    morning = event("morning", at="2025-08-19T08:59:59.999+09:00")
    write_events(archive, [evening, morning])
    assert (ids(archive), ids(archive, date(2025, 8, 19))) == (["morning"], ["evening"])


@on_dynoxide
def test_countries_with_unusual_names_have_paths(archive: Storage) -> None:
    names = ["a/b", "../x", "50 %", "ÑANDÚ", "日本", "Côte d'Ivoire", "x=y&z"]
    write_events(archive, [event(f"e{number}", country=name) for number, name in enumerate(names)])
    assert len(rows(archive)) == len(names)
    assert {each["country"] for each in rows(archive)} == {fold_country(name) for name in names}
    assert all(path.count("/") == 3 and "'" not in path for path in stored(archive))
