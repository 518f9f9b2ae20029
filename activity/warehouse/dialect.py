"""Questions in Athena's SQL. Only constructs that both engines understand are used: tests/activity enforces it."""

from __future__ import annotations

import re
from functools import lru_cache

import sqlglot
from sqlglot import ErrorLevel, exp

from activity.warehouse.relations import ARCHIVE

# sqlglot writes a named parameter like this. The texts of the questions contain no colon, which a test checks.
_PARAMETER = re.compile(r":([a-z_]+)")


@lru_cache(maxsize=512)
def to_athena(sql: str, database: str, table: str) -> tuple[str, tuple[str, ...]]:
    """The statement with a `?` for each parameter, and the names of the parameters in that order."""
    tree = sqlglot.parse_one(sql, read="duckdb")
    for each in tree.find_all(exp.Table):
        if each.name == ARCHIVE:
            each.set("db", exp.to_identifier(database))
            each.set("this", exp.to_identifier(table))
    written = tree.sql(dialect="athena", identify=True, unsupported_level=ErrorLevel.RAISE)
    return _PARAMETER.sub("?", written), tuple(_PARAMETER.findall(written))
