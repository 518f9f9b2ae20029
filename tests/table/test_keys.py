"""Every key of the table is built from its parts and read back, and only `keys.py` builds keys."""

from __future__ import annotations

import ast
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.table import items, keys
from dashboard.table.keypattern import MAX_PK, MAX_SK, BadKey, Collection, IndexPattern, Key, Part, Pattern, Template
from dashboard.table.timestamps import to_wire
from tests.table.notes import NOTE
from tests.table.source_trees import docstrings_of, modules

# Every kind of item of the design, with an example key.
DESIGN = [
    ("tenant", "SYSTEM", "TENANT#andina"),
    ("admins", "SYSTEM", "ADMINS"),
    ("slug", "SLUG#andina", "SLUG"),
    ("domain", "DOMAIN#andina.example", "DOMAIN"),
    ("member", "TENANT#andina", "MEMBER#olivia@example.com"),
    ("person", "USER#alma@example.com", "PROFILE"),
    ("session", "USER#alma@example.com", "SESSION#9f86d081"),
    ("security", "CONFIG#security", "CONFIG#security"),
    ("throttle", "THROTTLE#9f86d081", "1950"),
    ("security event", "SECURITY#2025-09-21", "2025-09-21T10:00:00Z#e1"),
    ("reindex report", "SYSTEM", "REINDEX"),
    ("api key", "TENANT#andina", "APIKEY#k1"),
    ("api key", "SYSTEM", "APIKEY#key_001"),
    ("audit entry", "TENANT#andina", "AUDIT#2025-09-21T10:00:00Z#a1"),
    ("audit entry", "SYSTEM", "AUDIT#2025-09-21T10:00:00Z#a1"),
    ("outgoing mail", "TENANT#andina", "MAIL#2025-09-21T10:00:00Z#m1"),
    ("outgoing mail", "SYSTEM", "MAIL#2025-09-21T10:00:00Z#m1"),
    ("mail text", "TENANT#andina", "MAILTEXT#booking.reminder"),
    ("outside event", "TENANT#andina", "OUTSIDEEVENT#2025-09-21T10:00:00Z#e1"),
    ("outside event", "SYSTEM", "OUTSIDEEVENT#2025-09-21T10:00:00Z#e1"),
    ("webhook", "TENANT#andina", "WEBHOOK#w1"),
    ("webhook", "SYSTEM", "WEBHOOK#w1"),
    ("webhook delivery", "TENANT#andina", "DELIVERY#2025-09-21T10:00:00Z#e1-w1"),
    ("webhook delivery", "SYSTEM", "DELIVERY#2025-09-21T10:00:00Z#e1-w1"),
    ("delivery order", "TENANT#andina", "DELIVERYORDER#w1#booking:b1"),
    ("delivery order", "SYSTEM", "DELIVERYORDER#w1#post:p1"),
    ("daily usage", "TENANT#andina", "USAGE#2025-09-21#k1"),
    ("daily usage", "SYSTEM", "USAGE#2025-09-21#all"),
    ("monthly usage", "USAGE#2025-09", "TENANT#andina"),
    ("seal", "TENANT#andina", "SEAL#2025-09-21"),
    ("seal", "SYSTEM", "SEAL#2025-09-21"),
    ("seal part", "TENANT#andina", "SEALPART#2025-09-21#00000001"),
    ("seal part", "SYSTEM", "SEALPART#2025-09-21#00000001"),
    ("sealing", "TENANT#andina", "SEALING"),
    ("sealing", "SYSTEM", "SEALING"),
    ("found business", "SYSTEM", "FOUND#Pan_Caliente"),
    ("outside owner", "SYSTEM", "OUTSIDEOWNER#auth0|7d0c#1"),
    ("operation input", "OPERATION#o1", "INPUT#00000001"),
    ("stream shard", "STREAM#trastienda", "SHARD#shardId-00000001541626099285-f35f62ef"),
    ("stream totals", "STREAM#trastienda", "TOTALS"),
    ("seal", "SYSTEM", "SEAL#MODLOG#2025-09-21"),
    ("seal part", "SYSTEM", "SEALPART#MODLOG#2025-09-21#00000001"),
    ("sealing", "SYSTEM", "SEALING#MODLOG"),
    ("archive task", "SYSTEM", "ARCHIVE"),
    ("sealed day", "ARCHIVE#DAYS", "2025-09-21"),
    ("incoming file", "ARCHIVE#INCOMING", "written-9f86d081"),
    ("activity result", "ACTIVITYRESULTS#2025-09-21", "day#9f86d081884c7d659a2feaa0c55ad015"),
    ("activity results", "SYSTEM", "ACTIVITYRESULTS"),
    ("operation", "OPERATION#o1", "OPERATION"),
    ("done", "OPERATION#o1", "DONE"),
    ("failure", "OPERATION#o1", "FAIL#POST#p1"),
    ("business", "BUS#andina", "META"),
    ("theme", "BUS#andina", "THEME#00000012"),
    ("published marker", "BUS#andina", "PUBLISHED"),
    ("publication", "BUS#andina", "PUB#2025-09-21T10:00:00Z#o1"),
    ("scheduled publication", "BUS#andina", "SCHEDULE#2025-09-21T10:00:00Z#00000012"),
    ("share link", "BUS#andina", "SHARE#00000012#9f86d081"),
    ("asset", "ASSET#andina-9f86d081", "META"),
    ("asset link", "BUS#andina", "ASSET#andina-9f86d081"),
    ("ownerless business", "SYSTEM", "OWNERLESS#andina"),
    ("remaining owner", "USER#olivia@example.com", "REMAINING_OWNER"),
    ("post", "POST#p1", "POST#p1"),
    ("comment", "POST#p1", "COMMENT#c1"),
    ("decision", "POST#p1", "DECISION#c1"),
    ("moderation entry", "MODLOG#2025-09-21", "2025-09-21T10:00:00Z#alma@example.com#a1"),
    ("moderation day", "MODSTATS", "2025-09-21"),
    ("moderation rollup", "SYSTEM", "MODSTATS"),
    ("presence", "PRESENCE#forum", "marco@example.com"),
    ("config", "CONFIG#profanity", "CONFIG#profanity"),
    ("config version", "CONFIG#profanity", "v00000003"),
    ("config body", "CONFIG#profanity", "BODY#v00000003"),
    ("config draft", "CONFIG#profanity", "DRAFT#sofia@example.com"),
    ("domain count", "CONFIG#domains", "PEOPLE"),
    ("subtracted person", "CONFIG#domains", "SUBTRACTED#2025-09-21T10:00:00Z#ana@example.com"),
    ("room", "ROOM#STATUS", "ROOM#sala1"),
    ("room content", "ROOM#sala1", "CONTENT#v1"),
    ("service", "TENANT#andina", "SERVICE#s1"),
    ("provider", "TENANT#andina", "PROVIDER#p1"),
    ("customer", "TENANT#andina", "CUSTOMER#c1"),
    ("availability", "TENANT#andina#PROVIDER#p1", "AVAILABILITY#MON"),
    ("provider day", "TENANT#andina#PROVIDER#p1", "DAY#2025-09-21"),
    ("booking", "TENANT#andina#PROVIDER#p1", "BOOKING#2025-09-21T10:00:00Z#b1"),
    ("booking by id", "TENANT#andina", "BOOKINGREF#b1"),
    ("conversation", "TENANT#andina", "CONVERSATION#c1"),
    ("conversation message", "TENANT#andina#CONVERSATION#c1", "MESSAGE#2025-09-21T10:00:00Z#m1"),
    ("voice", "TENANT#andina#CONVERSATION#c1", "VOICE"),
    ("visitor hold", "TENANT#andina", "HOLD#0a1b2c"),
    ("content", "TENANT#andina", "CONTENT#n1#LATEST"),
    ("content card", "TENANT#andina", "CONTENT#n1#CARD"),
    ("content version", "TENANT#andina", "CONTENT#n1#v3"),
    ("page schedule", "TENANT#andina", "PAGESCHEDULE#n1"),
    ("page share link", "TENANT#andina", "PAGESHARE#n1#0a1b2c"),
    ("unsaved page", "TENANT#andina", "UNSAVEDPAGE#n1#alma@example.com"),
    ("page presence", "TENANT#andina", "PAGEPRESENCE#n1#alma@example.com"),
    ("cdn marker", "SYSTEM", "CDN_PENDING"),
    ("route", "TENANT#andina", "ROUTE#about-us"),
    ("page comment", "TENANT#andina", "COMMENT#n1#2025-09-21T10:00:00Z#c1"),
    ("comment presence", "TENANT#andina", "COMMENTPRESENCE#olivia@example.com"),
    ("lead", "TENANT#andina", "LEAD#lucia@example.com"),
    ("context", "TENANT#andina", "CONTEXT#c1"),
    ("resource", "TENANT#andina", "RESOURCE#r1"),
    ("signal", "TENANT#andina", "SIGNAL#s1"),
    ("site asset", "TENANT#andina", "ASSET#a1"),
    ("product", "TENANT#andina", "PRODUCT#p1"),
    ("site category", "TENANT#andina", "CATEGORY#c1"),
    ("product copy", "TENANT#andina", "CATPROD#c1#p1"),
    ("site order", "TENANT#andina", "ORDER#o1"),
    ("order of customer", "TENANT#andina", "CUSTORDER#otto@example.com#o1"),
    ("coupon", "TENANT#andina", "COUPON#c1"),
    ("coupon code", "TENANT#andina", "COUPONCODE#WINTER"),
    ("product review", "TENANT#andina", "REVIEW#p1#r1"),
    ("popup", "TENANT#andina", "POPUP#p1"),
    ("visitor form", "TENANT#andina", "FORM#f1"),
    ("form address", "TENANT#andina", "FORMSLUG#wholesale"),
    ("form entry", "TENANT#andina", "FORMSUB#f1#e1"),
    ("delivery rules", "TENANT#andina", "DELIVERYCONFIG#default"),
    ("site counter", "TENANT#andina", "COUNTER#ORDER"),
    ("moved media", "TENANT#andina", "MEDIAMAP#700c86a065d4e9064b25564108d43bba"),
    ("consent", "TENANT#andina", "CONSENT#v1#2025-09-21T10:00:00Z#c1"),
    ("lead state", "TENANT#andina", "LEADSTATE#lucia@example.com"),
    ("lead reminder", "TENANT#andina", "LEADREMINDER#lucia@example.com"),
    ("lead note", "TENANT#andina", "LEADNOTE#lucia@example.com#2025-09-21T10:00:00Z#n1"),
    ("lead contact", "TENANT#andina", "LEADCONTACT#lucia@example.com#2025-09-21T10:00:00Z#l1"),
    ("consent day", "TENANT#andina", "CONSENTDAY#2025-09-21"),
    ("franchise", "FRANCHISE#andina", "METADATA"),
    ("branch", "andina", "branch-1"),
    ("stock item", "andina", "product-1"),
    ("stock head", "FRANCHISE#andina#PRODUCT#product-1", "HEAD"),
    ("stock movement", "FRANCHISE#andina#PRODUCT#product-1", "MOVE#0000000012"),
    ("branch total", "FRANCHISE#andina", "TOTAL#branch-1#7"),
    ("count sheet", "FRANCHISE#andina", "COUNT#c1"),
    ("count line", "FRANCHISE#andina", "COUNT#c1#product-1"),
    ("activity", "USER#u1#shard7", "2025-09-21T10:00:00Z#e1"),
    ("outside activity", "USER#ana@example.com", "ACTIVITY#1755612003512"),
    ("activity minute", "ACTIVITYNOW", "COUNTS#2025-09-21T10:00#7"),
    ("activity people", "ACTIVITYNOW", "PEOPLE#9970692199#7"),
    ("activity hour", "ACTIVITYDAY#2025-09-21", "2025-09-21T10#7"),
]
# The index keys of the design.
DESIGN_INDEXES = {
    ("GSI1", "OWNER#<email>", "<created_at>"),
    ("GSI1", "USER#<country>", "<created_at>"),
    ("GSI_Type", "USERS", "<created_at>"),
    ("GSI_Status", "ACCOUNTS#<state>", "<email>"),
    ("GSI1", "APIKEY#<hash>", "<tenant>"),
    ("GSI1", "SYSTEM#ACTOR#<email>", "<at>#<id>"),
    ("GSI1", "TENANT#<tenant>#ACTOR#<email>", "<at>#<id>"),
    ("GSI2", "SYSTEM#TARGET#<target>", "<at>#<id>"),
    ("GSI2", "TENANT#<tenant>#TARGET#<target>", "<at>#<id>"),
    ("GSI_Type", "TENANTS", "<name>#<tenant>"),
    ("GSI_Status", "TENANTS#<status>", "<name>#<tenant>"),
    ("GSI1", "OPS#<email>", "<started_at>"),
    ("GSI_Status", "OPS#FAILED", "<started_at>"),
    ("GSI_Status", "DUE", "<due_at>"),
    ("GSI_Status", "DUE#OUTBOX", "<due_at>"),
    ("GSI_Status", "DUE#MAIL", "<due_at>"),
    ("GSI_Status", "DUE#HOOK", "<due_at>"),
    ("GSI_Type", "TENANT#<tenant>#WEBHOOK#<webhook>", "<at>#<id>"),
    ("GSI2", "TENANT#<tenant>#WEBHOOK#<webhook>#<state>", "<at>#<id>"),
    ("GSI3", "TENANT#<tenant>#WEBHOOK#<webhook>#WAITING", "<object>#<at>#<id>"),
    ("GSI1", "POSTS#ACTIVE", "<created_at>"),
    ("GSI2", "POSTS#<status>", "<created_at>"),
    ("GSI3", "POSTS#SORTED<status>", "<likes>#<created_at>"),
    ("GSI4", "POSTS#COMMENTS<status>", "<comments>#<created_at>"),
    ("GSI2", "COMMENTS#<status>", "<created_at>"),
    ("GSI3", "POST#<post>#COMMENTS#<status>", "<created_at>"),
    ("GSI_Type", "AUTHOR#<user>", "POST#<created_at>"),
    ("GSI_Type", "AUTHOR#<user>", "COMMENT#<created_at>"),
    ("GSI_Status", "REVIEW#OPEN#POST", "<score>#<created_at>"),
    ("GSI_Status", "REVIEW#OPEN#COMMENT", "<score>#<created_at>"),
    ("GSI1", "MODTARGET#<target>", "<at>"),
    ("GSI2", "MODLOG#<admin>", "<at>"),
    ("GSI3", "MODAUTHOR#<user>", "<at>"),
    ("GSI4", "MODOP#<operation>", "<at>"),
    ("GSI_Type", "MODLOG#<action>", "<at>"),
    ("GSI1", "CONTENT#ACTIVE", "<room>"),
    ("GSI1", "TENANT#<tenant>#CATEGORY#<category>", "<name>"),
    ("GSI_Type", "TENANT#<tenant>#AVAILABILITY", "<weekday>#<provider>"),
    ("GSI_Type", "TENANT#<tenant>#DAY", "<date>#<provider>"),
    ("GSI1", "TENANT#<tenant>#CUSTOMER#<customer>", "<start>"),
    ("GSI3", "TENANT#<tenant>#SERVICE#<service>", "<start>"),
    ("GSI2", "TENANT#<tenant>#BOOKINGID#<booking>", "<start>#<provider>"),
    ("GSI_Type", "TENANT#<tenant>#BOOKING", "<start>"),
    ("GSI_Status", "TENANT#<tenant>#BOOKING#<status>", "<start>"),
    ("GSI_Status", "TENANT#<tenant>#CONVERSATION#<state>", "<updated_at>"),
    ("GSI_Type", "TENANT#<tenant>#CONVERSATION#<voice>", "<updated_at>"),
    ("GSI_Type", "TENANT#<tenant>#CONTENT", "<updated_at>"),
    ("GSI_Status", "TENANT#<tenant>#CONTENT#<status>", "<updated_at>"),
    ("GSI1", "TENANT#<tenant>#ROUTETO#<node>", "<slug>"),
    ("GSI_Status", "TENANT#<tenant>#COMMENT#<status>", "<at>"),
    ("GSI1", "TENANT#<tenant>#COMMENTER#<author>", "<at>"),
    ("GSI1", "TENANT#<tenant>#LEADADDRESS#<lead>", "<at>"),
    ("GSI_Status", "TENANT#<tenant>#LEAD#<stage>", "<at>#<lead>"),
    ("GSI1", "TENANT#<tenant>#LEADSTEPS", "<date>#<lead>"),
    ("GSI_Status", "TENANT#<tenant>#CONSENT#<choice>", "<at>"),
    ("GSI_Type", "TENANT#<tenant>#<type>", "<at>"),
    ("GSI_Type", "FRANCHISES", "<name>#<tenant>"),
    ("GSI1", "BRANCH#<branch>", "<tenant>#META"),
    ("GSI2", "FRANCHISE_BRANCHES#<tenant>", "<name>"),
    ("GSI1", "BRANCH#<branch>", "<tenant>#S#<stock>"),
    ("GSI2", "PRODUCT#<product>", "<tenant>"),
    ("GSI_Type", "<tenant>#STOCK", "<stock>"),
    ("GSI3", "<tenant>#PRODUCT#<group>", "<branch>"),
    ("GSI4", "<tenant>#PRODUCTS", "<name>#<product>"),
    ("GSI_Status", "<tenant>#RETIRED", "<at>"),
    ("GSI_Status", "FRANCHISE#<tenant>#LOW", "<stock>"),
    ("GSI_Type", "FRANCHISE#<tenant>#HEADS", "<at>"),
    ("GSI1", "FRANCHISE#<tenant>#MOVES", "<at>#<seq>"),
    ("GSI2", "FRANCHISE#<tenant>#BRANCH#<branch>#MOVES", "<at>#<seq>"),
    ("GSI3", "FRANCHISE#<tenant>#MOVES#<reason>", "<at>#<seq>"),
    ("GSI4", "FRANCHISE#<tenant>#CAUSE#<cause>", "<at>#<seq>"),
    ("GSI_Type", "FRANCHISE#<tenant>#ACTOR#<email>", "<at>#<seq>"),
    ("GSI_Type", "FRANCHISE#<tenant>#COUNTS", "<at>"),
    ("GSI1", "COUNTRY#<country>#<date>#<shard>", "<at>"),
}

