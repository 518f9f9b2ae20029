"""Deliberate defects, each with a test that must find it: `make defects`.

Each defect is put into a copy of the project, and its test is run there: the test must fail. docs/defects.md lists the
defects; tests/test_defects.py checks that the texts to replace and the tests still exist.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.api_defects import API_DEFECTS
from tests.brand_defects import BRAND_DEFECTS
from tests.calendar_defects import CALENDAR_DEFECTS
from tests.defect import Defect
from tests.desk_defects import DESK_DEFECTS
from tests.home_defects import HOME_DEFECTS
from tests.mail_defects import MAIL_DEFECTS
from tests.online_defects import ONLINE_DEFECTS
from tests.page_defects import PAGE_DEFECTS
from tests.project_copy import copy_project, run_tests
from tests.room_defects import ROOM_DEFECTS
from tests.security_defects import SECURITY_DEFECTS
from tests.server_defects import SERVER_DEFECTS
from tests.site_defects import SITE_DEFECTS
from tests.store_defects import STORE_DEFECTS
from tests.usage_defects import USAGE_DEFECTS
from tests.webhook_defects import WEBHOOK_DEFECTS

DEFECTS = [
    Defect(
        "A permission is dropped: the list of people is open to everyone who is signed in",
        "dashboard/platform/accounts/views/people.py",
        "@requires(Permission.PEOPLE_MANAGE)\n@require_safe\ndef people(",
        "@requires(Permission.ACCOUNT)\n@require_safe\ndef people(",
        "tests/ui/test_urls.py::test_every_url_has_the_recorded_permission",
    ),
    Defect(
        "A view declares no permission",
        "dashboard/platform/accounts/views/people.py",
        "@requires(Permission.PEOPLE_MANAGE)\n@require_POST\ndef edit(",
        "@require_POST\ndef edit(",
        "tests/accounts/test_permissions.py::test_every_view_declares_a_permission",
    ),
    Defect(
        "The condition on the revision is left out of a write",
        "dashboard/table/transactions.py",
        "_and(at_revision(revision), condition),\n            return_values",
        "condition,\n            return_values",
        "tests/table/test_transactions.py",
    ),
    Defect(
        "The tenant check of requests to the table is removed",
        "dashboard/table/tenancy.py",
        "if not _is_own(binding, target) or not _names_owner(binding, target):",
        "if not _names_owner(binding, target):",
        "tests/table/test_tenancy.py",
    ),
    Defect(
        "The tenant check of answers from the table is removed",
        "dashboard/table/tenancy.py",
        "        if not _belongs_to(binding, raw):",
        "        if False:",
        "tests/table/test_tenancy.py",
    ),
    Defect(
        "After a lost reply the write is made again without looking at its record",
        "dashboard/table/transactions.py",
        "                    if find_done(self.command) is not None:\n                        return False\n",
        "                    token = secrets.token_hex(16)\n",
        "tests/table/test_bad_network.py",
    ),
    Defect(
        "The record of a command is not written with it, so a form sent twice acts twice",
        "dashboard/table/transactions.py",
        "if self._send([_done_step(done), *self._steps]):",
        "if self._send([*self._steps]):",
        "tests/table/test_transactions.py",
    ),
    Defect(
        "An index key is omitted: bookings are not listed by their status",
        "bookings/items/bookings.py",
        "        yield from keys.BOOKINGS_BY_STATUS.optional_key(tenant=business, status=self.status, start=start)\n",
        "",
        "tests/bookings/test_queries.py",
    ),
    Defect(
        "A banned post stays in the public feed",
        "forum/items.py",
        'feed = "" if self.status == ACTIVE else self.status',
        'feed = ""',
        "tests/forum/test_decisions.py",
    ),
    Defect(
        "A banned comment still counts",
        "forum/services/decisions.py",
        "difference = after.is_active - before.is_active if isinstance(item, Comment) else 0",
        "difference = 0",
        "tests/forum/test_decisions.py",
    ),
    Defect(
        "A booking may overlap another one",
        "bookings/services/ledger.py",
        "        if not verdict.is_free:\n            raise self._refusal",
        "        if False:\n            raise self._refusal",
        "tests/bookings/test_bookings.py",
    ),
    Defect(
        "A change of a person is missing from the audit trail",
        "dashboard/platform/accounts/services/person_writes.py",
        "    record(transaction, action, target=person.email,",
        "    False and record(transaction, action, target=person.email,",
        "tests/accounts/test_people.py",
    ),
    Defect(
        "Signing out everywhere leaves other sessions open",
        "dashboard/platform/accounts/items.py",
        "return int(self.session_epoch) == person.epoch and person.may_sign_in",
        "return person.may_sign_in",
        "tests/accounts/test_sessions.py",
    ),
    Defect(
        "A throttle lets one more through",
        "dashboard/platform/accounts/throttle.py",
        "is_below = size(Path([str(ids.attr_name)])) < limit",
        "is_below = size(Path([str(ids.attr_name)])) <= limit",
        "tests/accounts/test_throttling.py",
    ),
    Defect(
        "API keys are hashed without the pepper",
        "dashboard/platform/apikeys/services.py",
        "hmac.new(pepper.encode(), secret.encode(), hashlib.sha256).hexdigest()",
        "hashlib.sha256(secret.encode()).hexdigest()",
        "tests/apikeys",
    ),
    Defect(
        "A request may read the whole table",
        "dashboard/table/guards.py",
        "    if _in_request.get() or not _offline.get():",
        "    if not _offline.get():",
        "tests/table/test_guards.py",
    ),
    Defect(
        "A page asks the table a third time",
        "dashboard/platform/accounts/views/people.py",
        "def people(request: Request) -> HttpResponse:\n",
        "def people(request: Request) -> HttpResponse:\n    queries.everyone()\n    queries.everyone()\n",
        "tests/ui/test_pages.py::test_every_page_takes_at_most_two_round_trips",
    ),
    Defect(
        "The policy lets inline scripts run",
        "dashboard/settings.py",
        '"script-src": [SELF],',
        '"script-src": [SELF, "\'unsafe-inline\'"],',
        "tests/ui/test_security.py",
    ),
    Defect(
        "A form is sent without the id of its command",
        "templates/accounts/invite.html",
        "    {% command_field %}\n",
        "",
        "tests/ui/test_no_javascript.py::test_every_form_has_a_method_a_target_and_a_button",
    ),
    Defect(
        "A template uses an attribute that was renamed",
        "templates/accounts/people.html",
        "{{ person.title }}",
        "{{ person.previous_title }}",
        "tests/ui/test_pages.py",
    ),
    Defect(
        "A field has a label without a name",
        "templates/ui/search.html",
        '<label class="search">{% icon "search" %}<span class="sr-only">{{ label|default:_("Search") }}</span>',
        '<label class="search" for="other">{% icon "search" %}</label><label>',
        "tests/ui/test_accessible_names.py",
    ),
    Defect(
        "A colour of the dark theme is too faint",
        "static/css/tokens.css",
        "oklch(0.73 0.01 var(--warm))",
        "oklch(0.5 0.01 var(--warm))",
        "tests/ui/test_theme_contrast.py",
    ),
    Defect(
        "A page is wider than a phone",
        "static/css/tabs.css",
        "@layer components {",
        "@layer components {\n  main { min-inline-size: 50rem; }",
        "tests/browser/test_accessibility.py::test_no_other_page_is_wider_than_a_phone",
    ),
    Defect(
        "A key of the moderation desk does nothing",
        "static/js/moderation-desk.js",
        "if (!isDeskKey(event.key)) return;",
        "return;",
        "tests/browser/test_moderation_desk.py",
    ),
    Defect(
        "A module that is found by its name is renamed",
        "rooms/audit_labels.py",
        "",
        "labels.py",
        "tests/test_autodiscovery.py",
    ),
    Defect(
        "A translation loses what a placeholder stands for",
        "locale/es/LC_MESSAGES/django.po",
        'msgid "%(name)s invited."\nmsgstr "Invitación creada para %(name)s',
        'msgid "%(name)s invited."\nmsgstr "Invitación creada para alguien',
        "tests/ui/test_languages.py::test_every_text_is_translated",
    ),
    *DESK_DEFECTS,
    *BRAND_DEFECTS,
    *PAGE_DEFECTS,
    *CALENDAR_DEFECTS,
    *ROOM_DEFECTS,
    *HOME_DEFECTS,
    *SITE_DEFECTS,
    *STORE_DEFECTS,
    *SERVER_DEFECTS,
    *SECURITY_DEFECTS,
    *API_DEFECTS,
    *ONLINE_DEFECTS,
    *WEBHOOK_DEFECTS,
    *MAIL_DEFECTS,
    *USAGE_DEFECTS,
]


def is_found(defect: Defect) -> bool:
    """Whether the test of the defect fails in a copy that has the defect."""
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_project(Path(folder))
        defect.put_into(copy)
        ran = run_tests(copy, defect.test)
    if ran.returncode not in {0, 1}:
        sys.stderr.write(ran.stdout[-2000:] + ran.stderr[-2000:])
    return ran.returncode == 1


def main() -> int:
    chosen = [each for each in DEFECTS if not sys.argv[1:] or any(word in each.what for word in sys.argv[1:])]
    missed = []
    for defect in chosen:
        found = is_found(defect)
        sys.stdout.write(f"{'found ' if found else 'MISSED'}  {defect.what}\n")
        sys.stdout.flush()
        missed += [] if found else [defect]
    sys.stdout.write(f"{len(chosen) - len(missed)} of {len(chosen)} defects were found.\n")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
