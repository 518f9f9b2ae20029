"""All keys of the table. No other code writes or reads a `#` in a key.

`Pattern` is the key of a kind of item in the table, `IndexPattern` its key in an index. The order matters only where
two patterns match the same key: the narrower one comes first. A heading names the outside writer that also writes
these keys (docs/table.md).
"""

from __future__ import annotations

from dashboard.table.keypattern import BadKey, Collection, IndexPattern, Key, Parts, Pattern, index, pattern

# --- The platform: businesses, people, audit, jobs --------------------------------------------------
# The business itself. Its kind is stored as "tenant"; the kind "business" is only its brand (BRAND_META).
TENANT = pattern("tenant", "SYSTEM", "TENANT#{tenant}")
ADMINS = pattern("admins", "SYSTEM", "ADMINS")
SLUG = pattern("slug", "SLUG#{slug}", "SLUG")
DOMAIN = pattern("domain", "DOMAIN#{domain}", "DOMAIN")
# A business without an owner, until somebody adds one.
OWNERLESS = pattern("ownerless business", "SYSTEM", "OWNERLESS#{tenant}")
MEMBER = pattern("member", "TENANT#{tenant}", "MEMBER#{email}")
PERSON = pattern("person", "USER#{email}", "PROFILE")
SESSION = pattern("session", "USER#{email}", "SESSION#{hash}")
REMAINING_OWNER = pattern("remaining owner", "USER#{email}", "REMAINING_OWNER")
# The roles that need a second factor. It has a class of its own because it is read with every session.
SECURITY = pattern("security", "CONFIG#security", "CONFIG#security")
THROTTLE = pattern("throttle", "THROTTLE#{name}", "{window:n}")
# No shards: checking a password takes so long that one day's partition is never too busy.
SECURITY_EVENT = pattern("security event", "SECURITY#{date}", "{at}#{id}")
API_KEY = pattern("api key", "TENANT#{tenant}", "APIKEY#{key_id}")
# A key for what no business owns: the forum and the rooms.
PLATFORM_API_KEY = pattern("api key", "SYSTEM", "APIKEY#{key_id}")
SYSTEM_AUDIT = pattern("audit entry", "SYSTEM", "AUDIT#{at}#{id}")
AUDIT = pattern("audit entry", "TENANT#{tenant}", "AUDIT#{at}#{id}")
SEAL_MODLOG = pattern("seal", "SYSTEM", "SEAL#MODLOG#{date}")
SEAL_PART_MODLOG = pattern("seal part", "SYSTEM", "SEALPART#MODLOG#{date}#{part:n8}")
SEALING_MODLOG = pattern("sealing", "SYSTEM", "SEALING#MODLOG")
SYSTEM_SEAL = pattern("seal", "SYSTEM", "SEAL#{date}")
SEAL = pattern("seal", "TENANT#{tenant}", "SEAL#{date}")
SYSTEM_SEAL_PART = pattern("seal part", "SYSTEM", "SEALPART#{date}#{part:n8}")
SEAL_PART = pattern("seal part", "TENANT#{tenant}", "SEALPART#{date}#{part:n8}")
SYSTEM_SEALING = pattern("sealing", "SYSTEM", "SEALING")
SEALING = pattern("sealing", "TENANT#{tenant}", "SEALING")
# The time in the key is that of the audit entry behind the mail, for a reminder that of the booking.
SYSTEM_MAIL = pattern("outgoing mail", "SYSTEM", "MAIL#{at}#{id}")
MAIL = pattern("outgoing mail", "TENANT#{tenant}", "MAIL#{at}#{id}")
MAIL_TEXT = pattern("mail text", "TENANT#{tenant}", "MAILTEXT#{mail_kind}")
# A change that an outside writer made and that leads to webhooks, until their deliveries are queued.
SYSTEM_OUTSIDE_EVENT = pattern("outside event", "SYSTEM", "OUTSIDEEVENT#{at}#{id}")
OUTSIDE_EVENT = pattern("outside event", "TENANT#{tenant}", "OUTSIDEEVENT#{at}#{id}")
SYSTEM_WEBHOOK = pattern("webhook", "SYSTEM", "WEBHOOK#{webhook}")
WEBHOOK = pattern("webhook", "TENANT#{tenant}", "WEBHOOK#{webhook}")
# The time and the id are those of the event. They order the deliveries of one object.
SYSTEM_DELIVERY = pattern("webhook delivery", "SYSTEM", "DELIVERY#{at}#{id}")
DELIVERY = pattern("webhook delivery", "TENANT#{tenant}", "DELIVERY#{at}#{id}")
# The newest event about one object that was sent to a webhook.
SYSTEM_DELIVERY_ORDER = pattern("delivery order", "SYSTEM", "DELIVERYORDER#{webhook}#{object:rest}")
DELIVERY_ORDER = pattern("delivery order", "TENANT#{tenant}", "DELIVERYORDER#{webhook}#{object:rest}")
# What each API key, and the people of a business, used on a day.
SYSTEM_USAGE = pattern("daily usage", "SYSTEM", "USAGE#{date}#{key}")
USAGE = pattern("daily usage", "TENANT#{tenant}", "USAGE#{date}#{key}")
# The sum of a business in a month, which its plan limits. In one partition, so that admins can compare businesses.
MONTHLY_USAGE = pattern("monthly usage", "USAGE#{month}", "TENANT#{tenant}")
OPERATION = pattern("operation", "OPERATION#{operation}", "OPERATION")
DONE = pattern("done", "OPERATION#{operation}", "DONE")
FAILURE = pattern("failure", "OPERATION#{operation}", "FAIL#{target:rest}")
OPERATION_INPUT = pattern("operation input", "OPERATION#{operation}", "INPUT#{part:n8}")
# The counts of the last reindex.
REINDEX_REPORT = pattern("reindex report", "SYSTEM", "REINDEX")
# Ids that appear in the table and are not a business, and ids of owners that are no account (adoption).
UNKNOWN_BUSINESS = pattern("found business", "SYSTEM", "FOUND#{business_id}")
OUTSIDE_OWNER = pattern("outside owner", "SYSTEM", "OUTSIDEOWNER#{owner:rest}")
# The follower of the table's stream. It skips changes of its own partition.
STREAM_SHARD = pattern("stream shard", "STREAM#{table}", "SHARD#{shard:rest}")
STREAM_TOTALS = pattern("stream totals", "STREAM#{table}", "TOTALS")
# The manifest of the archive of activity: its sealed days, and the files whose events are not yet in them.
SEALED_DAY = pattern("sealed day", "ARCHIVE#DAYS", "{date}")
ARCHIVE_TASK = pattern("archive task", "SYSTEM", "ARCHIVE")
INCOMING_FILE = pattern("incoming file", "ARCHIVE#INCOMING", "{name:rest}")
# Results of questions about closed days of activity, and the task that calculates the usual ones.
ACTIVITY_RESULT = pattern("activity result", "ACTIVITYRESULTS#{date}", "{name}#{digest}")
ACTIVITY_RESULTS_TASK = pattern("activity results", "SYSTEM", "ACTIVITYRESULTS")

