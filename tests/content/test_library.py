"""Products, resources, contexts, signals and files: list, search, create, edit, delete, and their Undo."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from content.library.kinds import LIBRARY, SIGNALS
from content.queries import library as queries
from content.services.library import edits
from dashboard.table import keys, read
from tests.bookings.catalog import press_undo
from tests.conftest import every_engine
from tests.content.library_items import (
    EXAMPLES,
    ID,
    TITLES,
    actions_of,
    content_of,
    library_item_url,
    library_url,
    put_outside,
    stored,
)
from tests.content.site import NEIGHBOURS
from tests.outside_writes import put
from tests.ui.html import form_to, parse, toasts

KINDS = pytest.mark.parametrize("kind", LIBRARY)


def named(kind: str, title: str, **attributes: Any) -> dict[str, Any]:
    """Attributes of an item with this title."""
    return {TITLES[kind]: title} | attributes


def titles(browser: Client, url: str) -> list[str]:
    return [each.text for each in parse(browser.get(url)).all("a", class_="row-link")]


@KINDS
def test_an_empty_list_says_what_it_is_for(table: str, as_owner: Client, kind: str) -> None:
    text = parse(as_owner.get(library_url(kind))).text
    assert str(LIBRARY[kind].texts.empty) in text
    assert str(LIBRARY[kind].texts.about) in text


@KINDS
def test_items_of_an_outside_writer_are_listed_newest_first(table: str, as_owner: Client, kind: str) -> None:
    put_outside(kind, "a", **named(kind, "First", createdAt="2026-01-01T00:00:00.000Z"))
    put_outside(kind, "b", **named(kind, "Second", createdAt="2026-03-01T00:00:00.000Z"))
    put_outside(kind, "c", business=NEIGHBOURS, **named(kind, "Theirs"))
    put_outside(kind, "d", **named(kind, "", createdAt="2026-02-01T00:00:00.000Z"))
    assert titles(as_owner, library_url(kind)) == ["Second", "d", "First"]
    assert titles(as_owner, f"{library_url(kind)}?q=FÍRST") == ["First"]
    assert (
        "3 searched" in parse(as_owner.get(f"{library_url(kind)}?q=nothing-is-called-so")).text
        or titles(as_owner, f"{library_url(kind)}?q=nothing-is-called-so") == []
    )


@every_engine
@KINDS
def test_an_edit_keeps_everything_else_and_is_undone_exactly(table: str, as_owner: Client, kind: str) -> None:
    unknown: dict[str, Any] = {"custom": {"deep": [1, None, {"x": "y"}]}, "flags": [True, False], "ratio": "0.10"}
    before = put_outside(kind, **unknown)
    url, title = library_item_url(kind), TITLES[kind]
    field = LIBRARY[kind].title
    answer = as_owner.post(url, form_to(as_owner.get(url), url).data() | {field: "Renamed"})
    assert (answer.status_code, answer.headers.get("Location")) == (303, url)
    after = stored(kind)
    assert content_of(after) == content_of(before) | {title: {"S": "Renamed"}}
    assert (
        after is not None
        and after["revision"] == {"N": "1"}
        and after["GSITypePK"]["S"].endswith(f"#{LIBRARY[kind].list_name}")
    )
    assert actions_of(kind) == [f"{LIBRARY[kind].name}.edit"]
    assert press_undo(as_owner, url).status_code == 303
    assert content_of(stored(kind)) == content_of(before)
    assert press_undo(as_owner, url).status_code == 303, "Undo can be undone"
    assert content_of(stored(kind))[title] == {"S": "Renamed"}


@KINDS
def test_a_form_without_a_change_changes_nothing(table: str, as_owner: Client, kind: str) -> None:
    put_outside(kind, **named(kind, "  two  spaces \t", zero="0\r\n1\r\n"))
    before, url = stored(kind), library_item_url(kind)
    assert as_owner.post(url, form_to(as_owner.get(url), url).data()).status_code == 303
    assert toasts(as_owner.get(url)) == ["Nothing was changed."]
    assert stored(kind) == before
    assert actions_of(kind) == []


@KINDS
def test_an_item_is_deleted_and_restored_exactly(table: str, as_owner: Client, kind: str) -> None:
    before = put_outside(kind, custom={"a": 1}, data=b"\x00\xff", clientSecret="s")
    url = library_item_url(kind)
    form = form_to(as_owner.get(url), f"{url}delete/")
    assert as_owner.post(form.action, form.data()).headers["Location"] == library_url(kind)
    assert stored(kind) is None
    assert as_owner.get(url).status_code == 404
    assert press_undo(as_owner, library_url(kind)).headers["Location"] == url
    assert content_of(stored(kind)) == content_of(before)
    assert actions_of(kind) == [f"{LIBRARY[kind].name}.{verb}" for verb in ("remove", "restore")]


@KINDS
def test_a_whole_put_of_the_service_conflicts_with_an_open_form(table: str, as_owner: Client, kind: str) -> None:
    """The service counts no revisions: the revision is 0 before and after."""
    put_outside(kind)
    url, title = library_item_url(kind), TITLES[kind]
    page = as_owner.get(url)
    edit, delete = form_to(page, url), form_to(page, f"{url}delete/")
    put_outside(kind, **named(kind, "Theirs"), is_followed=False)
    answer = as_owner.post(url, edit.data() | {LIBRARY[kind].title: "Mine"})
    assert answer.status_code == 409
    assert "Theirs" in parse(answer).text
    assert content_of(stored(kind))[title] == {"S": "Theirs"}
    refused = as_owner.post(delete.action, delete.data())
    assert refused.status_code == 409 and "igest" not in parse(refused).text
    # The person decides.
    assert as_owner.post(url, form_to(answer, url).data()).status_code == 303
    assert content_of(stored(kind))[title] == {"S": "Mine"}


def test_a_conflict_keeps_a_change_of_another_attribute(table: str, as_owner: Client) -> None:
    put_outside("products")
    url = library_item_url("products")
    form = form_to(as_owner.get(url), url)
    put_outside("products", price="400.00", weight=5300)
    answer = as_owner.post(url, form.data(title="Oak rug"))
    assert answer.status_code == 409
    as_owner.post(url, form_to(answer, url).data())
    found = content_of(stored("products"))
    assert (found["title"], found["price"], found["weight"]) == ({"S": "Oak rug"}, {"S": "400.00"}, {"N": "5300"})


def test_undo_does_not_overwrite_a_later_change(table: str, as_owner: Client) -> None:
    put_outside("products")
    url = library_item_url("products")
    as_owner.post(url, form_to(as_owner.get(url), url).data(title="Oak rug"))
    page = as_owner.get(url)
    raw = stored("products")
    assert raw is not None
    put(raw | {"title": {"S": "Theirs"}})
    form = form_to(page, f"{url}undo/")
    answer = as_owner.post(form.action, form.data())
    assert answer.status_code == 409
    assert "Nothing was undone" in parse(answer).text
    assert content_of(stored("products"))["title"] == {"S": "Theirs"}


@every_engine
@pytest.mark.parametrize("has_timestamp", [True, False])
def test_a_put_between_the_read_and_the_write_of_an_edit_conflicts(
    table: str, as_owner: Client, monkeypatch: pytest.MonkeyPatch, has_timestamp: bool
) -> None:
    """Without a revision, only the values themselves show that the service has written."""
    put_outside("products")
    url = library_item_url("products")
    form = form_to(as_owner.get(url), url)
    load = queries.load_item

    def load_and_put(*args: Any) -> Any:
        found = load(*args)
        changed_at = {"updatedAt": "2026-06-01T00:00:00.000Z"} if has_timestamp else {}
        put_outside("products", title="Theirs", is_followed=False, **changed_at)
        return found

    monkeypatch.setattr(edits, "load_item", load_and_put)
    # With a timestamp, also a change of another attribute conflicts; without one, only of the same attribute.
    values: dict[str, Any] = {"sku": "X-1"} if has_timestamp else {"title": "Mine"}
    assert as_owner.post(url, form.data(**values)).status_code == 409
    found = content_of(stored("products"))
    assert (found["title"], found["sku"]) == ({"S": "Theirs"}, {"S": "WR-120"})


@KINDS
@pytest.mark.parametrize("path", ["", "undo/", "delete/", "restore/"])
def test_items_of_others_and_missing_ones_are_not_found(table: str, as_owner: Client, kind: str, path: str) -> None:
    put_outside(kind, "theirs", business=NEIGHBOURS)
    for item_id in ("theirs", "nobody", "a%23b", "x" * 290):
        url = f"{library_item_url(kind, item_id)}{path}"
        assert as_owner.post(url, {"revision": "0"}).status_code == 404
        if not path:
            assert as_owner.get(url).status_code == 404
    assert stored(kind, "theirs", business=NEIGHBOURS) is not None


@pytest.mark.parametrize(
    ("kind", "field", "value", "message"),
    [
        ("products", "title", "", "required"),
        ("products", "price", "cheap", "amount in digits"),
        ("products", "currency", "pesos", "at most 3"),
        ("products", "currency", "1€2", "three letters"),
        ("products", "inventory_quantity", "-3", "greater than or equal"),
        ("products", "image_link", "javascript:alert(1)", "valid URL"),
        ("products", "attribute-weight", "heavy", "number in digits"),
        ("products", "attribute-weight", "1" * 39, "too many digits"),
        ("products", "attribute-volumePricing", "[", "not valid JSON"),
        ("products", "attribute-volumePricing", "{}", "a list in JSON"),
        ("products", "attribute-volumePricing", '[{"a": 1, "a": 2}]', "once"),
        ("products", "attribute-volumePricing", "[NaN]", "not valid JSON"),
        ("products", "attribute-volumePricing", '["\\ud800"]', "half of a character"),
        ("products", "attribute-volumePricing", "[" * 40 + "]" * 40, "nested too deeply"),
        ("signals", "pain_score", "11", "less than or equal to 10"),
        ("signals", "url", "x", "valid URL"),
        ("signals", "status", "Maybe", "valid choice"),
        ("contexts", "title", "x" * 301, "at most 300"),
        ("files", "file_name", "", "required"),
    ],
)
def test_invalid_input_is_shown_again(
    table: str, as_owner: Client, kind: str, field: str, value: str, message: str
) -> None:
    put_outside(kind)
    before, url = stored(kind), library_item_url(kind)
    answer = as_owner.post(url, form_to(as_owner.get(url), url).data() | {field: value})
    assert answer.status_code == 422
    page = parse(answer)
    assert message in page.text
    if kind != "signals" or field != "status":
        (control,) = page.all("input", "textarea", name=field)
        assert (control.attrs.get("value") or control.raw_text.removeprefix("\n")) == value or not value
    assert stored(kind) == before


def test_a_stored_value_that_would_be_invalid_stays_while_others_change(table: str, as_owner: Client) -> None:
    """Outside writers store what our form would refuse."""
    long = "y" * 6000
    put_outside("signals", title="", url="no address", painScore=99, contentSnapshot=long, status="Odd", source="Fax")
    url = library_item_url("signals")
    answer = as_owner.post(url, form_to(as_owner.get(url), url).data(analysis="Checked"))
    assert answer.status_code == 303
    found = content_of(stored("signals"))
    assert found["analysis"] == {"S": "Checked"}
    assert (found["url"], found["painScore"], found["contentSnapshot"]) == (
        {"S": "no address"},
        {"N": "99"},
        {"S": long},
    )
    assert (found["status"], found["source"]) == ({"S": "Odd"}, {"S": "Fax"})


def test_secrets_are_masked_and_never_overwritten(table: str, as_owner: Client) -> None:
    put_outside("contexts", apiKey="sk-12345678", config={"clientSecret": "top-987", "mode": "a"})
    url = library_item_url("contexts")
    page = as_owner.get(url)
    assert "sk-12345678" not in page.content.decode() and "top-987" not in page.content.decode()
    assert "••••" in parse(page).text
    sent = form_to(page, url).data(title="Other") | {"attribute-apiKey": "••••••••", "attribute-config": "{}"}
    assert as_owner.post(url, sent).status_code == 303
    found = content_of(stored("contexts"))
    assert found["apiKey"] == {"S": "sk-12345678"}
    assert found["config"]["M"]["clientSecret"] == {"S": "top-987"}
    form = form_to(as_owner.get(url), f"{url}delete/")
    as_owner.post(form.action, form.data())
    trail = as_owner.get("/b/andina/audit/").content.decode()
    assert "site_context" in trail or "context" in trail
    assert "top-987" not in trail and "sk-12345678" not in trail


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        (
            "products",
            {"title": "Alfombra Ñandú", "price": "19,90", "currency": "eur", "status": "draft"},
            {
                "title": {"S": "Alfombra Ñandú"},
                "price": {"S": "19.90"},
                "currency": {"S": "EUR"},
                "slug": {"S": "alfombra-nandu"},
                "TenantSlug": {"S": "andina#alfombra-nandu"},
                "Type": {"S": "Product"},
            },
        ),
        (
            "contexts",
            {"title": "Tone", "text": "One\nTwo"},
            {
                "title": {"S": "Tone"},
                "Type": {"S": "Context"},
                "createdBy": {"S": "olivia@example.com"},
            },
        ),
        ("signals", {"title": "Asks", "source": "Web"}, {"status": {"S": "New"}, "Type": {"S": "Signal"}}),
        ("signals", {"title": "Asks", "draft_reply": "Hi"}, {"status": {"S": "Drafted"}}),
    ],
)
def test_an_item_is_created_and_undone(
    table: str, as_owner: Client, kind: str, values: dict[str, Any], expected: dict[str, Any]
) -> None:
    new = f"{library_url(kind)}new/"
    sent = form_to(as_owner.get(new), new).data(**values)
    answer = as_owner.post(new, sent)
    assert answer.status_code == 303
    url = answer.headers["Location"]
    item_id = url.rstrip("/").rpartition("/")[2]
    raw = stored(kind, item_id)
    assert raw is not None and {name: raw.get(name) for name in expected} == expected
    assert (raw["id"], raw["tenantId"]) == ({"S": item_id}, {"S": "andina"})
    assert titles(as_owner, library_url(kind)) == [values["title"]]
    as_owner.post(new, sent)
    assert len(titles(as_owner, library_url(kind))) == 1, "a form sent twice adds once"
    as_owner.get(library_url(kind))
    as_owner.post(new, form_to(as_owner.get(new), new).data(**values))
    assert press_undo(as_owner, library_url(kind)).status_code == 303
    assert len(titles(as_owner, library_url(kind))) == 1


def test_the_plain_text_of_a_context_is_edited_and_formatted_blocks_stay(table: str, as_owner: Client) -> None:
    url = library_item_url("contexts")
    put_outside("contexts")
    as_owner.post(url, form_to(as_owner.get(url), url).data(text="Warm, short sentences.\r\nNo jargon."))
    paragraphs = content_of(stored("contexts"))["blocks"]["L"]
    assert [each["M"]["content"]["L"][0]["M"]["text"]["S"] for each in paragraphs] == [
        "Warm, short sentences.",
        "No jargon.",
    ]
    bold = [{"type": "paragraph", "content": [{"type": "text", "text": "A", "marks": [{"type": "bold"}]}]}]
    raw = put_outside("contexts", blocks=bold, mapEmbed={"lat": 1})
    page = parse(as_owner.get(url))
    assert not page.all("textarea", name="text")
    assert '"bold"' in page.one("textarea", name="attribute-blocks").raw_text
    as_owner.post(url, form_to(as_owner.get(url), url).data(title="Other"))
    assert content_of(stored("contexts")) == content_of(raw) | {"title": {"S": "Other"}}


# --- Signals ---
def mark(browser: Client, status: str) -> Any:
    url = library_item_url("signals")
    form = form_to(browser.get(url), f"{url}mark/", status=status)
    return browser.post(form.action, form.data())


def test_a_reply_makes_a_new_signal_drafted_and_undo_takes_both_back(table: str, as_owner: Client) -> None:
    put_outside("signals")
    url = library_item_url("signals")
    as_owner.post(url, form_to(as_owner.get(url), url).data(draft_reply="Hi! We do that."))
    found = content_of(stored("signals"))
    assert (found["draftReply"], found["status"]) == ({"S": "Hi! We do that."}, {"S": "Drafted"})
    press_undo(as_owner, url)
    found = content_of(stored("signals"))
    assert "draftReply" not in found and found["status"] == {"S": "New"}


@pytest.mark.parametrize("status", ["Replied", "Dismissed"])
def test_a_signal_is_marked_and_undone(table: str, as_owner: Client, status: str) -> None:
    before = put_outside("signals")
    assert mark(as_owner, status).headers["Location"] == library_item_url("signals")
    assert content_of(stored("signals")) == content_of(before) | {"status": {"S": status}}
    press_undo(as_owner, library_item_url("signals"))
    assert content_of(stored("signals")) == content_of(before)
    mark(as_owner, status)
    assert titles(as_owner, f"{library_url('signals')}?status={status}") == [EXAMPLES["signals"]["title"]]
    assert titles(as_owner, f"{library_url('signals')}?status=New") == []
    assert actions_of(SIGNALS) == ["site_signal.edit", "site_signal.mark", "site_signal.mark"]


def test_a_mark_of_a_signal_that_the_service_changed_conflicts(table: str, as_owner: Client) -> None:
    put_outside("signals")
    url = library_item_url("signals")
    form = form_to(as_owner.get(url), f"{url}mark/", status="Replied")
    put_outside("signals", analysis="Not a buyer.")
    answer = as_owner.post(form.action, form.data())
    assert answer.status_code == 409
    assert as_owner.post(form.action, form.data() | {"status": "Odd"}).status_code == 422
    # The person decides.
    assert as_owner.post(form.action, form_to(answer, form.action).data()).status_code == 303
    found = content_of(stored("signals"))
    assert (found["status"], found["analysis"]) == ({"S": "Replied"}, {"S": "Not a buyer."})
    assert as_owner.post(f"{library_item_url('signals', 'nobody')}mark/", {"status": "New"}).status_code == 404


def test_a_signal_without_a_status_is_new(table: str, as_owner: Client) -> None:
    raw = put_outside("signals", status=None)
    assert raw["status"] == {"NULL": True}
    assert len(titles(as_owner, f"{library_url('signals')}?status=New")) == 1


def test_the_page_of_a_signal_has_shortcuts(table: str, as_owner: Client) -> None:
    put_outside("signals")
    page = parse(as_owner.get(library_item_url("signals")))
    assert {"r", "d"} <= {each.attrs["data-key"] for each in page.all("button") if "data-key" in each.attrs}
    assert ID in page.text


def test_the_lists_show_states_and_prices(table: str, as_owner: Client) -> None:
    put_outside("products")
    put_outside("products", "odd", price="ask us", salePrice="", status="Odd", currency="")
    put_outside("signals", status="Replied")
    text = parse(as_owner.get(library_url("products"))).text
    assert "EUR 299.00" in text and "Active" in text
    assert "ask us" in text and "Odd" in text
    rows = parse(as_owner.get(library_url("signals"))).all("tr", data_row="")
    assert "Replied" in rows[0].text and "Reddit · u/weftwise" in rows[0].text


@pytest.mark.parametrize(
    ("address", "is_linked"), [("https://example.com/a", True), ("javascript:alert(1)", False), ("", False)]
)
def test_only_a_web_address_is_linked(table: str, as_owner: Client, address: str, is_linked: bool) -> None:
    put_outside("signals", url=address)
    page = parse(as_owner.get(library_item_url("signals")))
    links = [each for each in page.all("a") if each.attrs.get("target") == "_blank"]
    assert [each.attrs["href"] for each in links] == ([address] if is_linked else [])


def test_a_change_of_a_product_puts_the_markers_of_the_public_site(table: str, as_owner: Client) -> None:
    def marked() -> bool:
        return read.raw_item(keys.CDN_MARKER.key(name="PENDING")) is not None

    for kind in ("contexts", "products"):
        put_outside(kind)
        url = library_item_url(kind)
        as_owner.post(url, form_to(as_owner.get(url), url).data(title="Renamed"))
        assert marked() == (kind == "products")
