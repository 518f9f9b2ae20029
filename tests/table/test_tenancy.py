"""While a request is bound to a business, no key of another is read or written, whoever asks and by whatever call."""

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
# A value for every part that a key can have; the tenant comes on top.
EVERY: tuple[Pattern | IndexPattern, ...] = (*keys.PATTERNS, *keys.INDEX_PATTERNS)
PARTS: dict[str, Part] = {
    name: 1 if kind.startswith("n") else "x"
    for each in EVERY
    for template in (each.pk, each.sk)
    for name, kind in template.fields.items()
}
PARTS |= {"email": ACTOR.email, "at": MOMENT}
OURS, THEIRS = "andina", "harbour"

INSIDE = [each for each in keys.PATTERNS if "tenant" in {*each.pk.fields, *each.sk.fields}]
OUTSIDE = [each for each in keys.PATTERNS if each not in INSIDE]
# What a bound request may touch besides its tenant's own.
OWN = {"person", "session"}
OPEN = {"operation", "done", "failure", "operation input", "throttle", "asset"}
INDEXED = [each for each in keys.INDEX_PATTERNS if "tenant" in {*each.pk.fields, *each.sk.fields}]
# Lists of all tenants: their own place in one is no reason to read the others.
LISTS = (keys.TENANTS, keys.TENANTS_BY_STATUS)


def place(pattern: Pattern, business: str) -> Key:
    return pattern.key(**PARTS | {"tenant": business})


def called(pattern: Pattern | IndexPattern) -> str:
    return f"{pattern.pk} {pattern.sk}"


@pytest.fixture
def bound(table: str) -> Iterator[None]:
    with bind(Binding(OURS, ACTOR.email)):
        yield


def raw(key: Key) -> dict[str, Any]:
    return {"PK": {"S": key.pk}, "SK": {"S": key.sk}}


def named(**more: Any) -> dict[str, Any]:
    return {"TableName": settings.DYNAMODB_TABLE, **more}


def in_batch(request: dict[str, Any]) -> dict[str, Any]:
    return {"RequestItems": {settings.DYNAMODB_TABLE: [request]}}


def transaction(verb: str, key: Key) -> dict[str, Any]:
    body: dict[str, Any] = {"Item": raw(key)} if verb == "Put" else {"Key": raw(key)}
    if verb == "Update":
        body |= {"UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": {"S": "x"}}}
    if verb == "ConditionCheck":
        body |= {"ConditionExpression": "attribute_not_exists(zzz)"}
    return {"TransactItems": [{verb: named(**body)}]}


def client() -> Any:
    return connection.client()


# Every way to reach an item that the client has.
WAYS: dict[str, Callable[[Key], Any]] = {
    "get": lambda key: read.get(Note, key),
    "get many": lambda key: read.get_many([key]),
    "touch": lambda key: write.update(key, [Path(["x"]).set("x")]),
    "remove": write.remove,
    "GetItem": lambda key: client().get_item(**named(Key=raw(key))),
    "PutItem": lambda key: client().put_item(**named(Item=raw(key))),
    "BatchWriteItem": lambda key: client().batch_write_item(**in_batch({"PutRequest": {"Item": raw(key)}})),
    "BatchWriteItem delete": lambda key: client().batch_write_item(**in_batch({"DeleteRequest": {"Key": raw(key)}})),
    "TransactGetItems": lambda key: client().transact_get_items(TransactItems=[{"Get": named(Key=raw(key))}]),
    "Put": lambda key: client().transact_write_items(**transaction("Put", key)),
    "Update": lambda key: client().transact_write_items(**transaction("Update", key)),
    "Delete": lambda key: client().transact_write_items(**transaction("Delete", key)),
    "ConditionCheck": lambda key: client().transact_write_items(**transaction("ConditionCheck", key)),
}


@pytest.mark.parametrize("pattern", INSIDE, ids=called)
def test_every_kind_of_a_tenant_is_its_own_and_nobody_elses(bound: None, pattern: Pattern) -> None:
    own, foreign = place(pattern, OURS), place(pattern, THEIRS)
    with oplog.recording() as log:
        for name, reach in WAYS.items():
            with pytest.raises(ForeignTenant):
                reach(foreign)
                pytest.fail(f"{name} was let through")
    assert log.calls == [], "refused before anything is sent"
    assert read.get_many([own]) == [None]
    write.update(own, [Path(["x"]).set("x")])