# An id of an outside writer can contain any character except `#`.
texts = st.text(st.characters(exclude_characters="#", exclude_categories=["Cs"]), min_size=1, max_size=12)
moments = st.datetimes(datetime(2000, 1, 1), datetime(2099, 1, 1), timezones=st.just(UTC))
BY_KIND: dict[str, st.SearchStrategy[Any]] = {
    "": texts,
    "n": st.integers(0, 10**12),
    "n8": st.integers(0, 10**8 - 1),
    "n10": st.integers(0, 10**10 - 1),
    "s10": st.integers(-(10**10) + 1, 10**10 - 1),
    "rest": st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12),
    "tail": texts | st.just(""),
}

KINDS_WITH_TWO_PATTERNS = {
    *("api key", "audit entry", "outgoing mail", "seal", "seal part", "sealing", "outside event"),
    *("webhook", "webhook delivery", "delivery order", "daily usage"),
}
# There are about a hundred patterns, so each is tested with few keys.
few_examples = settings(max_examples=15)


def parts_of(*templates: Template) -> st.SearchStrategy[dict[str, Any]]:
    fields = {name: kind for template in templates for name, kind in template.fields.items()}
    return st.fixed_dictionaries({name: BY_KIND[kind] for name, kind in fields.items()})


@pytest.mark.parametrize(("kind", "pk", "sk"), DESIGN)
def test_every_key_of_the_design_is_identified(kind: str, pk: str, sk: str) -> None:
    found = keys.identify(pk, sk)
    assert found is not None
    pattern, parts = found
    assert pattern.kind == kind
    assert pattern.key(**parts) == (pk, sk)


