"""Settings under test. The environment is cleaned before anything reads it: tests never reach a real account."""

import atexit
import os
import shutil
import tempfile

os.environ["TRASTIENDA_MODE"] = "test"
for _name in [name for name in os.environ if name.startswith("AWS_")]:
    del os.environ[_name]
os.environ |= {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
}

from dashboard.settings import *  # noqa: F403 -- all of them, but for what follows

# Nothing is collected: whitenoise finds the files where they are, when it is asked for one. Reading them all first
# would take each of some thousand browsers as long as a page does.
STATIC_ROOT = None  # type: ignore[assignment]
WHITENOISE_AUTOREFRESH = True

# Most tests keep responses that nobody reads to the end. Tests of the share set it themselves.
EXPENSIVE_AT_ONCE = EXPENSIVE_PER_PERSON = 1000

# Files of businesses, for as long as this process runs.
_files = tempfile.mkdtemp(prefix="trastienda-files-")
atexit.register(shutil.rmtree, _files, ignore_errors=True)
STORAGES = STORAGES | {"default": {"BACKEND": "branding.storage.Folder", "OPTIONS": {"location": _files}}}  # noqa: F405
