"""Pictures among the media of a site. They are on another host, whose address an outside writer stored.

The content security policy allows no pictures of other hosts, so the server fetches one when a person asks for it.
"""

from __future__ import annotations

import json

from django.utils.crypto import constant_time_compare, salted_hmac

from branding.public import picture_type
from content.items import SiteAsset
from content.library.kinds import FILES
from dashboard.core.errors import Busy, NotFound
from dashboard.core.rotation import secret_keys
from dashboard.web.capacity import Share, ShareFull
from dashboard.web.outside_files import FetchFailed, fetch

_ACCEPT = "image/avif,image/webp,image/png,image/jpeg,image/gif"
# Each fetch occupies a thread of the server for some seconds.
MAX_FETCHES, MAX_FETCHES_OF_PERSON = 3, 2
fetches = Share(lambda: MAX_FETCHES, lambda: MAX_FETCHES_OF_PERSON)


def is_picture(asset: SiteAsset) -> bool:
    """Whether its type says that it is one, and its address can be fetched."""
    kind = (asset.file_type or asset.imported_type or "").partition(";")[0].strip().lower()
    return kind.startswith("image/") and kind != "image/svg+xml" and bool(FILES.address_of(asset))


def keys_of(asset: SiteAsset) -> list[str]:
    """The keys with which only our pages link to the picture: no other site can make the server fetch it.

    The address is part of them: if an outside writer changes it, an earlier link does not load it.
    """
    signed = json.dumps([*asset.key, FILES.address_of(asset)])
    made = [salted_hmac("content.site_pictures", signed, secret, algorithm="sha256") for secret in secret_keys()]
    return [each.hexdigest() for each in made]


def load_picture(asset: SiteAsset, key: str, email: str) -> tuple[bytes, str]:
    """The picture and its content type, which its content tells."""
    if not is_picture(asset) or not any(constant_time_compare(key, each) for each in keys_of(asset)):
        raise NotFound
    try:
        with fetches.take(email):
            content = fetch(FILES.address_of(asset), _ACCEPT)
    except ShareFull:
        raise Busy from None
    except FetchFailed:
        raise NotFound from None
    content_type = picture_type(content)
    if not content_type:
        raise NotFound
    return content, content_type