def test_every_index_key_of_the_design_has_a_pattern() -> None:
    assert DESIGN_INDEXES - {(each.index, str(each.pk), str(each.sk)) for each in keys.INDEX_PATTERNS} == set()


def test_every_kind_has_an_example_in_this_test() -> None:
    assert {pattern.kind for pattern in keys.PATTERNS} == {kind for kind, _, _ in DESIGN}


def test_the_name_of_a_kind_is_unique() -> None:
    """The class of an item is found by this name. What both the platform and businesses have has two patterns."""
    kinds = [pattern.kind for pattern in keys.PATTERNS if pattern.kind not in KINDS_WITH_TWO_PATTERNS]
    assert len(kinds) == len(set(kinds))


def test_every_item_class_has_a_kind_of_the_design() -> None:
    ours = {kind for kind, cls in items.CLASSES.items() if not cls.__module__.startswith("tests")}
    assert ours <= {pattern.kind for pattern in keys.PATTERNS}


@pytest.mark.parametrize("pattern", keys.PATTERNS, ids=lambda pattern: f"{pattern.pk} {pattern.sk}")
@few_examples
@given(data=st.data())
def test_a_key_is_read_back_into_its_parts(pattern: Pattern, data: st.DataObject) -> None:
    parts = data.draw(parts_of(pattern.pk, pattern.sk))
    key = pattern.key(**parts)
    assert pattern.read(*key) == parts
    assert keys.identify(*key) == (pattern, parts)


