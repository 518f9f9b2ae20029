"""The documented endpoints of sites. Their views (content/views/api.py) need no key and answer every website."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from django.utils.translation import gettext_lazy as _

from content.items import Content
from dashboard.web.api.endpoints import open_endpoint
from dashboard.web.api.messages import Message, Moment, described
from dashboard.web.api.problems import declare_problem

NO_PAGE = declare_problem("no_page", 404, "No published page has this address or id.")
NO_SITE = declare_problem("no_site", 404, "No business has this domain.")
ERRORS = (NO_PAGE,)
# The access of pages that everybody may read.
PUBLIC = "Public"


class SiteDomainBody(Message):
    domain: Annotated[str, described("In lower case, with international letters in punycode.")]
    business_id: str


class SeoBody(Message):
    title: str | None
    description: str | None
    keywords: str | None
    image: str | None


class SitePageBody(Message):
    business_id: str
    id: str
    slug: str | None
    title: str | None
    version: int
    updated_at: Moment | None
    access: Annotated[str, described("Public, or what a visitor needs: LoginRequired, Group, Purchase, EmailGate.")]
    blocks: Annotated[
        list[dict[str, Any]] | None, described("As the site stores them; none if not everybody may read the page.")
    ]
    tags: list[str]
    seo: SeoBody
    schema_type: str | None
    comments_mode: str | None
    hide_nav: bool
    hide_footer: bool
    hide_sharing: bool
    theme_override: dict[str, Any] | None


class SiteRouteBody(Message):
    business_id: str
    path: str
    redirect_to: Annotated[str | None, described("The address of the page, if this is not it.")]
    page: Annotated[SitePageBody | None, described("None for a redirect.")]


def page_body(business: str, page: Content) -> SitePageBody:
    access = page.access_type or PUBLIC
    return SitePageBody(
        business_id=business,
        id=page.node,
        slug=page.slug,
        title=page.title,
        version=page.number,
        updated_at=page.updated_at or page.created_at,
        access=access,
        blocks=(page.blocks or []) if access == PUBLIC else None,
        tags=[str(tag) for tag in page.tags or ()],
        seo=SeoBody(page.seo_title, page.seo_description, page.seo_keywords, page.featured_image),
        schema_type=page.schema_type,
        comments_mode=page.comments_mode,
        hide_nav=bool(page.hide_nav),
        hide_footer=bool(page.hide_footer),
        hide_sharing=bool(page.hide_sharing),
        theme_override=page.theme_override,
    )


# Numbers of blocks are numbers, with every digit.
encode = msgspec.json.Encoder(decimal_format="number").encode

open_endpoint(
    "businesses/<business:business>/routes/<path:site_path>",
    "site_route",
    summary=_("What an address of a site leads to"),
    response=SiteRouteBody,
    errors=ERRORS,
)
open_endpoint(
    "businesses/<business:business>/pages/<str:node>",
    "site_page",
    summary=_("A published page of a site"),
    response=SitePageBody,
    errors=ERRORS,
)
open_endpoint(
    "domains/<str:site_domain>",
    "site_domain",
    summary=_("Which business has a domain"),
    response=SiteDomainBody,
    errors=(NO_SITE,),
)
open_endpoint(
    "domains/<str:site_domain>/routes/<path:site_path>",
    "site_domain_route",
    summary=_("What an address of the site of a domain leads to"),
    response=SiteRouteBody,
    errors=(NO_PAGE, NO_SITE),
)
