"""The documentation of the API, generated from the declarations of its endpoints."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

import msgspec
from django.http import HttpResponse, HttpResponseNotAllowed
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.permissions import public
from dashboard.web import pages
from dashboard.web.api import openapi as document
from dashboard.web.api.endpoints import ENDPOINTS, Endpoint
from dashboard.web.api.problems import TYPES

READING = ["GET", "HEAD"]


@public
def openapi(request: Any) -> HttpResponse:
    """The same for everyone, also for pages of other sites."""
    # Also on errors.
    request.gate_headers = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
    if request.method not in READING:
        return HttpResponseNotAllowed(READING)
    body = msgspec.json.format(msgspec.json.encode(document.openapi()), indent=1)
    headers = {"Cache-Control": "public, max-age=300"}
    return HttpResponse(body, content_type="application/json", headers=headers)


@dataclass(frozen=True)
class DocumentedField:
    """A field of a body or a parameter of an address."""

    name: str
    kind: str
    is_required: bool
    text: str


@dataclass(frozen=True)
class ObjectSection:
    """One object as the page shows it."""

    name: str
    fields: list[DocumentedField]


@dataclass(frozen=True)
class Section:
    """One endpoint as the page shows it."""

    endpoint: Endpoint
    parameters: list[DocumentedField]
    body: list[DocumentedField]
    answer: list[DocumentedField]

    @property
    def errors(self) -> list[Any]:
        return [TYPES[code] for code in self.endpoint.own_errors]


@public
@require_safe
def page(request: Any) -> HttpResponse:
    ordered = sorted(ENDPOINTS, key=lambda each: (each.path, each.method))
    groups = [
        (name, [_section(each) for each in found])
        for name, found in groupby(ordered, key=lambda each: each.path.partition("/")[0])
    ]
    context = {"groups": groups, "schemas": _objects(), "problems": TYPES.values()}
    return pages.page(request, "apikeys/documentation.html", context)


def _objects() -> list[ObjectSection]:
    """The objects that bodies and answers refer to."""
    shown = {each.__name__ for endpoint in ENDPOINTS for each in (endpoint.body, endpoint.response) if each is not None}
    schemas = document.openapi()["components"]["schemas"]
    return [
        ObjectSection(name, _fields_of(schema))
        for name, schema in schemas.items()
        if name not in shown or name == document.ProblemDetails.__name__
    ]


def _section(endpoint: Endpoint) -> Section:
    paths = document.openapi()["paths"]
    operation = paths[endpoint.documented_path][endpoint.method.lower()]
    parameters = [
        DocumentedField(
            each["name"], _kind(each["schema"]), each["required"], each.get("description") or _text(each["schema"])
        )
        for each in operation["parameters"]
    ]
    return Section(endpoint, parameters, _fields(endpoint.body), _fields(endpoint.response))


def _fields(struct: Any) -> list[DocumentedField]:
    if struct is None or struct is str:
        return []
    return _fields_of(document.openapi()["components"]["schemas"][struct.__name__])


def _fields_of(schema: dict[str, Any]) -> list[DocumentedField]:
    """The fields of an object; the values of an enumeration have no fields."""
    required = schema.get("required", [])
    fields = [
        DocumentedField(name, _kind(each), name in required, _text(each))
        for name, each in schema.get("properties", {}).items()
    ]
    return fields or [DocumentedField(_kind(schema), schema.get("type", "string"), False, "")]


def _text(schema: dict[str, Any]) -> str:
    """The description, with the default where there is one."""
    default = schema.get("default")
    has_default = default not in (None, "", [], {})
    return f"{schema.get('description', '')} {f'Default: {default}.' if has_default else ''}".strip()


def _kind(schema: dict[str, Any]) -> str:
    """`string`, `list of ServiceBody`, `"PENDING" or "CONFIRMED"`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f'"{each}"' for each in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    return str(schema.get("format") or schema.get("type", "object"))
