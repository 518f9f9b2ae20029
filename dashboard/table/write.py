"""Small writes without audit: counters and times of a session, which are no action of a person."""

from __future__ import annotations

from collections.abc import Sequence

from botocore.exceptions import ClientError
from pynamodb.exceptions import UpdateError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from dashboard.core.errors import Unavailable
from dashboard.table.connection import table
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import Key
from dashboard.table.retries import COLLIDED, Backoff, code_of, table_errors


def update(key: Key, actions: Sequence[Action], condition: Condition | None = None) -> Raw | None:
    """Update one item and return it; None if the condition fails."""
    backoff = Backoff()
    while True:
        try:
            with table_errors():
                answer = table().update_item(
                    key.pk, key.sk, actions=actions, condition=condition, return_values="ALL_NEW"
                )
            attributes: Raw = answer["Attributes"]
            return attributes
        except UpdateError as error:
            if code_of(error) == "ConditionalCheckFailedException":
                return None
            raise
        except Unavailable as error:
            cause = error.__cause__
            collided = isinstance(cause, UpdateError | ClientError) and code_of(cause) in COLLIDED
            if not (collided and backoff.wait()):
                raise


def put(item: Item) -> None:
    """Write a new item at a key that nothing else uses."""
    item.set_index_keys()
    with table_errors():
        item.save()


def remove(key: Key) -> None:
    """Delete one item. A missing item is no error."""
    with table_errors():
        table().delete_item(key.pk, key.sk)
