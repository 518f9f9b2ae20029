"""An environment in which the AWS SDK can only reach the engine on this machine."""

import os
from collections.abc import Mapping

REGION = "us-east-1"
LOOPBACK = "127.0.0.1,localhost"


def local_environment(endpoint: str, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """A copy of the environment whose AWS variables point at `endpoint`."""
    environment = {name: value for name, value in base.items() if not name.startswith("AWS_")}
    environment |= {
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ENDPOINT_URL_DYNAMODB": endpoint,
        "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": endpoint,
        # Ignore profiles and their endpoints.
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    # Requests to the engine must not go through a proxy.
    bypass = base.get("no_proxy") or base.get("NO_PROXY") or ""
    if bypass != "*":
        bypass = f"{bypass},{LOOPBACK}" if bypass else LOOPBACK
    return environment | {"no_proxy": bypass, "NO_PROXY": bypass}
