"""Settings. They come from the environment; a missing variable raises an error that explains it."""

import os
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent

# "local" is `make run`, "test" is pytest; anything else is production.
MODE = os.environ.get("TRASTIENDA_MODE", "production")
PRODUCTION = MODE not in {"local", "test"}
DATA_DIR = Path(os.environ.get("TRASTIENDA_DATA", BASE_DIR / ".data"))


def required(name: str, meaning: str) -> str:
    value = os.environ.get(name, "")
    if value or not PRODUCTION:
        return value or f"only-for-{MODE}-{name.lower().replace('_', '-')}"
    raise ImproperlyConfigured(f"Set {name}: {meaning}.")


def listed(name: str) -> list[str]:
    """The values of a variable, separated by commas."""
    return [value.strip() for value in os.environ.get(name, "").split(",") if value.strip()]


DEBUG = False
SECRET_KEY = required("SECRET_KEY", "a long random text that signs cookies and forms")
API_KEY_PEPPER = required("API_KEY_PEPPER", "a long random text that protects stored API keys")
# Previous keys, the newest first: what was signed or hashed with them stays valid (docs/operating.md).
SECRET_KEY_FALLBACKS = listed("SECRET_KEY_FALLBACKS")
API_KEY_PEPPER_FALLBACKS = listed("API_KEY_PEPPER_FALLBACKS")
_hosts = required("ALLOWED_HOSTS", "the host names this site answers to, separated by commas")
ALLOWED_HOSTS = [host.strip() for host in _hosts.split(",") if host.strip()]
if not ALLOWED_HOSTS:
    raise ImproperlyConfigured(f"ALLOWED_HOSTS is {_hosts!r}: list the host names of this site.")
for _host in ALLOWED_HOSTS:
    # `*` and `.com` would accept the host name of anybody, and with it links to their site.
    if "*" in _host or (_host.startswith(".") and _host.count(".") < 2):
        raise ImproperlyConfigured(f"ALLOWED_HOSTS contains {_host!r}: list the host names of this site one by one.")
if MODE == "test":
    ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
# The address in responses that caches keep. It does not come from the request, whose sender chooses the host and port.
_scheme = "https" if PRODUCTION else "http"
SITE_URL = os.environ.get("SITE_URL", "").rstrip("/") or f"{_scheme}://{ALLOWED_HOSTS[0].lstrip('.')}"

ASSETS_BUCKET = required("ASSETS_BUCKET", "the private S3 bucket that keeps the files of businesses")

# The table. Endpoint, region and credentials are the AWS SDK's own variables.
DYNAMODB_TABLE = os.environ.get("DYNAMODB_TABLE", "trastienda")
# The names of the tables with the activity of a month. `{table}` is the name above.
ACTIVITY_TABLE = os.environ.get("ACTIVITY_TABLE", "") or "{table}-activity-{month}"
if "{month}" not in ACTIVITY_TABLE:
    raise ImproperlyConfigured(f"ACTIVITY_TABLE is {ACTIVITY_TABLE!r}: it must contain {{month}}.")
if "AWS_REGION" in os.environ:
    # botocore reads only the other one.
    os.environ.setdefault("AWS_DEFAULT_REGION", os.environ["AWS_REGION"])

DATABASES: dict[str, dict[str, str]] = {}

INSTALLED_APPS = [
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials.apps.SimpleAppConfig",
    "csp",
    "dashboard.table",
    "dashboard.platform.accounts",
    "dashboard.platform.audit",
    "dashboard.platform.security_log",
    "dashboard.platform.businesses",
    "dashboard.platform.apikeys",
    "dashboard.platform.due",
    "dashboard.platform.outbox",
    "dashboard.platform.mail",
    "dashboard.platform.webhooks",
    "dashboard.platform.usage",
    "dashboard.platform.stream",
    "dashboard.platform.jobs",
    "dashboard.platform.configs",
    "dashboard.web",
    "dashboard.platform.adoption",
    "dashboard.platform.transfer",
    "dashboard.shell",
    "dashboard.dev",
    "branding",
    "forum",
    "rooms",
    "bookings",
    "content",
    "franchises",
    "activity",
    # Only its static files: Tiptap, prebuilt.
    "django_prose_editor",
    # Last: its demo counts the items of the others.
    "dashboard.platform.table_health",
]

