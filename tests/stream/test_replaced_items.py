"""Several records of one item in one batch: the image before the Put that removed our attributes is used."""

from __future__ import annotations

from dashboard.platform.accounts.items import Person
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.records import ItemChange
from dashboard.platform.stream.repairer import repair
from dashboard.table.items import Raw
from tests import outside_writes


def test_a_change_of_ours_just_before_a_put_is_not_lost(people_by_role: dict[str, Person]) -> None:
    staff = people_by_role["staff"]
    first = outside_writes.raw_at(staff.key) or {}
    ours: Raw = first | {"passwordHash": {"S": "new"}, "revision": {"N": str(staff.revision + 1)}}
    del ours["sessionEpoch"]
    put: Raw = {name: first[name] for name in ("PK", "SK", "email", "createdAt")}
    outside_writes.put(put)
    records = ItemChange.of(Change(first, ours))
    records.add(Change(ours, put))
    assert repair(records)
    stored = outside_writes.raw_at(staff.key) or {}
    assert (stored["passwordHash"], stored["revision"]) == ({"S": "new"}, {"N": str(staff.revision + 2)})
    assert "sessionEpoch" not in stored, "what we had removed stays removed"
