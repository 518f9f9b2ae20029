"""Keys that the booking service made: with a plain SHA-256 of the secret, and origins with an asterisk."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from dashboard.platform.apikeys import queries
from dashboard.platform.apikeys.items import ApiKey
from dashboard.platform.apikeys.services import hash_secret
from dashboard.table import connection, keys
from tests.apikeys.factories import call_api, create_key, error_of
from tests.conftest import every_engine
from tests.table.notes import load_raw
from tests.ui.walk import calls_of

pytestmark = pytest.mark.usefixtures("businesses")
SECRET = "sk_live_4be1c0d2_Zk9wQ2r8Lx"
SITE = "https://pyme.example"


def put_outside_key(
    business: str = "andina", secret: str = SECRET, key_id: str = "key_9fe31a20", **more: Any
) -> ApiKey:
    """Write a key as the services do, under the index key that the follower adds."""
    at = keys.API_KEY.key(tenant=business, key_id=key_id)
    digest = sha256(secret.encode()).hexdigest()
    index = keys.API_KEY_BY_HASH.key(hash=digest, tenant=business)
    raw: dict[str, Any] = {
        "PK": {"S": at.pk},
        "SK": {"S": at.sk},
        "GSI1PK": {"S": index.pk},
        "GSI1SK": {"S": index.sk},
        "tenantId": {"S": business},
        "apiKeyId": {"S": key_id},
        "apiKeyHash": {"S": digest},
        "status": {"S": "ACTIVE"},
        "allowedOrigins": {"L": [{"S": "*"}]},
        "rateLimit": {"N": "1000"},
        "name": {"S": "Sitio Web"},
        "keyPreview": {"S": "sk_live_4b…"},
        "createdAt": {"S": "2026-02-01T13:00:01.000200+00:00"},
    }
    item = {name: value for name, value in (raw | more).items() if value is not None}
    connection.client().put_item(TableName=connection.table().table_name, Item=item)
    return queries.load_key(business, key_id)


@every_engine
def test_a_key_with_a_plain_hash_works_and_gets_our_hash_beside_it() -> None:
    before = load_raw(put_outside_key().key)
    response = call_api(SECRET)
    assert response.status_code == 200
    assert response.json()["business"]["id"] == "andina"
    assert response.headers["RateLimit-Limit"] == "1000"
    after = load_raw(keys.API_KEY.key(tenant="andina", key_id="key_9fe31a20")) or {}
    assert after.pop("pepperedHash") == {"S": hash_secret(SECRET)}
    after.pop("lastUsedAt")
    assert after == before
    assert call_api(SECRET).status_code == 200


def test_an_ordinary_key_takes_no_further_call() -> None:
    put_outside_key()
    _, secret = create_key("andina")
    call_api(secret)
    call_api(SECRET)
    ordinary, outside = calls_of(call_api(secret)), calls_of(call_api(SECRET))
    assert len(outside.calls) == len(ordinary.calls) + 1
    assert outside.trips == ordinary.trips


def test_every_website_may_use_a_key_with_an_asterisk() -> None:
    put_outside_key()
    response = call_api(SECRET, headers={"Origin": SITE})
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == SITE


def test_another_website_may_not_use_a_key_with_one_origin() -> None:
    put_outside_key(allowedOrigins={"L": [{"S": "https://other.example"}]})
    assert error_of(call_api(SECRET, headers={"Origin": SITE})) == (403, "origin_not_allowed")


def test_the_asterisk_stays_when_a_key_is_edited_and_is_not_added_to_others(olivia: Client, business: str) -> None:
    outside, own = put_outside_key(business, key_id="key_edit"), create_key(business)[0]
    answers = []
    for key in (outside, own):
        fields = {"name": "Sitio", "origins": "*", "rate_limit": "10", "revision": key.revision}
        answers.append(olivia.post(reverse("api_key_edit", args=[business, key.id]), fields).status_code)
    assert answers == [303, 422]
    assert queries.load_key(business, outside.id).allowed_origins == ["*"]


def test_a_revoked_key_stays_revoked() -> None:
    put_outside_key(status={"S": "REVOKED"})
    assert error_of(call_api(SECRET)) == (401, "revoked_key")


def test_the_hash_itself_is_no_secret() -> None:
    """Whoever can read the table learns no key: neither hash is accepted."""
    put_outside_key()
    call_api(SECRET)
    for digest in (sha256(SECRET.encode()).hexdigest(), hash_secret(SECRET)):
        assert error_of(call_api(digest)) == (401, "unknown_key")


def test_our_own_keys_are_not_accepted_by_their_plain_hash() -> None:
    """A plain hash of one of our secrets, put by someone else into their business, opens nothing."""
    _, secret = create_key("andina")
    put_outside_key("harbour", secret=secret)
    assert call_api(secret).json()["business"]["id"] == "andina"


def test_a_replaced_hash_refuses_the_old_secret() -> None:
    """The services rotate a key by an update of its hash: our hash of the old secret must not keep it alive."""
    key = put_outside_key()
    assert call_api(SECRET).status_code == 200
    peppered = {"S": hash_secret(SECRET)}
    put_outside_key(secret="sk_live_new_secret_0001", pepperedHash=peppered)
    assert error_of(call_api(SECRET)) == (401, "unknown_key")
    assert call_api("sk_live_new_secret_0001").status_code == 200
    assert queries.load_key("andina", key.id).peppered_hash == hash_secret("sk_live_new_secret_0001")


def test_two_businesses_with_the_same_hash_open_neither() -> None:
    put_outside_key()
    put_outside_key("harbour", key_id="key_copy")
    assert error_of(call_api(SECRET)) == (401, "unknown_key")


def test_our_hash_is_enough_after_the_plain_one_was_removed() -> None:
    put_outside_key()
    call_api(SECRET)
    index = keys.API_KEY_BY_HASH.key(hash=hash_secret(SECRET), tenant="andina")
    put_outside_key(
        apiKeyHash=None, pepperedHash={"S": hash_secret(SECRET)}, GSI1PK={"S": index.pk}, GSI1SK={"S": index.sk or ""}
    )
    assert call_api(SECRET).status_code == 200
    assert queries.load_key("andina", "key_9fe31a20").api_key_hash is None


def test_wrong_keys_of_other_services_are_throttled() -> None:
    errors = [error_of(call_api(f"sk_live_guess_number_{number}")) for number in range(31)]
    assert errors[0] == (401, "unknown_key")
    assert errors[-1][0] == 429
