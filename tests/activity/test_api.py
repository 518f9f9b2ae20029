"""`POST /api/v1/activity`: a result for each event, each logged once, and nothing that a program sends breaks it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from activity import room_states
from activity.events import Event
from activity.queries import hour_counts, now_counts, person_events
from activity.services import log
from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.table import keys, read, tenancy
from dashboard.table.timestamps import to_wire
from tests.api.shop import code_of, make_shop, platform_key, secret_key, send
from tests.conftest import every_engine
from tests.faults import bad_network, lose_reply
from tests.rooms.rooms import create_room
from tests.table.notes import on_dynoxide

pytestmark = pytest.mark.usefixtures("log_tables")


@pytest.fixture(autouse=True)
def no_known_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_states, "_read", ("", 0.0, {}))


@pytest.fixture
def app(table: str) -> str:
    return platform_key("log")


def event(**values: Any) -> dict[str, Any]:
    defaults = {"user": "ana@empresa.test", "at": to_wire(now()), "action": "video_start", "country": "Chile"}
    return {"id": new_id(), **defaults, **values}


def report(app: str, *events: dict[str, Any], **options: Any) -> Any:
    return send(app, "activity", {"events": list(events)}, key=None, **options)


def codes(response: Any) -> list[str | None]:
    return [each["code"] for each in response.json()["results"]]


@every_engine
def test_a_batch_is_logged_once_with_a_result_for_each_event(table: str, app: str) -> None:
    events = [event(user=f"p{n % 9}@empresa.test", room="sala1") for n in range(100)]
    first, second = report(app, *events), report(app, *events)
    assert (first.status_code, first.json()["logged"], first.json()["duplicates"]) == (200, 100, 0)
    assert (second.json()["logged"], second.json()["duplicates"]) == (0, 100)
    assert [each["id"] for each in second.json()["results"]] == [each["id"] for each in events]
    counts = now_counts()
    assert (counts.events, len(counts.active_people), counts.by_room["sala1"]) == (100, 9, 100)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"id": "a#b"}, "invalid_id"),
        ({"id": "x" * 65}, "invalid_id"),
        ({"id": ""}, "invalid_id"),
        ({"user": "ana@empresa.test#shard3"}, "invalid_user"),
        ({"user": "PROFILE ana"}, "invalid_user"),
        ({"user": "a\u0000b@x.test"}, "invalid_user"),
        ({"user": "a\u202eb@x.test"}, "invalid_user"),
        ({"user": "x" * 255}, "invalid_user"),
        ({"action": "Room Enter"}, "invalid_action"),
        ({"action": "a#b"}, "invalid_action"),
        ({"room": "sala#1"}, "invalid_room"),
        ({"room": ""}, "invalid_room"),
        ({"country": "x" * 65}, "invalid_country"),
        ({"at": "yesterday"}, "invalid_at"),
        ({"at": "2026-01-01T00:00:00"}, "invalid_at"),
        ({"at": "0001-01-01T00:00:00+14:00"}, "invalid_at"),
        ({"at": "9999-12-31T23:59:59Z"}, "in_the_future"),
        ({"at": "2001-01-01T00:00:00Z"}, "too_old"),
        ({"metadata": {"text": "ñ" * 1100}}, "metadata_too_large"),
        ({"metadata": {"": 1}}, "invalid_metadata"),
        ({"metadata": {"n": 10**40}}, "invalid_metadata"),
        ({"metadata": {"n": 1e-300}}, "invalid_metadata"),
        ({"metadata": {"a": {"b": {"c": {"d": {"e": {"f": {}}}}}}}}, "invalid_metadata"),
    ],
)
def test_a_refused_event_does_not_stop_the_others(app: str, values: dict[str, Any], code: str) -> None:
    answer = report(app, event(), event(**values), event())
    assert (answer.status_code, codes(answer)) == (200, [None, code, None])
    assert (answer.json()["logged"], answer.json()["refused"]) == (2, 1)
    assert now_counts().events == 2


@every_engine
def test_unknown_actions_and_any_script_are_kept(table: str, app: str) -> None:
    metadata = {"título": "日本 🎉", "list": [1, 2.5, None, True], "deep": {"a": "b"}}
    sent = event(action="quiz.answered", room="Salón ñ:|1", country="Perú", metadata=metadata, user="Ana@Empresa.TEST")
    assert report(app, sent).json()["logged"] == 1
    (found,) = person_events("ana@empresa.test", now() - timedelta(hours=1), now() + timedelta(hours=1)).items
    assert (found.action, found.room, found.metadata) == ("quiz.answered", "Salón ñ:|1", metadata)
    hour = next(each for each in hour_counts(now(), now() + timedelta(seconds=1)))
    assert hour.by_room_action == {("quiz.answered", "Salón ñ:|1"): 1}


def test_entering_a_closed_room_is_marked(app: str) -> None:
    create_room("sala1", open_at=now() + timedelta(hours=1))
    create_room("sala2", open_at=now() - timedelta(hours=1))
    events = [event(action="room_enter", room=room, metadata={"open": True}) for room in ("sala1", "sala2", "soporte")]
    assert report(app, *events).json()["logged"] == 3
    found = person_events("ana@empresa.test", now() - timedelta(hours=1), now() + timedelta(hours=1)).items
    assert {each.room: each.metadata for each in found} == {"sala1": {"open": False}, "sala2": {}, "soporte": {}}
    (hour,) = hour_counts(now(), now() + timedelta(seconds=1))
    assert hour.closed_by_room == {"sala1": 1}


def test_bodies_have_bounds(app: str) -> None:
    assert code_of(report(app)) == (422, "invalid")
    assert code_of(report(app, *[event() for _ in range(101)])) == (422, "invalid")
    assert code_of(report(app, event(user=5))) == (422, "invalid")
    assert code_of(report(app, event(tenant="andina"))) == (422, "invalid")
    assert code_of(send(app, "activity", b"{", key=None)) == (400, "malformed_json")
    assert code_of(report(app, event(metadata={"x": "y" * 1_048_576}))) == (413, "too_large")
    assert now_counts().events == 0


def test_only_a_platform_key_with_the_scope_logs(app: str) -> None:
    make_shop()
    for wrong in (platform_key("read", "chat", "moderate"), secret_key("read", "book", "chat")):
        assert code_of(report(wrong, event())) == (403, "key_not_allowed")
    assert code_of(report("tk_unknown-but-long-enough", event()))[0] == 401
    assert code_of(report(app, event(), **{"X-Tenant-Id": "andina"})) == (403, "other_tenant")
    assert now_counts().events == 0


def test_a_key_that_logs_reads_nothing(app: str) -> None:
    with (
        tenancy.bind(tenancy.Binding("", "key:k1", api_key="k1", is_of_platform=True)),
        pytest.raises(tenancy.ForeignTenant),
    ):
        read.page(keys.ACTIVITY.collection(user="ana@empresa.test", shard=1))


def test_a_key_of_a_business_cannot_write_events(table: str) -> None:
    with tenancy.bind(tenancy.Binding("andina", "ana@empresa.test")), pytest.raises(tenancy.ForeignTenant):
        log([Event(id="e1", user="ana@empresa.test", at=now(), action="sign_in")])


@on_dynoxide
def test_a_silent_table_is_reported_and_the_same_batch_is_logged_once(table: str, app: str) -> None:
    events = [event() for _ in range(5)]
    with bad_network() as network:
        network.next("TransactWriteItems", *[lose_reply] * 12)
        assert code_of(report(app, *events)) == (503, "unavailable")
    again = report(app, *events).json()
    assert (again["logged"], again["duplicates"]) == (0, 5)
    assert now_counts().events == 5
