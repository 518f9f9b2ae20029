"""Helpers for tests of mail."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Any, Self

from django.core import mail

from bookings.items import Customer
from dashboard.core.clock import frozen, now
from dashboard.platform.due import runner
from dashboard.platform.mail.items import OutgoingMail
from dashboard.platform.mail.queries import load_mail, mails
from dashboard.table import keys, read
from dashboard.table.commands import new_command
from dashboard.table.transactions import Transaction
from tests.bookings.bookable_business import BUSINESS, open_shop
from tests.conftest import ACTOR, add_business

MINUTE = timedelta(minutes=1)


class Clock:
    """A frozen clock that tests move."""

    def __enter__(self) -> Self:
        self.stack = ExitStack()
        self.moment = now()
        self.stack.enter_context(frozen(self.moment))
        return self

    def __exit__(self, *_: Any) -> None:
        self.stack.close()

    def set(self, moment: datetime) -> None:
        self.stack.close()
        self.moment = moment
        self.stack.enter_context(frozen(moment))

    def pass_time(self, span: timedelta = 2 * MINUTE) -> None:
        self.set(self.moment + span)


def open_mail_business(email: str = "juan@example.com", business: str = BUSINESS, **values: Any) -> None:
    add_business(business, "Coca-Cola Andina", "olivia@example.com")
    open_shop()
    set_customer(email=email, **values)


def set_customer(**values: Any) -> None:
    customer = read.get(Customer, keys.CUSTOMER.key(tenant=BUSINESS, customer="juan"))
    assert customer is not None
    for name, value in values.items():
        setattr(customer, name, value)
    transaction = Transaction(new_command(ACTOR))
    transaction.save(customer, revision=customer.revision)
    transaction.commit(customer)


def run_mail() -> list[str]:
    """Run the queues until nothing is due; the results, failures with "failed" in front. Without those of webhooks."""
    results: list[str] = []
    while batch := run_queues():
        texts = [f"failed {each.text}" if each.failed else each.text for each in batch]
        results += [text for text in texts if "webhook" not in text]
        if any(each.failed for each in batch):
            break
    return results


def run_queues() -> list[runner.TaskResult]:
    return [*runner.run(queue=keys.DUE_OUTBOX), *runner.run(queue=keys.DUE_MAIL)]


def sent() -> list[Any]:
    return list(mail.outbox)


def states(business: str = BUSINESS) -> dict[str, str]:
    """The state of each mail by its kind; the newest counts."""
    return {each.kind: each.state for each in reversed(mails(business).items)}


def only(kind: str, business: str = BUSINESS) -> OutgoingMail:
    (found,) = [each for each in mails(business).items if each.kind == kind]
    return load_mail(business, found.place)