@pytest.mark.parametrize("pattern", keys.INDEX_PATTERNS, ids=lambda pattern: f"{pattern.pk} {pattern.sk}")
@few_examples
@given(data=st.data())
def test_an_index_key_is_read_back_into_its_parts(pattern: IndexPattern, data: st.DataObject) -> None:
    parts = data.draw(parts_of(pattern.pk, pattern.sk))
    index_key = pattern.key(**parts)
    assert index_key.index == pattern.index
    assert index_key.sk is not None
    assert (pattern.pk.read(index_key.pk) or {}) | (pattern.sk.read(index_key.sk) or {}) == parts


@given(moment=moments)
def test_a_timestamp_in_a_key_has_the_stored_format(moment: datetime) -> None:
    key = keys.PUBLICATION.key(tenant="andina", at=moment, operation="o1")
    assert keys.PUBLICATION.read(*key) == {"tenant": "andina", "at": to_wire(moment), "operation": "o1"}


@given(data=st.data())
def test_only_the_security_config_matches_two_patterns(data: st.DataObject) -> None:
    """The more specific pattern comes first: the security config has its own class."""
    pattern = data.draw(st.sampled_from([each for each in keys.PATTERNS if each is not keys.SECURITY]))
    key = pattern.key(**data.draw(parts_of(pattern.pk, pattern.sk)))
    matching = [each for each in keys.PATTERNS if each.read(*key) is not None]
    assert matching in ([pattern], [keys.SECURITY, keys.CONFIG])


