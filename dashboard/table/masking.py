"""Hides secrets of items before they are shown to a person."""

from __future__ import annotations

import json
import re
from typing import Any

from dashboard.table import keys, schema
from dashboard.table.items import Raw, key_of

MASK = "••••••••"
# The beginning of a hash in a key, which is enough to tell items apart.
SHORT = 8

# Names of attributes with a password, a token, an API key, or a hash of one. The hashes of seals are no secrets.
_SECRET = re.compile(
    r"""password | passphrase | secret | token | credential | private_?key | api_?key$ | stripe_?key | totpseed
    | authorization | bearer | ^ (?: pwd | otp | pin | code ) $
    | (?: api_?key_? | link | feed | session | key | recovery | peppered ) hash (?: es )? $""",
    re.IGNORECASE | re.VERBOSE,
)
# Maps with credentials of another system: everything below them is masked.
_SECRET_MAPS = re.compile(r"twilio", re.IGNORECASE)
# What has the name of a secret and is none: visitors type the code of a coupon, and a key has it in clear.
_NO_SECRETS = {keys.COUPON.kind: frozenset({"code"})}
# Parts of keys with a hash of a secret: sessions, share links, API keys.
_TEMPLATES = [each for pattern in keys.PATTERNS for each in (pattern.pk, pattern.sk)]
_TEMPLATES += [each for pattern in keys.INDEX_PATTERNS for each in (pattern.pk, pattern.sk)]
_HASHED_KEYS = [template for template in _TEMPLATES if "hash" in template.fields]
_KEY_NAMES = {
    schema.PK,
    schema.SK,
    *(name for index in schema.INDEXES for name in (index.pk, index.sk) if name and index.sk),
}


def is_secret(name: str, kind: str | None = None) -> bool:
    """Whether an attribute with this name holds a secret, in an item of this kind."""
    return name not in _NO_SECRETS.get(kind or "", ()) and bool(_SECRET.search(name) or _SECRET_MAPS.search(name))


def masked_key(text: str) -> str:
    """A partition key or sort key in which only the beginning of a hash is left."""
    for template in _HASHED_KEYS:
        parts = template.read(text)
        if parts is not None:
            hashed = str(parts["hash"])
            return text.replace(hashed, f"{hashed[:SHORT]}…") if len(hashed) > SHORT else text
    return text


def masked_item(raw: Raw) -> Raw:
    """A raw item in which every secret is replaced by a mask."""
    kind = keys.kind_of(key_of(raw)) if schema.PK in raw and schema.SK in raw else None
    return {name: masked_value(name, value, kind) for name, value in raw.items()}


def masked_value(name: str, value: dict[str, Any], kind: str | None = None) -> dict[str, Any]:
    """An attribute value in which every secret is replaced by a mask. The types stay."""
    if is_secret(name, kind):
        return _mask_all(value)
    if name in _KEY_NAMES and "S" in value:
        return {"S": masked_key(value["S"])}
    if "M" in value:
        return {"M": {inner: masked_value(inner, each) for inner, each in value["M"].items()}}
    if "L" in value:
        return {"L": [masked_value("", each) for each in value["L"]]}
    return {"S": _masked_json(value["S"])} if "S" in value else value


def _masked_json(text: str) -> str:
    """Some attributes are JSON, such as the result of a command, which may contain a deleted item."""
    if text.lstrip()[:1] not in {"{", "["}:
        return text
    try:
        content = json.loads(text)
        masked = masked_content(content)
    except (ValueError, RecursionError):
        return text
    return text if masked == content else json.dumps(masked, ensure_ascii=False)


def masked_content(content: Any) -> Any:
    """A plain value in which every secret below a name is replaced by a mask."""
    if isinstance(content, dict):
        return {name: MASK if is_secret(name) else masked_content(each) for name, each in content.items()}
    if isinstance(content, str):
        return _masked_json(content)
    return [masked_content(each) for each in content] if isinstance(content, list) else content


def _mask_all(value: dict[str, Any]) -> dict[str, Any]:
    """Mask texts, numbers and binary values. Whether there is a value at all is no secret."""
    type_name, content = next(iter(value.items()))
    if type_name == "M":
        return {"M": {name: _mask_all(each) for name, each in content.items()}}
    if type_name == "L":
        return {"L": [_mask_all(each) for each in content]}
    if type_name in {"BOOL", "NULL"}:
        return value
    return {type_name: [MASK] * len(content)} if type_name in {"SS", "NS", "BS"} else {type_name: MASK}
