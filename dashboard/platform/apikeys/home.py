"""API keys on the home page of a business: a step of its checklist."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.apikeys import queries
from dashboard.platform.apikeys.permissions import Permission
from dashboard.platform.home.registry import Reads, SetupStep, register_setup_steps

HAS_KEYS = "apikeys.has_keys"


def key_reads(request: Request) -> Reads:
    return {HAS_KEYS: partial(queries.has_keys, request.business.id)}


register_setup_steps(
    SetupStep(
        order=50,
        label=_("Create an API key"),
        hint=_("Your website and your apps read your data with it"),
        route="api_keys",
        permission=Permission.BUSINESS_KEYS,
        reads=key_reads,
        is_done=lambda request, results: bool(results[HAS_KEYS]),
    ),
)