def test_the_security_config_is_identified_before_other_configs() -> None:
    matching = [each for each in keys.PATTERNS if each.read(*keys.SECURITY.key()) is not None]
    assert matching == [keys.SECURITY, keys.CONFIG]
    assert keys.kind_of(keys.SECURITY.key()) == "security"


def test_a_moderation_day_is_identified_before_a_branch_named_modstats() -> None:
    """The only overlap: the partition key of a branch is the id of its franchise. Such ids are never upper case."""
    key = Key("MODSTATS", "branch-1")
    assert [each.kind for each in keys.PATTERNS if each.read(*key)] == ["moderation day", "branch"]
    assert keys.kind_of(key) == "moderation day"


@pytest.mark.parametrize("pattern", [*keys.PATTERNS, *keys.INDEX_PATTERNS], ids=lambda p: f"{p.pk} {p.sk}")
def test_a_part_with_the_separator_is_refused(pattern: Pattern | IndexPattern) -> None:
    """A tenant named `a#MEMBER` could build keys of the tenant `a`, so a `#` in a part is refused."""
    fields = pattern.pk.fields | pattern.sk.fields
    for name, kind in fields.items():
        parts: dict[str, Part] = {each: 1 if k.startswith(("n", "s")) else "x" for each, k in fields.items()}
        parts[name] = "x#y"
        if kind == "rest":
            pattern.key(**parts)  # A part of this kind is the last one and can contain any text.
            continue
        with pytest.raises(BadKey):
            pattern.key(**parts)


