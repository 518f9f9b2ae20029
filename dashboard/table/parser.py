"""A response parser that returns DynamoDB's attribute maps unchanged.

botocore rebuilds the dictionary of every value, which only binary values need. This took more than a third of the
time of a page of items. The parser factory is not a public interface of botocore: `tests/table/test_parser.py` compares
this parser with botocore's own.
"""

from __future__ import annotations

import base64
from typing import Any

from botocore.parsers import JSONParser, ResponseParserFactory
from botocore.session import Session


def _decoded(value: dict[str, Any]) -> dict[str, Any]:
    """An attribute value with its binary parts decoded, also in nested maps and lists."""
    ((kind, content),) = value.items()
    if kind == "B":
        return {"B": base64.b64decode(content)}
    if kind == "BS":
        return {"BS": [base64.b64decode(each) for each in content]}
    if kind == "M":
        return {"M": {name: _decoded(each) for name, each in content.items()}}
    if kind == "L":
        return {"L": [_decoded(each) for each in content]}
    return value


_PLAIN = {"S", "N", "BOOL", "NULL", "SS", "NS"}


class ItemParser(JSONParser):
    def _handle_map(self, shape: Any, value: Any) -> Any:
        if shape.value.name != "AttributeValue" or value is None:
            return super()._handle_map(shape, value)  # type: ignore[misc]
        for name, each in value.items():
            if not _PLAIN.issuperset(each):
                value[name] = _decoded(each)
        return value


class _Factory(ResponseParserFactory):
    def create_parser(self, protocol_name: str) -> Any:
        if protocol_name == "json":
            return ItemParser(**self._defaults)  # type: ignore[attr-defined]
        return super().create_parser(protocol_name)


def install(session: Session) -> None:
    session.register_component("response_parser_factory", _Factory())