MEMBERS_OF_OWNER = index("GSI1", "OWNER#{email}", "{created_at}")
PEOPLE_BY_COUNTRY = index("GSI1", "USER#{country}", "{created_at}")
PEOPLE_BY_AGE = index("GSI_Type", "USERS", "{created_at}")
ACCOUNTS = index("GSI_Status", "ACCOUNTS#{state}", "{email}")
EVERYONE = index("GSI2", "ACCOUNTS", "{email}")
API_KEY_BY_HASH = index("GSI1", "APIKEY#{hash}", "{tenant}")
SECURITY_EVENTS_OF_ACCOUNT = index("GSI1", "SECURITY#{account}", "{at}#{id}")
SECURITY_EVENTS_BY_KIND = index("GSI_Type", "SECURITY#{kind}", "{at}#{id}")
TENANTS = index("GSI_Type", "TENANTS", "{name}#{tenant}")
TENANT_BY_DOMAIN = index("GSI_Domain", "{domain}", "")
TENANTS_BY_STATUS = index("GSI_Status", "TENANTS#{status}", "{name}#{tenant}")
SYSTEM_AUDIT_BY_ACTOR = index("GSI1", "SYSTEM#ACTOR#{email}", "{at}#{id}")
SYSTEM_AUDIT_BY_TARGET = index("GSI2", "SYSTEM#TARGET#{target:rest}", "{at}#{id}")
AUDIT_BY_ACTOR = index("GSI1", "TENANT#{tenant}#ACTOR#{email}", "{at}#{id}")
AUDIT_BY_TARGET = index("GSI2", "TENANT#{tenant}#TARGET#{target:rest}", "{at}#{id}")
OPERATIONS_OF = index("GSI1", "OPS#{email}", "{started_at}")
# Only while a job is interrupted and nobody has dismissed it.
FAILED_OPERATIONS = index("GSI_Status", "OPS#FAILED", "{started_at}")
DUE = index("GSI_Status", "DUE", "{due_at}")
# Changes that lead to something else. Handling them needs the table only, so no other host can delay this queue.
DUE_OUTBOX = index("GSI_Status", "DUE#OUTBOX", "{due_at}")
DUE_MAIL = index("GSI_Status", "DUE#MAIL", "{due_at}")
DUE_HOOK = index("GSI_Status", "DUE#HOOK", "{due_at}")
SYSTEM_MAILS = index("GSI_Type", "SYSTEM#MAIL", "{at}#{id}")
SYSTEM_MAILS_BY_STATE = index("GSI2", "SYSTEM#MAIL#{state}", "{at}#{id}")
MAILS = index("GSI_Type", "TENANT#{tenant}#MAIL", "{at}#{id}")
MAILS_BY_STATE = index("GSI2", "TENANT#{tenant}#MAIL#{state}", "{at}#{id}")
MAILS_ABOUT = index("GSI1", "TENANT#{tenant}#MAILABOUT#{target}", "{at}#{id}")
SYSTEM_DELIVERIES = index("GSI_Type", "SYSTEM#WEBHOOK#{webhook}", "{at}#{id}")
DELIVERIES = index("GSI_Type", "TENANT#{tenant}#WEBHOOK#{webhook}", "{at}#{id}")
SYSTEM_DELIVERIES_BY_STATE = index("GSI2", "SYSTEM#WEBHOOK#{webhook}#{state}", "{at}#{id}")
DELIVERIES_BY_STATE = index("GSI2", "TENANT#{tenant}#WEBHOOK#{webhook}#{state}", "{at}#{id}")
# Deliveries about one object that are still in the queue.
SYSTEM_WAITING_DELIVERIES = index("GSI3", "SYSTEM#WEBHOOK#{webhook}#WAITING", "{object}#{at}#{id}")
WAITING_DELIVERIES = index("GSI3", "TENANT#{tenant}#WEBHOOK#{webhook}#WAITING", "{object}#{at}#{id}")