@pytest.mark.parametrize("missing", ["", None])
def test_a_part_cannot_be_missing(missing: Any) -> None:
    with pytest.raises(BadKey):
        keys.PERSON.key(email=missing)
    with pytest.raises(BadKey):
        keys.PERSON.key()


@pytest.mark.parametrize("number", [-1, 1.5, "1", None])
def test_a_number_in_a_key_is_a_nonnegative_integer(number: Any) -> None:
    with pytest.raises(BadKey):
        keys.THEME.key(tenant="andina", version=number)


@given(st.lists(st.integers(0, 10**8 - 1), min_size=2, max_size=6, unique=True))
def test_padded_numbers_sort_as_numbers(numbers: list[int]) -> None:
    written = sorted(keys.THEME.key(tenant="andina", version=number).sk for number in numbers)
    assert [keys.THEME.sk.read(sk) for sk in written] == [{"version": number} for number in sorted(numbers)]


@given(st.lists(BY_KIND["s10"], min_size=2, max_size=6, unique=True))
def test_negative_numbers_sort_below_others(numbers: list[int]) -> None:
    pattern = keys.STOCK_BY_AMOUNT
    written = sorted(str(pattern.key(tenant="andina", stock=number).sk) for number in numbers)
    assert [pattern.sk.read(sk) for sk in written] == [{"stock": number} for number in sorted(numbers)]


