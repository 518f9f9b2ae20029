"""The list of movements offers to undo all of a cause, or of a person since a date, after a preview."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from franchises.causes import Cause, CauseKind
from franchises.reasons import MovementReason
from franchises.services.stock import change_stock
from tests.conftest import add_business, sign_in
from tests.franchises.chain import BUSINESS, command, put_franchise, put_product, stored_stock
from tests.ui.html import form_to

STORES = f"/b/{BUSINESS}/stores"
FILE = Cause(CauseKind.FILE, "f1", "monday.csv")


@pytest.fixture
def owner(people_by_role: dict[str, Person]) -> Client:
    add_business(BUSINESS, "Andina", "olivia@example.com")
    put_franchise()
    put_product()
    for number in (-1, -2):
        change_stock(BUSINESS, "product-001", change=number, reason=MovementReason.SALE, cause=FILE, command=command())
    return sign_in(people_by_role["owner"])


def test_all_movements_of_a_file_are_undone_after_a_preview(owner: Client) -> None:
    begin = form_to(owner.get(f"{STORES}/movements/?cause=f1"), f"{STORES}/movements/undo/")
    job_url = begin.send(owner).headers["Location"]
    waiting = owner.post(f"{job_url}next/").headers["Location"]
    preview = owner.get(waiting, follow=True)
    confirm = form_to(preview, f"{STORES}/undo/{job_url.split('/')[-2]}/confirm/")
    assert "Undo 2 movements" in preview.content.decode()
    assert stored_stock() == 7, "nothing is undone yet"
    assert confirm.send(owner).headers["Location"] == job_url
    owner.post(f"{job_url}next/")
    assert stored_stock() == 10
    assert owner.get(preview.request["PATH_INFO"]).headers["Location"] == job_url


@pytest.mark.parametrize("query", ["", "?reason=sale", "?cause=f1&reason=sale", "?person=alma%40example.com"])
def test_other_lists_are_not_undone_as_a_whole(owner: Client, query: str) -> None:
    assert f"{STORES}/movements/undo/" not in owner.get(f"{STORES}/movements/{query}").content.decode()


def test_an_incomplete_or_unknown_selection_is_refused(owner: Client) -> None:
    assert owner.post(f"{STORES}/movements/undo/", {"person": "alma@example.com"}).status_code == 422
    assert owner.post(f"{STORES}/movements/undo/", {"cause": "unknown"}).status_code == 404