# --- The branding service ------------------------------------------------------------------------
BRAND_META = pattern("business", "BUS#{tenant}", "META")
THEME = pattern("theme", "BUS#{tenant}", "THEME#{version:n8}")
PUBLISHED = pattern("published marker", "BUS#{tenant}", "PUBLISHED")
PUBLICATION = pattern("publication", "BUS#{tenant}", "PUB#{at}#{operation}")
SCHEDULED = pattern("scheduled publication", "BUS#{tenant}", "SCHEDULE#{due_at}#{version:n8}")
SHARE = pattern("share link", "BUS#{tenant}", "SHARE#{version:n8}#{hash}")
ASSET_LINK = pattern("asset link", "BUS#{tenant}", "ASSET#{asset}")
ASSET = pattern("asset", "ASSET#{asset}", "META")

# --- The event service: the forum, its configs and the rooms -------------------------------------
POST = pattern("post", "POST#{post}", "POST#{post}")
COMMENT = pattern("comment", "POST#{post}", "COMMENT#{comment}")
# The last decision about a post, or about one of its comments. Only this product writes it.
DECISION = pattern("decision", "POST#{post}", "DECISION{comment:tail}")
MODERATION = pattern("moderation entry", "MODLOG#{date}", "{at}#{admin}#{action}")
MODERATION_DAY = pattern("moderation day", "MODSTATS", "{date}")
MODERATION_ROLLUP = pattern("moderation rollup", "SYSTEM", "MODSTATS")
PRESENCE = pattern("presence", "PRESENCE#{place}", "{email}")
CONFIG = pattern("config", "CONFIG#{name}", "CONFIG#{name}")
CONFIG_VERSION = pattern("config version", "CONFIG#{name}", "v{version:n8}")
CONFIG_BODY = pattern("config body", "CONFIG#{name}", "BODY#v{version:n8}")
CONFIG_DRAFT = pattern("config draft", "CONFIG#{name}", "DRAFT#{email}")
DOMAIN_COUNT = pattern("domain count", "CONFIG#domains", "PEOPLE")
# A deleted person who was subtracted from the count, until no record of the deletion can be processed again.
SUBTRACTED_PERSON = pattern("subtracted person", "CONFIG#domains", "SUBTRACTED#{registered_at}#{email:rest}")
ROOM = pattern("room", "ROOM#STATUS", "ROOM#{room}")
ROOM_CONTENT = pattern("room content", "ROOM#{room}", "CONTENT#v{version:n}")

