"""Changes to the sign-in rules."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person, Security
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, report_unchanged

TARGET = "security"


@idempotent
def require_second_factor(roles: Iterable[Role], *, by: Person, revision: int, command: Command) -> Security:
    """Set the roles that need a second factor. It applies immediately, also to open sessions."""
    required = [str(role) for role in Role if role in set(roles)]
    if by.back_office_role in required and not by.has_second_factor:
        # Otherwise they could not even open this page to undo it.
        text = _("Set up your own second factor first.")
        raise Refused(text, field=str(by.back_office_role))
    found = queries.find_security()
    security = found or Security.new()
    before, after = {"roles": security.roles}, {"roles": required}
    if before == after:
        return report_unchanged(security, {"before": before}, command)
    security.second_factor_roles = required
    transaction = Transaction(command)
    if found is None:
        transaction.create(security)
    else:
        transaction.save(security, revision=revision)
    action = "security.second_factor"
    record(transaction, action, target=TARGET, kind="security", title=TARGET, before=before, after=after)
    return transaction.commit(security, {"before": before})
