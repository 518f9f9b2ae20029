"""The id of a job in a URL."""

from django.urls.converters import StringConverter


class JobConverter(StringConverter):
    """Accepts the ids that this product creates; any other text gives 404."""

    regex = "[a-z0-9-]{1,80}"
