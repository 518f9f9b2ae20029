"""Creates API keys for tests, and calls the API with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.test import Client

from dashboard.platform.apikeys import queries, services
from dashboard.platform.apikeys.items import ApiKey
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import connection, keys
from dashboard.table.commands import Actor, new_command
from dashboard.web.api.endpoints import SCOPE_LABELS, KeyOwner

OLIVIA = Actor("olivia@example.com", "Olivia Andrade")
WHOAMI = "/api/v1/whoami"


def create_key(
    business: str,
    name: str = "Booking page",
    origins: Sequence[str] = (),
    limit: int = 100,
    scopes: Sequence[str] = ("read", "book"),
) -> tuple[ApiKey, str]:
    """A new key, and its secret, which is shown only once. It gets those scopes that a key of its owner can have."""
    owner = KeyOwner.BUSINESS if business else KeyOwner.PLATFORM
    command = new_command(OLIVIA)
    key = services.create(
        business,
        name=name,
        origins=origins,
        scopes=[] if origins else [each for each in scopes if each in SCOPE_LABELS[owner]],
        rate_limit=limit,
        command=command,
    )
    secret = services.secret_of(key, command)
    assert secret is not None
    return key, secret


def revoke(key: ApiKey) -> ApiKey:
    revision = queries.load_key(key.business, key.id).revision
    return services.revoke(key.business, key.id, revision=revision, command=new_command(OLIVIA))


def create_revoked_key(business: str, name: str) -> ApiKey:
    return revoke(create_key(business, name)[0])


def put_seed_key(business: str, key_id: str = "key_001") -> ApiKey:
    """Write the example key of the seed, as an outside writer does."""
    at = keys.API_KEY.key(tenant=business, key_id=key_id)
    raw: dict[str, Any] = {
        "PK": {"S": at.pk},
        "SK": {"S": at.sk},
        "tenantId": {"S": business},
        "apiKeyId": {"S": key_id},
        "apiKeyHash": {"S": "sha256_hash_here"},
        "status": {"S": "ACTIVE"},
        "allowedOrigins": {"L": [{"S": "https://www.andina.cl"}]},
        "rateLimit": {"N": "100"},
        "createdAt": {"S": "2025-01-01T10:00:00Z"},
    }
    connection.client().put_item(TableName=connection.table().table_name, Item=raw)
    return queries.load_key(business, key_id)


def history_of_key(key: ApiKey) -> list[AuditEntry]:
    """The audit entries of a key, newest first. Checks that none contains its hash."""
    entries = queries.history_of(key.business, key.id)
    now = queries.load_key(key.business, key.id)
    for entry in entries:
        assert (now.api_key_hash or "?") not in str(entry.serialize())
    return entries


def call_api(secret: str | None, path: str = WHOAMI, method: str = "get", **options: Any) -> Any:
    """Call the API as a program does, with this secret. `headers` are added."""
    headers = dict(options.pop("headers", {}))
    if secret is not None:
        headers["Authorization"] = f"Bearer {secret}"
    return getattr(Client(raise_request_exception=False), method)(path, headers=headers, **options)


def error_of(response: Any) -> tuple[int, str]:
    """The status and the error code of a refused request. Checks that the body is JSON with message and request id."""
    assert response.headers["Content-Type"] == "application/problem+json"
    body = response.json()
    assert body["detail"].endswith(".") and body["request"] == response.headers["X-Request-ID"]
    assert (body["status"], body["type"]) == (response.status_code, f"/api/#{body['code']}")
    return response.status_code, body["code"]
