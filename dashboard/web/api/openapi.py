"""The OpenAPI 3.1 document of all endpoints."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from http import HTTPStatus
from itertools import groupby
from typing import Any

import msgspec
from django.utils import translation

from dashboard.web.api.endpoints import ENDPOINTS, JSON, Endpoint, KeyOwner
from dashboard.web.api.messages import ETAG
from dashboard.web.api.problems import CONTENT_TYPE, TYPES

VERSION = "1.0.0"
SUMMARY = "Bookings, customers and conversations of a business; the forum and the rooms of the event."
_REF = "#/components/schemas/{name}"
_KEY: list[dict[str, list[str]]] = [{"apiKey": []}]

_RATE = {
    name: {"description": text, "schema": {"type": "string"}}
    for name, text in (
        ("RateLimit", "Requests left in this minute, and the seconds until the next."),
        ("RateLimit-Policy", "Requests per minute of this key."),
    )
}
_ETAG = {"ETag": {"description": "The revision, for If-Match and If-None-Match.", "schema": {"type": "string"}}}


class ProblemDetails(msgspec.Struct):
    """A problem (RFC 9457)."""

    type: str
    title: str
    status: int
    # For people, in English.
    detail: str
    # For programs. It does not change.
    code: str
    # Quote it when you report a problem.
    request: str
    # The field of the request that is wrong.
    field: str | msgspec.UnsetType = msgspec.UNSET
    # Free starts, where the requested one is not free.
    alternatives: list[str] | msgspec.UnsetType = msgspec.UNSET
    # Why a start is not free.
    reason: str | msgspec.UnsetType = msgspec.UNSET


@functools.cache
def openapi() -> dict[str, Any]:
    """The document; the same for every caller."""
    with translation.override("en"):
        ordered = sorted(ENDPOINTS, key=lambda each: (each.path, each.method))
        schemas, components = _schemas(ordered)
        paths = {
            path: {each.method.lower(): _operation(each, schemas) for each in found}
            for path, found in groupby(ordered, key=lambda each: each.documented_path)
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Trastienda", "version": VERSION, "summary": SUMMARY},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"apiKey": {"type": "http", "scheme": "bearer"}},
        },
    }


def _schemas(endpoints: Sequence[Endpoint]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """The reference of each struct, and the named schemas."""
    types = [ProblemDetails]
    for each in endpoints:
        types += [kind for kind in (each.body, each.response) if kind is not None and kind not in types]
    references, components = msgspec.json.schema_components(types, ref_template=_REF)
    for query in {each.query for each in endpoints if each.query is not None}:
        components |= _query_schemas(query)[1]
    return dict(zip(types, references, strict=True)), dict(sorted(components.items()))


def _query_schemas(query: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of a query string, and those that it refers to."""
    _references, components = msgspec.json.schema_components([query], ref_template=_REF)
    return components.pop(query.__name__), components


def _operation(endpoint: Endpoint, schemas: dict[Any, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": str(endpoint.summary),
        "description": access_text(endpoint),
        "security": _KEY if endpoint.needs_key else [],
        "parameters": _parameters(endpoint),
        "responses": _responses(endpoint, schemas),
    }
    if endpoint.body is not None:
        content = {JSON: {"schema": schemas[endpoint.body]}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def access_text(endpoint: Endpoint) -> str:
    if not endpoint.needs_key:
        return "Needs no key."
    if endpoint.owner == KeyOwner.PLATFORM:
        return f"Platform keys need the scope `{endpoint.scope}`."
    secret = f"Secret keys need the scope `{endpoint.scope}`." if endpoint.scope else "Every key."
    if not endpoint.scope:
        return secret
    return f"{secret} Public keys may call it." if endpoint.public_keys else f"{secret} Public keys may not call it."


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in endpoint.parts
    ]
    if endpoint.query is not None:
        schema, _components = _query_schemas(endpoint.query)
        for name, each in schema["properties"].items():
            required = name in schema.get("required", [])
            found.append({"name": name, "in": "query", "required": required, "schema": each})
    if endpoint.is_write and endpoint.needs_command:
        text = "The same key sent again repeats nothing: the answer is that of the first request."
        found.append(_header("Idempotency-Key", text, {"type": "string", "pattern": r"\S", "maxLength": 255}))
    if endpoint.takes_revision:
        text = "The ETag of what was read."
        if not endpoint.needs_revision:
            text += " Without it, the change is made to what is stored now."
        schema = {"type": "string", "pattern": f"^{ETAG}$"}
        found.append(_header("If-Match", text, schema, required=endpoint.needs_revision))
    return found


def _header(name: str, description: str, schema: dict[str, Any], *, required: bool = True) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": required, "description": description, "schema": schema}


def _responses(endpoint: Endpoint, schemas: dict[Any, Any]) -> dict[str, Any]:
    headers = (_RATE if endpoint.needs_key else {}) | (_ETAG if endpoint.has_etag else {})
    found: dict[str, Any] = {
        str(endpoint.status): {
            "description": HTTPStatus(endpoint.status).phrase,
            "headers": headers,
            "content": {endpoint.media_type: {"schema": schemas[endpoint.response]}},
        }
    }
    if endpoint.has_etag and not endpoint.is_write:
        found["304"] = {"description": "Not changed since the ETag in If-None-Match.", "headers": headers}
    for status, codes in errors_by_status(endpoint):
        schema = {"allOf": [schemas[ProblemDetails], {"properties": {"code": {"enum": list(codes)}}}]}
        text = " ".join(f"`{code}`: {TYPES[code].title}" for code in codes)
        found[str(status)] = {"description": text, "content": {CONTENT_TYPE: {"schema": schema}}}
    return found


def errors_by_status(endpoint: Endpoint) -> list[tuple[int, Sequence[str]]]:
    ordered = sorted(endpoint.errors, key=lambda code: TYPES[code].status)
    return [(status, list(codes)) for status, codes in groupby(ordered, key=lambda code: TYPES[code].status)]