MIDDLEWARE = [
    "dashboard.web.requests.request_id",
    "dashboard.web.headers.headers",
    "django_htmx.middleware.HtmxMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "dashboard.table.oplog.count_calls",
    "dashboard.web.errors.ErrorMiddleware",
    "dashboard.platform.security_log.middleware.SecurityEvents",
    "dashboard.platform.usage.meter.UsageMiddleware",
    "dashboard.shell.health.pulse",
    "django.middleware.common.CommonMiddleware",
    "dashboard.platform.accounts.middleware.sign_in",
    "dashboard.web.locale.language_and_zone",
    "dashboard.web.errors.BodyLimit",
    "dashboard.web.utf8.RequireUtf8",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "dashboard.platform.accounts.middleware.PermissionMiddleware",
]

ROOT_URLCONF = "dashboard.urls"
WSGI_APPLICATION = "dashboard.wsgi.application"

_LOADERS = [
    "dashboard.web.template_loader.Loader",
    "django.template.loaders.app_directories.Loader",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                ("template_partials.loader.Loader", [("dashboard.web.template_folding.LanguageLoader", _LOADERS)])
            ],
            "builtins": ["template_partials.templatetags.partials", "dashboard.web.templatetags.ui"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "dashboard.shell.context.shell",
            ],
        },
    }
]
FORM_RENDERER = "dashboard.web.forms.Renderer"

