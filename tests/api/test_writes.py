"""Writes happen once: Idempotency-Key, also with lost answers; customers at the revision that was read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from bookings.queries import customers as queries
from dashboard.table.timestamps import to_wire
from dashboard.web.api.messages import revision_in
from tests.api.shop import JUAN, book, bookings_of, code_of, get, make_shop, secret_key, send
from tests.bookings.bookable_business import BUSINESS, at
from tests.table.notes import on_dynoxide

TEN, ELEVEN = to_wire(at(10)), to_wire(at(11))


@pytest.mark.usefixtures("shop")
def test_the_same_request_sent_again_has_the_same_answer_and_changes_nothing() -> None:
    secret = secret_key()
    first, second = (book_once(secret, "key-1", provider="any") for _ in range(2))
    assert (first.status_code, first.json()) == (second.status_code, second.json()) == (201, first.json())
    assert [each.id for each in bookings_of("maria")] == [first.json()["id"]]
    assert bookings_of("pedro") == []
    assert len(queries.customers_of(BUSINESS).items) == 2, "the one of the shop and the new one"


@pytest.mark.usefixtures("shop")
def test_the_same_idempotency_key_with_another_body_is_refused() -> None:
    secret = secret_key()
    assert book_once(secret, "key-1").status_code == 201
    assert code_of(book_once(secret, "key-1", start=ELEVEN)) == (422, "idempotency_key_reused")
    assert code_of(book_once(secret, "key-1", note="other")) == (422, "idempotency_key_reused")
    assert len(bookings_of("maria")) == 1
    # Another key of the business is another program, and another endpoint another command.
    assert book_once(secret_key(), "key-1", start=ELEVEN).status_code == 201
    assert send(secret, "customers", {"name": "Ana"}, key="key-1").status_code == 201


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("key", [None, " ", "x" * 256])
def test_a_write_without_an_idempotency_key_is_refused(key: str | None) -> None:
    body = {"service": "masaje", "start": TEN, "customer": JUAN}
    assert code_of(send(secret_key(), "bookings", body, key=key)) == (400, "no_idempotency_key")
    assert bookings_of("maria") == []


@pytest.mark.usefixtures("shop")
def test_a_refused_request_is_not_remembered() -> None:
    secret = secret_key()
    assert code_of(book_once(secret, "key-1", start="2020-01-06T10:00:00Z")) == (422, "not_bookable")
    assert book_once(secret, "key-1").status_code == 201


@pytest.mark.usefixtures("shop")
def test_a_change_sent_again_after_its_revision_has_passed_is_answered_as_done() -> None:
    secret = secret_key()
    path = f"bookings/{book(secret, TEN).json()['id']}/cancel"
    first, second = (send(secret, path, {"reason": "ill"}, key="key-1", **{"If-Match": '"1"'}) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json() == second.json() and first.headers["ETag"] == second.headers["ETag"]
    assert revision_in(first.headers["ETag"]) == 2


@on_dynoxide
def test_parallel_requests_with_one_idempotency_key_book_once(table: str) -> None:
    make_shop()
    secret = secret_key()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: book_once(secret, "key-1"), range(8)))
    refused = {code_of(each) for each in answers if each.status_code != 201}
    assert refused <= {(409, "in_progress"), (503, "busy")}
    assert len({each.json()["id"] for each in answers if each.status_code == 201}) == 1
    assert len(bookings_of("maria")) == 1


@on_dynoxide
def test_parallel_requests_for_one_start_book_once(table: str) -> None:
    make_shop("maria")
    secret = secret_key()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: book_once(secret, f"key-{number}"), range(8)))
    assert [each.status_code for each in answers].count(201) == 1
    assert {each.status_code for each in answers} <= {201, 409, 503}
    assert len(bookings_of("maria")) == 1


@pytest.mark.usefixtures("shop")
def test_a_customer_is_created_found_and_changed() -> None:
    secret = secret_key()
    created = send(secret, "customers", JUAN)
    assert (created.status_code, revision_in(created.headers["ETag"])) == (201, 1)
    path = f"customers/{created.json()['id']}"
    assert get(secret, path).json() == created.json()
    assert [each["id"] for each in get(secret, "customers?q=juan@").json()["customers"]] == [created.json()["id"]]
    assert {each["id"] for each in get(secret, "customers").json()["customers"]} == {created.json()["id"], "juan"}
    renamed = {"name": "Juana Pérez", "email": "JUANA@example.com"}
    assert code_of(send(secret, path, renamed, method="put")) == (428, "no_revision")
    changed = send(secret, path, renamed, method="put", **{"If-Match": '"1"'})
    assert (changed.status_code, revision_in(changed.headers["ETag"])) == (200, 2)
    assert (changed.json()["name"], changed.json()["phone"]) == ("Juana Pérez", None)
    assert code_of(send(secret, path, JUAN, method="put", **{"If-Match": '"1"'})) == (412, "stale_revision")
    wrong = send(secret, path, {"name": "x", "phone": "call me"}, method="put", **{"If-Match": '"2"'})
    assert (code_of(wrong), wrong.json()["field"]) == ((422, "invalid"), "phone")
    assert code_of(send(secret, "customers/nobody", JUAN, method="put", **{"If-Match": '"2"'})) == (404, "not_found")


def book_once(secret: str, key: str, **more: str):  # type: ignore[no-untyped-def]
    body = {"service": "masaje", "start": TEN, "provider": "maria", "customer": JUAN} | more
    return send(secret, "bookings", body, key=key)