ACTIVE_POSTS = index("GSI1", "POSTS#ACTIVE", "{created_at}")
POSTS_BY_STATUS = index("GSI2", "POSTS#{status}", "{created_at}")
POSTS_BY_LIKES = index("GSI3", "POSTS#SORTED{status:tail}", "{likes:n10}#{created_at}")
POSTS_BY_COMMENTS = index("GSI4", "POSTS#COMMENTS{status:tail}", "{comments:n10}#{created_at}")
COMMENTS_BY_STATUS = index("GSI2", "COMMENTS#{status}", "{created_at}")
COMMENTS_OF_POST = index("GSI3", "POST#{post}#COMMENTS#{status}", "{created_at}")
POSTS_OF_AUTHOR = index("GSI_Type", "AUTHOR#{user}", "POST#{created_at}")
COMMENTS_OF_AUTHOR = index("GSI_Type", "AUTHOR#{user}", "COMMENT#{created_at}")
POSTS_TO_REVIEW = index("GSI_Status", "REVIEW#OPEN#POST", "{score:n10}#{created_at}")
COMMENTS_TO_REVIEW = index("GSI_Status", "REVIEW#OPEN#COMMENT", "{score:n10}#{created_at}")
MODERATION_OF_TARGET = index("GSI1", "MODTARGET#{target}", "{at}")
MODERATION_BY = index("GSI2", "MODLOG#{admin}", "{at}")
MODERATION_OF_AUTHOR = index("GSI3", "MODAUTHOR#{user}", "{at}")
MODERATION_OF_OPERATION = index("GSI4", "MODOP#{operation}", "{at}")
MODERATION_BY_ACTION = index("GSI_Type", "MODLOG#{action}", "{at}")
ACTIVE_CONTENT = index("GSI1", "CONTENT#ACTIVE", "{room}")

# --- The booking service -------------------------------------------------------------------------
SERVICE = pattern("service", "TENANT#{tenant}", "SERVICE#{service}")
PROVIDER = pattern("provider", "TENANT#{tenant}", "PROVIDER#{provider}")
CUSTOMER = pattern("customer", "TENANT#{tenant}", "CUSTOMER#{customer}")
AVAILABILITY = pattern("availability", "TENANT#{tenant}#PROVIDER#{provider}", "AVAILABILITY#{weekday}")
PROVIDER_DAY = pattern("provider day", "TENANT#{tenant}#PROVIDER#{provider}", "DAY#{date}")
BOOKING = pattern("booking", "TENANT#{tenant}#PROVIDER#{provider}", "BOOKING#{start}#{booking}")
BOOKING_REF = pattern("booking by id", "TENANT#{tenant}", "BOOKINGREF#{booking}")
CONVERSATION = pattern("conversation", "TENANT#{tenant}", "CONVERSATION#{conversation}")
# Only this product writes the messages, and the lease that says who replies.
CONVERSATION_MESSAGE = pattern(
    "conversation message", "TENANT#{tenant}#CONVERSATION#{conversation}", "MESSAGE#{at}#{id}"
)
VOICE = pattern("voice", "TENANT#{tenant}#CONVERSATION#{conversation}", "VOICE")
# The booking that a visitor of a website has still to confirm, by a hash of their e-mail.
VISITOR_HOLD = pattern("visitor hold", "TENANT#{tenant}", "HOLD#{visitor}")

