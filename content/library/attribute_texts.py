"""Attributes of outside writers as texts in a form, and back. The type of an attribute never changes.

A text that is read again gives the value of which it is the text, with every digit of a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from dashboard.table.masking import masked_value

# A value as DynamoDB returns it: {"S": "a"}.
Value = dict[str, Any]

# The limits of DynamoDB.
MAX_DIGITS, MIN_EXPONENT, MAX_EXPONENT, MAX_DEPTH = 38, -130, 125, 31
# A longer text cannot be changed here: the form would be too large to send.
MAX_LENGTH = 50_000
_NUMBER = re.compile(r"-?[0-9]{1,400}(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,3})?")
_INDENT = "  "
TRUE, FALSE = "true", "false"


class Shape(StrEnum):
    """How a form shows an attribute."""

    TEXT = "text"
    NUMBER = "number"
    TRUTH = "truth"
    # One text on each line.
    LINES = "lines"
    JSON = "json"
    # It is only shown.
    LOCKED = "locked"


def shape_of(name: str, value: Value) -> Shape:
    """A secret is locked, and so is what a form cannot send back unchanged."""
    if masked_value(name, value) != value:
        return Shape.LOCKED
    kind, content = next(iter(value.items()))
    shape = _shape(kind, content)
    return shape if len(to_text(value)) <= MAX_LENGTH else Shape.LOCKED


def _shape(kind: str, content: Any) -> Shape:
    if kind == "S":
        return Shape.TEXT if _can_be_sent(content) else Shape.LOCKED
    if kind in {"N", "BOOL"}:
        return Shape.NUMBER if kind == "N" else Shape.TRUTH
    if kind in {"SS", "NS"}:
        return Shape.LINES if all(map(_is_line, content)) else Shape.LOCKED
    if kind == "L" and content and all(_is_line(each.get("S")) for each in content):
        return Shape.LINES
    return Shape.JSON if kind in {"L", "M"} and _is_json({kind: content}) else Shape.LOCKED


def _can_be_sent(text: str) -> bool:
    """HTML replaces NUL, and a browser makes all line ends of a text equal."""
    plain = text.replace("\r\n", "\n")
    return "\x00" not in text and "\r" not in plain and text in {plain, plain.replace("\n", "\r\n")}


def _is_line(text: Any) -> bool:
    return isinstance(text, str) and len(text.splitlines()) == 1 and text == text.strip() and "\x00" not in text


def _is_json(value: Value) -> bool:
    """Whether JSON has the types of this value and of all values in it."""
    kind, content = next(iter(value.items()))
    if kind == "M":
        return all(map(_is_json, content.values()))
    if kind == "L":
        return all(map(_is_json, content))
    return kind in {"S", "N", "BOOL", "NULL"}


def to_text(value: Value) -> str:
    """The text of a value in the form. For a locked value, the text that is shown."""
    kind, content = next(iter(value.items()))
    if kind in {"S", "N"}:
        return str(content)
    if kind == "BOOL":
        return TRUE if content else FALSE
    if kind == "NULL":
        return ""
    if kind in {"B", "BS"}:
        return _("binary data")
    if kind in {"SS", "NS"}:
        return "\n".join(sorted(map(str, content)))
    if kind == "L" and content and all(_is_line(each.get("S")) for each in content):
        return "\n".join(each["S"] for each in content)
    return _as_json(value)


def _as_json(value: Value, indent: str = "") -> str:
    """JSON with the digits of a number as they are stored. The names are sorted: engines return them in any order."""
    kind, content = next(iter(value.items()))
    inner = indent + _INDENT
    if kind == "M":
        entries = [
            f"{json.dumps(name, ensure_ascii=False)}: {_as_json(content[name], inner)}" for name in sorted(content)
        ]
        return _block("{", entries, "}", indent)
    if kind == "L":
        return _block("[", [_as_json(each, inner) for each in content], "]", indent)
    if kind == "N":
        return str(content)
    if kind == "NULL":
        return "null"
    if kind in {"SS", "NS"}:
        return json.dumps(sorted(map(str, content)), ensure_ascii=False)
    return json.dumps(content if kind in {"S", "BOOL"} else _("binary data"), ensure_ascii=False)


def _block(start: str, entries: list[str], end: str, indent: str) -> str:
    if not entries:
        return start + end
    lines = ",\n".join(f"{indent}{_INDENT}{entry}" for entry in entries)
    return f"{start}\n{lines}\n{indent}{end}"


def from_text(text: str, stored: Value) -> Value:
    """The value that a text means, in the type of the stored value. Raises ValidationError if it is not valid."""
    kind, content = next(iter(stored.items()))
    return _READERS[kind](text, content)


def _read_text(text: str, stored: str) -> Value:
    """With the line ends of the stored text: browsers send `\\r\\n`."""
    plain = text.replace("\r\n", "\n")
    return {"S": plain.replace("\n", "\r\n") if "\r\n" in stored else plain}


def _read_number(text: str, _stored: Any) -> Value:
    return {"N": _number(text.strip())}


def _read_truth(text: str, _stored: Any) -> Value:
    if text not in {TRUE, FALSE}:
        raise ValidationError(_("Choose yes or no."))
    return {"BOOL": text == TRUE}


def _read_set(kind: str, read: Callable[[str], str]) -> Callable[[str, Any], Value]:
    def read_members(text: str, _stored: Any) -> Value:
        members = [read(line) for line in _lines(text)]
        if not members:
            raise ValidationError(_("Enter at least one line."))
        if len(set(members)) < len(members):
            raise ValidationError(_("Enter each line once."))
        return {kind: members}

    return read_members


def _read_list(text: str, stored: list[Value]) -> Value:
    """A list of lines stays one; any other list is JSON."""
    if stored and all(_is_line(each.get("S")) for each in stored):
        return {"L": [{"S": line} for line in _lines(text)]}
    return _read_json(text, "L", _("Enter a list in JSON: […]"))


def _read_map(text: str, _stored: Any) -> Value:
    return _read_json(text, "M", _("Enter a JSON object: {…}"))


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


class _Digits(str):
    """A number of a JSON text, with its digits as they are."""


def _read_json(text: str, kind: str, message: str) -> Value:
    try:
        content = json.loads(
            text,
            parse_float=_Digits,
            parse_int=_Digits,
            parse_constant=_refuse_constant,
            object_pairs_hook=_unique_names,
        )
    except RecursionError:
        raise ValidationError(_("This is nested too deeply.")) from None
    except ValueError as error:
        line = getattr(error, "lineno", None)
        place = _("This is not valid JSON (line %(line)s).") % {"line": line} if line else _("This is not valid JSON.")
        raise ValidationError(place) from None
    value = _to_value(content, 0)
    if kind not in value:
        raise ValidationError(message)
    return value


def _refuse_constant(_name: str) -> None:
    """JSON has no NaN and no Infinity."""
    raise ValueError


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _each in pairs]
    if len(set(names)) < len(names) or "" in names:
        raise ValidationError(_("Every name in JSON has to be there once, and none can be empty."))
    return dict(pairs)


def _to_value(content: Any, depth: int) -> Value:
    if depth > MAX_DEPTH:
        raise ValidationError(_("This is nested too deeply."))
    if isinstance(content, dict):
        return {"M": {_checked(name): _to_value(each, depth + 1) for name, each in content.items()}}
    if isinstance(content, list):
        return {"L": [_to_value(each, depth + 1) for each in content]}
    if isinstance(content, bool):
        return {"BOOL": content}
    if content is None:
        return {"NULL": True}
    return {"N": _number(content)} if isinstance(content, _Digits) else {"S": _checked(content)}


def _checked(text: str) -> str:
    """JSON can escape half of a character, which cannot be stored."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValidationError(_("This contains half of a character.")) from None
    return text


def _number(text: str) -> str:
    """A number with its digits as typed, within the limits of DynamoDB."""
    if not _NUMBER.fullmatch(text):
        raise ValidationError(_("Enter a number in digits, with a point before decimals."))
    number = Decimal(text)
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    if number and (len(digits) > MAX_DIGITS or not MIN_EXPONENT <= number.adjusted() <= MAX_EXPONENT):
        raise ValidationError(_("This number has too many digits."))
    return str(text)


_READERS: dict[str, Callable[[str, Any], Value]] = {
    "S": _read_text,
    "N": _read_number,
    "BOOL": _read_truth,
    "SS": _read_set("SS", str),
    "NS": _read_set("NS", _number),
    "L": _read_list,
    "M": _read_map,
}


def is_same_text(sent: str, shown: str) -> bool:
    """Whether a form sent a text as it was shown. Browsers change line ends and drop a first empty line."""
    one, other = (text.replace("\r\n", "\n") for text in (sent, shown))
    return one == other or one == other.removeprefix("\n")
