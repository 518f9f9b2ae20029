"""Attacks on stores: other tenants, forged ids and forms, odd items of outside writers, and repeated work.

`tests/accounts/test_permissions.py` requests every URL in every role. These tests attack what is behind the pages.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from dashboard.table.commands import new_command
from franchises.items import Branch
from franchises.queries.products import load_product
from franchises.queries.whole_catalog import products_of_branch
from franchises.services import counts
from tests.attacks.stock_items import ODD_PRODUCTS, is_consistent, put_odd_products, stock_of
from tests.bookings.catalog import put
from tests.conftest import ACTOR, add_business
from tests.franchises.stores import (
    BUSINESS,
    NEIGHBOURS,
    STORES,
    a_branch,
    a_franchise,
    a_product,
    product_url,
)
from tests.jobs.execution import finish
from tests.ui.html import form_to, parse

SHARED_BRANCH, SHARED_PRODUCT = "branch-001", "product-001"
HUGE = "9" * 5000
BAD_NUMBERS = [
    "",
    "-1",
    "0",
    "2.5",
    "NaN",
    "inf",
    "1e400",
    HUGE,
    "१२",
    "1\x002",
    "12; DROP",
    "+-1",
    "--1",
    "0x10",
    "−3",
]
ODD_IDS = [
    "product-a#b",
    "product-%00",
    "product-" + "x" * 199,
    "product-",
    "product-ñ",
    "product-a b",
    "product-..",
    "product-%0A",
]


# --- Other businesses ---
def test_ids_of_another_business_are_not_found(table: str, as_owner: Client, branch: Branch) -> None:
    """Ids repeat in the seed: the same id in another business is another product, and never answers for it."""
    add_business(NEIGHBOURS, "Harbour Coffee", "nuria@example.com")
    a_franchise("Harbour", business=NEIGHBOURS)
    theirs = a_branch("Pier", business=NEIGHBOURS)
    product = a_product("Secret blend", theirs, stock=77, business=NEIGHBOURS)
    own = a_product("Café", branch)
    base, foreign = product_url(product), product_url(product, NEIGHBOURS)
    posts: list[tuple[str, dict[str, Any]]] = [
        ("stock/", {"change": "-1", "reason": "sale"}),
        ("stock/", {"set": "1", "seen": "77", "reason": "correction"}),
        ("movements/1/undo/", {}),
        ("edit/", {"name": "x", "revision": "1"}),
        ("move/", {"branch": branch.id, "revision": "1"}),
        ("retire/", {"revision": "1"}),
        ("restore/", {"revision": "1"}),
    ]
    for url in (base, foreign):
        assert as_owner.get(url).status_code == 404
        for path, sent in posts:
            answer = as_owner.post(url + path, sent)
            assert answer.status_code == 404, (url, path, answer.status_code)
    assert as_owner.get(f"{STORES}{theirs.id}/").status_code == 404
    assert as_owner.get(f"{STORES}{theirs.id}/grid/").status_code == 404
    moved = as_owner.post(f"{product_url(own)}move/", {"branch": theirs.id, "revision": own.revision})
    assert moved.status_code in {404, 409, 422}
    scanned = as_owner.post(f"{STORES}{branch.id}/scan/", {"code": product.id, "mode": "sale"}, follow=True)
    grid = {f"seen-{product.id}": json.dumps({"stock": "77", "revision": 1}), f"stock-{product.id}": "1"}
    saved = as_owner.post(f"{STORES}{branch.id}/grid/", grid)
    moves = as_owner.post(
        f"{STORES}transfer/?do=confirm", {"from": branch.id, "to": theirs.id, "product": own.id, "units": "1"}
    )
    for answer in (scanned, saved, moves, moved):
        assert b"Secret blend" not in answer.content
    after = load_product(NEIGHBOURS, product.id)
    assert (after.stock, after.revision, load_product(BUSINESS, own.id).branch_id) == (77, product.revision, branch.id)


def test_a_branch_id_that_repeats_shows_only_the_own_stock(table: str, as_owner: Client) -> None:
    add_business(NEIGHBOURS, "Harbour Coffee", "nuria@example.com")
    for business, name in ((BUSINESS, "Own"), (NEIGHBOURS, "Foreign")):
        put(f"FRANCHISE#{business}", "METADATA", id=business, name=name)
        put(business, SHARED_BRANCH, id=SHARED_BRANCH, franchiseId=business, name=f"{name} branch")
        put(
            business, SHARED_PRODUCT, id=SHARED_PRODUCT, franchiseId=business, branchId=SHARED_BRANCH,
            name=f"{name} product", stock=5, GSI1PK=f"BRANCH#{SHARED_BRANCH}", GSI1SK=f"{business}#S#0000000005",
            GSI2PK=f"PRODUCT#{SHARED_PRODUCT}", GSI2SK=business,
        )  # fmt: skip
    for url in (f"{STORES}{SHARED_BRANCH}/", f"{STORES}products/{SHARED_PRODUCT}/", f"{STORES}highest/", STORES):
        page = as_owner.get(url, headers={"HX-Request": "true"}).content.decode()
        assert "Foreign" not in page, url
    assert "Own product" in as_owner.get(f"{STORES}{SHARED_BRANCH}/").content.decode()
    as_owner.post(f"{STORES}products/{SHARED_PRODUCT}/stock/", {"change": "-2", "reason": "sale"})
    assert (stock_of(SHARED_PRODUCT), load_product(NEIGHBOURS, SHARED_PRODUCT).stock) == (3, 5)


def test_jobs_and_cursors_of_another_business_are_not_usable(table: str, as_owner: Client, branch: Branch) -> None:
    """The owner has two businesses: a job of one is not shown, confirmed or undone under the other."""
    add_business("second", "Second", "olivia@example.com")
    a_franchise("Second", business="second")
    base = f"{STORES}import/"
    answer = form_to(as_owner.get(base), base).send(as_owner, values={"text": "branch,name,stock\nCentro,Té,4\n"})
    job = answer.headers["Location"].rstrip("/").rpartition("/")[2]
    other = "/b/second/stores/"
    assert as_owner.get(f"{other}import/{job}/").status_code == 404
    assert as_owner.get(f"{other}import/{job}/errors/").status_code == 404
    for path in (f"import/{job}/confirm/", f"jobs/{job}/undo/", f"undo/{job}/confirm/"):
        assert as_owner.post(other + path).status_code == 404, path
    assert as_owner.get(f"{STORES}undo/{job}/").status_code == 404, "a job of another kind"
    for number in range(60):
        a_product(f"P{number:02}", branch, stock=1)
    following = parse(as_owner.get(f"{STORES}products/")).one("main")
    cursor = next(
        each.attrs["href"].partition("cursor=")[2].partition("&")[0]
        for each in following.all("a")
        if "cursor=" in each.attrs.get("href", "")
    )
    for path in (f"{other}products/?cursor=", f"{STORES}products/?cursor=x", f"{STORES}movements/?cursor="):
        url = path + cursor
        answer = as_owner.get(url, follow=True)
        assert answer.status_code < 500 and (not url.startswith(other) or b"P59" not in answer.content)


# --- Forged and broken input ---
@pytest.mark.parametrize("number", BAD_NUMBERS)
def test_a_bad_number_changes_nothing(table: str, as_owner: Client, branch: Branch, number: str) -> None:
    product = a_product("Café", branch, stock=10)
    north = a_branch("Norte")
    sheet = counts.start(BUSINESS, branch, products_of_branch(BUSINESS, branch.id), command=new_command(ACTOR))
    seen = json.dumps({"stock": number, "revision": product.revision})
    requests: list[tuple[str, dict[str, Any]]] = [
        (f"{product_url(product)}stock/", {"units": number, "direction": "in", "reason": "auto"}),
        (f"{product_url(product)}stock/", {"set": "3", "seen": number if number else "4", "reason": "count"}),
        (f"{STORES}transfer/?do=confirm", {"from": branch.id, "to": north.id, "product": product.id, "units": number}),
        (f"{STORES}counts/{sheet.id}/lines/{product.id}/", {"counted": "5", "revision": number}),
        (f"{STORES}counts/{sheet.id}/apply/", {"revision": number if number != "0" else "x"}),
        (f"{product_url(product)}retire/", {"revision": number}),
        (f"{STORES}{branch.id}/close/", {"revision": number}),
        (f"{STORES}{branch.id}/grid/", {f"seen-{product.id}": seen, f"name-{product.id}": "#" * 500}),
    ]
    for url, sent in requests:
        answer = as_owner.post(url, sent)
        assert answer.status_code < 500, (url, answer.status_code)
    if number in {"१२", "2.5"}:
        return  # Digits of another script are digits.
    assert stock_of(product) == 10 and not load_product(BUSINESS, product.id).is_retired


@pytest.mark.parametrize(
    "seen",
    [
        '{"stock":"--5","revision":1}',
        '{"stock":"\\ud800","name":"\\ud800","revision":1}',
        '{"stock":"10","name":"\\ud800","revision":1}',
        '{"stock":NaN,"revision":1}',
        '{"stock":1e999,"revision":1}',
        '{"stock":"10","revision":' + "9" * 60 + "}",
        '{"stock":"10","name":"Caf","revision":-1}',
        '{"stock":[{"a":1}],"revision":true}',
        '{"stock":"' + HUGE + '","revision":1}',
    ],
)
def test_a_forged_row_of_the_grid_is_no_error_of_ours(table: str, as_owner: Client, branch: Branch, seen: str) -> None:
    product = a_product("Café", branch, stock=10)
    sent = {f"seen-{product.id}": seen, f"stock-{product.id}": "4", f"name-{product.id}": "Mate"}
    answer = as_owner.post(f"{STORES}{branch.id}/grid/", sent, follow=True)
    assert answer.status_code in {200, 422}
    assert is_consistent(product)


def test_ids_that_no_product_has_are_not_found(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product("Café", branch)
    for odd in ODD_IDS:
        text = odd.replace("%00", "\x00").replace("%0A", "\n")
        path = odd.replace("#", "%23").replace(" ", "%20")
        for answer in (
            as_owner.get(f"{STORES}products/{path}/"),
            as_owner.post(f"{STORES}products/{path}/stock/", {"change": "1", "reason": "delivery"}),
            as_owner.post(f"{STORES}products/{path}/movements/1/undo/"),
            as_owner.get(f"{STORES}{path.replace('product', 'branch')}/"),
            as_owner.get(f"{STORES}{path.replace('product', 'branch')}/grid/"),
        ):
            assert answer.status_code == 404, odd
        for answer in (
            as_owner.post(f"{STORES}{branch.id}/scan/", {"code": text, "mode": "sale"}),
            as_owner.post(f"{product_url(product)}move/", {"branch": text, "revision": "1"}),
            as_owner.post(
                f"{STORES}{branch.id}/grid/", {f"seen-{text}": '{"stock":"1","revision":1}', f"stock-{text}": "2"}
            ),
            as_owner.get(f"{STORES}movements/", {"cause": text, "branch": text, "person": text}),
            as_owner.post(f"{STORES}movements/undo/", {"cause": text}),
            as_owner.post(f"{STORES}movements/undo/", {"person": text, "since": text}),
            as_owner.get(f"{STORES}products/", {"q": text}),
            as_owner.get(f"{STORES}products/everywhere/", {"of": text, "product": text}),
            as_owner.get(f"{STORES}transfer/", {"from": text, "to": text}),
            as_owner.post(f"{STORES}products/retire/", {"products": text}),
            as_owner.get(f"{STORES}{branch.id}/", {"just": text, "order": text, "cursor": text}),
            as_owner.get(f"{STORES}counts/{path}/"),
            as_owner.get(f"{STORES}highest/", {"branch": text}),
        ):
            assert answer.status_code < 500, (odd, answer.request["PATH_INFO"])
    assert as_owner.post(f"{product_url(product)}movements/{HUGE[:4000]}/undo/").status_code == 404
    assert stock_of(product) == 10


# --- Odd items of outside writers ---
def test_odd_items_break_no_page_and_no_work_on_the_others(table: str, as_owner: Client, branch: Branch) -> None:
    good = a_product("Café", branch, stock=10)
    put_odd_products(branch.id)
    of_branch = ("", f"{branch.id}/", f"{branch.id}/grid/", f"transfer/?from={branch.id}")
    for page in (*of_branch, "products/", "movements/", "transfer/", "counts/", "highest/", "export/", "branches/"):
        answer = as_owner.get(STORES + page, follow=True)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
        assert answer.status_code == 200 and body, page
    form = form_to(as_owner.get(f"{STORES}counts/"), f"{STORES}counts/")
    started = form.send(as_owner, values={"branch": branch.id}, follow=True)
    assert started.status_code == 200 and "Café" in started.content.decode()
    for odd in ODD_PRODUCTS:
        url = f"{STORES}products/{odd['id'].replace('#', '%23')}/"
        for answer in (
            as_owner.get(url),
            as_owner.get(f"{url}edit/"),
            as_owner.post(f"{url}stock/", {"change": "1", "reason": "delivery"}),
            as_owner.post(f"{url}stock/", {"set": "4", "reason": "correction"}),
            as_owner.post(f"{url}movements/1/undo/"),
            as_owner.post(f"{url}retire/", {"revision": "0"}),
        ):
            assert answer.status_code < 500, (odd["id"], answer.request["PATH_INFO"], answer.request["REQUEST_METHOD"])
    assert stock_of(good) == 10


def test_a_count_of_a_fraction_sets_what_was_counted(table: str, as_owner: Client, branch: Branch) -> None:
    put(BUSINESS, "product-half", id="product-half", franchiseId=BUSINESS, branchId=branch.id, name="Half", stock=2.5,
        GSI1PK=f"BRANCH#{branch.id}", GSI1SK=f"{BUSINESS}#S#0000000002")  # fmt: skip
    sheet = counts.start(BUSINESS, branch, [load_product(BUSINESS, "product-half")], command=new_command(ACTOR))
    counts.count_line(BUSINESS, sheet.id, "product-half", counted=3, revision=0, command=new_command(ACTOR))
    assert "+0.5" in parse(as_owner.get(f"{STORES}counts/{sheet.id}/?show=differences")).one("main").text
    finish(counts.apply(BUSINESS, sheet.id, revision=sheet.revision, command=new_command(ACTOR)))
    assert stock_of("product-half") == 3 and is_consistent("product-half")


def test_the_grid_does_not_overwrite_a_fraction_that_changed(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product("Café", branch, stock=10)
    sent = {f"seen-{product.id}": '{"stock":"2.5","revision":1}', f"stock-{product.id}": "4"}
    assert as_owner.post(f"{STORES}{branch.id}/grid/", sent).status_code == 422
    assert stock_of(product) == 10
