"""Secrets of items are hidden before a person sees them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dashboard.table.masking import MASK, is_secret, masked_content, masked_item, masked_key

HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
SECRET_NAMES = [
    "passwordHash", "apiKeyHash", "linkHash", "feedHash", "recoveryHashes", "totpSeed", "clientSecret", "secretKey",
    "braveApiKey", "accessToken", "refresh_token", "twilioAuthToken", "twilio", "credentials", "sessionHash",
]  # fmt: skip
PUBLIC_NAMES = ["apiKeyId", "keyPreview", "s3Key", "hash", "previousHash", "name", "recaptcha", "googleIntegration"]


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_a_secret_is_known_by_its_name(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_other_attributes_are_shown(name: str) -> None:
    assert not is_secret(name)


def test_secrets_are_masked_at_every_depth() -> None:
    raw: Any = {
        "PK": {"S": "SYSTEM"},
        "SK": {"S": "TENANT#andina"},
        "name": {"S": "Andina"},
        "passwordHash": {"S": "argon2$1"},
        "recoveryHashes": {"SS": ["r1", "r2"]},
        "integrations": {"M": {"google": {"M": {"clientSecret": {"S": "g1"}, "clientId": {"S": "public"}}}}},
        "settings": {"M": {"twilio": {"M": {"sid": {"S": "AC1"}, "limit": {"N": "5"}, "active": {"BOOL": True}}}}},
        "calendars": {"L": [{"M": {"accessToken": {"S": "t1"}, "kind": {"S": "google"}}}]},
        "result": {"S": json.dumps({"raw": {"feedHash": {"S": "f1"}, "name": {"S": "Ana"}}})},
    }
    masked = masked_item(raw)
    text = json.dumps(masked, ensure_ascii=False)
    for secret in ("argon2$1", "r1", "r2", "g1", "AC1", '"5"', "t1", "f1"):
        assert secret not in text, secret
    for shown in ("Andina", "public", "google", "Ana", "true"):
        assert shown in text, shown
    assert masked["recoveryHashes"] == {"SS": [MASK, MASK]}
    assert raw["passwordHash"] == {"S": "argon2$1"}, "the item itself is not changed"


def test_only_the_beginning_of_a_hash_in_a_key_is_shown() -> None:
    assert masked_key(f"SESSION#{HASH}") == f"SESSION#{HASH[:8]}…"
    assert masked_key(f"APIKEY#{HASH}") == f"APIKEY#{HASH[:8]}…"
    assert masked_key(f"SHARE#00000004#{HASH}") == f"SHARE#00000004#{HASH[:8]}…"
    assert masked_key("USER#ana@example.com") == "USER#ana@example.com"
    raw: Any = {"PK": {"S": "TENANT#a"}, "SK": {"S": "APIKEY#k1"}, "GSI1PK": {"S": f"APIKEY#{HASH}"}}
    assert HASH not in json.dumps(masked_item(raw))


@pytest.mark.parametrize("text", ["{", "[1, 2", '{"a": 1}', "[]", "{not json}"])
def test_a_text_that_only_looks_like_json_stays(text: str) -> None:
    assert masked_item({"note": {"S": text}}) == {"note": {"S": text}}


def test_secrets_in_json_are_masked_in_plain_values_too() -> None:
    content = {"settings": json.dumps({"recaptcha": {"secretKey": "s1"}, "name": "Ana"}), "text": "[not json"}
    masked = masked_content(content)
    assert "s1" not in masked["settings"] and MASK in masked["settings"] and "Ana" in masked["settings"]
    assert masked["text"] == "[not json"


def test_the_code_of_a_coupon_is_no_secret_and_any_other_code_is() -> None:
    code: Any = {"code": {"S": "SPRING10"}}
    coupon = {"PK": {"S": "TENANT#andina"}, "SK": {"S": "COUPON#c1"}} | code
    assert masked_item(coupon) == coupon
    sign_in = {"PK": {"S": "TENANT#andina"}, "SK": {"S": "CODE#c1"}} | code
    assert masked_item(sign_in)["code"] == {"S": MASK}
