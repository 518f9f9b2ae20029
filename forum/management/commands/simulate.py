"""Play live traffic in the forum."""

from __future__ import annotations

import signal
import time
from typing import Any, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.core.errors import Unavailable
from dashboard.platform.demos.traffic import other_traffic
from dashboard.table.connection import client
from forum.traffic import Second, Traffic, play


class Command(BaseCommand):
    help = (
        "Simulated people post, comment, like and visit rooms under the same rules and filter as everybody, to see "
        "a busy moderation desk. What they write stays in the table. Ends after --seconds, or with Ctrl-C."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rate", type=float, default=2, help="things that happen a second (default 2)")
        parser.add_argument("--seconds", type=float, default=0, help="end after so many (default: with Ctrl-C)")
        parser.add_argument("--people", type=int, default=40, help="how many there are (default 40)")
        parser.add_argument("--rude", type=float, default=0.15, help="share of rude texts, 0 to 1 (default 0.15)")
        parser.add_argument("--table", help="the table's name, to be sure: on AWS it must be named")
        parser.add_argument("--seed", type=int, help="the same people, texts and order each time")

    def handle(self, *args: Any, **options: Any) -> None:
        rate, seconds, people, rude = (options[name] for name in ("rate", "seconds", "people", "rude"))
        if not 0 < rate <= 1000:
            raise CommandError("The rate is a number above 0, and at most 1,000.")
        if not 0 <= seconds < float("inf"):
            raise CommandError("The seconds are a number, or 0 for no end.")
        if not 1 <= people <= 10_000:
            raise CommandError("There are 1 to 10,000 people.")
        if not 0 <= rude <= 1:
            raise CommandError("The rude share is a number from 0 to 1.")
        name, endpoint = settings.DYNAMODB_TABLE, client().meta.endpoint_url
        if (options["table"] or ("" if "amazonaws." in endpoint else name)) != name:
            raise CommandError(f"What they write stays in {name} at {endpoint}. If that is meant: --table {name}")
        self.stdout.write(f"In {name} at {endpoint}")
        traffic = Traffic(people, rude, options["seed"])
        try:
            traffic.load_posts()
            others = other_traffic(traffic.addresses, options["seed"])
        except Unavailable:
            away = f"The table {name} is not there, or does not answer."
            raise CommandError(f"{away} To create it: manage.py create_table") from None
        total, began = Second(), time.monotonic()
        before = signal.signal(signal.SIGTERM, _stop)
        try:
            for second in play(traffic, rate, seconds, clock=time.monotonic, sleep=time.sleep, others=others):
                total += second
                self.stdout.write(f"{time.monotonic() - began:5.0f} s: {second}")
                self.stdout.flush()
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")
        finally:
            signal.signal(signal.SIGTERM, before)
        self.stdout.write(f"In all: {total}")


def _stop(*_: object) -> NoReturn:
    raise KeyboardInterrupt
