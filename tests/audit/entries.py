"""Writes audit entries with a chosen time as raw items, with their index keys, and reads lists and exports."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from django.conf import settings
from django.test import Client

from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys
from dashboard.table.connection import client
from tests.ui.html import Element, parse

BATCH = 25
MARCO = {"email": "marco@example.com", "name": "Marco Peña"}


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def raw_entry(
    at: datetime | str,
    id: str,
    *,
    business: str = "",
    actor: dict[str, Any] | None = MARCO,
    action: str = "person.edit",
    target: dict[str, Any] | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The raw item of one entry as `record` writes it. A text in `at` is a time as an outside writer may write it."""
    key_parts = {"tenant": business} if business else {}
    entry = AuditEntry.new_at_key((keys.AUDIT if business else keys.SYSTEM_AUDIT).key(at=at, id=id, **key_parts))
    entry.id, entry.action, entry.scope, entry.operation = id, action, entry.pk, f"op-{id}"
    if isinstance(at, datetime):
        entry.at_time = at
    entry.actor = actor or {}
    entry.target = target or {"type": "person", "id": "ana@example.com", "title": "Ana Sol"}
    entry.before, entry.after = before, after
    entry.set_index_keys()
    wire: dict[str, Any] = entry.serialize(null_check=False)
    return wire


def put(*raws: dict[str, Any]) -> None:
    put_all(raws)


def put_all(raws: Iterable[dict[str, Any]]) -> None:
    left = iter(raws)
    batches = iter(lambda: list(islice(left, BATCH)), [])
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(_write, batches))


def _write(batch: list[dict[str, Any]]) -> None:
    puts = [{"PutRequest": {"Item": each}} for each in batch]
    answer = client().batch_write_item(RequestItems={settings.DYNAMODB_TABLE: puts})
    assert not answer.get("UnprocessedItems")


def rows(page: Element) -> list[Element]:
    return [each for each in page.all("li") if "data-row" in each.attrs]


def ids(page: Element) -> list[str]:
    """The ids of the entries on a page. In these tests the operation of an entry contains its id."""
    return [row.all("code")[-1].text.removeprefix("op-") for row in rows(page)]


def pages(browser: Client, url: str, most: int = 60) -> Iterator[Element]:
    """The pages of a list, from the first to the last."""
    following: str | None = url
    for _ in range(most):
        if following is None:
            return
        response = browser.get(following)
        assert response.status_code == 200, following
        page = parse(response)
        yield page
        more = [link for link in page.all("a") if "data-more" in link.attrs]
        following = more[0].attrs["href"] if more else None
    raise AssertionError("the list has more pages than expected")


def listed_ids(browser: Client, url: str) -> list[str]:
    """The ids of the entries on all pages of a list."""
    return [id for page in pages(browser, url) for id in ids(page)]


def text_of(response: Any) -> str:
    assert response.status_code == 200, response.status_code
    return b"".join(response.streaming_content).decode("utf-8")


def exported_rows(browser: Client, url: str) -> list[dict[str, str]]:
    """The rows of an exported file."""
    text = text_of(browser.get(url))
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
