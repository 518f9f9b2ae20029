"""The kinds of fields of plugin blocks: what a form shows of a stored value, and the value of what a person typed.

A form shows a value as text. If the text that comes back is the same, the stored value is kept, whatever it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from content.blocks.addresses import is_safe_address
from content.blocks.cell_rows import from_cell_rows, to_cell_rows
from dashboard.core.errors import Refused

LINE_LENGTH, TEXT_LENGTH = 500, 20_000
MAX_DIGITS = 20
_ONE_LINE = ("line", "link", "number")


def sent_text(text: str, widget: str) -> str:
    """A text as a browser sends it back: with other line ends, and without any in a field of one line."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")
    return text.replace("\n", "") if widget in _ONE_LINE else text


@dataclass(frozen=True)
class BlockField:
    """One line of text."""

    name: str
    label: str | Promise
    # What the website shows where the value is missing.
    default: Any = ""
    max_length: int = LINE_LENGTH
    help_text: str | Promise = ""

    widget: ClassVar[str] = "line"

    def form_text(self, value: Any) -> str | None:
        """The text in the form; None if the stored value cannot be edited as text."""
        if value is None:
            return ""
        if isinstance(value, Decimal):
            return format(value, "f")
        is_text = isinstance(value, str | int | float) and not isinstance(value, bool)
        return str(value) if is_text else None

    def parse(self, text: str, stored: Any) -> Any:
        """The value to store. Raises Refused with the reason if the text is not valid."""
        if len(text) > self.max_length:
            raise Refused(_("Use at most %(count)d characters.") % {"count": self.max_length}, self.name)
        return text

    def plain_text(self, value: Any) -> str:
        """The value as words, for comparisons."""
        return self.form_text(value) or ""


@dataclass(frozen=True)
class BlockText(BlockField):
    """Several lines of text."""

    max_length: int = TEXT_LENGTH
    widget: ClassVar[str] = "text"


@dataclass(frozen=True)
class BlockCode(BlockText):
    """Text in a font for code."""

    widget: ClassVar[str] = "code"


@dataclass(frozen=True)
class BlockChoice(BlockField):
    """One of several values; a stored value that is not among them stays available."""

    choices: Sequence[tuple[str, str | Promise]] = ()
    widget: ClassVar[str] = "choice"

    def form_text(self, value: Any) -> str | None:
        return super().form_text(self.default if value is None else value)

    def parse(self, text: str, stored: Any) -> Any:
        if text not in {key for key, _label in self.choices}:
            raise Refused(_("Choose one of the values."), self.name)
        return text

    def options(self, text: str) -> list[tuple[str, str | Promise]]:
        known = list(self.choices)
        return known if text in {key for key, _label in known} else [*known, (text, text)]

    def plain_text(self, value: Any) -> str:
        text = self.form_text(value) or ""
        return str(dict(self.choices).get(text, text))


@dataclass(frozen=True)
class BlockNumber(BlockField):
    """A number within bounds. A number that is stored as text stays text."""

    minimum: int = 0
    maximum: int = 1000
    widget: ClassVar[str] = "number"

    def form_text(self, value: Any) -> str | None:
        return super().form_text(self.default if value is None else value)

    def parse(self, text: str, stored: Any) -> Any:
        try:
            number = Decimal(text.strip().replace(",", ".")[:MAX_DIGITS])
        except InvalidOperation:
            raise Refused(_("Enter a number."), self.name) from None
        if not number.is_finite() or not self.minimum <= number <= self.maximum:
            bounds = {"minimum": self.minimum, "maximum": self.maximum}
            raise Refused(_("Enter a number from %(minimum)s to %(maximum)s.") % bounds, self.name)
        if isinstance(stored, str):
            return text.strip()
        return int(number) if number == number.to_integral_value() else number


@dataclass(frozen=True)
class BlockFlag(BlockField):
    """Yes or no."""

    default: bool = False
    widget: ClassVar[str] = "flag"

    def form_text(self, value: Any) -> str | None:
        value = self.default if value is None else value
        return ("on" if value else "") if isinstance(value, bool) else None

    def parse(self, text: str, stored: Any) -> Any:
        return text == "on"

    def plain_text(self, value: Any) -> str:
        return _("yes") if self.form_text(value) else _("no")


@dataclass(frozen=True)
class BlockLink(BlockField):
    """An address on this website or elsewhere."""

    max_length: int = 2000
    widget: ClassVar[str] = "link"

    def parse(self, text: str, stored: Any) -> Any:
        address = super().parse(text.strip(), stored)
        if address and not is_safe_address(address):
            raise Refused(
                _("Enter a web address, an e-mail address with mailto: or a page such as /contact."), self.name
            )
        return address


@dataclass(frozen=True)
class BlockPicture(BlockLink):
    """The address of a picture or video."""


@dataclass(frozen=True)
class BlockCells(BlockField):
    """The cells of a table: a line for each row, with cells separated by a vertical bar."""

    max_length: int = TEXT_LENGTH
    # Rows are maps with cells; a header is a single row of texts.
    is_header: bool = False
    widget: ClassVar[str] = "text"

    def form_text(self, value: Any) -> str | None:
        return "" if value is None else to_cell_rows(value, is_header=self.is_header)

    def parse(self, text: str, stored: Any) -> Any:
        return from_cell_rows(super().parse(text, stored), stored, is_header=self.is_header)


@dataclass(frozen=True)
class BlockItems(BlockField):
    """A list of items, each with an id and fields of its own."""

    fields: Sequence[BlockField] = ()
    item_label: str | Promise = ""
    # The field that names an item.
    title: str = "title"
    max_items: int = 40
    widget: ClassVar[str] = "items"

    def form_text(self, value: Any) -> str | None:
        is_list = value is None or (isinstance(value, list) and all(isinstance(each, dict) for each in value))
        return "" if is_list else None

    def plain_text(self, value: Any) -> str:
        items = value if isinstance(value, list) else []
        texts = [
            [field.plain_text(item.get(field.name)) for field in self.fields]
            for item in items
            if isinstance(item, dict)
        ]
        return "\n".join(" · ".join(filter(None, each)) for each in texts)
