"""No variable and no file of the environment can point the AWS SDK at anything but the engine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.dev.environment import local_environment

ENDPOINT = "http://127.0.0.1:4999"
BUILD_CLIENTS = """
import json
import botocore.session
from botocore.utils import get_environ_proxies

session = botocore.session.get_session()
clients = {name: session.create_client(name) for name in ("dynamodb", "s3", "sts")}
credentials = session.get_credentials()
print(json.dumps({
    "endpoints": {name: client.meta.endpoint_url for name, client in clients.items()},
    "region": clients["dynamodb"].meta.region_name,
    "key": credentials.access_key,
    "token": credentials.token,
    "proxies": get_environ_proxies(clients["dynamodb"].meta.endpoint_url),
}))
"""
STRAY = {
    "profile": {"AWS_PROFILE": "production"},
    "default profile": {"AWS_DEFAULT_PROFILE": "production"},
    "ignored endpoints": {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"},
    "region": {"AWS_REGION": "eu-west-1", "AWS_DEFAULT_REGION": "eu-west-1"},
    "keys": {"AWS_ACCESS_KEY_ID": "AKIAREAL", "AWS_SECRET_ACCESS_KEY": "real", "AWS_SESSION_TOKEN": "real"},
    "role": {"AWS_ROLE_ARN": "arn:aws:iam::1:role/x", "AWS_WEB_IDENTITY_TOKEN_FILE": "/nowhere"},
    "container": {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1/"},
    "endpoint": {
        "AWS_ENDPOINT_URL_DYNAMODB": "https://example.com",
        "AWS_ENDPOINT_URL": "https://example.com",
    },
    "endpoint modes": {"AWS_USE_FIPS_ENDPOINT": "true", "AWS_USE_DUALSTACK_ENDPOINT": "true"},
    "account endpoints": {"AWS_ACCOUNT_ID": "123456789012", "AWS_ACCOUNT_ID_ENDPOINT_MODE": "required"},
    "certificates": {"AWS_CA_BUNDLE": "/nowhere.pem"},
    "proxies": {
        "HTTP_PROXY": "http://proxy:1",
        "HTTPS_PROXY": "http://proxy:1",
        "http_proxy": "http://proxy:1",
    },
    "proxies with exceptions": {"HTTP_PROXY": "http://proxy:1", "no_proxy": "example.com"},
}


@pytest.mark.parametrize("stray", STRAY.values(), ids=STRAY.keys())
def test_stray_variables_have_no_effect(stray: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / ".aws").mkdir()
    (tmp_path / ".aws" / "config").write_text(
        "[default]\nregion = eu-west-1\nendpoint_url = https://example.com\n"
        "[profile production]\nregion = eu-west-1\nendpoint_url = https://example.com\n"
    )
    (tmp_path / ".aws" / "credentials").write_text("[default]\naws_access_key_id = REAL\naws_secret_access_key = R\n")
    base = {**os.environ, "HOME": str(tmp_path), **stray}
    done = subprocess.run(
        [sys.executable, "-c", BUILD_CLIENTS],
        env=local_environment(ENDPOINT, base),
        capture_output=True,
        check=True,
        text=True,
    )
    assert json.loads(done.stdout) == {
        "endpoints": {"dynamodb": ENDPOINT, "s3": ENDPOINT, "sts": ENDPOINT},
        "region": "us-east-1",
        "key": "local",
        "token": None,
        "proxies": {},
    }


def test_other_variables_and_the_original_are_unchanged() -> None:
    base = {"PATH": "/bin", "AWS_PROFILE": "production", "NO_PROXY": "*"}
    environment = local_environment(ENDPOINT, base)
    assert environment["PATH"] == "/bin"
    assert environment["NO_PROXY"] == environment["no_proxy"] == "*"
    assert "AWS_PROFILE" not in environment
    assert base["AWS_PROFILE"] == "production"
