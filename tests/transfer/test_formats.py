"""Lines of a file: the formats that are read, what is refused and why, and what an export writes."""

from __future__ import annotations

import base64
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.platform.transfer.formats import parse, render
from dashboard.platform.transfer.values import MAX_ITEM, BadLine, check_item
from dashboard.table.keypattern import MAX_PK, MAX_SK

LIMITS = {"PK": MAX_PK, "SK": MAX_SK, "GSI1PK": MAX_PK, "GSI1SK": MAX_SK, "domain": MAX_PK}
AT: dict[str, Any] = {"PK": {"S": "X#1"}, "SK": {"S": "X"}}
WIDE = AT | {
    "text": {"S": "ñ \u2028 \x00 😀"},
    "nothing": {"S": ""},
    "number": {"N": "12345678901234567890123456789012345678"},
    "small": {"N": "-0.00012"},
    "binary": {"B": bytes(range(256))},
    "no": {"BOOL": False},
    "null": {"NULL": True},
    "list": {"L": [{"S": "a"}, {"N": "1"}, {"L": []}, {"M": {}}]},
    "map": {"M": {"a": {"M": {"b": {"BS": [b"\x00"]}}}}},
    "texts": {"SS": ["a", "b"]},
    "numbers": {"NS": ["1", "2.5"]},
    "binaries": {"BS": [b"\xff", b"a"]},
}


def read(item: Any) -> Any:
    return parse_checked(json.dumps(item, default=lambda value: base64.b64encode(value).decode()).encode())


def parse_checked(line: bytes) -> Any:
    return check_item(parse(line).item, LIMITS)


def test_a_line_of_an_aws_export_is_read() -> None:
    assert read({"Item": WIDE}) == WIDE


def test_dynamodb_json_without_its_wrapper_is_read() -> None:
    assert read(WIDE) == WIDE


def test_an_exported_line_is_read_back() -> None:
    line = render(WIDE)
    assert line.count(b"\n") == 1
    assert line.startswith(b'{"Item":{"PK":{"S":"X#1"},')
    assert parse_checked(line) == WIDE


def test_plain_json_keeps_numbers_exact() -> None:
    line = b'{"PK": "X#1", "SK": "X", "likes": 3, "price": 0.1234567890123456789012345678901234567, "big": 1e20}'
    assert parse_checked(line) == AT | {
        "likes": {"N": "3"},
        "price": {"N": "0.1234567890123456789012345678901234567"},
        "big": {"N": "100000000000000000000"},
    }


def test_plain_json_of_every_type_is_read() -> None:
    plain = {"PK": "X#1", "SK": "X", "a": [1, "b", None, True], "m": {"x": {"y": ""}}, "Item": {"S": "no wrapper"}}
    assert read(plain) == AT | {
        "a": {"L": [{"N": "1"}, {"S": "b"}, {"NULL": True}, {"BOOL": True}]},
        "m": {"M": {"x": {"M": {"y": {"S": ""}}}}},
        "Item": {"M": {"S": {"S": "no wrapper"}}},
    }


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("+5", "5"),
        ("007", "7"),
        ("1.50", "1.5"),
        ("-0", "0"),
        ("1E+3", "1000"),
        (".5", "0.5"),
        ("5.", "5"),
        ("0.0", "0"),
    ],
)
def test_numbers_are_normalized_as_dynamodb_does(written: str, stored: str) -> None:
    assert read(AT | {"n": {"N": written}})["n"] == {"N": stored}


@given(st.decimals(allow_nan=False, allow_infinity=False, places=9, min_value=-(10**20), max_value=10**20))
def test_a_number_keeps_its_value(number: Decimal) -> None:
    stored = read(AT | {"n": {"N": str(number)}})["n"]["N"]
    assert Decimal(stored) == number
    assert read(AT | {"n": {"N": stored}})["n"]["N"] == stored


def nested(levels: int) -> Any:
    value: Any = {"S": "x"}
    for _ in range(levels):
        value = {"L": [value]}
    return value


