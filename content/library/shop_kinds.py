"""The shop and the forms of a site: kinds without a documented schema. Their form shows attributes by their names.

Nothing is added or deleted here, because each of them has others that the website service writes with it.
"""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from content.items import (
    Coupon,
    CouponCode,
    DeliveryRules,
    FormAddress,
    FormDefinition,
    FormEntry,
    MovedMedia,
    OrderOfCustomer,
    Popup,
    ProductCopy,
    ProductReview,
    SiteCategory,
    SiteCounter,
    SiteOrder,
)
from content.library.columns import ItemState, LibraryColumn, ReadText, amount_of, product_price, stored_state
from content.library.kind import LibraryKind, LibraryTexts
from content.library.kinds import COMMON_LABELS, LIBRARY, SHOP_TAB
from dashboard.web.fields import Fields

_EDITED, _SHOWN = True, False


def _kind(
    key: str,
    item_class: type[Any],
    is_editable: bool,
    title: Promise,
    about: Promise,
    *,
    named_by: str = "",
    attributes: tuple[str, ...] = (),
    **options: Any,
) -> LibraryKind:
    """A kind that is listed by its keys. `attributes` are those that its list reads."""
    return LibraryKind(
        key,
        f"shop_{key.replace('-', '_')}",
        list_name="",
        type_name="",
        item_class=item_class,
        fields=Fields(item_class),
        title=named_by,
        texts=LibraryTexts(title=title, empty=_("Nothing here yet"), about=about, search=_("Name or id")),
        more_attributes=attributes,
        tab=SHOP_TAB,
        is_listed_by_key=True,
        is_editable=is_editable,
        labels=COMMON_LABELS,
        can_create=False,
        can_delete=False,
        has_form=False,
        **{"columns": (), "icon": "package", **options},
    )


def _state(item: Any) -> ItemState | None:
    return stored_state(item.status)


def _total(label: Promise) -> LibraryColumn:
    return LibraryColumn(label, lambda item: amount_of(item.total, item.currency), is_number=True)


def _rating(review: ProductReview) -> str:
    return "" if review.rating is None else f"{review.rating:g}"


def _sub(name: str) -> ReadText:
    return lambda item: str(getattr(item, name) or "")


_KINDS = (
    _kind(
        "categories",
        SiteCategory,
        _EDITED,
        _("Categories"),
        _("The categories in which the shop shows its products."),
        named_by="name",
        attributes=("name", "slug", "status"),
        sub=_sub("slug"),
        state=_state,
        icon="list",
    ),
    _kind(
        "orders",
        SiteOrder,
        _EDITED,
        _("Orders"),
        _("What visitors have ordered in the shop."),
        named_by="order_number",
        attributes=("orderNumber", "customerName", "total", "currency", "status"),
        sub=_sub("customer_name"),
        state=_state,
        columns=(_total(_("Total")),),
        is_personal=True,
        relied_on=frozenset({"orderNumber", "couponId", "couponCode"}),
    ),
    _kind(
        "coupons",
        Coupon,
        _EDITED,
        _("Coupons"),
        _("Discounts for those who know a code."),
        named_by="code",
        attributes=("code", "status"),
        state=_state,
        relied_on=frozenset({"code", "usageCount"}),
    ),
    _kind(
        "reviews",
        ProductReview,
        _EDITED,
        _("Reviews"),
        _("What customers say about products."),
        named_by="author_name",
        attributes=("authorName", "rating", "status"),
        state=_state,
        columns=(LibraryColumn(_("Rating"), _rating, is_number=True),),
        relied_on=frozenset({"productId", "googleReviewId"}),
        icon="star",
    ),
    _kind(
        "popups",
        Popup,
        _EDITED,
        _("Popups"),
        _("Windows that open over pages."),
        named_by="name",
        attributes=("name", "status"),
        state=_state,
    ),
    _kind(
        "visitor-forms",
        FormDefinition,
        _EDITED,
        _("Forms"),
        _("Forms on pages, which visitors fill in."),
        named_by="name",
        attributes=("name", "slug", "status"),
        sub=_sub("slug"),
        state=_state,
        icon="list",
    ),
    _kind(
        "form-entries",
        FormEntry,
        _EDITED,
        _("Form entries"),
        _("What visitors have sent with the forms."),
        named_by="submitter_email",
        attributes=("formName", "submitterEmail", "status"),
        sub=_sub("form_name"),
        state=_state,
        is_personal=True,
        relied_on=frozenset({"formId"}),
        icon="mail",
    ),
    _kind(
        "delivery",
        DeliveryRules,
        _EDITED,
        _("Delivery rules"),
        _("When and where the shop delivers."),
    ),
    _kind(
        "category-products",
        ProductCopy,
        _SHOWN,
        _("Products in categories"),
        _("Copies of products for the cards of each category. They follow the product."),
        named_by="title",
        attributes=("title", "price", "salePrice", "currency"),
        columns=(LibraryColumn(_("Price"), product_price, is_number=True),),
    ),
    _kind(
        "customer-orders",
        OrderOfCustomer,
        _SHOWN,
        _("Orders by customer"),
        _("Which orders each customer has made."),
        named_by="order_number",
        attributes=("orderNumber", "total", "currency"),
        columns=(_total(_("Total")),),
        is_personal=True,
    ),
    _kind("coupon-codes", CouponCode, _SHOWN, _("Coupon codes"), _("Which coupon has which code.")),
    _kind(
        "form-addresses",
        FormAddress,
        _SHOWN,
        _("Addresses of forms"),
        _("Which form is at which address."),
        attributes=("formName",),
        sub=_sub("form_name"),
    ),
    _kind(
        "counters",
        SiteCounter,
        _SHOWN,
        _("Counters"),
        _("The last number that was given, such as that of an order."),
        attributes=("currentValue",),
        columns=(LibraryColumn(_("Value"), lambda item: f"{item.current_value or 0:g}", is_number=True),),
    ),
    _kind(
        "moved-media",
        MovedMedia,
        _SHOWN,
        _("Moved media"),
        _("Where imported files were, and where they are now."),
        named_by="old_url",
        attributes=("oldUrl",),
    ),
)
SHOP = {kind.key: kind for kind in _KINDS}

# Every kind of the library and of the shop, by its name in addresses.
ALL_KINDS = LIBRARY | SHOP
