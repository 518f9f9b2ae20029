"""Requests and responses of the API as msgspec structs: reading, checking and writing them."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from typing import Annotated, Any

import msgspec
from django.http import HttpRequest, HttpResponse, QueryDict

from dashboard.web.api.endpoints import Endpoint
from dashboard.web.api.problems import ApiError

# Where msgspec says that a value is wrong: ` - at `$.customer.email``.
_AT = re.compile(r" - at `(?:key in )?\$\.?([^`]*)`$")
# The revision, and a hash of the answer: counters, deadlines and outside writers change it without a new revision.
ETAG = r'(W/)?"([0-9]{1,15})(-[0-9a-f]*)?"'
_ETAG = re.compile(ETAG)

# A point in time with its offset; answers are in UTC.
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


def described(text: str) -> msgspec.Meta:
    """The description of a field in both documents, in its type: `Annotated[str, described("…")]`."""
    return msgspec.Meta(description=text)


class Message(msgspec.Struct, rename="camel"):
    """The base of answers."""


class Input(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """The base of bodies and queries. A misspelt name is refused."""


class PageQuery(Input, frozen=True):
    """A page of a list."""

    cursor: Annotated[str, msgspec.Meta(max_length=2000, description="`next` of the page before.")] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 50


def read_query(endpoint: Endpoint, query: QueryDict) -> Any:
    """The query string. Values are converted from text."""
    if endpoint.query is None:
        return None
    repeated = next((name for name in query if len(query.getlist(name)) > 1), None)
    if repeated is not None:
        raise ApiError("invalid", "This parameter is sent more than once.", {"field": repeated})
    try:
        return msgspec.convert(query.dict(), type=endpoint.query, strict=False)
    except msgspec.ValidationError as error:
        raise _invalid(error) from error


def read_body(endpoint: Endpoint, request: HttpRequest) -> Any:
    if endpoint.body is None:
        return None
    if request.content_type != "application/json":
        raise ApiError("not_json")
    try:
        return msgspec.json.decode(request.body, type=endpoint.body)
    except msgspec.ValidationError as error:
        raise _invalid(error) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ApiError("malformed_json") from error


def _invalid(error: msgspec.ValidationError) -> ApiError:
    text = str(error)
    found = _AT.search(text)
    more = {"field": found[1]} if found and found[1] else {}
    return ApiError("invalid", f"{_AT.sub('', text)}.", more)


def write(status: int, body: Any, *, revision: int | None = None) -> HttpResponse:
    content = msgspec.json.encode(body)
    response = HttpResponse(content, status=status, content_type="application/json")
    if revision is not None:
        response.headers["ETag"] = f'"{revision}-{hashlib.sha256(content).hexdigest()[:16]}"'
    return response


def revision_in(text: str) -> int | None:
    """The revision that an ETag names; None for the ETag of something else."""
    found = _ETAG.fullmatch(text.strip())
    return int(found[2]) if found else None
