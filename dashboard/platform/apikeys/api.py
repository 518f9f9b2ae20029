"""The endpoint about the key itself."""

from __future__ import annotations

from typing import Annotated

from django.utils.translation import gettext_lazy as _

from dashboard.platform.apikeys.calls import ApiCall
from dashboard.platform.apikeys.items import KeyType
from dashboard.web.api.endpoints import Scope, endpoint
from dashboard.web.api.messages import Message, Moment, described


class BusinessBody(Message):
    id: str | None
    name: str
    status: str | None
    plan: str | None


class KeyBody(Message):
    id: str
    name: str | None
    public: str | None
    type: KeyType
    scopes: list[Scope]
    allowed_origins: list[str]
    rate_limit: int
    created_at: Moment | None


class WhoAmI(Message):
    business: Annotated[BusinessBody | None, described("None for a key of the platform.")]
    key: KeyBody


@endpoint("GET", "whoami", summary=_("The business and the key of the request"), owner=None, public_keys=True, cost=0)
def whoami(call: ApiCall) -> WhoAmI:
    own = call.key
    business = call.business if own.business else None
    return WhoAmI(
        BusinessBody(business.business_id, business.title, business.status, business.plan) if business else None,
        KeyBody(
            id=own.id,
            name=own.name,
            public=own.api_key_public,
            type=own.type,
            scopes=own.scopes,
            allowed_origins=own.origins,
            rate_limit=own.limit,
            created_at=own.created_at,
        ),
    )