PASSWORD_HASHERS = ["dashboard.platform.accounts.hashers.Argon2"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
# The number of our proxies in front: the client's address is that many from the right.
_proxies = os.environ.get("TRUSTED_PROXIES", "").strip() or "0"
if not (_proxies.isascii() and _proxies.isdigit()):
    raise ImproperlyConfigured(f"TRUSTED_PROXIES is {_proxies!r}: set it to the number of your own proxies, 0 or more.")
TRUSTED_PROXIES = int(_proxies)

# The component gallery at /ui/ is for people who change the product.
UI_GALLERY = not PRODUCTION or os.environ.get("UI_GALLERY", "") == "1"

# Requests of each process that do expensive work at once, of all people and of one person (dashboard/web/capacity.py).
EXPENSIVE_AT_ONCE = int(os.environ.get("EXPENSIVE_AT_ONCE", "3"))
EXPENSIVE_PER_PERSON = int(os.environ.get("EXPENSIVE_PER_PERSON", "2"))

# Outgoing mail (docs/mail.md). Under `make run` it is written into a folder and shown at /outbox/.
MAIL_FOLDER = DATA_DIR / "outbox" if MODE == "local" else None
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = int(os.environ.get("EMAIL_PORT", "") or 587)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
_security = os.environ.get("EMAIL_SECURITY", "") or "starttls"
if _security not in {"starttls", "tls", "none"}:
    raise ImproperlyConfigured(f"EMAIL_SECURITY is {_security!r}: set it to starttls, tls or none.")
EMAIL_USE_TLS, EMAIL_USE_SSL = _security == "starttls", _security == "tls"
EMAIL_TIMEOUT = 15
_backend = os.environ.get("EMAIL_BACKEND", "")
if MAIL_FOLDER:
    EMAIL_BACKEND = "dashboard.platform.mail.folder.FolderBackend"
else:
    EMAIL_BACKEND = _backend or "django.core.mail.backends.smtp.EmailBackend"
MAIL_IS_CONFIGURED = bool(MAIL_FOLDER or EMAIL_HOST or _backend)
if PRODUCTION and MAIL_IS_CONFIGURED:
    DEFAULT_FROM_EMAIL = required("MAIL_FROM", "the address from which mail is sent")
else:
    DEFAULT_FROM_EMAIL = os.environ.get("MAIL_FROM", "trastienda@example.com")

# Each process adds what it counted once a minute (docs/usage.md). Prices in US dollars, as in us-east-1.
USAGE_IS_ADDED = MODE != "test"
PRICE_OF_MILLION_READS = float(os.environ.get("PRICE_OF_MILLION_READS", "") or 0.125)
PRICE_OF_MILLION_WRITES = float(os.environ.get("PRICE_OF_MILLION_WRITES", "") or 0.625)

# The archive of activity (docs/activity-archive.md): a bucket, s3://…, or a folder. Empty: there is none.
ACTIVITY_ARCHIVE = os.environ.get("ACTIVITY_ARCHIVE", "") or (str(DATA_DIR / "activity") if MODE == "local" else "")
# Keys of the pseudonyms that replace e-mail addresses in the archive, the newest first. Empty: the addresses stay.
ACTIVITY_PSEUDONYM_KEYS = listed("ACTIVITY_PSEUDONYM_KEYS")
# Questions about past activity (docs/activity-warehouse.md): answered by duckdb, in this process, or by athena.
ACTIVITY_WAREHOUSE = os.environ.get("ACTIVITY_WAREHOUSE", "") or "duckdb"
if ACTIVITY_WAREHOUSE not in {"duckdb", "athena"}:
    raise ImproperlyConfigured(f"ACTIVITY_WAREHOUSE is {ACTIVITY_WAREHOUSE!r}: set it to duckdb or athena.")
# The limits of one question in this process, and of one that Athena answers.
ACTIVITY_QUERY_SECONDS = float(os.environ.get("ACTIVITY_QUERY_SECONDS", "") or 20)
ACTIVITY_QUERY_MEMORY_MB = int(os.environ.get("ACTIVITY_QUERY_MEMORY_MB", "") or 512)
ACTIVITY_QUERY_THREADS = int(os.environ.get("ACTIVITY_QUERY_THREADS", "") or 2)
# Each process reads new events of the log tables at most so often.
ACTIVITY_LOG_SECONDS = float(os.environ.get("ACTIVITY_LOG_SECONDS", "") or 10)
ATHENA_SECONDS = float(os.environ.get("ATHENA_SECONDS", "") or 300)
ATHENA_WORKGROUP = os.environ.get("ATHENA_WORKGROUP", "") or "trastienda-activity"
ATHENA_DATABASE = os.environ.get("ATHENA_DATABASE", "") or "trastienda_activity"
ATHENA_TABLE = os.environ.get("ATHENA_TABLE", "") or "events"

LANGUAGE_CODE = "en"
# Each name is in its own language. Translations are in locale/.
LANGUAGES = [("en", "English"), ("es", "Español")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "dashboard.web.bundle.BundleFinder",
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
_STATIC_STORAGE = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
    if MODE == "test"
    else "whitenoise.storage.CompressedManifestStaticFilesStorage"
)
# Files of businesses are in a private bucket, in development in a folder.
_FILES = {
    "BACKEND": "branding.storage.Bucket" if PRODUCTION else "branding.storage.Folder",
    "OPTIONS": {"bucket_name": ASSETS_BUCKET} if PRODUCTION else {"location": DATA_DIR / "files"},
}
STORAGES = {
    "default": _FILES,
    "staticfiles": {"BACKEND": _STATIC_STORAGE},
}
WHITENOISE_USE_FINDERS = MODE == "test"
WHITENOISE_MAX_AGE = 3600

MESSAGE_STORAGE = "dashboard.web.toasts.ToastStorage"

SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^livez$", r"^healthz$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = PRODUCTION
SECURE_HSTS_PRELOAD = PRODUCTION
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Browsers accept a cookie with this prefix only from this very host: no other site of the domain can set it.
_COOKIE_PREFIX = "__Host-" if PRODUCTION else ""
SESSION_COOKIE_NAME = f"{_COOKIE_PREFIX}session"
SESSION_COOKIE_SECURE = PRODUCTION
# Names the accounts that have signed in with a browser.
BROWSER_COOKIE_NAME = "__Host-browser" if PRODUCTION else "browser"
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_NAME = f"{_COOKIE_PREFIX}csrf"
CSRF_COOKIE_SECURE = PRODUCTION
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "dashboard.web.errors.csrf_failure"
LANGUAGE_COOKIE_NAME = f"{_COOKIE_PREFIX}language"
TOAST_COOKIE_NAME = f"{_COOKIE_PREFIX}messages"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_048_576
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "frame-src": [SELF],
        "form-action": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# JSON lines on standard output: each request and each call to the table with its cost, and warnings of libraries.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "dashboard.web.requests.JsonLines"}},
    "handlers": {
        "stdout": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "json"},
        # A logger without any handler writes to standard error.
        "nowhere": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["stdout"], "level": "WARNING"},
    "loggers": {
        "trastienda": {"level": os.environ.get("LOG_LEVEL", "INFO" if PRODUCTION else "WARNING")},
        # Every security event, whatever LOG_LEVEL is.
        "trastienda.security": {"level": "INFO"},
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        # Errors of the client are shown on the page; only errors of the server are logged.
        "django.request": {"level": "ERROR"},
        # A body that is too large and a host name of somebody else are in the line of their request, with its status.
        # Strangers would otherwise fill the log with tracebacks.
        **{
            f"django.security.{name}": {"handlers": ["nowhere"], "propagate": False}
            for name in ("RequestDataTooBig", "TooManyFieldsSent", "TooManyFilesSent", "DisallowedHost")
        },
    },
}
