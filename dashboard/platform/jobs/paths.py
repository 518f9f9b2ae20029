"""How long work is named in an address."""

from django.urls.converters import StringConverter


class JobConverter(StringConverter):
    """An id of ours; anything else is no address at all."""

    regex = "[a-z0-9-]{1,80}"