@pytest.mark.parametrize("number", [-(10**10), 10**10, 1.5, "1", "-1", None])
def test_a_stock_in_a_key_is_a_whole_number_of_ten_digits(number: Any) -> None:
    with pytest.raises(BadKey):
        keys.STOCK_BY_AMOUNT.key(tenant="andina", stock=number)


def test_the_key_of_a_stock_without_a_sign_is_a_padded_number() -> None:
    """Keys that were written before negative numbers had keys stay valid."""
    assert keys.STOCK_BY_AMOUNT.key(tenant="andina", stock=7).sk == "0000000007"
    assert keys.STOCK_BY_AMOUNT.key(tenant="andina", stock=-5).sk == "-9999999995"


@pytest.mark.parametrize(("pattern", "maximum"), [(keys.THEME.sk, 10**8 - 1), (keys.POSTS_BY_LIKES.sk, 10**10 - 1)])
def test_a_number_with_too_many_digits_is_refused(pattern: Template, maximum: int) -> None:
    """It would sort before smaller numbers."""
    (name,) = [name for name, kind in pattern.fields.items() if kind.startswith("n")]
    pattern.fill({name: maximum, "created_at": "2025-09-21T10:00:00Z"})
    with pytest.raises(BadKey):
        pattern.fill({name: maximum + 1, "created_at": "2025-09-21T10:00:00Z"})


@pytest.mark.parametrize(
    ("key", "kind", "version"),
    [
        (Key("TENANT#andina", "CONTENT#n1#v1"), "content version", 1),
        (Key("TENANT#andina", "CONTENT#n1#v10"), "content version", 10),
        (Key("CONFIG#profanity", "v2"), "config version", 2),
        (Key("BUS#andina", "THEME#7"), "theme", 7),
    ],
)
def test_unpadded_versions_of_outside_writers_are_read(key: Key, kind: str, version: int) -> None:
    found = keys.identify(*key)
    assert found is not None
    assert (found[0].kind, found[1]["version"]) == (kind, version)


@pytest.mark.parametrize(
    ("pk", "sk"),
    [
        ("TENANT#andina", "WEATHER#today"),
        ("WEATHER#today", "WEATHER"),
        ("USER#alma@example.com", "PROFILE#2"),
        ("POST#p1", "POST#p2"),
        ("TENANT#andina", "CONTENT#n1#v"),
        ("TENANT#", "MEMBER#alma@example.com"),
        ("", ""),
    ],
)
def test_an_unknown_key_is_not_identified(pk: str, sk: str) -> None:
    assert keys.identify(pk, sk) is None


def test_an_item_of_an_unknown_kind_has_all_its_attributes() -> None:
    raw: items.Raw = {
        "PK": {"S": "WEATHER#today"},
        "SK": {"S": "WEATHER"},
        "degrees": {"N": "21.5"},
        "tags": {"SS": ["mild"]},
        "rain": {"BOOL": False},
        "wind": {"M": {"from": {"S": "NW"}, "gusts": {"L": [{"N": "3"}]}}},
        "nothing": {"NULL": True},
        "revision": {"N": "4"},
    }
    found = items.to_item(raw)
    assert isinstance(found, items.PlainItem)
    assert found.key == Key("WEATHER#today", "WEATHER")
    assert found.attributes == {
        "PK": "WEATHER#today",
        "SK": "WEATHER",
        "degrees": pytest.approx(21.5),
        "tags": {"mild"},
        "rain": False,
        "wind": {"from": "NW", "gusts": [3]},
        "nothing": None,
        "revision": 4,
    }


def test_an_item_of_a_kind_without_a_class_is_a_plain_item(monkeypatch: pytest.MonkeyPatch) -> None:
    """For example, the app that has its class is not installed."""
    monkeypatch.delitem(items.CLASSES, "presence")
    key = keys.PRESENCE.key(place="forum", email="alma@example.com")
    assert isinstance(items.to_item({"PK": {"S": key.pk}, "SK": {"S": key.sk}}), items.PlainItem)


