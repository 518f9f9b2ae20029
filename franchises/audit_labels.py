"""Audit labels of stores. Movements of stock are entries of their own ledger."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.labels import register_labels, register_target_page
from franchises.fields import BRANCH_FIELDS, FRANCHISE_FIELDS, PRODUCT_FIELDS
from franchises.permissions import Permission

register_labels(
    "franchise",
    title=_("Stores"),
    actions={
        "create": _("set up the stores of %(target)s"),
        "edit": _("changed the settings of the stores"),
        "remove": _("undid the set-up of the stores"),
    },
    fields=FRANCHISE_FIELDS.audit_labels,
    in_business=True,
    on_platform=False,
)

register_labels(
    "branch",
    title=_("Branches"),
    actions={
        "create": _("added the branch %(target)s"),
        "edit": _("renamed the branch %(target)s"),
        "close": _("closed the branch %(target)s"),
        "reopen": _("reopened the branch %(target)s"),
        "remove": _("removed the branch %(target)s"),
    },
    fields=BRANCH_FIELDS.audit_labels,
    in_business=True,
    on_platform=False,
)

register_labels(
    "product",
    title=_("Products"),
    actions={
        "create": _("added the product %(target)s"),
        "edit": _("changed the product %(target)s"),
        "move": _("moved the product %(target)s to another branch"),
        "retire": _("retired the product %(target)s"),
        "bring_back": _("brought back the product %(target)s"),
    },
    fields=PRODUCT_FIELDS.audit_labels | {"branch": _("branch"), "stock": _("stock")},
    in_business=True,
    on_platform=False,
)

register_labels(
    "count",
    title=_("Counts"),
    actions={
        "start": _("started the count of %(target)s"),
        "apply": _("applied the count of %(target)s"),
        "discard": _("discarded the count of %(target)s"),
        "reopen": _("reopened the count of %(target)s"),
    },
    fields={"branch": _("branch"), "size": _("products")},
    in_business=True,
    on_platform=False,
)

register_target_page("branch", "branch", Permission.STOCK, in_business=True)
register_target_page("product", "product", Permission.STOCK, in_business=True)
register_target_page("count", "count", Permission.STOCK, in_business=True)
