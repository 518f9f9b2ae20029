"""The OpenAPI document and the documentation page are complete: each endpoint, each error, each struct."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from dashboard.web.api.endpoints import ENDPOINTS, Endpoint
from dashboard.web.api.openapi import openapi
from dashboard.web.api.problems import CONTENT_TYPE, TYPES
from tests.ui.html import parse


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    response = Client().get("/api/v1/openapi.json")
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    found: dict[str, Any] = response.json()
    return found


def test_the_document_is_openapi_3_1_and_every_reference_exists(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0" and {"title", "version"} <= document["info"].keys()
    schemas = document["components"]["schemas"]
    references = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(document)))
    assert references == schemas.keys()
    operations = [each for path in document["paths"].values() for each in path.values()]
    ids = [each["operationId"] for each in operations]
    assert len(ids) == len(set(ids))
    for path, methods in document["paths"].items():
        for operation in methods.values():
            named = {each["name"] for each in operation["parameters"] if each["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path))


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda each: each.name)
def test_every_declared_error_and_header_is_documented(document: dict[str, Any], endpoint: Endpoint) -> None:
    operation = document["paths"][endpoint.documented_path][endpoint.method.lower()]
    assert operation["summary"] == str(endpoint.summary)
    documented = {
        code
        for status, each in operation["responses"].items()
        for code in each.get("content", {})
        .get(CONTENT_TYPE, {})
        .get("schema", {})
        .get("allOf", [{}, {}])[1]
        .get("properties", {})
        .get("code", {})
        .get("enum", [])
        if TYPES[code].status == int(status)
    }
    assert documented == set(endpoint.errors)
    headers = {each["name"]: each["required"] for each in operation["parameters"] if each["in"] == "header"}
    assert headers.get("Idempotency-Key", False) == (endpoint.is_write and endpoint.needs_command)
    assert headers.get("If-Match") == (endpoint.needs_revision if endpoint.takes_revision else None)
    assert ("304" in operation["responses"]) == (endpoint.has_etag and not endpoint.is_write)
    assert bool(operation["security"]) == endpoint.needs_key
    assert ("requestBody" in operation) == (endpoint.body is not None)


def test_the_document_is_the_same_in_every_language() -> None:
    first, second = (
        Client().get("/api/v1/openapi.json", headers={"Accept-Language": each}).content for each in ("en", "es")
    )
    assert first == second
    assert "A booking" in str(openapi())


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_documentation_shows_every_endpoint_and_every_code(table: str, language: str) -> None:
    page = parse(Client().get("/api/", headers={"Accept-Language": language}))
    headings = {each.text for each in page.all("h3")}
    addresses = {f"{each.method} {each.documented_path}" for each in ENDPOINTS}
    own = {each.__name__ for endpoint in ENDPOINTS for each in (endpoint.body, endpoint.response) if each}
    assert headings == addresses | (openapi()["components"]["schemas"].keys() - own)
    for code in TYPES:
        assert page.one("dt", id=code).text.startswith(code)
    assert ("Body" if language == "en" else "Cuerpo") in page.text