def test_a_key_longer_than_the_limit_of_dynamodb_is_refused() -> None:
    """The limit is in bytes, not in characters: an `ñ` has two bytes."""
    prefix = len("USER#")
    assert keys.PERSON.key(email="a" * (MAX_PK - prefix)).pk.endswith("a")
    for too_long in ("a" * (MAX_PK - prefix + 1), "ñ" * ((MAX_PK - prefix) // 2 + 1)):
        with pytest.raises(BadKey):
            keys.PERSON.key(email=too_long)
    prefix = len("SESSION#")
    keys.SESSION.key(email="alma@example.com", hash="a" * (MAX_SK - prefix))
    with pytest.raises(BadKey):
        keys.SESSION.key(email="alma@example.com", hash="a" * (MAX_SK - prefix + 1))


def test_an_index_key_longer_than_the_limit_is_refused() -> None:
    """DynamoDB would refuse the whole write."""
    keys.SERVICES_BY_CATEGORY.key(tenant="andina", category="cuts", name="n" * MAX_SK)
    with pytest.raises(BadKey):
        keys.SERVICES_BY_CATEGORY.key(tenant="andina", category="cuts", name="n" * (MAX_SK + 1))
    with pytest.raises(BadKey):
        keys.SERVICES_BY_CATEGORY.key(tenant="andina", category="c" * MAX_PK, name="haircut")


def test_a_collection_has_the_partition_and_the_prefix_of_its_sort_keys() -> None:
    assert keys.THEME.collection(tenant="andina") == Collection(None, "BUS#andina", "THEME#")
    assert keys.SHARE.collection(tenant="andina", version=12) == Collection(None, "BUS#andina", "SHARE#00000012#")
    assert keys.PAGE_COMMENT.collection(tenant="andina", page="n1") == Collection(None, "TENANT#andina", "COMMENT#n1#")
    assert keys.POSTS_OF_AUTHOR.collection(user="u1") == Collection("GSI_Type", "AUTHOR#u1", "POST#")
    assert keys.ACCOUNTS.collection(state="admin") == Collection("GSI_Status", "ACCOUNTS#admin", "")


def test_banned_posts_have_their_own_feed() -> None:
    feed = keys.POSTS_BY_LIKES.collection()
    banned = keys.POSTS_BY_LIKES.collection(status="banned")
    assert (feed.pk, banned.pk) == ("POSTS#SORTED", "POSTS#SORTED#banned")


def test_likes_sort_as_numbers_in_the_feed() -> None:
    moment = datetime(2025, 9, 21, tzinfo=UTC)
    likes = [keys.POSTS_BY_LIKES.key(likes=n, created_at=moment + timedelta(n)).sk for n in (0, 9, 10, 99, 100, 12345)]
    assert all(a and b and a < b for a, b in pairwise(likes))


def test_new_ids_are_valid_in_keys_and_sort_by_age() -> None:
    from dashboard.core.ids import new_id

    ids = [new_id() for _ in range(50)]
    assert len(set(ids)) == 50
    assert all(len(each) == 26 and set(each) <= set("abcdefghijklmnopqrstuvwxyz0123456789") for each in ids)
    stamps = [each[:9] for each in ids]
    assert stamps == sorted(stamps)


def test_the_kind_of_the_tests_is_not_in_the_product() -> None:
    assert NOTE not in keys.PATTERNS


def _looks_like_a_key(text: str) -> bool:
    """True for upper-case letters next to a `#`, as in `TENANT#…` or `#META`; not for a colour or an anchor."""
    head, _, tail = text.partition("#")
    last = head.split()[-1] if head.split() else ""
    return "#" in text and (last.isupper() or (tail[:1].isupper() and not head))


def test_no_other_module_builds_a_key() -> None:
    """All keys are built in keys.py: elsewhere, no text has a `#` next to an upper-case word."""
    found = []
    for path, tree in modules():
        if path.name in {"keys.py", "keypattern.py"}:
            continue
        documentation = docstrings_of(tree)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or node in documentation:
                continue
            if isinstance(node.value, str) and _looks_like_a_key(node.value):
                found.append(f"{path}:{node.lineno}: {node.value!r}")
    assert found == []


@pytest.mark.parametrize("text", ["TENANT#", "x USER#eva", "#META", "POSTS#ACTIVE"])
def test_the_check_finds_a_key(text: str) -> None:
    assert _looks_like_a_key(text)


@pytest.mark.parametrize("text", ["#", "#ff8800", "beforeend:#toasts", "base.html#rows", "An address with # / ?"])
def test_the_check_ignores_colours_and_anchors(text: str) -> None:
    assert not _looks_like_a_key(text)
