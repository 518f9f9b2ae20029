"""The shop and the forms of a site, which only the website service writes.

Their schema is not documented for other services, so only what lists show of them is declared.
"""

from __future__ import annotations

from dashboard.table import keys
from dashboard.table.attributes import LenientNumberAttribute, LenientUnicodeAttribute
from dashboard.table.items import Item


class SiteCategory(Item):
    """A category of products."""

    key_pattern = keys.SITE_CATEGORY

    name = LenientUnicodeAttribute(null=True)
    slug = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)


class ProductCopy(Item):
    """What cards show of a product, in one of its categories. It follows the product."""

    key_pattern = keys.PRODUCT_COPY

    title = LenientUnicodeAttribute(null=True)
    price = LenientUnicodeAttribute(null=True)
    sale_price = LenientUnicodeAttribute(null=True, attr_name="salePrice")
    currency = LenientUnicodeAttribute(null=True)


class SiteOrder(Item):
    """An order of a visitor."""

    key_pattern = keys.SITE_ORDER

    order_number = LenientUnicodeAttribute(null=True, attr_name="orderNumber")
    customer_name = LenientUnicodeAttribute(null=True, attr_name="customerName")
    total = LenientNumberAttribute(null=True)
    currency = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)


class OrderOfCustomer(Item):
    """Which order a customer made. Its status is that of the day of the order."""

    key_pattern = keys.ORDER_OF_CUSTOMER

    order_number = LenientUnicodeAttribute(null=True, attr_name="orderNumber")
    total = LenientNumberAttribute(null=True)
    currency = LenientUnicodeAttribute(null=True)


class Coupon(Item):
    """A discount for those who know its code."""

    key_pattern = keys.COUPON

    code = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)


class CouponCode(Item):
    """Which coupon has a code."""

    key_pattern = keys.COUPON_CODE


class ProductReview(Item):
    """What a customer says about a product."""

    key_pattern = keys.PRODUCT_REVIEW

    author_name = LenientUnicodeAttribute(null=True, attr_name="authorName")
    rating = LenientNumberAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)


class Popup(Item):
    """A window that opens over pages."""

    key_pattern = keys.POPUP

    name = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)


class FormDefinition(Item):
    """A form on a page, which visitors fill in."""

    key_pattern = keys.VISITOR_FORM

    name = LenientUnicodeAttribute(null=True)
    slug = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)


class FormAddress(Item):
    """Which form is at an address."""

    key_pattern = keys.FORM_ADDRESS

    form_name = LenientUnicodeAttribute(null=True, attr_name="formName")


class FormEntry(Item):
    """What a visitor sent with a form."""

    key_pattern = keys.FORM_ENTRY

    form_name = LenientUnicodeAttribute(null=True, attr_name="formName")
    submitter_email = LenientUnicodeAttribute(null=True, attr_name="submitterEmail")
    status = LenientUnicodeAttribute(null=True)


class DeliveryRules(Item):
    """When and where the shop delivers."""

    key_pattern = keys.DELIVERY_RULES


class SiteCounter(Item):
    """The last number that was given, such as that of an order."""

    key_pattern = keys.SITE_COUNTER

    current_value = LenientNumberAttribute(null=True, attr_name="currentValue")


class MovedMedia(Item):
    """Where an imported file was, and where it is now."""

    key_pattern = keys.MOVED_MEDIA

    old_url = LenientUnicodeAttribute(null=True, attr_name="oldUrl")


ShopItem = (
    SiteCategory
    | ProductCopy
    | SiteOrder
    | OrderOfCustomer
    | Coupon
    | CouponCode
    | ProductReview
    | Popup
    | FormDefinition
    | FormAddress
    | FormEntry
    | DeliveryRules
    | SiteCounter
    | MovedMedia
)