BAD: list[tuple[bytes | dict[str, Any], str]] = [
    (b"", "not JSON"),
    (b"{", "not JSON"),
    (b"[1]", "not an item"),
    (b"3", "not an item"),
    (b"null", "not an item"),
    (b'"PK"', "not an item"),
    (b"\xff\xfe{}", "not UTF-8"),
    (b"[" * 100_000, "nested too deep"),
    (b"{}", "PK is missing"),
    (b'{"PK": "X"}', "SK is missing"),
    (b'{"Item": {}}', "PK is missing"),
    (b'{"Item": "X"}', "PK is missing"),
    (b'{"PK": 3, "SK": "X"}', "PK is a key and must be text"),
    (b'{"PK": null, "SK": "X"}', "PK is a key and must be text"),
    (b'{"PK": "", "SK": "X"}', "PK is a key and cannot be empty"),
    (b'{"PK": "X", "SK": "X", "n": NaN}', "NaN is no number"),
    (b'{"PK": "X", "SK": "X", "n": -Infinity}', "Infinity is no number"),
    (b'{"PK": "X", "SK": "\\ud800"}', "half a character"),
    (b'{"PK": "X", "SK": "X", "n": 1' + b"0" * 5000 + b"}", "not JSON"),
    (b'{"PK": "X", "SK": "X", "n": 1e999999999}', "not a number"),
    ({"PK": {"S": "x" * (MAX_PK + 1)}, "SK": {"S": "X"}}, "PK has 2,049 bytes, 2,048 at the most"),
    ({"PK": {"S": "X"}, "SK": {"S": "ñ" * 513}}, "SK has 1,026 bytes"),
    (AT | {"GSI1PK": {"S": ""}}, "GSI1PK is a key and cannot be empty"),
    (AT | {"GSI1SK": {"N": "3"}}, "GSI1SK is a key and must be text"),
    (AT | {"GSI1SK": {"S": "x" * 1025}}, "GSI1SK has 1,025 bytes"),
    (AT | {"domain": {"NULL": True}}, "domain is a key and must be text"),
    (AT | {"n": {"N": 3}}, "n is a number, and DynamoDB JSON writes these as text"),
    (AT | {"n": {"N": "three"}}, "n is not a number: three"),
    (AT | {"n": {"N": "NaN"}}, "n is not a number"),
    (AT | {"n": {"N": "1" * 39}}, "n has more than 38 digits"),
    (AT | {"n": {"N": "1E+126"}}, "too large"),
    (AT | {"n": {"N": "1E-131"}}, "too small"),
    (AT | {"s": {"S": 3}}, "s is not text"),
    (AT | {"s": {"X": "3"}}, "s is no value of type X"),
    (AT | {"s": {"S": "a", "N": "1"}}, "s is not a value with its type"),
    (AT | {"s": {}}, "s is not a value with its type"),
    (AT | {"s": "bare"}, "s is not a value with its type"),
    (AT | {"b": {"BOOL": "true"}}, "b is no value of type BOOL"),
    (AT | {"b": {"NULL": False}}, "b is no value of type NULL"),
    (AT | {"b": {"B": "not base64!"}}, "b is not in base64"),
    (AT | {"b": {"SS": []}}, "b is a set and cannot be empty"),
    (AT | {"b": {"SS": ["a", "a"]}}, "holds the same value twice"),
    (AT | {"b": {"NS": ["1", "1.0"]}}, "holds the same value twice"),
    (AT | {"m": {"M": {"x": {"L": [{"N": "x"}]}}}}, "m.x[0] is not a number"),
    (AT | {"deep": nested(33)}, "nested more than 32 levels"),
    (AT | {"s": {"S": "x" * MAX_ITEM}}, "409,600 at the most"),
]


@pytest.mark.parametrize(("line", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_a_bad_line_is_refused_with_the_reason(line: bytes | dict[str, Any], reason: str) -> None:
    with pytest.raises(BadLine) as refused:
        parse_checked(line) if isinstance(line, bytes) else read(line)
    assert reason in str(refused.value)


def test_an_item_of_the_maximum_size_is_accepted() -> None:
    fits = "x" * (MAX_ITEM - len("PKX#1SKXs"))
    assert read(AT | {"s": {"S": fits}})["s"] == {"S": fits}
    with pytest.raises(BadLine):
        read(AT | {"s": {"S": fits + "x"}})


def test_the_maximum_nesting_is_accepted() -> None:
    assert read(AT | {"deep": nested(31)})


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_an_item_or_a_bad_line(line: bytes) -> None:
    """No other exception is raised."""
    try:
        parse_checked(line)
    except BadLine:
        return


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["PK", "SK", "Item", "GSI1PK", "N", "S", "x"]), VALUES, max_size=5))
def test_any_json_is_an_item_or_a_bad_line(item: dict[str, Any]) -> None:
    try:
        parse_checked(json.dumps(item).encode())
    except BadLine:
        return
