"""The page with the health of the table."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from dashboard.table.guards import WHOLE_TABLE_CALLS
from tests.conftest import every_engine, sign_in
from tests.table_health import outside_items as outside
from tests.ui.html import parse
from tests.ui.walk import calls_of


@pytest.fixture
def admin(people_by_role: dict[str, Any]) -> Client:
    return sign_in(people_by_role["admin"])


def count_items(folder: Path) -> None:
    call_command("reindex", table=settings.DYNAMODB_TABLE, checkpoint=folder / "c", stdout=io.StringIO())


@every_engine
def test_the_page_takes_two_round_trips_and_reads_no_whole_table(admin: Client, table: str, tmp_path: Path) -> None:
    outside.put_all()
    count_items(tmp_path)
    page = admin.get("/table/")
    log = calls_of(page)
    assert page.status_code == 200 and log.trips == 2
    operations = {call.operation for call in log.calls}
    assert not operations & {*WHOLE_TABLE_CALLS} and "DescribeTable" in operations
    text = parse(page).text
    recovery = "Off" if table == "moto" else "Not supported by this engine"
    assert recovery in text
    for name in ("GSI1", "GSI_Domain", "GSITypePK (hash), GSITypeSK (range)", "TENANT / POLL", "service"):
        assert name in text, name


def test_each_example_opens_in_the_viewer(admin: Client, tmp_path: Path) -> None:
    outside.put_all()
    count_items(tmp_path)
    page = parse(admin.get("/table/"))
    links = [link for details in page.by_class("examples") for link in details.all("a")]
    assert {link.text for link in links} >= {"BUS#andina / THEME#first", "TENANT#andina / SERVICE#manos"}
    for link in links:
        assert admin.get(link.attrs["href"]).status_code == 200, link.text


def test_a_finding_shows_its_effect_and_its_command(admin: Client) -> None:
    page = parse(admin.get("/table/"))
    stream = next(each for each in page.by_class("finding") if "no stream" in each.text)
    assert "until somebody runs reindex" in stream.text
    assert stream.one("code").text == "manage.py create_table"
    assert "The items have not been counted yet" in page.text


def test_ids_that_are_not_known_have_a_button(admin: Client) -> None:
    outside.put_all(
        outside.attributes(PK="SYSTEM", SK="FOUND#Pan_Caliente"),
        outside.attributes(PK="SYSTEM", SK="OUTSIDEOWNER#u1"),
    )
    page = parse(admin.get("/table/"))
    findings = [each for each in page.by_class("finding") if "not known here" in each.text]
    assert [each.one("a").attrs["href"] for each in findings] == ["/table/found/", "/table/found/?show=owners"]


def test_the_page_is_written_in_spanish(admin: Client, tmp_path: Path) -> None:
    outside.put_all()
    count_items(tmp_path)
    page = parse(admin.get("/table/", headers={"Accept-Language": "es"}))
    assert "1 elemento tiene una clave mal formada" in page.text
    assert "Ningún seguidor se ha ejecutado" in page.text
    item = parse(admin.get("/table/item/?pk=BUS%23andina&sk=THEME%23first", headers={"Accept-Language": "es"}))
    assert "Cada consulta queda en el registro de auditoría." in item.text


def test_a_report_of_another_shape_is_no_error(admin: Client) -> None:
    """Whoever can write the table can change the report."""
    odd: Any = {
        "PK": {"S": "SYSTEM"},
        "SK": {"S": "REINDEX"},
        "itemCount": {"S": "many"},
        "kinds": {"M": {"post": {"S": "x"}}},
        "unknownKinds": {"L": []},
        "problems": {"M": {"mistyped": {"M": {"count": {"N": "2"}, "examples": {"S": "x"}}}, "wrong_keys": {"N": "1"}}},
    }
    outside.put_all(odd)
    assert admin.get("/table/").status_code == 200
