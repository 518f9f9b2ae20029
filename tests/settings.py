"""Settings of the tests. AWS variables are removed before anything reads them: tests never reach a real account."""

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

from dashboard.settings import *  # noqa: F403 -- all settings, except those below

# Static files are not collected: whitenoise finds each one when it is requested. To read all of them first would take
# as long as a page, for each of some thousand test clients.
STATIC_ROOT = None  # type: ignore[assignment]
WHITENOISE_AUTOREFRESH = True

# Most tests keep responses that nobody reads to the end. Tests of the share set it themselves.
EXPENSIVE_AT_ONCE = EXPENSIVE_PER_PERSON = 1000

# Tests of mail switch it on.
MAIL_IS_CONFIGURED = False
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

# The files of businesses; deleted when this process ends.
_files = tempfile.mkdtemp(prefix="trastienda-files-")
atexit.register(shutil.rmtree, _files, ignore_errors=True)
STORAGES = STORAGES | {"default": {"BACKEND": "branding.storage.Folder", "OPTIONS": {"location": _files}}}  # noqa: F405

# Every page reads the log of activity again: a test writes events and looks at once.
ACTIVITY_LOG_SECONDS = 0
