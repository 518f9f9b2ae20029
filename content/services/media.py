"""Pictures that people upload for the pages of a site: the file, and its item among the media."""

from __future__ import annotations

from dataclasses import dataclass

from branding.public import MAX_BYTES, BadPicture, Picture, read_picture
from content import media_files
from content.items import LibraryItem
from content.library.kinds import FILES
from content.services import library
from dashboard.core.errors import Conflict, Refused
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Command
from dashboard.table.items import Raw

# So many digits of the hash are in the id: the same picture is one item.
ID_DIGITS = 32
# What is read of a file: one byte more shows that it is too large.
READ_BYTES = MAX_BYTES + 1


@dataclass(frozen=True)
class StoredMedia:
    """A stored picture. `item` is None if it was among the media before."""

    id: str
    key: str
    # Its address for pages of the site, which are on another host.
    address: str
    was_animated: bool
    item: LibraryItem | None


def store(business: str, content: bytes, name: str, *, command: Command) -> StoredMedia:
    """Store a picture once; raise `Refused` with the reason if it is none."""
    try:
        picture = read_picture(content)
    except BadPicture as bad:
        raise Refused(str(bad.text), "file") from bad
    # The file first, so that no item names a file that does not exist. A file without an item does no harm.
    key = media_files.store(business, picture)
    item_id, address = picture.source[:ID_DIGITS], media_files.address_of(business, media_files.name_of(picture))
    command = command.part(key)
    attributes = _attributes(picture, key, address, command.by.email)
    try:
        item = library.create(FILES, business, {"file_name": name}, attributes, item_id=item_id, command=command)
    except Conflict:
        item = None
    return StoredMedia(item_id, key, address, picture.was_animated, item)


def _attributes(picture: Picture, key: str, address: str, email: str) -> Raw:
    """What the website service writes for a file that it uploads itself."""
    values = {
        "fileType": picture.content_type,
        "size": len(picture.content),
        "s3Key": key,
        "publicUrl": address,
        "uploadedBy": email,
    }
    return {name: to_attribute(value) for name, value in values.items()}
