"""Items of franchises: franchises and branches, stock with its ledger, count sheets."""

from franchises.items.counts import CountLine, CountSheet
from franchises.items.stock import BranchTotal, Movement, StockHead, StockItem
from franchises.items.stores import Branch, Franchise

__all__ = ["Branch", "BranchTotal", "CountLine", "CountSheet", "Franchise", "Movement", "StockHead", "StockItem"]
