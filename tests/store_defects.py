"""Defects of stores: the ledger, transfers, undo, counts, files and closed branches."""

from __future__ import annotations

from tests.defect import Defect

_STOCK = "tests/franchises/test_stock.py"
_TRANSFERS = "tests/franchises/test_transfers.py"
_ATTACKS = "tests/attacks/test_stores.py"
_REPEATED = "tests/attacks/test_repeated_stock_work.py"
_REPAIRS = "tests/franchises/test_repairs.py"
_FORGED_ROW = f"{_ATTACKS}::test_a_forged_row_of_the_grid_is_no_error_of_ours"

STORE_DEFECTS = [
    # The ledger.
    Defect(
        "Stores: stock goes below zero although the business does not allow it",
        "franchises/services/stock_rules.py",
        "if after < 0 and change < 0 and not allows_negative:",
        "if False:",
        f"{_STOCK}::test_stock_does_not_go_below_zero",
    ),
    Defect(
        "Stores: the stock of a retired product changes",
        "franchises/services/stock_rules.py",
        "if ledger.is_retired:",
        "if False:",
        f"{_STOCK}::test_a_retired_product_cannot_be_changed",
    ),
    Defect(
        "Stores: a stock that changed since the person saw it is overwritten",
        "franchises/services/stock.py",
        'if seen != "any" and seen != countable_stock(item):',
        "if False:",
        f"{_STOCK}::test_a_stock_that_differs_from_what_the_person_saw_is_a_conflict",
    ),
    Defect(
        "Stores: a correction of a text overwrites that of someone else",
        "franchises/services/stock.py",
        'if seen != "any" and seen != countable_stock(item):',
        'if seen not in ("any", None) and seen != countable_stock(item):',
        f"{_STOCK}::test_a_correction_of_a_text_does_not_overwrite_another_one",
    ),
    Defect(
        "Stores: a direct change of an outside writer is not recorded before ours",
        "franchises/ledger.py",
        "if (found := units_of(self.item)) != self.stock:",
        "if (found := self.stock) != self.stock:",
        f"{_STOCK}::test_a_direct_change_of_an_outside_writer_is_recorded_before_ours",
    ),
    Defect(
        "Stores: totals of branches do not change with the stock",
        "franchises/services/ledger.py",
        "        transaction.update(key, actions, None, StaleRevision)\n",
        "        pass\n",
        f"{_STOCK}::test_a_sale_writes_stock_head_movement_and_total",
    ),
    Defect(
        "Stores: a product that an outside writer deleted keeps its units",
        "franchises/ledger.py",
        "        if self.stock:\n            self._append(at, -self.stock, MovementReason.OUTSIDE, None)\n",
        "",
        f"{_REPAIRS}::test_a_deleted_product_leaves_its_ledger_and_no_units",
    ),
    # Transfers and undo.
    Defect(
        "Stores: a transfer writes one side only",
        "franchises/services/transfers.py",
        "    for ledger in ledgers:\n        write_ledger(transaction, ledger)\n",
        "    write_ledger(transaction, ledgers[0])\n",
        f"{_TRANSFERS}::test_a_transfer_changes_both_branches",
    ),
    Defect(
        "Stores: units move between different products",
        "franchises/services/transfers.py",
        "if source.group is None or source.group != target.group:",
        "if False:",
        f"{_TRANSFERS}::test_a_transfer_to_another_product_or_within_a_branch_is_refused",
    ),
    Defect(
        "Stores: a movement is undone twice",
        "franchises/services/undo.py",
        "    if marked.undone_by:\n",
        "    if False:\n",
        f"{_STOCK}::test_a_movement_is_undone_once",
    ),
    Defect(
        "Stores: a transfer adds a product that someone else added meanwhile",
        "franchises/services/bulk_transfer.py",
        "if source.group and find_done(command) is None:",
        "if False:",
        "tests/franchises/test_transfers_screen.py::test_a_product_that_was_added_after_the_preview_is_not_added_twice",
    ),
    Defect(
        "Stores: undo of a transfer breaks if its other side is gone",
        "franchises/services/undo.py",
        "        if state.item is None:\n",
        "        if False:\n",
        f"{_REPEATED}::test_a_transfer_whose_other_side_is_gone_is_not_undone",
    ),
    # Work on many products.
    Defect(
        "Stores: a count is applied again when its records have expired",
        "franchises/services/counts.py",
        "if sheet.applied_at and now() - sheet.applied_at > job_services.LIFE:",
        "if False:",
        f"{_REPEATED}::test_a_count_is_not_applied_again_after_its_records_expired",
    ),
    Defect(
        "Stores: a discarded count is applied",
        "franchises/services/counts.py",
        "    if sheet.discarded_at:\n",
        "    if False:\n",
        "tests/franchises/test_counts_job.py::test_a_discarded_count_is_not_applied",
    ),
    Defect(
        "Stores: sales during a count are lost",
        "franchises/services/counts.py",
        '        change=line["change"],\n',
        '        change=line["change"] - 1,\n',
        "tests/franchises/test_counts.py::test_a_count_is_started_counted_and_applied",
    ),
    Defect(
        "Stores: a count truncates fractions of outside writers",
        "franchises/queries/counts.py",
        "return units_of(self.stock_item) if self.stock_item is not None else 0",
        "return int(units_of(self.stock_item)) if self.stock_item is not None else 0",
        f"{_ATTACKS}::test_a_count_of_a_fraction_sets_what_was_counted",
    ),
    Defect(
        "Stores: an odd id of an outside writer breaks the count of its branch",
        "franchises/items/stock.py",
        "    needs_key_parts = True\n",
        "",
        f"{_ATTACKS}::test_odd_items_break_no_page_and_no_work_on_the_others",
    ),
    Defect(
        "Stores: a file that is confirmed twice adds its products twice",
        "franchises/services/stock_import.py",
        '        _ensure_missing(line, details, command.part("create"))\n',
        "",
        f"{_REPEATED}::test_the_same_file_confirmed_twice_adds_each_product_once",
    ),
    Defect(
        "Stores: a file overwrites what was sold after its preview",
        "franchises/services/stock_import.py",
        "            seen=before,\n",
        '            seen="any",\n',
        "tests/franchises/test_stock_import.py::test_a_sale_after_the_preview_is_not_overwritten",
    ),
    Defect(
        "Stores: the grid overwrites a fraction that changed",
        "franchises/services/grid.py",
        "            seen=row.seen_stock,\n",
        '            seen="any",\n',
        f"{_ATTACKS}::test_the_grid_does_not_overwrite_a_fraction_that_changed",
    ),
    Defect(
        "Stores: half of a surrogate pair in the grid is an error of ours",
        "franchises/forms/grid.py",
        'return text.encode(errors="replace").decode()',
        "return text",
        _FORGED_ROW,
    ),
    # Closed branches.
    Defect(
        "Stores: a product is added to a closed branch",
        "franchises/services/products.py",
        "is_open = Branch.pk.exists() & Branch.closed_at.does_not_exist()",
        "is_open = Branch.pk.exists()",
        "tests/franchises/test_catalog.py::test_a_product_does_not_move_to_a_closed_or_unknown_branch",
    ),
]
