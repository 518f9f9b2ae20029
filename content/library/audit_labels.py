"""Audit labels of products, resources, contexts, signals and files of a site."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from content.library.kinds import CONTEXTS, FILES, LIBRARY, PRODUCTS, RESOURCES, SIGNALS
from content.library.shop_kinds import SHOP
from content.permissions import Permission
from dashboard.platform.audit.labels import register_labels, register_target_page

# The texts of each kind: added, changed, deleted, restored.
_ACTIONS: dict[str, tuple[Promise, ...]] = {
    PRODUCTS.key: (
        _("added the product %(target)s to the site"),
        _("changed the product %(target)s of the site"),
        _("deleted the product %(target)s from the site"),
        _("restored the product %(target)s of the site"),
    ),
    RESOURCES.key: (
        _("uploaded the resource %(target)s"),
        _("changed the resource %(target)s"),
        _("deleted the resource %(target)s"),
        _("restored the resource %(target)s"),
    ),
    CONTEXTS.key: (
        _("added the context %(target)s"),
        _("changed the context %(target)s"),
        _("deleted the context %(target)s"),
        _("restored the context %(target)s"),
    ),
    SIGNALS.key: (
        _("added the signal %(target)s"),
        _("changed the signal %(target)s"),
        _("deleted the signal %(target)s"),
        _("restored the signal %(target)s"),
    ),
    FILES.key: (
        _("uploaded the file %(target)s to the site"),
        _("changed the file %(target)s of the site"),
        _("deleted the file %(target)s from the site"),
        _("restored the file %(target)s of the site"),
    ),
}
_TITLES = {
    PRODUCTS.key: _("Products of the site"),
    RESOURCES.key: _("Resources of the site"),
    CONTEXTS.key: _("Contexts"),
    SIGNALS.key: _("Signals"),
    FILES.key: _("Media of the site"),
}

for _kind in LIBRARY.values():
    _actions = dict(zip(("create", "edit", "remove", "restore"), _ACTIONS[_kind.key], strict=True))
    if _kind is SIGNALS:
        _actions["mark"] = _("marked the signal %(target)s")
    register_labels(
        _kind.name,
        title=_TITLES[_kind.key],
        actions=_actions,
        fields={**_kind.labels, **_kind.fields.audit_labels},
        values={"status": _kind.statuses} if _kind.statuses else {},
        in_business=True,
        on_platform=False,
    )
    register_target_page(_kind.name, "site_item", Permission.SITE, in_business=True, parts=(_kind.key,))

# Of the shop, items are only changed.
for _kind in filter(lambda kind: kind.is_editable, SHOP.values()):
    register_labels(
        _kind.name,
        title=_kind.texts.title,
        actions={"edit": _("changed %(target)s in the shop of the site")},
        fields=_kind.labels,
        values={},
        in_business=True,
        on_platform=False,
    )
    _permission = Permission.VISITORS if _kind.is_personal else Permission.SITE
    register_target_page(_kind.name, "site_item", _permission, in_business=True, parts=(_kind.key,))