SERVICES_BY_CATEGORY = index("GSI1", "TENANT#{tenant}#CATEGORY#{category}", "{name:rest}")
AVAILABILITY_OF_DAY = index("GSI_Type", "TENANT#{tenant}#AVAILABILITY", "{weekday}#{provider}")
PROVIDER_DAYS = index("GSI_Type", "TENANT#{tenant}#DAY", "{date}#{provider}")
CUSTOMERS_BY_EMAIL = index("GSI1", "TENANT#{tenant}#CUSTOMEREMAIL#{email}", "{customer}")
# By the last digits: a number may be written with or without its country code.
CUSTOMERS_BY_PHONE = index("GSI2", "TENANT#{tenant}#CUSTOMERPHONE#{digits}", "{customer}")
BOOKINGS_OF_CUSTOMER = index("GSI1", "TENANT#{tenant}#CUSTOMER#{customer}", "{start}")
BOOKING_BY_ID = index("GSI2", "TENANT#{tenant}#BOOKINGID#{booking}", "{start}#{provider}")
BOOKINGS_OF_SERVICE = index("GSI3", "TENANT#{tenant}#SERVICE#{service}", "{start}")
BOOKINGS = index("GSI_Type", "TENANT#{tenant}#BOOKING", "{start}")
BOOKINGS_BY_STATUS = index("GSI_Status", "TENANT#{tenant}#BOOKING#{status}", "{start}")
CONVERSATIONS_BY_STATE = index("GSI_Status", "TENANT#{tenant}#CONVERSATION#{state}", "{updated_at}")
CONVERSATIONS_BY_VOICE = index("GSI_Type", "TENANT#{tenant}#CONVERSATION#{voice}", "{updated_at}")

# --- The website service: a business's site ------------------------------------------------------
CONTENT = pattern("content", "TENANT#{tenant}", "CONTENT#{node}#LATEST")
CONTENT_CARD = pattern("content card", "TENANT#{tenant}", "CONTENT#{node}#CARD")
CONTENT_VERSION = pattern("content version", "TENANT#{tenant}", "CONTENT#{node}#v{version:n}")
# When a page is published by itself. Only this product writes it.
PAGE_SCHEDULE = pattern("page schedule", "TENANT#{tenant}", "PAGESCHEDULE#{node}")
# A link that shows a page that is not published. Only this product writes it.
PAGE_SHARE = pattern("page share link", "TENANT#{tenant}", "PAGESHARE#{node}#{hash}")
# One person's changes of a page that are not saved, and who has the editor open. Only this product writes them.
UNSAVED_PAGE = pattern("unsaved page", "TENANT#{tenant}", "UNSAVEDPAGE#{node}#{email}")
PAGE_PRESENCE = pattern("page presence", "TENANT#{tenant}", "PAGEPRESENCE#{node}#{email}")
ROUTE = pattern("route", "TENANT#{tenant}", "ROUTE#{slug}")
# `PENDING` and `LAST_CHANGE`: the public sites are made again some minutes after the time in these items.
CDN_MARKER = pattern("cdn marker", "SYSTEM", "CDN_{name}")
PAGE_COMMENT = pattern("page comment", "TENANT#{tenant}", "COMMENT#{page}#{at}{id:tail}")
# Who has which comment open. Only this product writes it.
COMMENT_PRESENCE = pattern("comment presence", "TENANT#{tenant}", "COMMENTPRESENCE#{email}")
LEAD = pattern("lead", "TENANT#{tenant}", "LEAD#{email}")
CONTEXT = pattern("context", "TENANT#{tenant}", "CONTEXT#{id}")
RESOURCE = pattern("resource", "TENANT#{tenant}", "RESOURCE#{id}")
SIGNAL = pattern("signal", "TENANT#{tenant}", "SIGNAL#{id}")
SITE_ASSET = pattern("site asset", "TENANT#{tenant}", "ASSET#{id}")
PRODUCT = pattern("product", "TENANT#{tenant}", "PRODUCT#{id}")
CONSENT = pattern("consent", "TENANT#{tenant}", "CONSENT#{visitor}#{at}{id:tail}")
# The shop and the forms of a site. Its customers have the key of customers who book.
SITE_CATEGORY = pattern("site category", "TENANT#{tenant}", "CATEGORY#{id}")
# A copy of what cards show of a product, in each of its categories.
PRODUCT_COPY = pattern("product copy", "TENANT#{tenant}", "CATPROD#{category}#{product}")
SITE_ORDER = pattern("site order", "TENANT#{tenant}", "ORDER#{order}")
ORDER_OF_CUSTOMER = pattern("order of customer", "TENANT#{tenant}", "CUSTORDER#{email}#{order}")
COUPON = pattern("coupon", "TENANT#{tenant}", "COUPON#{coupon}")
COUPON_CODE = pattern("coupon code", "TENANT#{tenant}", "COUPONCODE#{text}")
PRODUCT_REVIEW = pattern("product review", "TENANT#{tenant}", "REVIEW#{product}#{review}")
POPUP = pattern("popup", "TENANT#{tenant}", "POPUP#{popup}")
VISITOR_FORM = pattern("visitor form", "TENANT#{tenant}", "FORM#{form}")
FORM_ADDRESS = pattern("form address", "TENANT#{tenant}", "FORMSLUG#{slug}")
FORM_ENTRY = pattern("form entry", "TENANT#{tenant}", "FORMSUB#{form}#{entry}")
DELIVERY_RULES = pattern("delivery rules", "TENANT#{tenant}", "DELIVERYCONFIG#{name}")
SITE_COUNTER = pattern("site counter", "TENANT#{tenant}", "COUNTER#{name}")
MOVED_MEDIA = pattern("moved media", "TENANT#{tenant}", "MEDIAMAP#{digest}")
# What only this product writes about a lead, whose row the service overwrites with each contact. The address is folded:
# rows that differ only in its letter case are one lead.
LEAD_STATE = pattern("lead state", "TENANT#{tenant}", "LEADSTATE#{lead}")
LEAD_NOTE = pattern("lead note", "TENANT#{tenant}", "LEADNOTE#{lead}#{at}#{id}")
# When the person who follows up on a lead is reminded of its next step.
LEAD_REMINDER = pattern("lead reminder", "TENANT#{tenant}", "LEADREMINDER#{lead}")
# An earlier contact, as the service stored it before it overwrote the row.
LEAD_CONTACT = pattern("lead contact", "TENANT#{tenant}", "LEADCONTACT#{lead}#{at}#{id}")
# How many consents were given on a day, by choice.
CONSENT_DAY = pattern("consent day", "TENANT#{tenant}", "CONSENTDAY#{date}")

