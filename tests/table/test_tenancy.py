"""While a request is bound to a business, no call can read or write keys of another business."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from pynamodb.expressions.operand import Path

from dashboard.table import connection, keys, oplog, read, tenancy, write
from dashboard.table.keypattern import IndexPattern, Key, Part, Pattern
from dashboard.table.tenancy import Binding, ForeignTenant, bind
from dashboard.table.transactions import Transaction
from tests.conftest import every_engine
from tests.table.notes import ACTOR, MARCO, Note, command, put

MOMENT = datetime(2025, 9, 21, 10, tzinfo=UTC)
# A value for every part of a key; the tenant is added later.
ALL_PATTERNS: tuple[Pattern | IndexPattern, ...] = (*keys.PATTERNS, *keys.INDEX_PATTERNS)
PARTS: dict[str, Part] = {
    name: 1 if kind.startswith(("n", "s")) else "x"
    for each in ALL_PATTERNS
    for template in (each.pk, each.sk)
    for name, kind in template.fields.items()
}
PARTS |= {"email": ACTOR.email, "at": MOMENT}
OURS, THEIRS = "andina", "harbour"

BUSINESS_PATTERNS = [each for each in keys.PATTERNS if "tenant" in {*each.pk.fields, *each.sk.fields}]
OTHER_PATTERNS = [each for each in keys.PATTERNS if each not in BUSINESS_PATTERNS]
# Kinds that a bound request may use besides those of its business.
KINDS_OF_THE_PERSON = {"person", "session", "remaining owner"}
OPEN_KINDS = {"operation", "done", "failure", "operation input", "throttle", "asset"}
BUSINESS_INDEX_PATTERNS = [each for each in keys.INDEX_PATTERNS if "tenant" in {*each.pk.fields, *each.sk.fields}]
# Lists of all businesses: a bound request may not read them, although its own business is in them.
LISTS_OF_BUSINESSES = (keys.TENANTS, keys.TENANTS_BY_STATUS, keys.FRANCHISES)


def key_in(pattern: Pattern, business: str) -> Key:
    return pattern.key(**PARTS | {"tenant": business})


def pattern_name(pattern: Pattern | IndexPattern) -> str:
    return f"{pattern.pk} {pattern.sk}"


@pytest.fixture
def bound(table: str) -> Iterator[None]:
    with bind(Binding(OURS, ACTOR.email)):
        yield


def raw(key: Key) -> dict[str, Any]:
    return {"PK": {"S": key.pk}, "SK": {"S": key.sk}}


def table_args(**more: Any) -> dict[str, Any]:
    return {"TableName": settings.DYNAMODB_TABLE, **more}


def in_batch(request: dict[str, Any]) -> dict[str, Any]:
    return {"RequestItems": {settings.DYNAMODB_TABLE: [request]}}


def transaction(verb: str, key: Key) -> dict[str, Any]:
    body: dict[str, Any] = {"Item": raw(key)} if verb == "Put" else {"Key": raw(key)}
    if verb == "Update":
        body |= {"UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": {"S": "x"}}}
    if verb == "ConditionCheck":
        body |= {"ConditionExpression": "attribute_not_exists(zzz)"}
    return {"TransactItems": [{verb: table_args(**body)}]}


def client() -> Any:
    return connection.client()


# Every call that reads or writes an item.
CALLS: dict[str, Callable[[Key], Any]] = {
    "get": lambda key: read.get(Note, key),
    "get many": lambda key: read.get_many([key]),
    "touch": lambda key: write.update(key, [Path(["x"]).set("x")]),
    "remove": write.remove,
    "GetItem": lambda key: client().get_item(**table_args(Key=raw(key))),
    "PutItem": lambda key: client().put_item(**table_args(Item=raw(key))),
    "BatchWriteItem": lambda key: client().batch_write_item(**in_batch({"PutRequest": {"Item": raw(key)}})),
    "BatchWriteItem delete": lambda key: client().batch_write_item(**in_batch({"DeleteRequest": {"Key": raw(key)}})),
    "TransactGetItems": lambda key: client().transact_get_items(TransactItems=[{"Get": table_args(Key=raw(key))}]),
    "Put": lambda key: client().transact_write_items(**transaction("Put", key)),
    "Update": lambda key: client().transact_write_items(**transaction("Update", key)),
    "Delete": lambda key: client().transact_write_items(**transaction("Delete", key)),
    "ConditionCheck": lambda key: client().transact_write_items(**transaction("ConditionCheck", key)),
}


@pytest.mark.parametrize("pattern", BUSINESS_PATTERNS, ids=pattern_name)
def test_every_kind_of_item_can_be_reached_only_by_its_own_business(bound: None, pattern: Pattern) -> None:
    own, foreign = key_in(pattern, OURS), key_in(pattern, THEIRS)
    with oplog.recording() as log:
        for name, call in CALLS.items():
            with pytest.raises(ForeignTenant):
                call(foreign)
                pytest.fail(f"{name} was not refused")
    assert log.calls == [], "refused before anything is sent"
    assert read.get_many([own]) == [None]
    write.update(own, [Path(["x"]).set("x")])


@every_engine
def test_every_call_on_an_item_is_guarded(table: str) -> None:
    own, foreign = (keys.SERVICE.key(tenant=business, service="s1") for business in (OURS, THEIRS))
    put(raw(foreign) | {"name": {"S": "Theirs"}})
    with bind(Binding(OURS, ACTOR.email)):
        for name, call in CALLS.items():
            call(own)
            with pytest.raises(ForeignTenant):
                call(foreign)
                pytest.fail(f"{name} was not refused")
        with pytest.raises(ForeignTenant):
            read.get_many([own, foreign])
    assert read.get_many([foreign]) != [None], "nothing was changed"


@pytest.mark.parametrize("pattern", OTHER_PATTERNS, ids=pattern_name)
def test_items_without_a_business_are_refused_except_those_of_the_person(bound: None, pattern: Pattern) -> None:
    key = key_in(pattern, OURS)
    if pattern.kind in KINDS_OF_THE_PERSON | OPEN_KINDS:
        read.get(Note, key)
    else:
        with pytest.raises(ForeignTenant):
            read.get(Note, key)


def test_a_person_can_read_only_their_own_item_and_sessions(bound: None) -> None:
    read.get(Note, keys.PERSON.key(email=ACTOR.email))
    for kind in (keys.PERSON, keys.SESSION):
        with pytest.raises(ForeignTenant):
            read.get(Note, kind.key(email=MARCO.email, hash="x"))


def test_of_the_platforms_configs_only_the_filter_can_be_read(bound: None) -> None:
    """It scores the comments on the pages of a business."""
    assert read.raw_item(keys.CONFIG.key(name="profanity")) is None
    for key in (
        keys.CONFIG.key(name="reasons"),
        keys.CONFIG.key(name="domains"),
        keys.CONFIG_VERSION.key(name="profanity", version=1),
        keys.CONFIG_BODY.key(name="profanity", version=1),
    ):
        with pytest.raises(ForeignTenant):
            read.raw_item(key)
    with pytest.raises(ForeignTenant):
        write.remove(keys.CONFIG.key(name="profanity"))
    with pytest.raises(ForeignTenant):
        read.page(keys.CONFIG_VERSION.collection(name="profanity"))


def test_of_all_businesses_only_the_bound_one_can_be_read(bound: None) -> None:
    read.get(Note, keys.TENANT.key(tenant=OURS))
    with pytest.raises(ForeignTenant):
        read.page(keys.TENANT.collection())
    with pytest.raises(ForeignTenant):
        read.page(keys.TENANT.collection(tenant=OURS))
    with pytest.raises(ForeignTenant):
        read.page(keys.SYSTEM_AUDIT.collection())


@pytest.mark.parametrize("pattern", [p for p in BUSINESS_PATTERNS if "tenant" in p.pk.fields], ids=pattern_name)
def test_a_partition_can_be_queried_only_by_its_own_business(bound: None, pattern: Pattern) -> None:
    read.page(pattern.collection(**PARTS | {"tenant": OURS}))
    with pytest.raises(ForeignTenant):
        read.page(pattern.collection(**PARTS | {"tenant": THEIRS}))


@pytest.mark.parametrize("where", keys.INDEX_PATTERNS, ids=pattern_name)
def test_an_index_can_be_queried_only_for_ones_own_business(bound: None, where: IndexPattern) -> None:
    own, foreign = (where.collection(**PARTS | {"tenant": business}) for business in (OURS, THEIRS))
    reads = (
        [own]
        if (where in BUSINESS_INDEX_PATTERNS and where not in LISTS_OF_BUSINESSES) or where is keys.OPERATIONS_OF
        else []
    )
    for each in reads:
        read.page(each)
    for each in {own, foreign} - set(reads):
        with pytest.raises(ForeignTenant):
            read.page(each)


@pytest.mark.parametrize("where", [keys.STOCK_OF_BRANCH, keys.BRANCH_BY_ID, keys.STOCK_OF_PRODUCT], ids=pattern_name)
def test_a_query_of_a_shared_index_partition_needs_the_business_in_the_sort_key(
    bound: None, where: IndexPattern
) -> None:
    """Branch ids repeat between franchises: without the business in the sort key, the query would return all."""
    partition = where.collection(branch="x", product="x")
    ranges: list[dict[str, Any]] = [{}, {"since": "", "until": "zzz"}, {"since": THEIRS}, {"starts_with": "a"}]
    for options in ranges:
        with pytest.raises(ForeignTenant):
            read.page(partition, **options)


def test_a_range_that_ends_in_another_business_is_refused(bound: None) -> None:
    """Other businesses are between `andina…` and `harbour…`."""
    condition = Path(["GSI1SK"]).between(f"{OURS}#S#0", f"{THEIRS}#S#9")
    with pytest.raises(ForeignTenant):
        connection.table().query("BRANCH#x", range_key_condition=condition, index_name="GSI1")


def test_a_call_that_the_guard_cannot_parse_is_refused(bound: None) -> None:
    """The guard does not find the partition in a condition with another syntax."""
    with pytest.raises(ForeignTenant):
        client().query(
            **table_args(KeyConditionExpression="PK=:pk", ExpressionAttributeValues={":pk": {"S": f"TENANT#{THEIRS}"}})
        )
    with pytest.raises(ForeignTenant):
        client().describe_table(**table_args())


def test_the_next_page_of_another_business_is_refused(bound: None) -> None:
    """The guard checks the partition, not only the start key."""
    start = raw(keys.SERVICE.key(tenant=THEIRS, service="s1"))
    with pytest.raises(ForeignTenant):
        read.page(keys.SERVICE.collection(tenant=THEIRS), start_key=start)


def test_the_threads_of_a_request_are_bound(bound: None) -> None:
    foreign = keys.SERVICE.key(tenant=THEIRS, service="s1")
    for reads in ([lambda: read.get(Note, foreign)], [lambda: read.get(Note, foreign), lambda: None]):
        with pytest.raises(ForeignTenant):
            read.gather_all(reads)
    with pytest.raises(ForeignTenant):
        read.in_background(lambda: read.get(Note, foreign)).result()


def test_a_transaction_with_an_item_of_another_business_writes_nothing(table: str) -> None:
    own, foreign = Note.new_at_key(key_in(keys.LEAD, OURS)), Note.new_at_key(key_in(keys.LEAD, THEIRS))
    own.title = foreign.title = "x"
    with bind(Binding(OURS, ACTOR.email)), pytest.raises(ForeignTenant):
        both = Transaction(command())
        both.create(own)
        both.create(foreign)
        both.commit(None)
    assert read.get_many([own.key, foreign.key]) == [None, None]


@pytest.mark.parametrize(
    ("key", "attributes", "is_own"),
    [
        (keys.ASSET.key(asset="logo-1"), {"businessId": OURS}, True),
        (keys.ASSET.key(asset="logo-1"), {"businessId": THEIRS}, False),
        (keys.ASSET.key(asset="logo-1"), {}, False),
        (keys.OPERATION.key(operation="o1"), {"by": ACTOR.email}, True),
        (keys.OPERATION.key(operation="o1"), {"by": ACTOR.email, "tenantId": OURS}, True),
        (keys.OPERATION.key(operation="o1"), {"by": ACTOR.email, "tenantId": THEIRS}, False),
        (keys.DONE.key(operation="o1"), {"by": MARCO.email}, False),
        (keys.FAILURE.key(operation="o1", target="t"), {"tenantId": THEIRS}, False),
    ],
)
def test_an_item_at_an_open_key_is_returned_only_to_its_owner(
    table: str, key: Key, attributes: dict[str, str], is_own: bool
) -> None:
    put(raw(key) | {name: {"S": value} for name, value in attributes.items()})
    with bind(Binding(OURS, ACTOR.email)):
        reads: list[Callable[[], Any]] = [
            lambda: client().get_item(**table_args(Key=raw(key))),
            lambda: read.get_many([key]),
            lambda: connection.table().query(key.pk),
        ]
        for read_item in reads:
            if is_own:
                read_item()
            else:
                with pytest.raises(ForeignTenant):
                    read_item()


def test_a_business_cannot_have_the_name_of_a_partition() -> None:
    """It would own that partition."""
    for word in ("SYSTEM", "TENANT", "USER", "MODSTATS", "OPERATION"):
        with pytest.raises(ForeignTenant), bind(Binding(word)):
            pytest.fail("the binding was accepted")


def test_after_a_binding_other_businesses_can_be_read(table: str) -> None:
    foreign = keys.SERVICE.key(tenant=THEIRS, service="s1")
    with bind(Binding(OURS)):
        assert tenancy.bound.get() == Binding(OURS)
    assert tenancy.bound.get() is None
    assert read.get(Note, foreign) is None


def test_a_write_at_an_open_key_must_name_its_owner(table: str) -> None:
    """In the item or in the condition, so that nobody changes or removes the job of another person."""
    key = keys.OPERATION.key(operation="o1")
    put(raw(key) | {"by": {"S": MARCO.email}})
    title, by = Path(["title"]), Path(["by"])
    with bind(Binding(OURS, ACTOR.email)):
        for call in (
            lambda: write.update(key, [title.set("x")]),
            lambda: write.update(key, [title.set("x")], by == MARCO.email),
            lambda: client().put_item(**table_args(Item=raw(key) | {"by": {"S": MARCO.email}})),
            lambda: client().transact_write_items(**transaction("Update", key)),
        ):
            with pytest.raises(ForeignTenant):
                call()
        assert write.update(key, [title.set("x")], by == ACTOR.email) is None, (
            "the guard accepts the condition, and the table refuses it"
        )
        write.update(keys.OPERATION.key(operation="o2"), [title.set("x"), by.set(ACTOR.email)])
