"""Import of stock: preview with all errors, the job, its undo, and the export."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from dashboard.core.errors import Unavailable
from dashboard.platform.jobs import runner
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.queries import failures, find_job
from dashboard.table.commands import new_command
from franchises.items import Branch
from franchises.queries.ledger import movements_of
from franchises.queries.products import load_product
from franchises.queries.whole_catalog import all_products
from franchises.reasons import MovementReason
from franchises.services.stock import change_stock
from tests.conftest import ACTOR
from tests.franchises.stores import BUSINESS, STORES, a_branch, a_product
from tests.jobs.execution import finish
from tests.ui.html import form_to, parse

IMPORT = f"{STORES}import/"


def upload(browser: Client, text: str) -> Any:
    return form_to(browser.get(IMPORT), IMPORT).send(browser, values={"text": text}, follow=True)


def job_in(answer: Any) -> Job:
    """The job of the page that was shown last."""
    found = find_job(answer.request["PATH_INFO"].rstrip("/").rpartition("/")[2])
    assert found is not None
    return found


def confirm(browser: Client, previewed: Any) -> Job:
    job = job_in(previewed)
    form_to(previewed, f"{IMPORT}{job.id}/confirm/").send(browser)
    return finish(find_job(job.id) or job)


def undo(browser: Client, job: Job) -> Job:
    answer = form_to(browser.get(job.url()), f"{STORES}jobs/{job.id}/undo/").send(browser, follow=True)
    return finish(job_in(answer))


def stocks() -> dict[str, Any]:
    return {product.title: product.stock for product in all_products(BUSINESS)}


def test_preview_import_and_undo(as_owner: Client, branch: Branch) -> None:
    coffee, tea = a_product("Café", branch, stock=10), a_product("Té", branch, stock=5, sku="T-1")
    text = "sucursal;sku;nombre;existencias;minimo;precio\nCentro;;Café;12;3;\nCentro;T-1;Té verde;5;;4500\n"
    previewed = upload(as_owner, text + "Centro;;Mate;7;;\nOeste;;Pan;1;;\nCentro;;Sal;mil;;x\n")
    shown = parse(previewed).one("main").text
    assert "2 lines have errors" in shown and "Import 3 products" in shown
    assert "There is no branch “Oeste”." in shown and "whole number of units" in shown
    assert stocks() == {"Café": 10, "Té": 5}, "the preview changes nothing"
    errors = as_owner.get(f"{IMPORT}{job_in(previewed).id}/errors/").content.decode()
    assert errors.count("\r\n") == 4 and "Oeste" in errors
    job = confirm(as_owner, previewed)
    assert (job.state, int(job.done), int(job.failed)) == (JobState.DONE, 3, 0)
    assert stocks() == {"Café": 12, "Té verde": 5, "Mate": 7}
    changed = load_product(BUSINESS, tea.id)
    assert (changed.name, str(changed.price), changed.sku) == ("Té verde", "4500", "T-1")
    (movement, *_rest) = movements_of(BUSINESS, coffee.id).items
    assert movement.cause is not None and movement.cause["kind"] == "file"
    undone = undo(as_owner, job)
    assert (undone.state, int(undone.failed)) == (JobState.DONE, 0)
    assert stocks() == {"Café": 10, "Té": 5}, "the new product is retired"
    assert load_product(BUSINESS, tea.id).price is None and load_product(BUSINESS, coffee.id).min_stock is None


def test_a_sale_after_the_preview_is_not_overwritten(as_owner: Client, branch: Branch) -> None:
    coffee = a_product("Café", branch, stock=10)
    previewed = upload(as_owner, "branch,name,stock\nCentro,Café,20")
    change_stock(BUSINESS, coffee.id, change=-1, reason=MovementReason.SALE, command=new_command(ACTOR))
    job = confirm(as_owner, previewed)
    assert (int(job.done), int(job.failed)) == (0, 1)
    (failure,) = failures(job.id).items
    assert "was 10" in failure.reason and "now 9" in failure.reason
    assert stocks() == {"Café": 9}


def test_undo_keeps_what_changed_after_the_import(as_owner: Client, branch: Branch) -> None:
    coffee = a_product("Café", branch, stock=10)
    job = confirm(as_owner, upload(as_owner, "branch,name,stock,minimum\nCentro,Café,20,4\nCentro,Mate,5,\n"))
    change_stock(BUSINESS, coffee.id, change=-3, reason=MovementReason.SALE, command=new_command(ACTOR))
    mate = next(each for each in all_products(BUSINESS) if each.title == "Mate")
    change_stock(BUSINESS, mate.id, change=-1, reason=MovementReason.SALE, command=new_command(ACTOR))
    undone = undo(as_owner, job)
    assert stocks() == {"Café": 7, "Mate": 4}, "the sales are kept"
    assert [each.reason for each in failures(undone.id).items] == [
        "It has moved since the import. Retire it on its page if it is not needed."
    ]


def test_an_import_that_is_killed_imports_each_line_once(as_owner: Client, branch: Branch, monkeypatch: Any) -> None:
    previewed = upload(as_owner, "branch,name,stock\n" + "".join(f"Centro,P{n:02},{n + 1}\n" for n in range(20)))
    save, killed = runner._save, list[Any]()

    def save_or_die(job: Any, step: Any, lease: str, **options: Any) -> None:
        if len(killed) < 2:
            killed.append(job.cursor)
            raise Unavailable
        save(job, step, lease, **options)

    monkeypatch.setattr(runner, "_save", save_or_die)
    job = confirm(as_owner, previewed)
    assert len(killed) == 2 and (int(job.done), int(job.failed)) == (20, 0)
    assert stocks() == {f"P{n:02}": n + 1 for n in range(20)}


def test_export_can_be_imported_and_contains_no_formula(as_owner: Client, branch: Branch) -> None:
    a_product("=1+1", branch, stock=3, sku="@A")
    a_product("Té; verde", a_branch("Norte"), stock=5)
    answer = as_owner.get(f"{STORES}export/")
    content = b"".join(answer)
    text = content.decode("utf-8-sig")
    assert "'=1+1" in text and "'@A" in text and ",=" not in text
    shown = form_to(as_owner.get(IMPORT), IMPORT).send(
        as_owner, values={"file": SimpleUploadedFile("stock.csv", content)}, follow=True
    )
    assert "This file changes nothing" in parse(shown).one("main").text


def test_a_bad_file_keeps_the_page(as_owner: Client, branch: Branch) -> None:
    for text, message in (("name\nx", "no column for the branch"), ("", "Choose a file or paste")):
        answer = upload(as_owner, text)
        assert answer.status_code == 422 and message in parse(answer).one("main").text
    workbook = SimpleUploadedFile("a.xlsx", b"PK\x03\x04abc")
    answer = as_owner.post(IMPORT, {"file": workbook})
    assert answer.status_code == 422 and "not a CSV" in parse(answer).one("main").text


def test_another_person_sees_no_preview(as_owner: Client, branch: Branch, as_admin: Client) -> None:
    job = job_in(upload(as_owner, "branch,name,stock\nCentro,Mate,5"))
    assert as_admin.get(f"{IMPORT}{job.id}/").status_code == 404
    assert as_admin.post(f"{STORES}jobs/{job.id}/undo/").status_code == 404
    assert as_owner.post(f"{STORES}jobs/{job.id}/undo/").status_code == 422, "nothing was imported yet"
