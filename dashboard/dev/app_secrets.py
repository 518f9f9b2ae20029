"""The secrets of the app on this machine. They stay the same between starts."""

import secrets
from pathlib import Path


def app_secrets(data: Path) -> dict[str, str]:
    names = {"SECRET_KEY": "secret_key", "API_KEY_PEPPER": "api_key_pepper"}
    return {name: load_or_create_secret(data / file) for name, file in names.items()}


def load_or_create_secret(file: Path) -> str:
    file.touch(mode=0o600)
    if not file.read_text():
        file.write_text(secrets.token_urlsafe(48))
    return file.read_text()
