"""An item of the table as the viewer shows it: raw, as its kind, and with its keys in the indexes."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.platform.adoption.kinds import kind_label
from dashboard.platform.audit.labels import KINDS, Labels
from dashboard.platform.table_health.problems import ProblemReason, problems_of
from dashboard.table import keys, schema
from dashboard.table.index_keys import NotComputable, class_of, index_keys_of
from dashboard.table.items import Item, Raw, can_read, is_expired, key_of
from dashboard.table.keypattern import Key
from dashboard.table.masking import MASK, is_secret, masked_item, masked_key

# The raw item is cut after this many characters. An item has at most 400 KB.
MAX_RAW = 100_000
MAX_VALUE = 400
# The kind of the audit entries of an item, where it has another name.
_AUDIT_KINDS = {"tenant": "business", "api key": "apikey", "booking by id": "booking"}
# A line end inside a value is escaped, so that a value is one line.
_SIMPLE_VALUE = re.compile(r'\{\n *"(S|N|B|BOOL|NULL)": (.*)\n *\}')


@dataclass(frozen=True)
class ItemLink:
    """A link to an item."""

    title: str
    kind: str
    url: str


@dataclass(frozen=True)
class AttributeRow:
    name: str
    # Its label on other pages, if it has one.
    label: str
    type: str
    value: str
    note: str
    level: str


@dataclass(frozen=True)
class StoredKeyRow:
    index: str
    stored: str
    computed: str
    state: str
    level: str


@dataclass(frozen=True)
class ItemView:
    kind: str
    is_known: bool
    is_expired: bool
    raw: str
    is_cut: bool
    has_secrets: bool
    attributes: list[AttributeRow]
    indexes: list[StoredKeyRow]
    problems: list[tuple[str, str]]


def item_url(key: Key) -> str:
    return f"{reverse('table_item')}?{urlencode({'pk': key.pk, 'sk': key.sk})}"


def item_link(key: Key) -> ItemLink:
    return ItemLink(masked_key(key.sk), kind_name(key), item_url(key))


def kind_name(key: Key) -> str:
    """The label of the kind of an item; of an unknown one the beginning of its key."""
    kind = keys.kind_of(key)
    return kind_label(kind) if kind else keys.name_of_unknown_kind(key)


def item_view(raw: Raw) -> ItemView:
    masked = masked_item(raw)
    cls = class_of(raw)
    text = _pretty(masked)
    return ItemView(
        kind=kind_name(key_of(raw)),
        is_known=cls is not None,
        is_expired=is_expired(raw),
        raw=text[:MAX_RAW],
        is_cut=len(text) > MAX_RAW,
        has_secrets=MASK in text,
        attributes=_attribute_rows(masked, cls, labels_of_kind(keys.kind_of(key_of(raw)) or "")),
        indexes=_index_rows(raw, cls),
        problems=[(str(problem_label(problem.reason)), problem.detail) for problem in problems_of(raw)],
    )


def _pretty(raw: Raw) -> str:
    """DynamoDB JSON with one line for each text, number and other simple value."""
    text = json.dumps(raw, ensure_ascii=False, indent=2, sort_keys=True, default=_as_json)
    return _SIMPLE_VALUE.sub(r'{"\1": \2}', text)


def problem_label(reason: ProblemReason) -> str:
    return {
        ProblemReason.MALFORMED_KEY: _("Malformed key"),
        ProblemReason.MISTYPED: _("Unexpected type, read as empty"),
        ProblemReason.INVALID_PART: _("Left out of an index because of an invalid value"),
        ProblemReason.NOT_COMPUTABLE: _("Its index keys cannot be computed"),
        ProblemReason.MISSING_KEYS: _("Missing index keys"),
        ProblemReason.WRONG_KEYS: _("Wrong index keys"),
        ProblemReason.NOT_WRITTEN: _("Its index keys could not be written"),
        ProblemReason.UNKNOWN_FILE: _("It refers to a file that is not known here"),
    }[reason]


def labels_of_kind(kind: str) -> Labels:
    """The labels of the attributes of a kind, as the audit trail shows them."""
    known = KINDS.get(_AUDIT_KINDS.get(kind, kind))
    return known.fields if known else {}


def _attribute_rows(masked: Raw, cls: type[Item] | None, labels: Labels) -> list[AttributeRow]:
    """The stored attributes, those of the kind first, then the missing ones that the kind requires."""
    declared = {each.attr_name: (name, each) for name, each in cls.get_attributes().items()} if cls else {}
    hidden = {schema.PK, schema.SK, *(name for index in schema.INDEXES for name in index.key_attributes if index.sk)}
    stored = sorted((name for name in masked if name not in hidden), key=lambda name: (name not in declared, name))
    secret = {name for name in stored if is_secret(name, cls.key_pattern.kind if cls else None)}
    rows = [_attribute_row(name, masked[name], declared.get(name), labels, name in secret) for name in stored]
    for name, (property_name, attribute) in sorted(declared.items()):
        if name not in masked and not attribute.null and name not in hidden:
            label, expected = _label(labels, name, property_name), _type_label(attribute.attr_type)
            rows.append(AttributeRow(name, label, expected, "", _("Missing"), "warn"))
    return rows


def _attribute_row(
    name: str, value: dict[str, Any], declared: tuple[str, Any] | None, labels: Labels, is_hidden: bool
) -> AttributeRow:
    type_name = next(iter(value))
    note, level = "", "plain"
    if is_hidden:
        note, level = _("Hidden"), "info"
    if declared is None:
        note = note or _("Of another service")
    elif type_name not in {declared[1].attr_type, "NULL"}:
        expected = _type_label(declared[1].attr_type)
        if is_hidden or can_read(declared[1], value):
            note = note or _("Read as %(type)s") % {"type": expected}
        else:
            note, level = _("Expected: %(type)s") % {"type": expected}, "warn"
    label = _label(labels, name, declared[0] if declared else name)
    return AttributeRow(name, label, _type_label(type_name), _value_text(value), note, level)


def _label(labels: Labels, name: str, property_name: str) -> str:
    return str(labels.get(name) or labels.get(property_name) or "")


def _type_label(name: str) -> str:
    labels = {
        "S": _("text"),
        "N": _("number"),
        "B": _("binary"),
        "BOOL": _("yes or no"),
        "NULL": _("null"),
        "M": _("map"),
        "L": _("list"),
        "SS": _("set of texts"),
        "NS": _("set of numbers"),
        "BS": _("set of binary values"),
    }
    return labels.get(name, name)


def _value_text(value: dict[str, Any]) -> str:
    type_name, content = next(iter(value.items()))
    if type_name in {"S", "N"}:
        text = str(content)
    else:
        text = "" if type_name == "NULL" else json.dumps(content, ensure_ascii=False, default=_as_json)
    return text if len(text) <= MAX_VALUE else f"{text[:MAX_VALUE]}…"


def _index_rows(raw: Raw, cls: type[Item] | None) -> list[StoredKeyRow]:
    """The keys of the item in each index, as stored and as its class computes them."""
    try:
        computed = index_keys_of(raw, schema.INDEXES) if cls else None
    except NotComputable:
        computed = None
    rows = []
    for index in schema.INDEXES:
        names = index.key_attributes
        stored = [_stored_key(raw, name) for name in names if name in raw]
        correct = list(computed.correct_keys.get(index) or ()) if computed and index.sk else None
        if stored or correct:
            rows.append(_index_row(index, names, stored, correct))
    return rows


def _index_row(index: schema.Index, names: list[str], stored: list[str], correct: list[str] | None) -> StoredKeyRow:
    state, level = "", "plain"
    if index.sk is None:
        state = _("Own attribute")
    elif correct is None:
        state = _("Not computed")
    elif stored == correct:
        state, level = _("Correct"), "good"
    elif not correct:
        state, level = _("Should not be in this index"), "warn"
    elif not stored:
        state, level = _("Missing"), "bad"
    else:
        state, level = _("Different"), "bad"
    return StoredKeyRow(index.name, _key_text(stored), _key_text(correct or []), state, level)


def _stored_key(raw: Raw, name: str) -> str:
    """A key of another type is shown with its type."""
    value = raw[name]
    return value["S"] if "S" in value else json.dumps(value, default=_as_json)


def _key_text(parts: list[str]) -> str:
    return " / ".join(masked_key(part) for part in parts)


def _as_json(value: Any) -> Any:
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    return sorted(value) if isinstance(value, set) else str(getattr(value, "value", value))
