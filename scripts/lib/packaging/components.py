"""What is linked into the portable program: the Debian packages it comes from, their licences, and the list of them (SPDX)."""

import functools
import hashlib
import json
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from archives import File, Tree


@dataclass(frozen=True)
class Component:
    name: str
    package: str  # of Debian, on x86_64
    licence: str  # SPDX
    per_arch: str = ""  # the package for aarch64, if it is another one


COMPONENTS = (
    Component("Boost", "libboost1.81-dev", "BSL-1.0"),
    Component("CLI11", "libcli11-dev", "BSD-3-Clause"),
    Component("expected", "libexpected-dev", "CC0-1.0"),
    Component("fmt", "libfmt-dev", "MIT"),
    Component("GCC runtime libraries", "libstdc++-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1", "libstdc++-12-dev-arm64-cross"),
    Component("glibc start-up code", "libc6-dev", "LGPL-2.1-or-later", "libc6-dev-arm64-cross"),
    Component("JSON for Modern C++", "nlohmann-json3-dev", "MIT"),
    Component("OpenSSL", "libssl-dev", "Apache-2.0", "libssl-dev:arm64"),
    Component("spdlog", "libspdlog-dev", "MIT"),
    Component("SQLite", "libsqlite3-dev", "blessing", "libsqlite3-dev:arm64"),
    Component("toml++", "libtomlplusplus-dev", "MIT"),
    Component("UTF8-CPP", "libutfcpp-dev", "BSL-1.0"),
)


MAX_COPYRIGHT = 256 * 1024  # bytes


class Missing(Exception):
    """What is missing on this machine, in a sentence."""


def package_of(component: Component, arch: str) -> str:
    return component.per_arch if component.per_arch and arch == "aarch64" else component.package


@functools.cache
def machine_arch() -> str:
    return subprocess.run(["dpkg", "--print-architecture"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def version_of(package: str) -> str:
    name, _, arch = package.partition(":")
    # Of several architectures it names each.
    query = ["dpkg-query", "-W", "-f", "${Architecture} ${db:Status-Status} ${Version}\\n", name]
    found = subprocess.run(query, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    wanted = (arch,) if arch else (machine_arch(), "all")
    for line in found.stdout.splitlines():
        if line.split()[:2] in [[each, "installed"] for each in wanted]:
            return line.split()[2]
    raise Missing(f"{package} is not installed, so its licence cannot be packed: apt-get install {package}.")


def brief(copyright: bytes) -> bytes:
    """Boost's says the same of twelve thousand files: then only the licences themselves."""
    if len(copyright) <= MAX_COPYRIGHT:
        return copyright
    head, *paragraphs = re.split(rb"\n\s*\n", copyright)
    return b"\n\n".join([head, *(text for text in paragraphs if text.startswith(b"License:"))]) + b"\n"


def licences(arch: str) -> Tree:
    """copyright of each package, and the full texts that they refer to."""
    tree, texts = {}, set()
    for component in COMPONENTS:
        package = package_of(component, arch)
        version_of(package)
        copyright = brief(Path("/usr/share/doc", package.split(":")[0], "copyright").read_bytes())
        tree[f"{component.package}.txt"] = File(copyright)
        texts |= {name.rstrip(b".").decode() for name in re.findall(rb"/usr/share/common-licenses/([A-Za-z0-9.+-]+)", copyright)}
    for name in sorted(texts):
        text = Path("/usr/share/common-licenses", name)
        if text.is_file():
            tree[f"common-licenses/{name}"] = File(text.read_bytes())
    return tree


def bill_of_materials(version: str, arch: str, epoch: int, program: bytes) -> bytes:
    """SPDX 2.3. Its name space is made from the program, so that equal programs have equal lists."""
    digest = hashlib.sha256(program).hexdigest()
    subject = {
        "SPDXID": "SPDXRef-leanbridge",
        "name": "leanbridge",
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "MIT",
        "licenseDeclared": "MIT",
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "APPLICATION",
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
    }
    packages, relations = [subject], [("SPDXRef-DOCUMENT", "DESCRIBES", subject["SPDXID"])]
    for component in COMPONENTS:
        package = package_of(component, arch)
        name, _, qualifier = package.partition(":")
        debian_arch = qualifier or {"x86_64": "amd64", "aarch64": "arm64"}[arch]
        installed = version_of(package)
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", component.package)
        packages.append(
            {
                "SPDXID": identifier,
                "name": component.name,
                "versionInfo": installed,
                "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False,
                "licenseConcluded": component.licence,
                "licenseDeclared": component.licence,
                "copyrightText": "NOASSERTION",
                "supplier": "Organization: Debian",
                "externalRefs": [
                    {
                        "referenceCategory": "PACKAGE-MANAGER",
                        "referenceType": "purl",
                        "referenceLocator": f"pkg:deb/debian/{name.replace('+', '%2B')}@{installed.replace('+', '%2B').replace(':', '%3A')}?arch={debian_arch}&distro=debian-12",
                    }
                ],
            }
        )
        relations.append((subject["SPDXID"], "STATIC_LINK", identifier))
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"leanbridge-{version}-linux-{arch}",
        "documentNamespace": f"https://spdx.org/spdxdocs/leanbridge-{version}-{arch}-{digest}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)), "creators": ["Tool: leanbridge scripts/package"]},
        "packages": packages,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations],
    }
    return (json.dumps(document, indent=2) + "\n").encode()
