"""Create an admin from the command line: the first one, or one who lost access."""

import getpass
import sys
from typing import Any

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.platform.accounts import emails
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.queries import find_person
from dashboard.platform.accounts.services import people, second_factor
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event_of_command
from dashboard.table.commands import SYSTEM, new_command


class Command(BaseCommand):
    help = "Create an admin, or make an existing person one. Asks for the password, or reads it with --stdin."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--name", default="")
        reset = "also remove the second factor, for a lost phone"
        parser.add_argument("--reset-second-factor", action="store_true", help=reset)
        parser.add_argument("--stdin", action="store_true", help="read the password from standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        email = emails.normalise(options["email"])
        ask = sys.stdin.readline if options["stdin"] else lambda: getpass.getpass("Password: ")
        password = ask().rstrip("\n")
        try:
            emails.check(email)
            validate_password(password)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        before, command = find_person(email), new_command(SYSTEM)
        person = people.create(
            email, name=options["name"], role=Role.ADMIN, password_hash=make_password(password), command=command
        )
        was = before.back_office_role or "" if before else ""
        if was != Role.ADMIN:
            record_event_of_command(EventKind.ROLE_CHANGED, command, account=email, role=Role.ADMIN, was=was)
        record_event_of_command(EventKind.NEW_PASSWORD, command, account=email)
        if options["reset_second_factor"] and person.has_second_factor:
            second_factor.reset(email, revision=person.revision, command=command.part("second factor"))
            record_event_of_command(EventKind.FACTOR_RESET, command, account=email)
            self.stdout.write("The second factor is reset.")
        self.stdout.write(f"{email} is an admin and can sign in.")
