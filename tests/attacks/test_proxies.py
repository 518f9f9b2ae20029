"""The examples of docs/operating.md, run for real: TLS, the client's own address, and no way for slow clients."""

from __future__ import annotations

import contextlib
import datetime
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.urls import get_resolver

from dashboard.dev.engines import free_port
from dashboard.dev.lifetime import start_child, stop_child
from dashboard.server.limits import Limits, read_limits, variable_of
from dashboard.web.errors import body_limit_of
from tests.attacks.server import HOST, SLOW_APPLICATION, SLOW_HOST, Server, start_server
from tests.attacks.test_expensive_work import all_patterns
from tests.project_copy import ROOT

NAME = "office.example.com"
TEXT = (ROOT / "docs" / "operating.md").read_text()
LIMITS = (ROOT / "docs" / "proxy.md").read_text()


def example(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    assert found
    return found[1]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate that signs itself."""
    folder = tmp_path_factory.mktemp("certificate")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    today = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (folder / "privkey.pem").write_bytes(key.private_bytes(pem, pkcs8, plain))
    return folder


@pytest.fixture(scope="module")
def upstream() -> Iterator[Server]:
    with start_server(SLOW_APPLICATION, threads=2, TRUSTED_PROXIES=1) as server:
        yield server


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed, so its example cannot be run.")
    return found


def nginx_command(folder: Path, certificate: Path, upstream: int, port: int) -> list[str]:
    text = example("nginx").replace("/etc/ssl/office", str(certificate)).replace(":8000", f":{upstream}")
    text = text.replace("listen 443", f"listen {HOST}:{port}").replace("listen 80", f"listen {HOST}:{free_port()}")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = f"daemon off;\nuser root;\npid {folder}/pid;\nevents {{}}\nerror_log {folder}/error.log;\n"
    file = folder / "nginx.conf"
    file.write_text(f"{main}http {{\naccess_log off;\n{temporary}{text}}}\n")
    return [program("nginx"), "-c", str(file), "-e", str(folder / "error.log")]


def caddy_command(folder: Path, certificate: Path, upstream: int, port: int) -> list[str]:
    text = example("caddyfile").replace(":8000", f":{upstream}")
    # A real certificate would be fetched.
    tls = f"{NAME}:{port} {{\n\tbind {HOST}\n\ttls {certificate}/fullchain.pem {certificate}/privkey.pem"
    text = text.replace(f"{NAME} {{", tls)
    text = text.replace("{\n\tservers", f"{{\n\tadmin off\n\thttp_port {free_port()}\n\tservers", 1)
    file = folder / "Caddyfile"
    file.write_text(text)
    return [program("caddy"), "run", "--config", str(file), "--adapter", "caddyfile"]


@pytest.fixture(params=["nginx", "caddy"])
def proxy(
    request: pytest.FixtureRequest, tmp_path: Path, certificate: Path, upstream: Server
) -> Iterator[tuple[str, int]]:
    """The name of a running proxy and its port."""
    port = free_port()
    make = nginx_command if request.param == "nginx" else caddy_command
    command = make(tmp_path, certificate, upstream.port, port)
    with (tmp_path / "output.txt").open("wb") as output:
        process = start_child(command, output=output, cwd=tmp_path)
        try:
            wait_until_open(port, process, tmp_path / "output.txt")
            yield request.param, port
        finally:
            stop_child(process)


def wait_until_open(port: int, process: subprocess.Popen[bytes], output: Path) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        assert process.poll() is None, output.read_text()
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1):
            return
        time.sleep(0.05)
    raise AssertionError(output.read_text())


def secured(port: int, host: str = HOST) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    plain = socket.create_connection((HOST, port), 20, (host, 0))
    return context.wrap_socket(plain, server_hostname=NAME)


def ask(port: int, path: str, headers: str = "") -> bytes:
    with secured(port) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n{headers}\r\n".encode())
        received = b""
        while data := connection.recv(65536):
            received += data
    return received


def test_the_server_sees_the_address_of_the_client_and_not_one_that_it_invented(proxy: tuple[str, int]) -> None:
    answer = ask(proxy[1], "/headers", "X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-Proto: http\r\n")
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(f"{NAME} {HOST} https".encode())


FORGED = "SCRIPT_NAME: /place\r\nPATH_INFO: /wait/20\r\nX-Forwarded-Protocol: ssl\r\nX-Forwarded-Ssl: on\r\n"


def test_a_client_cannot_choose_the_path_and_the_protocol_that_the_server_sees(proxy: tuple[str, int]) -> None:
    """gunicorn believes such headers of everyone on this machine, and that is where our proxy is."""
    answer = ask(proxy[1], "/place/x", FORGED)
    assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(b"http  /place/x")


def test_without_a_proxy_no_header_changes_the_path_and_the_protocol(upstream: Server) -> None:
    for headers in (FORGED, "SCRIPT_NAME: /elsewhere\r\n", "X-Forwarded-Proto: https\r\n"):
        assert upstream.get("/place/x", headers).body == b"http  /place/x"


def test_others_are_served_while_slow_clients_wait_at_the_proxy(proxy: tuple[str, int]) -> None:
    begin = f"POST /length HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 1000\r\n\r\nx".encode()
    slow = [secured(proxy[1], SLOW_HOST) for _ in range(30)]
    for connection in slow:
        connection.sendall(begin)
    assert ask(proxy[1], "/wait/0").startswith(b"HTTP/1.1 200")
    for connection in slow:
        connection.close()


# --- What the examples and the documents say ---------------------------------------------------------
def test_the_examples_let_the_largest_body_of_a_page_through() -> None:
    assert get_resolver()
    largest = max(body_limit_of(pattern.callback) for pattern in all_patterns())
    sizes = [int(size) for size in re.findall(r"(?:client_max_body_size|max_size) (\d+)", TEXT)]
    assert len(sizes) == 2 and all(size * 1024 * 1024 >= largest for size in sizes)
    assert Limits().incoming_bytes >= largest


def test_every_limit_of_the_server_is_documented_with_its_default() -> None:
    documented = dict(re.findall(r"^\| `(SERVER_\w+)` \| (\d+) \|", LIMITS, re.MULTILINE))
    assert documented == {variable_of(field.name): str(field.default) for field in fields(Limits)}


def test_the_limit_of_an_address_does_not_apply_to_our_own_proxy() -> None:
    assert read_limits({}).slow_per_network == Limits().slow_per_network > 0
    assert read_limits({"TRUSTED_PROXIES": "1"}).slow_per_network == 0
    assert read_limits({"TRUSTED_PROXIES": "1", "SERVER_PER_ADDRESS": "7"}).slow_per_network == 7


def test_every_example_listens_on_the_loopback_address() -> None:
    """Only the proxy is reachable from outside."""
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("**/*.md"), ROOT / "Makefile"]
    bound = {found for path in documents for found in re.findall(r"BIND *\??= *([\d.]+):", path.read_text())}
    assert bound == {HOST}
    assert "BIND=127.0.0.1:8000" in (ROOT / "README.md").read_text()
