"""URLs of stores."""

from django.urls import path, register_converter

from franchises.paths import BranchConverter, ProductConverter
from franchises.views import (
    branch,
    branches,
    counts,
    franchises,
    grid,
    movements,
    movements_undo,
    overview,
    product,
    product_changes,
    product_list,
    product_movements,
    stock,
    stock_export,
    stock_import,
    transfers,
)

register_converter(BranchConverter, "branch")
register_converter(ProductConverter, "product")

_STORES = "b/<business:business>/stores/"
_BRANCH = f"{_STORES}<branch:branch>/"
_PRODUCTS = f"{_STORES}products/"
_PRODUCT = f"{_PRODUCTS}<product:product>/"
_COUNTS = f"{_STORES}counts/"
_COUNT = f"{_COUNTS}<slug:count>/"
_UNDO = f"{_STORES}undo/<job:job_id>/"
_IMPORT = f"{_STORES}import/<job:job_id>/"

urlpatterns = [
    path("stores/", franchises.franchises, name="franchises"),
    path("stores/new/", franchises.create, name="franchise_new"),
    path(_STORES, overview.stores, name="stores"),
    path(f"{_STORES}highest/", overview.highest, name="stores_highest"),
    path(f"{_STORES}settings/", franchises.settings, name="stores_settings"),
    path(f"{_STORES}settings/remove/", franchises.remove, name="franchise_remove"),
    path(f"{_STORES}movements/", movements.movements, name="movements"),
    path(f"{_STORES}movements/undo/", movements_undo.begin, name="movements_undo"),
    path(_UNDO, movements_undo.preview, name="undo_preview"),
    path(f"{_UNDO}confirm/", movements_undo.confirm, name="undo_confirm"),
    # Branches.
    path(f"{_STORES}branches/", branches.branches, name="branches"),
    path(f"{_STORES}branches/new/", branches.create, name="branch_new"),
    path(_BRANCH, branch.branch, name="branch"),
    path(f"{_BRANCH}rename/", branches.edit, name="branch_rename"),
    path(f"{_BRANCH}close/", branches.close, name="branch_close"),
    path(f"{_BRANCH}reopen/", branches.reopen, name="branch_reopen"),
    path(f"{_BRANCH}remove/", branches.remove, name="branch_remove"),
    path(f"{_BRANCH}scan/", stock.change_scanned, name="branch_scan"),
    # Products.
    path(_PRODUCTS, product_list.products, name="products"),
    path(f"{_PRODUCTS}new/", product_changes.create, name="product_new"),
    path(f"{_PRODUCTS}everywhere/", product_list.everywhere, name="product_everywhere"),
    path(f"{_PRODUCTS}everywhere/movements/", product_movements.product_movements, name="product_movements"),
    path(f"{_PRODUCTS}retire/", product_changes.retire_several, name="products_retire"),
    path(_PRODUCT, product.product, name="product"),
    path(f"{_PRODUCT}edit/", product_changes.edit, name="product_edit"),
    path(f"{_PRODUCT}move/", product_changes.move, name="product_move"),
    path(f"{_PRODUCT}retire/", product_changes.retire, name="product_retire"),
    path(f"{_PRODUCT}restore/", product_changes.restore, name="product_restore"),
    path(f"{_PRODUCT}stock/", stock.change, name="product_stock"),
    path(f"{_PRODUCT}movements/<int:seq>/undo/", stock.undo, name="movement_undo"),
    # Work on many products.
    path(f"{_BRANCH}grid/", grid.grid, name="branch_grid"),
    path(f"{_STORES}transfer/", transfers.transfer, name="stores_transfer"),
    path(f"{_STORES}export/", stock_export.export, name="stores_export"),
    path(f"{_STORES}import/", stock_import.upload, name="stores_import"),
    path(_IMPORT, stock_import.preview, name="stores_import_preview"),
    path(f"{_IMPORT}errors/", stock_import.errors, name="stores_import_errors"),
    path(f"{_IMPORT}confirm/", stock_import.confirm, name="stores_import_confirm"),
    path(f"{_STORES}jobs/<job:job_id>/undo/", stock_import.undo_job, name="stores_undo_job"),
    # Counts.
    path(_COUNTS, counts.counts, name="counts"),
    path(_COUNT, counts.count, name="count"),
    path(f"{_COUNT}lines/<product:product>/", counts.line, name="count_line"),
    path(f"{_COUNT}apply/", counts.apply, name="count_apply"),
    path(f"{_COUNT}discard/", counts.discard, name="count_discard"),
    path(f"{_COUNT}reopen/", counts.reopen, name="count_reopen"),
]
