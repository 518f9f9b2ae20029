"""Rules for domains: syntax, equality, and who is allowed; the same for the page and the forum."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.platform.event.domains import Whitelist, may_write, to_ascii
from rooms.configs.domains import DOMAINS, added, removed
from rooms.domains import BadDomain, check_address, is_public, other_spelling, parse_domain, split_domains


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("sura.com.co", "sura.com.co"),
        ("@sura.com.co", "sura.com.co"),
        (" Ana.Soto@SURA.com.co ", "sura.com.co"),
        ("a@b@sura.com.co", "sura.com.co"),
        ("sura.com.co.", "sura.com.co"),
        ("BÜCHER.de", "bücher.de"),
        ("xn--bcher-kva.de", "xn--bcher-kva.de"),
        ("हिन्दी.example", "हिन्दी.example"),
        ("a-1.example", "a-1.example"),
        (f"{'a' * 63}.{'b' * 63}.{'c' * 63}.{'d' * 61}", f"{'a' * 63}.{'b' * 63}.{'c' * 63}.{'d' * 61}"),
    ],
)
def test_a_domain_is_read_from_an_address_or_a_name(text: str, name: str) -> None:
    assert parse_domain(text) == name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "No domain found"),
        ("@", "No domain found"),
        ("sura", "no dot"),
        ("ana@localhost", "no dot"),
        ("*.sura.com.co", "wildcard"),
        ("https://www.sura.com.co/", "web address"),
        ("sura.com.co:8080", "web address"),
        ("-sura.com", "is not a domain"),
        ("sura..com", "is not a domain"),
        ("su_ra.com", "is not a domain"),
        ("10.0.0.1", "is not a domain"),
        ("sura.c\u200bom", "is not a domain"),
        ("<b>.com", "is not a domain"),
        (f"{'a' * 64}.com", "is not a domain"),
        (f"{'ü' * 64}.com", "is not a domain"),
        ("a." * 130 + "com", "too long"),
    ],
)
def test_an_invalid_domain_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(BadDomain, match=why):
        parse_domain(text)


@given(st.text(max_size=80))
def test_any_text_is_a_valid_domain_or_refused(text: str) -> None:
    """An address of an allowed domain is allowed in every spelling."""
    try:
        name = parse_domain(text)
    except BadDomain as problem:
        assert str(problem)
        return
    assert parse_domain(name) == name and len(to_ascii(name)) <= 253
    assert may_write(f"ana@{name.upper()}", [f"@{name}"])
    other = other_spelling(name)
    assert not other or to_ascii(other) == to_ascii(name)


def test_several_domains_can_be_separated_in_many_ways() -> None:
    assert split_domains("a.com, b.com;c.com\nd.com\te.com  ") == ["a.com", "b.com", "c.com", "d.com", "e.com"]
    assert split_domains("Ana Soto <ana@a.com>, Beto <beto@b.com>") == ["ana@a.com", "beto@b.com"]
    assert split_domains("Ana <ana@a.com> Beto <beto@b.com>") == ["ana@a.com", "beto@b.com"]
    assert split_domains("<ana") == ["<ana"]


@pytest.mark.parametrize("part", ["a.example ", "<", "<a@", "@", "a@", ">", "<<>", " <"])
def test_half_a_megabyte_of_any_text_is_split_quickly(part: str) -> None:
    start = time.monotonic()
    split_domains(part * (500_000 // len(part)))
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("whitelist", "is_allowed", "not_allowed"),
    [
        (None, ["ana@sura.com.co", "nobody"], []),
        ([], ["ana@sura.com.co"], []),
        (["", " "], ["ana@sura.com.co"], []),
        ("", ["ana@sura.com.co"], []),
        (7, ["ana@sura.com.co"], []),
        (["@sura.com.co"], ["ana@sura.com.co", "ANA@SURA.COM.CO ", "ana@sura.com.co."], ["ana@mail.sura.com.co", "x"]),
        ([" SURA.com.co "], ["ana@sura.com.co"], ["ana@sura.com"]),
        ({"@sura.com.co", "b.com"}, ["ana@sura.com.co", "beto@b.com"], ["eva@c.com"]),
        ("@sura.com.co, @b.com", ["ana@sura.com.co", "beto@b.com"], ["eva@c.com"]),
        (["@bücher.de"], ["ana@xn--bcher-kva.de", "ana@BÜCHER.de"], ["ana@bucher.de"]),
        (["@xn--bcher-kva.de"], ["ana@bücher.de"], ["ana@bcher.de"]),
        ([{"domain": "@sura.com.co"}], [], ["ana@sura.com.co"]),
        ([None, 7, "@b.com"], ["beto@b.com"], ["ana@sura.com.co", "ana@7", "ana@none"]),
        (["@"], [], ["ana@sura.com.co", "ana@"]),
    ],
)
def test_who_is_allowed_by_a_whitelist(whitelist: Any, is_allowed: list[str], not_allowed: list[str]) -> None:
    assert [email for email in is_allowed if not may_write(email, whitelist)] == []
    assert [email for email in not_allowed if may_write(email, whitelist)] == []


ODD_ENTRIES = st.one_of(
    st.none(), st.integers(), st.booleans(), st.dictionaries(st.text(), st.integers()), st.just(["x"]), st.just(" ")
)
NAMES = st.sampled_from(["@sura.com.co", "SURA.com.co", "b.com", "@bücher.de", "@xn--bcher-kva.de", "*.c.com"])


@given(
    members=st.lists(ODD_ENTRIES | NAMES), name=st.sampled_from(["sura.com.co", "b.com", "new.example", "bücher.de"])
)
def test_adding_and_removing_keeps_entries_that_are_not_texts(members: list[Any], name: str) -> None:
    body = {"whitelist": members, "kept": 1}
    odd = [each for each in members if not isinstance(each, str)]
    more = DOMAINS.apply(body, added([name]))
    assert DOMAINS.entries(more) == {**DOMAINS.entries(body), f"domain:{name}": True}
    less = DOMAINS.apply(more, removed([name]))
    assert f"domain:{name}" not in DOMAINS.entries(less)
    for after in (more, less):
        assert [each for each in after["whitelist"] if not isinstance(each, str)] == odd
        assert after["kept"] == 1
    assert Whitelist.from_stored(more["whitelist"]).find_match(name) is not None


def test_the_saved_list_has_the_format_that_the_apps_read() -> None:
    body = DOMAINS.apply({"whitelist": ["@sura.com.co", "@bancoldex.com"]}, added(["nueva.example"]))
    assert body == {"whitelist": ["@sura.com.co", "@bancoldex.com", "@nueva.example"]}
    assert DOMAINS.apply(body, removed(["sura.com.co"])) == {"whitelist": ["@bancoldex.com", "@nueva.example"]}


@pytest.mark.parametrize(
    ("text", "is_allowed", "by", "near"),
    [
        ("ana@sura.com.co", True, "sura.com.co", ""),
        ("sura.com.co", True, "sura.com.co", ""),
        ("ana@xn--bcher-kva.de", True, "bücher.de", ""),
        ("ana@mail.sura.com.co", False, "", "sura.com.co"),
        ("ana@a.b.mail.sura.com.co", False, "", "sura.com.co"),
        ("ana@correo.example", False, "", "mx.correo.example"),
        ("ana@sura.com", False, "", "sura.com.co"),
        ("ana@bancoIdex.com", False, "", "bancoldex.com"),
        ("ana@nothing.example", False, "", ""),
    ],
)
def test_the_check_of_an_address_names_the_matching_or_a_similar_domain(
    text: str, is_allowed: bool, by: str, near: str
) -> None:
    whitelist = Whitelist.from_stored(["@sura.com.co", "@bancoldex.com", "@bücher.de", "@mx.correo.example"])
    result = check_address(text, whitelist)
    assert (result.is_allowed, result.allowed_by, result.similar) == (is_allowed, by, near)
    assert result.is_allowed == may_write(text, list(whitelist.names.values()))


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("gmail.com", True),
        ("hotmail.com", True),
        ("outlook.com", True),
        ("yahoo.com.co", True),
        ("yahoo.es", True),
        ("proton.me", True),
        ("mail.sura.com.co", False),
        ("gmail.sura.com", False),
        ("sura.com.co", False),
        ("notgmail.com", False),
    ],
)
def test_public_providers_are_recognized(name: str, public: bool) -> None:
    assert is_public(name) == public
