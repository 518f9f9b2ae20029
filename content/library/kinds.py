"""The kinds of the library, each declared once: its fields, its list, its texts. Everything else is shared."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from content.items import Context, Product, Resource, Signal, SignalStatus, SiteAsset
from content.library import fields
from content.library.columns import (
    LibraryColumn,
    context_sub,
    product_price,
    product_state,
    signal_pain,
    signal_state,
    signal_sub,
    site_file_size,
)
from content.library.kind import LibraryKind, LibraryTexts

# The tab of all kinds of the shop.
SHOP_TAB = "shop"
COMMON_LABELS = {
    "id": _("Id"),
    "tenantId": _("Business id"),
    "Type": _("Type"),
    "createdAt": _("Created"),
    "createdBy": _("Created by"),
    "updatedAt": _("Changed"),
    "updatedBy": _("Changed by"),
    "uploadedBy": _("Uploaded by"),
    "tags": _("Tags"),
}

PRODUCTS = LibraryKind(
    "products",
    "site_product",
    "PRODUCT",
    "Product",
    Product,
    fields.PRODUCT_FIELDS,
    "title",
    (LibraryColumn(_("Price"), product_price, is_number=True),),
    LibraryTexts(
        title=_("Products"),
        new=_("New product"),
        empty=_("No products yet"),
        about=_("Products that your site offers are listed here, newest first."),
        search=_("Name or SKU"),
    ),
    "package",
    sub=lambda product: product.sku or "",
    state=product_state,
    statuses=fields.PRODUCT_STATUSES,
    addresses=("image_link",),
    labels=COMMON_LABELS
    | {
        "slug": _("Name in the web address"),
        "volumePricing": _("Volume prices"),
        "variants": _("Variants"),
        "categoryIds": _("Categories"),
        "additionalImageLinks": _("More pictures"),
        "weight": _("Weight"),
    },
)
RESOURCES = LibraryKind(
    "resources",
    "site_resource",
    "RESOURCE",
    "Resource",
    Resource,
    fields.RESOURCE_FIELDS,
    "file_name",
    (),
    LibraryTexts(
        title=_("Resources"),
        new=_("Upload resource"),
        empty=_("No resources yet"),
        about=_("Private files for your visitors, such as a guide that they get for their address."),
        search=_("File name"),
    ),
    "file-text",
    labels=COMMON_LABELS,
    has_form=False,
)
CONTEXTS = LibraryKind(
    "contexts",
    "site_context",
    "CONTEXT",
    "Context",
    Context,
    fields.CONTEXT_FIELDS,
    "title",
    (),
    LibraryTexts(
        title=_("Contexts"),
        new=_("New context"),
        empty=_("No contexts yet"),
        about=_("What the site's agent should know: your audience, your tone, your offers."),
        search=_("Title or tag"),
    ),
    "book-open",
    more_attributes=("tags",),
    sub=context_sub,
    edited_through={"text": "blocks"},
    labels=COMMON_LABELS | {"blocks": _("Blocks")},
)
SIGNALS = LibraryKind(
    "signals",
    "site_signal",
    "SIGNAL",
    "Signal",
    Signal,
    fields.SIGNAL_FIELDS,
    "title",
    (LibraryColumn(_("Pain score"), signal_pain, is_number=True),),
    LibraryTexts(
        title=_("Signals"),
        new=_("New signal"),
        empty=_("No signals yet"),
        about=_("Posts elsewhere that the site's agent found, with its assessment. Reply to them here."),
        search=_("Title or author"),
    ),
    "activity",
    sub=signal_sub,
    state=signal_state,
    statuses=fields.SIGNAL_STATUSES,
    default_status=SignalStatus.NEW,
    addresses=("url",),
    labels=COMMON_LABELS,
)
FILES = LibraryKind(
    "files",
    "site_file",
    "ASSET",
    "Asset",
    SiteAsset,
    fields.ASSET_FIELDS,
    "file_name",
    (LibraryColumn(_("Size"), site_file_size, is_number=True),),
    LibraryTexts(
        title=_("Media"),
        new=_("Upload media"),
        empty=_("No media yet"),
        about=_("Public pictures and files for the pages of your site, newest first."),
        search=_("File name or type"),
    ),
    "image",
    more_attributes=("fileType", "size", "filename", "contentType", "s3Key"),
    sub=lambda asset: asset.file_type or asset.imported_type or "",
    labels=COMMON_LABELS,
    has_form=False,
    addresses=("public_url", "imported_url"),
)

LIBRARY = {kind.key: kind for kind in (PRODUCTS, RESOURCES, CONTEXTS, SIGNALS, FILES)}
