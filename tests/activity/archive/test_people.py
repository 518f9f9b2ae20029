"""People in the archive: pseudonyms, and their erasure."""

from __future__ import annotations

import io
from typing import Any

from django.core.management import call_command

from activity.archive import manifest
from activity.archive.pseudonyms import archived_names, name_of
from activity.archive.storage import ArchiveFolder
from activity.archive.writer import write_events
from tests.activity.archive.helpers import DAY, RECENT, event, events, follow, put_all, recent, rows, stored
from tests.activity.archive.test_follower import log_table
from tests.table.notes import on_dynoxide

ANA = "ana@example.com"


@on_dynoxide
def test_addresses_are_replaced_by_pseudonyms(archive: ArchiveFolder, settings: Any) -> None:
    settings.ACTIVITY_PSEUDONYM_KEYS = ["first-key"]
    write_events(archive, [*events(2), event("b", user="bea@example.com")])
    found = rows(archive)
    assert len({each["user"] for each in found}) == 2, "the events of a person belong together"
    assert {each["domain"] for each in found} == {"example.com"}
    assert all(each["user"].startswith("p-") for each in found)
    assert not any(b"ana@example.com" in (archive.root / path).read_bytes() for path in stored(archive))
    assert [each["user"] for each in found if each["event_id"] == "e1"] == archived_names(ANA)[:1]


def test_a_person_is_found_by_every_key(settings: Any) -> None:
    settings.ACTIVITY_PSEUDONYM_KEYS = ["old-key"]
    old = name_of(ANA)
    settings.ACTIVITY_PSEUDONYM_KEYS = ["new-key", "old-key"]
    assert name_of(ANA) != old
    assert archived_names(ANA) == [name_of(ANA), old, ANA]
    settings.ACTIVITY_PSEUDONYM_KEYS = []
    assert (name_of(ANA), archived_names(ANA)) == (ANA, [ANA])


def erase(email: str) -> str:
    out = io.StringIO()
    call_command("archive_activity", erase=email, stdout=out)
    return out.getvalue()


@on_dynoxide
def test_a_person_is_erased_from_every_file(archive: ArchiveFolder, log_streams: None, settings: Any) -> None:
    write_events(archive, [*events(3), event("b", user="bea@example.com")])
    settings.ACTIVITY_PSEUDONYM_KEYS = ["key"]
    write_events(archive, [event("later", at="2025-08-19T10:00:00Z")])
    put_all([*recent(2), *recent(1, first=7, user="bea@example.com")])
    follow(archive, log_table())
    assert "6 events were erased" in erase("Ana@Example.com ")
    assert "0 events were erased" in erase(ANA)
    assert [each["user"] for each in rows(archive)] == ["bea@example.com"]
    assert manifest.sealed_days(DAY, DAY) == {DAY: 2}
    call_command("archive_activity", once=True, verbosity=0)
    assert len(rows(archive, RECENT)) == 1
    call_command("archive_activity", verify=True, stdout=io.StringIO())
