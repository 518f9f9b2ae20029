"""Production does not start with missing settings, and uses only HTTPS."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

PRODUCTION = {
    "SECRET_KEY": "a-long-random-text-of-more-than-fifty-characters-0123456789-abc",
    "API_KEY_PEPPER": "another-long-random-text-of-more-than-fifty-characters-012345",
    "ALLOWED_HOSTS": "office.example.com",
    "ASSETS_BUCKET": "assets",
    "AWS_DEFAULT_REGION": "us-east-1",
}


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a management command with only these environment variables."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, env=inherited | environment, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=60
    )


def test_production_passes_the_deployment_checks_of_django() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


@pytest.mark.parametrize("missing", ["SECRET_KEY", "API_KEY_PEPPER", "ALLOWED_HOSTS", "ASSETS_BUCKET"])
def test_a_missing_setting_in_production_is_named_in_one_sentence(missing: str) -> None:
    done = manage("check", **{name: value for name, value in PRODUCTION.items() if name != missing})
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert re.fullmatch(rf"Set {missing}: [^\n]+\.\n", done.stderr), done.stderr


SCRIPT = """
import json
from django.conf import settings
names = ["DEBUG", "SESSION_COOKIE_SECURE", "SESSION_COOKIE_NAME", "CSRF_COOKIE_SECURE", "CSRF_COOKIE_NAME",
         "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "ALLOWED_HOSTS"]
from django.test import Client
from dashboard.platform.accounts.middleware import set_cookie
from django.http import HttpResponse
response = HttpResponse()
set_cookie(response, "value")
plain = Client().get("/login/", headers={"Host": "office.example.com"})
secure = Client().get("/login/", headers={"Host": "office.example.com"}, secure=True)
print(json.dumps({
    "settings": {name: getattr(settings, name) for name in names},
    "cookie": response.cookies.output(header=""),
    "plain": [plain.status_code, plain.headers.get("Location")],
    "hsts": secure.headers.get("Strict-Transport-Security"),
    "csrf": secure.cookies["__Host-csrf"].output(header=""),
}))
"""


def test_production_is_https_only_with_cookies_bound_to_the_host(tmp_path: Path) -> None:
    environment = PRODUCTION | {"TRASTIENDA_DATA": str(tmp_path)}
    collected = manage("collectstatic", "--noinput", "-v0", **environment)
    assert collected.returncode == 0, collected.stderr
    done = manage("shell", "-v0", "-c", SCRIPT, **environment)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["settings"] == {
        "DEBUG": False,
        "SESSION_COOKIE_SECURE": True,
        "SESSION_COOKIE_NAME": "__Host-session",
        "CSRF_COOKIE_SECURE": True,
        "CSRF_COOKIE_NAME": "__Host-csrf",
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 31_536_000,
        "SECURE_HSTS_INCLUDE_SUBDOMAINS": True,
        "ALLOWED_HOSTS": ["office.example.com"],
    }
    for part in ("__Host-session=value", "HttpOnly", "Path=/", "SameSite=Lax", "Secure"):
        assert part in found["cookie"]
    assert "Domain" not in found["cookie"]
    assert all(part in found["csrf"] for part in ("HttpOnly", "Path=/", "SameSite=Lax", "Secure"))
    assert found["plain"] == [301, "https://office.example.com/login/"]
    assert found["hsts"] == "max-age=31536000; includeSubDomains; preload"