CONTENTS = index("GSI_Type", "TENANT#{tenant}#CONTENT", "{updated_at}")
CONTENTS_BY_STATUS = index("GSI_Status", "TENANT#{tenant}#CONTENT#{status}", "{updated_at}")
ROUTES_TO = index("GSI1", "TENANT#{tenant}#ROUTETO#{node}", "{slug}")
PAGE_COMMENTS_BY_STATUS = index("GSI_Status", "TENANT#{tenant}#COMMENT#{status}", "{at}")
PAGE_COMMENTS_OF_AUTHOR = index("GSI1", "TENANT#{tenant}#COMMENTER#{author}", "{at}")
LEADS_OF_ADDRESS = index("GSI1", "TENANT#{tenant}#LEADADDRESS#{lead}", "{at}")
LEADS_BY_STAGE = index("GSI_Status", "TENANT#{tenant}#LEAD#{stage}", "{at}#{lead}")
LEADS_BY_NEXT_STEP = index("GSI1", "TENANT#{tenant}#LEADSTEPS", "{date}#{lead}")
CONSENTS_BY_CHOICE = index("GSI_Status", "TENANT#{tenant}#CONSENT#{choice}", "{at}")
SITE_ITEMS_BY_TYPE = index("GSI_Type", "TENANT#{tenant}#{type}", "{at}")

