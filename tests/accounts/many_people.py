"""Many people, written as an outside writer does: raw items in batches, with their index keys."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

from django.conf import settings

from dashboard.core.clock import now
from dashboard.platform.accounts.items import DISABLED, INVITED, Person
from dashboard.platform.accounts.permissions import Role
from dashboard.table.connection import client

BATCH = 25


def raw_person(email: str, state: str) -> dict[str, Any]:
    """The raw item of a person in this state, as the services write it."""
    name = email.partition("@")[0]
    item: dict[str, Any] = json.loads(
        _sample(state).replace("sample@", f"{name}@").replace("@test", email[len(name) :])
    )
    return item


@functools.cache
def _sample(state: str) -> str:
    """The JSON of one person, as a template. Serializing every person would take longer than writing them."""
    email = "sample@test"
    person = Person.new(email=email)
    person.email, person.name = email, "Name of sample@test"
    person.back_office_role = state if state in set(Role) else Role.STAFF
    person.created_at, person.revision = now(), 1
    if state == INVITED:
        person.invited_at = now()
    else:
        person.password_hash = "argon2$none"
    if state == DISABLED:
        person.disabled_at = now()
    assert person.state == state
    person.set_index_keys()
    return json.dumps(person.serialize())


def add_many_people(people: Iterable[tuple[str, str]]) -> None:
    """Add (e-mail, state) pairs."""
    left = iter(people)
    batches = iter(lambda: list(islice(left, BATCH)), [])
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(_write, batches))


def _write(batch: list[tuple[str, str]]) -> None:
    puts = [{"PutRequest": {"Item": raw_person(*each)}} for each in batch]
    answer = client().batch_write_item(RequestItems={settings.DYNAMODB_TABLE: puts})
    assert not answer.get("UnprocessedItems")
