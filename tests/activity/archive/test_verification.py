"""`manage.py archive_activity --verify` finds what differs between files, manifest and counts."""

from __future__ import annotations

import io

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command

from activity.archive import manifest
from activity.archive.storage import ArchiveFolder
from activity.archive.writer import write_events
from activity.services import log
from tests.activity.archive.helpers import DAY, RECENT, event, events, follow, put_all, recent, stored
from tests.activity.archive.test_follower import log_table
from tests.table.notes import on_dynoxide


def verify() -> tuple[str, str]:
    """The output, and the problems."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("archive_activity", verify=True, stdout=out, stderr=err)
    except CommandError as error:
        assert str(error).endswith("problems.")
    return out.getvalue(), err.getvalue()


@on_dynoxide
def test_a_complete_archive_has_no_problems(archive: ArchiveFolder, log_streams: None) -> None:
    write_events(archive, [*events(3), event("p", country="Perú", metadata={"text": "ñ" * 900})])
    put_all(recent(2))
    follow(archive, log_table())
    assert verify() == ("1 sealed days, 4 events, 2 rows not yet sealed.\n", "")


@on_dynoxide
@pytest.mark.parametrize(
    ("damage", "problem"), [("remove", "missing"), ("change", "another content"), ("add", "not in the manifest")]
)
def test_a_file_that_differs_from_the_manifest_is_named(archive: ArchiveFolder, damage: str, problem: str) -> None:
    write_events(archive, events(3))
    (ref,) = manifest.files(DAY, DAY)
    path = archive.root / ref.path
    if damage == "remove":
        path.unlink()
    elif damage == "change":
        path.write_bytes(path.read_bytes()[:-20] + b"x" * 20)
    else:
        path.with_name("other.parquet").write_bytes(path.read_bytes())
    _, problems = verify()
    assert problem in problems
    assert "country=mexico" in problems


@on_dynoxide
def test_an_incoming_file_that_is_damaged_is_named(archive: ArchiveFolder, log_streams: None) -> None:
    put_all(recent(3))
    follow(archive, log_table())
    (path,) = stored(archive, "incoming/")
    pq.write_table(pq.read_table(archive.root / path).slice(1), archive.root / path)
    assert "2 rows, the manifest has 3" in verify()[1]
    (archive.root / path).write_bytes(b"PAR1 not a file PAR1")
    assert "cannot be read" in verify()[1]
    (archive.root / path).unlink()
    assert "missing" in verify()[1]


@on_dynoxide
def test_events_that_the_counters_have_and_the_files_lack_are_named(archive: ArchiveFolder, log_streams: None) -> None:
    found = recent(4)
    log(found, moment=found[-1].at)
    write_events(archive, found[:3])
    assert f"{RECENT.isoformat()}: 3 events in the files, 4 in the counters" in verify()[1]
    follow(archive, log_table())
    call_command("archive_activity", once=True, verbosity=0)
    assert verify()[1] == ""