@every_engine
def test_every_way_to_an_item_is_guarded(table: str) -> None:
    own, foreign = (keys.SERVICE.key(tenant=business, service="s1") for business in (OURS, THEIRS))
    put(raw(foreign) | {"name": {"S": "Theirs"}})
    with bind(Binding(OURS, ACTOR.email)):
        for name, reach in WAYS.items():
            reach(own)
            with pytest.raises(ForeignTenant):
                reach(foreign)
                pytest.fail(f"{name} was let through")
        with pytest.raises(ForeignTenant):
            read.get_many([own, foreign])
    assert read.get_many([foreign]) != [None], "nothing was changed"


@pytest.mark.parametrize("pattern", OUTSIDE, ids=called)
def test_what_belongs_to_no_tenant_is_out_of_reach_but_for_what_a_person_needs(bound: None, pattern: Pattern) -> None:
    key = place(pattern, OURS)
    if pattern.kind in OWN | OPEN:
        read.get(Note, key)
    else:
        with pytest.raises(ForeignTenant):
            read.get(Note, key)


def test_a_person_is_their_own(bound: None) -> None:
    read.get(Note, keys.PERSON.key(email=ACTOR.email))
    for kind in (keys.PERSON, keys.SESSION):
        with pytest.raises(ForeignTenant):
            read.get(Note, kind.key(email=MARCO.email, hash="x"))


def test_of_the_tenants_only_this_one(bound: None) -> None:
    read.get(Note, keys.TENANT.key(tenant=OURS))
    with pytest.raises(ForeignTenant):
        read.page(keys.TENANT.collection())
    with pytest.raises(ForeignTenant):
        read.page(keys.TENANT.collection(tenant=OURS))
    with pytest.raises(ForeignTenant):
        read.page(keys.SYSTEM_AUDIT.collection())


@pytest.mark.parametrize("pattern", [p for p in INSIDE if "tenant" in p.pk.fields], ids=called)
def test_a_partition_is_queried_by_its_own_tenant_only(bound: None, pattern: Pattern) -> None:
    read.page(pattern.collection(**PARTS | {"tenant": OURS}))
    with pytest.raises(ForeignTenant):
        read.page(pattern.collection(**PARTS | {"tenant": THEIRS}))


@pytest.mark.parametrize("where", keys.INDEX_PATTERNS, ids=called)
def test_an_index_is_queried_by_its_own_tenant_only(bound: None, where: IndexPattern) -> None:
    own, foreign = (where.collection(**PARTS | {"tenant": business}) for business in (OURS, THEIRS))
    reads = [own] if (where in INDEXED and where not in LISTS) or where is keys.OPERATIONS_OF else []
    for each in reads:
        read.page(each)
    for each in {own, foreign} - set(reads):
        with pytest.raises(ForeignTenant):
            read.page(each)


@pytest.mark.parametrize("where", [keys.STOCK_OF_BRANCH, keys.BRANCH_BY_ID, keys.STOCK_OF_PRODUCT], ids=called)
def test_a_key_that_the_seeds_made_global_needs_the_tenant_before_the_rest(bound: None, where: IndexPattern) -> None:
    """Branch ids repeat between franchises: without the tenant in the sort key all of them would come."""
    whole = where.collection(branch="x", product="x")
    stretches: list[dict[str, Any]] = [{}, {"since": "", "until": "zzz"}, {"since": THEIRS}, {"starts_with": "a"}]
    for options in stretches:
        with pytest.raises(ForeignTenant):
            read.page(whole, **options)


def test_a_stretch_that_only_begins_at_home_is_foreign(bound: None) -> None:
    """Between `andina…` and `harbour…` lie others."""
    condition = Path(["GSI1SK"]).between(f"{OURS}#S#0", f"{THEIRS}#S#9")
    with pytest.raises(ForeignTenant):
        connection.table().query("BRANCH#x", range_key_condition=condition, index_name="GSI1")


