"""A file of 20,000 lines: all errors at once, and a preview that costs the same as that of a small file."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from dashboard.platform.jobs.items import JobState
from dashboard.platform.jobs.queries import find_job
from franchises.items import Branch
from franchises.stock_file import MAX_LINES
from tests.franchises.stores import STORES
from tests.ui.html import form_to, parse
from tests.ui.walk import calls_of

IMPORT = f"{STORES}import/"


def upload(browser: Client, text: str) -> str:
    """Upload a file; returns the address of its preview."""
    file = SimpleUploadedFile("stock.csv", text.encode())
    answer = form_to(browser.get(IMPORT), IMPORT).send(browser, values={"file": file})
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def lines(count: int) -> str:
    rows = [f"Centro,C-{number:05},Producto {number:05},{number % 90}" for number in range(count)]
    for number in range(0, count, count // 4):
        rows[number] = f"Oeste,C-{number:05},Producto {number:05},mil"
    return "branch,sku,name,stock\n" + "\n".join(rows)


@pytest.mark.slow
@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_a_file_of_20_000_lines(table: str, as_owner: Client, branch: Branch) -> None:
    few, many = upload(as_owner, lines(400)), upload(as_owner, lines(MAX_LINES))
    costs = [calls_of(as_owner.get(url)) for url in (few, many)]
    assert [(len(each.calls), each.trips) for each in costs] == [(4, 2), (4, 2)]
    page = parse(as_owner.get(many)).one("main").text
    assert "4 lines have errors" in page and "Import 19,996 products" in page
    job = find_job(many.rstrip("/").rpartition("/")[2])
    assert job is not None and (job.state, int(job.total)) == (JobState.WAITING, MAX_LINES - 4)
    errors = as_owner.get(f"{many}errors/").content.decode("utf-8-sig").strip().split("\r\n")[1:]
    assert [row.split(",")[0] for row in errors] == [str(n) for at in (0, 1, 2, 3) for n in [at * 5_000 + 2] * 2]
    assert {row.split(",")[1] for row in errors} == {"Branch", "Stock"}, "by line and column"
    refused = form_to(as_owner.get(IMPORT), IMPORT).send(
        as_owner, values={"file": SimpleUploadedFile("stock.csv", lines(MAX_LINES + 4).encode())}
    )
    assert refused.status_code == 422 and "The maximum is 20,000" in parse(refused).one("main").text
