"""Answers questions with Athena: starts a query, and looks later whether it is done. No page waits for it."""

from __future__ import annotations

import functools
import hashlib
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from activity.warehouse.dialect import to_athena
from activity.warehouse.engines.local import MAX_ROWS, Row
from activity.warehouse.errors import TooSlow, Unanswered
from activity.warehouse.questions import INTEGER, TIME, Statement

logger = logging.getLogger("trastienda.activity")

_CONFIG = Config(connect_timeout=2, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 4})
_PAGE = 1000
_FAILED = _("Athena could not answer this question. Ask an administrator to look at the log.")
_NO_ACCESS = _("Athena refused the question. Ask an administrator to check the workgroup and its rights.")
_RUNNING = {"QUEUED", "RUNNING"}
_THROTTLED = {"TooManyRequestsException", "ThrottlingException"}


@functools.cache
def _client() -> Any:
    return botocore.session.Session().create_client("athena", config=_CONFIG)


def start(statement: Statement, purpose: str) -> str:
    """Start a query and return its id. The same statement for the same purpose is started once."""
    sql, names = to_athena(statement.sql, settings.ATHENA_DATABASE, settings.ATHENA_TABLE)
    parameters = [literal(statement.values[name]) for name in names]
    token = hashlib.sha256("\x00".join([purpose, sql, *parameters]).encode()).hexdigest()
    with _athena_errors():
        answer = _client().start_query_execution(
            QueryString=sql,
            ClientRequestToken=token,
            WorkGroup=settings.ATHENA_WORKGROUP,
            QueryExecutionContext={"Database": settings.ATHENA_DATABASE},
            **({"ExecutionParameters": parameters} if parameters else {}),
        )
    return str(answer["QueryExecutionId"])


def fetch_rows(execution: str, statement: Statement, limit: int = MAX_ROWS) -> tuple[list[Row], bool] | None:
    """At most so many rows and whether there are more; None while the query runs. Raises Unanswered if it failed."""
    with _athena_errors():
        found = _client().get_query_execution(QueryExecutionId=execution)["QueryExecution"]
        state = found["Status"]["State"]
        if state in _RUNNING:
            _stop_if_late(execution, found["Status"].get("SubmissionDateTime"))
            return None
        if state != "SUCCEEDED":
            logger.error("Athena did not answer", extra={"execution": execution, "state": state})
            raise Unanswered(_FAILED)
        rows = list(_rows(execution, statement, limit + 1))
    return rows[:limit], len(rows) > limit


def _stop_if_late(execution: str, submitted: datetime | None) -> None:
    if submitted and (datetime.now(UTC) - submitted).total_seconds() > settings.ATHENA_SECONDS:
        _client().stop_query_execution(QueryExecutionId=execution)
        raise TooSlow


def _rows(execution: str, statement: Statement, limit: int) -> Iterator[Row]:
    """The rows of the answer, page by page. The first row of the first page names the columns."""
    token, left, is_first = None, limit, True
    while left > 0:
        options: dict[str, Any] = {"NextToken": token} if token else {}
        answer = _client().get_query_results(QueryExecutionId=execution, MaxResults=min(_PAGE, left + 1), **options)
        for row in answer["ResultSet"]["Rows"]:
            if is_first:
                is_first = False
                _ensure_columns(row, statement)
                continue
            yield _typed(row, statement)
            left -= 1
        token = answer.get("NextToken")
        if not token:
            break
    if is_first:
        _ensure_columns({"Data": []}, statement)


def _ensure_columns(row: Any, statement: Statement) -> None:
    names = [each.get("VarCharValue") for each in row["Data"]]
    if names != list(statement.columns):
        logger.error("Athena answered with other columns", extra={"columns": names})
        raise Unanswered(_FAILED)


def _typed(row: Any, statement: Statement) -> Row:
    values = (each.get("VarCharValue") for each in row["Data"])
    return tuple(_value(text, kind) for text, kind in zip(values, statement.columns.values(), strict=True))


def _value(text: str | None, kind: str) -> Any:
    if text is None:
        return None
    if kind == INTEGER:
        return int(text)
    return datetime.fromisoformat(text) if kind == TIME else text


def literal(value: Any) -> str:
    """A value as Athena takes the parameter of an execution: a literal of SQL. Only `'` ends a text there."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError(f"no parameter of a question: {type(value).__name__}")
    if isinstance(value, int):
        return str(value)
    if re.search(r"[\x00-\x1f\x7f]", value):
        raise Unanswered(_("This contains characters that cannot be searched for."))
    return "'" + value.replace("'", "''") + "'"


@contextmanager
def _athena_errors() -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        code = error.response["Error"].get("Code")
        logger.error("Athena refused a call", extra={"code": code})
        raise (Unanswered() if code in _THROTTLED else Unanswered(_NO_ACCESS)) from error
    except (BotoCoreError, OSError) as error:
        raise Unanswered from error
