"""Refuses replies that do not come from DynamoDB, for example an error page of a proxy.

botocore takes any 200 as a success, also one whose body is a page of HTML or is cut off. Here such a reply is an error
of the connection, like a reply that never came: botocore tries again, a read becomes `Unavailable`, and a transaction
looks for its record. The check is below PynamoDB, so that no call avoids it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import HTTPClientError

Send = Callable[[AWSPreparedRequest], AWSResponse]

# Required only of successes, because moto sends another type with its errors.
CONTENT_TYPE = "application/x-amz-json-1.0"
CHECKSUM = "x-amz-crc32"


class ForeignReply(HTTPClientError):
    """The reply is not DynamoDB's, so that nobody knows whether the call was executed."""

    fmt = "The reply with status {status} is not DynamoDB's: {reason}"


def install(client: Any) -> None:
    endpoint = client._endpoint
    endpoint._send = checked(endpoint._send)


def checked(send: Send) -> Send:
    """`send`, with an error in place of a reply that is not DynamoDB's."""

    def send_and_check(request: AWSPreparedRequest) -> AWSResponse:
        response = send(request)
        reason = _why_foreign(response)
        if reason:
            raise ForeignReply(status=response.status_code, reason=reason)
        return response

    return send_and_check


def _why_foreign(response: AWSResponse) -> str:
    """Why this cannot be a reply of DynamoDB; empty if it can."""
    headers, content = response.headers, response.content
    is_success = response.status_code == 200
    if is_success and headers.get("content-type", "").partition(";")[0].strip().lower() != CONTENT_TYPE:
        return "its content type is another one"
    checksum = headers.get(CHECKSUM)
    # The checksum is that of the bytes that were sent. It cannot be computed if they were compressed on the way.
    if checksum is not None and "content-encoding" not in headers:
        if checksum != str(zlib.crc32(content)):
            return "its checksum is wrong"
        if is_success:
            # Complete and DynamoDB's: it is not parsed twice.
            return "" if content.startswith(b"{") else "its body is not an object"
    try:
        body = json.loads(content)
    except ValueError:
        return "its body is not JSON"
    if not isinstance(body, dict):
        return "its body is not an object"
    if not is_success and not isinstance(body.get("__type"), str):
        return "it names no error"
    return ""
