"""Many items of several kinds, without index keys, as in the export of an outside writer."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Item = dict[str, dict[str, Any]]
KINDS = 4


def item(number: int) -> Item:
    """The item with this number: a product in stock, a post, a booking or a person, in turn."""
    at = f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}T{number % 24:02}:00:00Z"
    times = {"createdAt": {"S": at}, "updatedAt": {"S": at}}
    kind = number % KINDS
    if kind == 0:
        franchise, name = f"franchise-{number % 600}", f"product-{number}"
        return times | {
            "PK": {"S": franchise},
            "SK": {"S": name},
            "id": {"S": name},
            "franchiseId": {"S": franchise},
            "branchId": {"S": f"branch-{number % 25}"},
            "name": {"S": f"Producto {number}"},
            "stock": {"N": str(number % 997)},
        }
    if kind == 1:
        return times | {
            "PK": {"S": f"POST#p{number}"},
            "SK": {"S": f"POST#p{number}"},
            "userId": {"S": f"person-{number % 7000}@example.com"},
            "content": {"S": "Nos vemos en la sala tres. " * 8},
            "images": {"L": [{"S": f"s3://uploads/{number}.jpg"}]},
            "likes": {"N": str(number % 313)},
            "commentsCount": {"N": "2"},
            "status": {"S": "active" if number % 9 else "banned"},
            "profanityScore": {"N": "0.12"},
        }
    if kind == 2:
        return times | {
            "PK": {"S": f"TENANT#t{number % 50}#PROVIDER#p{number % 400}"},
            "SK": {"S": f"BOOKING#{at}#b{number}"},
            "bookingId": {"S": f"b{number}"},
            "serviceId": {"S": f"s{number % 30}"},
            "customerId": {"S": f"c{number % 3000}"},
            "endTime": {"S": at},
            "status": {"S": "CONFIRMED"},
            "paymentStatus": {"S": "PAID"},
        }
    return times | {
        "PK": {"S": f"USER#person-{number}@example.com"},
        "SK": {"S": "PROFILE"},
        "email": {"S": f"person-{number}@example.com"},
        "name": {"S": f"Persona {number}"},
        "country": {"S": "Colombia"},
        "progress": {"L": [{"S": "sala1"}, {"S": "sala3"}]},
    }


def lines(count: int) -> Iterator[bytes]:
    return (json.dumps({"Item": item(number)}).encode() + b"\n" for number in range(count))


def write(path: Path, count: int) -> Path:
    """Write a file with this many items, compressed if its name ends with .gz."""
    with gzip.open(path, "wb", compresslevel=1) if path.suffix == ".gz" else path.open("wb") as file:
        file.writelines(lines(count))
    return path
