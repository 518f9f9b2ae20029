"""Files of stock: columns, numbers, and what their lines change."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.core.errors import Refused
from franchises.import_plan import Catalog, LineStatus, plan_lines
from franchises.items import Branch, StockItem
from franchises.stock_file import MAX_LINES, StockLine, parse_lines

HEADER = "branch,sku,name,stock,minimum,price\n"


def branch(number: str, name: str, **values: Any) -> Branch:
    return Branch("andina", f"branch-{number}", name=name, **values)


def product(number: str, name: str, branch_id: str = "branch-1", **values: Any) -> StockItem:
    return StockItem("andina", f"product-{number}", name=name, branch_id=branch_id, **values)


def only(text: str, currency: str | None = "CLP") -> StockLine:
    (line,) = parse_lines(text, currency)
    return line


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators_and_names_of_columns(separator: str) -> None:
    header = separator.join(["Sucursal", "Código", "Nombre", "Existencias", "Mínimo", "Precio"])
    line = only(
        f"\ufeff{header}\r\n".removeprefix("\ufeff") + separator.join(["Centro", "A-1", "Café", "12", "3", "4500"])
    )
    assert (line.branch, line.sku, line.name, line.stock, line.minimum) == ("Centro", "A-1", "Café", 12, 3)
    assert (str(line.price), line.errors, line.number) == ("4500.0", [], 2)


@pytest.mark.parametrize(("text", "price"), [("19,90", "19.90"), ("19.90", "19.90"), ("", "None")])
def test_a_decimal_comma(text: str, price: str) -> None:
    assert str(only(f"branch;name;price\nCentro;Té;{text}", "EUR").price) == price


def test_all_errors_of_a_line_are_named_by_column() -> None:
    line = only(HEADER + f"Centro,,{'n' * 101},many,-1,abc")
    assert [column for column, _text in line.errors] == ["name", "stock", "minimum", "price"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("branch,name\n", "only a header"),
        ("branch,stock\nCentro,3", "no column for the product"),
        ("name,stock\nTé,3", "no column for the branch"),
        ("branch,name\n" + "a,b\n" * (MAX_LINES + 1), "20,001 lines"),
    ],
)
def test_a_file_that_is_no_file_of_stock(text: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        parse_lines(text, None)


def plan(text: str, *products: StockItem, negative: bool = False) -> list[dict[str, Any]]:
    branches = [branch("1", "Centro"), branch("2", "Norte"), branch("3", "norte"), branch("4", "Sur", closed_at=None)]
    return plan_lines(parse_lines(text, "CLP"), Catalog(branches, products, negative))


def errors(planned: list[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(line["n"], column) for line in planned for column, _text in line.get("errors", [])]


def test_new_changed_unchanged_and_errors() -> None:
    saved = (product("1", "Café", stock=10, min_stock=2), product("2", "Té", sku="T-1", stock=5))
    text = HEADER + "Centro,,cafe,12,2,\nCentro,T-1,,5,,\nCentro,,Mate,7,,900\nOeste,,Pan,1,,\nCentro,,,1,,\n"
    planned = plan(text, *saved)
    assert [line["verdict"] for line in planned] == [
        LineStatus.ERROR,
        LineStatus.ERROR,
        LineStatus.UNCHANGED,
        LineStatus.CHANGED,
        LineStatus.NEW,
    ]
    assert errors(planned) == [(5, "branch"), (6, "name")]
    changed, new = planned[3:]
    assert (changed["product"], changed["before"], changed["values"]) == (
        "product-1",
        {"name": "Café", "stock": 10},
        {"name": "cafe", "stock": 12},
    )
    assert new["values"] == {"name": "Mate", "stock": 7, "price": "900"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Norte,,Café,1,,", (2, "branch")),
        ("branch-1,X-9,,1,,", (2, "name")),
        ("Centro,,Café,-1,,", (2, "stock")),
        ("Centro,,Doble,1,,", (2, "name")),
    ],
)
def test_lines_that_cannot_be_assigned(line: str, expected: tuple[int, str]) -> None:
    saved = (product("1", "Café"), product("2", "Doble", sku="a"), product("3", "Doble", sku="b"))
    assert errors(plan(HEADER + line, *saved)) == [expected]


def test_a_product_twice_in_a_file() -> None:
    planned = plan(HEADER + "Centro,,Café,1,,\nCentro,,café,2,,\n", product("1", "Café", stock=0))
    assert errors(planned) == [(3, "")] and "line 2" in planned[0]["errors"][0][1]


def test_a_product_by_its_id_keeps_its_branch() -> None:
    saved = product("1", "Café", "branch-1", stock=1)
    assert errors(plan("branch,product,stock\nbranch-2,product-1,4", saved)) == [(2, "branch")]
    (line,) = plan("product,stock\nproduct-1,4", saved)
    assert (line["verdict"], line["branchName"], line["values"]) == (LineStatus.CHANGED, "Centro", {"stock": 4})
    assert errors(plan("product,stock\nproduct-9,4", saved)) == [(2, "product")]