def test_what_the_guard_cannot_read_is_refused(bound: None) -> None:
    """Another spelling of the condition hides whose partition it is."""
    with pytest.raises(ForeignTenant):
        client().query(
            **named(KeyConditionExpression="PK=:pk", ExpressionAttributeValues={":pk": {"S": f"TENANT#{THEIRS}"}})
        )
    with pytest.raises(ForeignTenant):
        client().describe_table(**named())


def test_the_next_page_of_another_tenant_does_not_come(bound: None) -> None:
    """A start key is no way in: the partition is."""
    start = raw(keys.SERVICE.key(tenant=THEIRS, service="s1"))
    with pytest.raises(ForeignTenant):
        read.page(keys.SERVICE.collection(tenant=THEIRS), start_key=start)


def test_threads_of_a_request_are_bound_too(bound: None) -> None:
    foreign = keys.SERVICE.key(tenant=THEIRS, service="s1")
    for reads in ([lambda: read.get(Note, foreign)], [lambda: read.get(Note, foreign), lambda: None]):
        with pytest.raises(ForeignTenant):
            read.gather_all(reads)
    with pytest.raises(ForeignTenant):
        read.in_background(lambda: read.get(Note, foreign)).result()


def test_a_transaction_that_reaches_over_does_nothing(table: str) -> None:
    own, foreign = Note.new_at_key(place(keys.LEAD, OURS)), Note.new_at_key(place(keys.LEAD, THEIRS))
    own.title = foreign.title = "x"
    with bind(Binding(OURS, ACTOR.email)), pytest.raises(ForeignTenant):
        both = Transaction(command())
        both.create(own)
        both.create(foreign)
        both.commit(None)
    assert read.get_many([own.key, foreign.key]) == [None, None]


@pytest.mark.parametrize(
    ("key", "attributes", "fine"),
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
def test_what_stands_at_an_open_key_says_whose_it_is(
    table: str, key: Key, attributes: dict[str, str], fine: bool
) -> None:
    put(raw(key) | {name: {"S": value} for name, value in attributes.items()})
    with bind(Binding(OURS, ACTOR.email)):
        ways: list[Callable[[], Any]] = [
            lambda: client().get_item(**named(Key=raw(key))),
            lambda: read.get_many([key]),
            lambda: connection.table().query(key.pk),
        ]
        for ask in ways:
            if fine:
                ask()
            else:
                with pytest.raises(ForeignTenant):
                    ask()


def test_a_word_of_the_design_is_no_tenant() -> None:
    """A business called like a partition would own that partition."""
    for word in ("SYSTEM", "TENANT", "USER", "MODSTATS", "OPERATION"):
        with pytest.raises(ForeignTenant), bind(Binding(word)):
            pytest.fail("bound")


def test_a_binding_ends(table: str) -> None:
    foreign = keys.SERVICE.key(tenant=THEIRS, service="s1")
    with bind(Binding(OURS)):
        assert tenancy.bound.get() == Binding(OURS)
    assert tenancy.bound.get() is None
    assert read.get(Note, foreign) is None


def test_a_write_at_an_open_key_says_whose_it_is(table: str) -> None:
    """By what it puts, or by its condition: someone else's work is neither changed nor removed."""
    key = keys.OPERATION.key(operation="o1")
    put(raw(key) | {"by": {"S": MARCO.email}})
    title, by = Path(["title"]), Path(["by"])
    with bind(Binding(OURS, ACTOR.email)):
        for reach in (
            lambda: write.update(key, [title.set("x")]),
            lambda: write.update(key, [title.set("x")], by == MARCO.email),
            lambda: client().put_item(**named(Item=raw(key) | {"by": {"S": MARCO.email}})),
            lambda: client().transact_write_items(**transaction("Update", key)),
        ):
            with pytest.raises(ForeignTenant):
                reach()
        assert write.update(key, [title.set("x")], by == ACTOR.email) is None, (
            "asked properly, and refused by the table"
        )
        write.update(keys.OPERATION.key(operation="o2"), [title.set("x"), by.set(ACTOR.email)])
