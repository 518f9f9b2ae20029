"""Certificates of hosts on the internet, signed by an authority that only exists in a test."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


class Authority:
    """An authority; its certificate is in `file`."""

    def __init__(self, folder: Path, name: str = "Authority") -> None:
        self.folder, self.file = folder, folder / f"{name}.pem"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        builder = self._builder(self._name, self._key, ends_in=DAY).add_extension(usage, critical=True)
        certificate = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        self.file.write_bytes(certificate.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM))

    def server_context(self, host: str, *, ends_in: timedelta = DAY) -> ssl.SSLContext:
        """What a server needs to be this host."""
        key = ec.generate_private_key(ec.SECP256R1())
        builder = self._builder(x509.Name([]), key, ends_in=ends_in)
        names = x509.SubjectAlternativeName([x509.DNSName(host)])
        signed = builder.add_extension(names, critical=True).sign(self._key, hashes.SHA256())
        file = self.folder / f"{host}.pem"
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        file.write_bytes(signed.public_bytes(Encoding.PEM) + secret)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context

    def _builder(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, ends_in: timedelta
    ) -> x509.CertificateBuilder:
        moment = datetime.now(UTC)
        issuer_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(moment - 30 * DAY)
            .not_valid_after(moment + ends_in)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(issuer_key, critical=False)
        )
