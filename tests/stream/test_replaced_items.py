"""Several records of one item in one batch: the image before the Put that removed our attributes is used."""

from __future__ import annotations

from itertools import pairwise

from dashboard.platform.accounts.items import Person
from dashboard.platform.stream.batches import repair
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.records import ItemChange
from dashboard.table.items import Raw
from tests import outside_writes
from tests.stream.helpers import post


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


def test_a_deleted_item_is_known_by_its_image_with_the_highest_revision() -> None:
    first, ours, put = (post(revision=5), post(revision=6, title="Chao"), post())
    for images in ([first, ours, None], [ours, put, None], [None, ours, None], [first, ours, put, None]):
        old, *rest = images
        records = ItemChange.of(Change(old, rest[0]))
        for before, after in pairwise(rest):
            records.add(Change(before, after))
        assert (records.change.old, records.change.new) == (ours, None), images
