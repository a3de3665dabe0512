"""What is linked into the program: the packages it comes from, their licences, and the list of them (SPDX)."""

import functools
import hashlib
import json
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from archives import File, Tree


@dataclass(frozen=True)
class Component:
    name: str
    package: str  # of Debian, on x86_64
    licence: str  # SPDX
    per_arch: str = ""  # the package for aarch64, if it is another one
    on_macos: bool = False  # headers alone, which are the same everywhere


@dataclass
class Linked:
    """A component as it is on this machine."""

    name: str
    identifier: str
    licence: str  # SPDX
    version: str
    supplier: str
    purl: str
    text: bytes = field(repr=False)  # of its licence


COMPONENTS = (
    Component("Boost", "libboost1.81-dev", "BSL-1.0", on_macos=True),
    Component("CLI11", "libcli11-dev", "BSD-3-Clause", on_macos=True),
    Component("expected", "libexpected-dev", "CC0-1.0", on_macos=True),
    Component("fmt", "libfmt-dev", "MIT", on_macos=True),
    Component("GCC runtime libraries", "libstdc++-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1", "libstdc++-12-dev-arm64-cross"),
    Component("glibc start-up code", "libc6-dev", "LGPL-2.1-or-later", "libc6-dev-arm64-cross"),
    Component("JSON for Modern C++", "nlohmann-json3-dev", "MIT", on_macos=True),
    Component("OpenSSL", "libssl-dev", "Apache-2.0", "libssl-dev:arm64"),
    Component("spdlog", "libspdlog-dev", "MIT", on_macos=True),
    Component("SQLite", "libsqlite3-dev", "blessing", "libsqlite3-dev:arm64"),
    Component("toml++", "libtomlplusplus-dev", "MIT", on_macos=True),
    Component("UTF8-CPP", "libutfcpp-dev", "BSL-1.0", on_macos=True),
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


def debian_component(component: Component, arch: str) -> Linked:
    package = package_of(component, arch)
    name, _, qualifier = package.partition(":")
    debian_arch = qualifier or {"x86_64": "amd64", "aarch64": "arm64"}[arch]
    version = version_of(package)
    quoted = version.replace("+", "%2B").replace(":", "%3A")
    return Linked(
        component.name,
        component.package,
        component.licence,
        version,
        "Debian",
        f"pkg:deb/debian/{name.replace('+', '%2B')}@{quoted}?arch={debian_arch}&distro=debian-12",
        brief(Path("/usr/share/doc", name, "copyright").read_bytes()),
    )


def found_in(file: Path, pattern: str) -> str:
    match = re.search(pattern, file.read_text(errors="replace"), re.MULTILINE) if file.is_file() else None
    if match is None:
        raise Missing(f"{file} does not say what is linked in: scripts/package --target fetches it.")
    return match.group(1)


def fetched_components(tools: Path) -> list[Linked]:
    """What a program for macOS has from registries: zig's C++ library, and SQLite's one file, which an npm package carries."""
    wheel, sqlite = tools / "zig", tools / "node_modules/better-sqlite3"
    metadata = next(iter(wheel.glob("ziglang-*.dist-info/METADATA")), wheel / "METADATA")
    zig = found_in(metadata, r"^Version: (\S+)$")
    carrier = found_in(sqlite / "package.json", r'^  "version": "(\S+)"')
    header = sqlite / "deps/sqlite3/sqlite3.h"
    version = found_in(header, r'^#define SQLITE_VERSION +"(\S+)"')
    runtime = [("libc++", "libcxx"), ("libc++abi", "libcxxabi"), ("libunwind", "libunwind")]
    return [
        *(
            Linked(name, folder, "Apache-2.0 WITH LLVM-exception", zig, "Zig", f"pkg:pypi/ziglang@{zig}", (wheel / "ziglang/lib" / folder / "LICENSE.TXT").read_bytes())
            for name, folder in runtime
        ),
        Linked("compiler-rt of zig", "zig", "MIT", zig, "Zig", f"pkg:pypi/ziglang@{zig}", (wheel / "ziglang/LICENSE").read_bytes()),
        Linked("SQLite", "sqlite", "blessing", version, "npm", f"pkg:npm/better-sqlite3@{carrier}", header.read_bytes().split(b"*****")[0]),
    ]


def linked(system: str, arch: str, tools: Path) -> list[Linked]:
    if system == "linux":
        return [debian_component(component, arch) for component in COMPONENTS]
    headers = [debian_component(component, "x86_64") for component in COMPONENTS if component.on_macos]
    return sorted([*headers, *fetched_components(tools)], key=lambda each: each.name.lower())


def licences(components: list[Linked]) -> Tree:
    """The licence of each, and the full texts that they refer to."""
    tree, texts = {}, set()
    for component in components:
        tree[f"{component.identifier}.txt"] = File(component.text)
        texts |= {name.rstrip(b".").decode() for name in re.findall(rb"/usr/share/common-licenses/([A-Za-z0-9.+-]+)", component.text)}
    for name in sorted(texts):
        text = Path("/usr/share/common-licenses", name)
        if text.is_file():
            tree[f"common-licenses/{name}"] = File(text.read_bytes())
    return tree


def bill_of_materials(base: str, version: str, components: list[Linked], epoch: int, program: bytes) -> bytes:
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
    for component in components:
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", component.identifier)
        packages.append(
            {
                "SPDXID": identifier,
                "name": component.name,
                "versionInfo": component.version,
                "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False,
                "licenseConcluded": component.licence,
                "licenseDeclared": component.licence,
                "copyrightText": "NOASSERTION",
                "supplier": f"Organization: {component.supplier}",
                "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": component.purl}],
            }
        )
        relations.append((subject["SPDXID"], "STATIC_LINK", identifier))
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": base,
        "documentNamespace": f"https://spdx.org/spdxdocs/{base}-{digest}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)), "creators": ["Tool: leanbridge scripts/package"]},
        "packages": packages,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations],
    }
    return (json.dumps(document, indent=2) + "\n").encode()