# --- The franchise service -----------------------------------------------------------------------
# The id of a branch or a product is its whole sort key: `branch-001`, `product-001`. So it stands in all keys below.
FRANCHISE = pattern("franchise", "FRANCHISE#{tenant}", "METADATA")
BRANCH = pattern("branch", "{tenant}", "branch-{branch}")
STOCK = pattern("stock item", "{tenant}", "product-{product}")
# The ledger of a stock item. Only this product writes it.
STOCK_HEAD = pattern("stock head", "FRANCHISE#{tenant}#PRODUCT#{product}", "HEAD")
MOVEMENT = pattern("stock movement", "FRANCHISE#{tenant}#PRODUCT#{product}", "MOVE#{seq:n10}")
# The number of products of a branch and of their units, in shards: one product always counts in the same one.
BRANCH_TOTAL = pattern("branch total", "FRANCHISE#{tenant}", "TOTAL#{branch}#{shard:n}")
COUNT_SHEET = pattern("count sheet", "FRANCHISE#{tenant}", "COUNT#{count}")
COUNT_LINE = pattern("count line", "FRANCHISE#{tenant}", "COUNT#{count}#{product}")

FRANCHISES = index("GSI_Type", "FRANCHISES", "{name}#{tenant}")
BRANCH_BY_ID = index("GSI1", "BRANCH#{branch}", "{tenant}#META")
BRANCHES = index("GSI2", "FRANCHISE_BRANCHES#{tenant}", "{name:rest}")
STOCK_OF_BRANCH = index("GSI1", "BRANCH#{branch}", "{tenant}#S#{stock:s10}")
STOCK_OF_PRODUCT = index("GSI2", "PRODUCT#{product}", "{tenant}")
STOCK_BY_AMOUNT = index("GSI_Type", "{tenant}#STOCK", "{stock:s10}")
# The same product in all branches: stock items with one SKU, or with one folded name where they have no SKU.
STOCK_OF_GROUP = index("GSI3", "{tenant}#PRODUCT#{group}", "{branch}")
STOCK_BY_NAME = index("GSI4", "{tenant}#PRODUCTS", "{name}#{product}")
RETIRED_STOCK = index("GSI_Status", "{tenant}#RETIRED", "{at}")
LOW_STOCK = index("GSI_Status", "FRANCHISE#{tenant}#LOW", "{stock:s10}")
STOCK_BY_LAST_MOVEMENT = index("GSI_Type", "FRANCHISE#{tenant}#HEADS", "{at}")
MOVEMENTS = index("GSI1", "FRANCHISE#{tenant}#MOVES", "{at}#{seq:n10}")
MOVEMENTS_OF_BRANCH = index("GSI2", "FRANCHISE#{tenant}#BRANCH#{branch}#MOVES", "{at}#{seq:n10}")
MOVEMENTS_BY_REASON = index("GSI3", "FRANCHISE#{tenant}#MOVES#{reason}", "{at}#{seq:n10}")
MOVEMENTS_OF_CAUSE = index("GSI4", "FRANCHISE#{tenant}#CAUSE#{cause}", "{at}#{seq:n10}")
MOVEMENTS_BY = index("GSI_Type", "FRANCHISE#{tenant}#ACTOR#{email}", "{at}#{seq:n10}")
COUNT_SHEETS = index("GSI_Type", "FRANCHISE#{tenant}#COUNTS", "{at}")

# --- The event service: activity tables, one a month ---------------------------------------------
ACTIVITY = pattern("activity", "USER#{user}#shard{shard:n}", "{at}#{event}")
# As the event service writes it: no shard, no id, and the address as the person typed it.
OUTSIDE_ACTIVITY = pattern("outside activity", "USER#{user}", "ACTIVITY#{milliseconds:n}")
ACTIVITY_BY_COUNTRY = index("GSI1", "COUNTRY#{country}#{date}#{shard:n}", "{at}")

# Counters of activity, in the main table. The countdown decreases with time, so the people of the last minutes follow
# directly after the counts of the last hour: one query reads both.
ACTIVITY_MINUTE = pattern("activity minute", "ACTIVITYNOW", "COUNTS#{minute}#{shard:n}")
ACTIVITY_PEOPLE = pattern("activity people", "ACTIVITYNOW", "PEOPLE#{countdown:n10}#{shard:n}")
ACTIVITY_HOUR = pattern("activity hour", "ACTIVITYDAY#{date}", "{hour}#{shard:n}")


_NODE_WORD = "NODE#"


def unpadded_theme(tenant: str, version: int) -> Key:
    """The key of a theme whose outside writer has left out the leading zeros. We write no such keys."""
    return Key(THEME.pk.fill({"tenant": tenant}), f"{THEME.sk.prefix({})}{version}")


def asset_reference(asset: str) -> str:
    """The reference to a file in a theme."""
    return ASSET.pk.fill({"asset": asset})


def node_reference(node: str) -> str:
    """The reference to a page in a route."""
    return f"{_NODE_WORD}{node}"


def node_of(reference: str) -> str:
    """The id of the page that a route refers to. The service writes it after a word."""
    return reference.removeprefix(_NODE_WORD)


def asset_of(reference: str) -> str | None:
    """The id of the file that a theme refers to, or None."""
    parts = ASSET.pk.read(reference)
    return str(parts["asset"]) if parts else None


def can_be_asset(name: object) -> bool:
    """Whether this can be the id of a file: outside writers may store any value."""
    try:
        return isinstance(name, str) and bool(ASSET_LINK.key(tenant="a", asset=name))
    except BadKey:
        return False


PATTERNS = tuple(value for value in list(globals().values()) if isinstance(value, Pattern))
INDEX_PATTERNS = tuple(value for value in list(globals().values()) if isinstance(value, IndexPattern))


# Patterns by the first word of their partition key: `identify` then tries only a few.
_BY_WORD: dict[str, list[Pattern]] = {}
for _pattern in PATTERNS:
    _word = _pattern.pk.text.partition("#")[0]
    _BY_WORD.setdefault("" if "{" in _word else _word, []).append(_pattern)


def identify(pk: str, sk: str) -> tuple[Pattern, Parts] | None:
    """The pattern of this key and the parts of the key; None for an unknown kind of item."""
    for candidate in _BY_WORD.get(pk.partition("#")[0], []) + _BY_WORD[""]:
        parts = candidate.read(pk, sk)
        if parts is not None:
            return candidate, parts
    return None


# The first words of the partitions of a business. Outside writers also keep kinds in them that have no pattern.
_BUSINESS_WORDS = frozenset({"TENANT", "BUS", "FRANCHISE"})


def business_of(key: Key) -> str | None:
    """The business in a key, also in that of an unknown kind; None for a key without one."""
    found = identify(*key)
    if found is not None:
        business = found[1].get("tenant")
        return None if business is None else str(business)
    word, _, rest = key.pk.partition("#")
    return rest.partition("#")[0] or None if word in _BUSINESS_WORDS else None


def business_partitions(business: str) -> list[Collection]:
    """The partitions of a business that are known without reading it."""
    parts = {"tenant": business}
    return [Collection(None, each.pk.fill(dict(parts)), "") for each in (AUDIT, BRAND_META, FRANCHISE, BRANCH)]


def recent_activity(minute: str, countdown: int) -> tuple[Collection, str, str]:
    """The counts of activity since a minute, followed by the people until a countdown, and the bounds of both."""
    prefixes = ACTIVITY_MINUTE.sk.prefix({"minute": minute}), ACTIVITY_PEOPLE.sk.prefix({"countdown": countdown})
    return Collection(None, ACTIVITY_MINUTE.pk.fill({}), ""), *prefixes


def stock_ledger(business: str, product: str) -> Collection:
    """The head and all movements of a stock item."""
    return Collection(None, STOCK_HEAD.pk.fill({"tenant": business, "product": product}), "")


def kind_of(key: Key) -> str | None:
    found = identify(*key)
    return found[0].kind if found else None


def resembled_pattern(key: Key) -> Pattern | None:
    """For a key that matches no pattern: the pattern of the same partition whose sort keys begin in the same way."""
    candidates = [
        candidate
        for candidate in _BY_WORD.get(key.pk.partition("#")[0], [])
        if candidate.pk.read(key.pk) is not None and (prefix := candidate.sk.prefix({})) and key.sk.startswith(prefix)
    ]
    return max(candidates, key=lambda candidate: len(candidate.sk.prefix({})), default=None)


def name_of_unknown_kind(key: Key) -> str:
    """A name for a kind of item that has no pattern: the first words of its keys."""
    word, sort_word = (text.partition("#")[0][:40] for text in key)
    if "#" not in key.pk and key.pk not in _BY_WORD:
        # The partition key is an id.
        return f"… / {sort_word or '?'}"
    return f"{word} / {sort_word or '?'}" if word and word in _BY_WORD else word or "?"
