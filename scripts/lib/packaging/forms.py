"""Every form in which leanbridge is handed out, each from the same parts."""

import base64
import hashlib
import json
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from archives import File, Tree, gzipped, tar, tar_gz, zipped

SUMMARY = "A Lean 4 proof session for AI agents, over MCP"
CONTRIBUTORS = "The leanbridge contributors"
GLIBC = (2, 34)  # the oldest that the program runs on
MACOS = (11, 0)  # likewise
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
MCPB = ROOT / "deploy/mcpb"


@dataclass(frozen=True)
class Machine:
    system: str  # linux or macos
    arch: str  # as uname -m says it
    npm: str
    debian: str = ""
    loader: str = ""  # of glibc

    @property
    def node_system(self) -> str:
        """What Node calls it, and with it npm and MCPB."""
        return {"linux": "linux", "macos": "darwin"}[self.system]


MACHINES = {
    "x86_64": Machine("linux", "x86_64", "x64", "amd64", "/lib64/ld-linux-x86-64.so.2"),
    "aarch64": Machine("linux", "aarch64", "arm64", "arm64", "/lib/ld-linux-aarch64.so.1"),
    "x86_64-macos": Machine("macos", "x86_64", "x64"),
    "aarch64-macos": Machine("macos", "arm64", "arm64"),
}


@dataclass
class Parts:
    """What the forms are made of."""

    version: str
    epoch: int  # seconds; the time of everything
    machine: Machine
    program: bytes
    manual: bytes
    completions: dict[str, bytes]  # by shell
    licences: Tree
    bill: bytes  # of materials: SPDX
    documents: dict[str, bytes] = field(default_factory=dict)  # README.md, LICENSE, CHANGELOG.md, docs/...
    home: str = ""  # the address in CMakeLists.txt; empty: there is none
    maintainer: str = ""
    registry_name: str = ""  # by which MCP's registry knows it; empty with `home`

    @property
    def base(self) -> str:
        return f"leanbridge-{self.version}-{self.machine.system}-{self.machine.arch}"


def beneath(folder: str, tree: Tree) -> Tree:
    return {f"{folder}/{path}": file for path, file in tree.items()}


def launcher(parts: Parts) -> File:
    text = (HERE / "launcher.sh").read_text()
    return File(text.replace("@LOADER@", parts.machine.loader).replace("@ARCH@", parts.machine.arch).encode(), program=True)


def program_files(parts: Parts) -> Tree:
    """Below a prefix: the program, where macOS itself says that it is too old for it, or else a launcher that does."""
    if parts.machine.system == "macos":
        return {"bin/leanbridge": File(parts.program, program=True)}
    return {"bin/leanbridge": launcher(parts), "lib/leanbridge/leanbridge": File(parts.program, program=True)}


def shared_files(parts: Parts) -> Tree:
    """Below share/: the manual page and the completions, where each shell looks for them."""
    return {
        "man/man1/leanbridge.1": File(parts.manual),
        "bash-completion/completions/leanbridge": File(parts.completions["bash"]),
        "zsh/site-functions/_leanbridge": File(parts.completions["zsh"]),
        "fish/vendor_completions.d/leanbridge.fish": File(parts.completions["fish"]),
    }


def documents(parts: Parts) -> Tree:
    return {name: File(data) for name, data in parts.documents.items()} | beneath("licences", parts.licences)


def tarball(parts: Parts) -> tuple[str, bytes]:
    """A prefix: `tar xz --strip-components=1 -C ~/.local` installs it."""
    tree = {
        **program_files(parts),
        **beneath("share", shared_files(parts)),
        **beneath("share/doc/leanbridge", documents(parts)),
        "share/doc/leanbridge/leanbridge.spdx.json": File(parts.bill),
    }
    return f"{parts.base}.tar.gz", tar_gz(beneath(parts.base, tree), parts.epoch)


# --- Debian

DEBIAN_CONTROL = """\
Package: leanbridge
Version: {version}
Architecture: {arch}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: libc6 (>= {glibc})
Recommends: ca-certificates, libcurl4, libssl3
Section: math
Priority: optional
{home}Description: {summary}
 An agent that writes Lean proofs needs the prover: the goals at a position,
 the errors of a file, the effect of a tactic. leanbridge runs Lean's language
 server and answers each question as soon as the answer exists.
"""


def debian_copyright(parts: Parts) -> bytes:
    text = "leanbridge\n\n" + parts.documents["LICENSE"].decode()
    for name in sorted(parts.licences):
        if "/" not in name:
            text += f"\n\n{'-' * 78}\nLinked in, from the Debian package {name.removesuffix('.txt')}:\n\n{parts.licences[name].data.decode(errors='replace')}"
    return text.encode()


def debian(parts: Parts) -> tuple[str, bytes]:
    """By dpkg-deb, which sorts the files and takes its time from SOURCE_DATE_EPOCH."""
    doc = "doc/leanbridge"
    tree = beneath(
        "usr/share",
        {
            "man/man1/leanbridge.1.gz": File(gzipped(parts.manual)),
            "bash-completion/completions/leanbridge": File(parts.completions["bash"]),
            "zsh/vendor-completions/_leanbridge": File(parts.completions["zsh"]),
            "fish/vendor_completions.d/leanbridge.fish": File(parts.completions["fish"]),
            f"{doc}/README.md": File(parts.documents["README.md"]),
            **{f"{doc}/{name}": File(data) for name, data in parts.documents.items() if name.startswith("docs/")},
            f"{doc}/changelog.gz": File(gzipped(parts.documents["CHANGELOG.md"])),
            f"{doc}/copyright": File(debian_copyright(parts)),
        },
    )
    tree["usr/bin/leanbridge"] = File(parts.program, program=True)
    size = sum(-(-len(file.data) // 1024) for file in tree.values())
    control = DEBIAN_CONTROL.format(
        version=parts.version,
        arch=parts.machine.debian,
        size=size,
        glibc=".".join(map(str, GLIBC)),
        summary=SUMMARY,
        maintainer=parts.maintainer or CONTRIBUTORS,
        home=f"Homepage: {parts.home}\n" if parts.home else "",
    )
    sums = "".join(f"{hashlib.md5(tree[path].data).hexdigest()}  {path}\n" for path in sorted(tree))
    tree |= {"DEBIAN/control": File(control.encode()), "DEBIAN/md5sums": File(sums.encode())}
    name = f"leanbridge_{parts.version}_{parts.machine.debian}.deb"
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "root")
        write_tree(root, tree, parts.epoch)
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "--threads-max=1", "-Zxz", "--build", root, Path(folder, name)],
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(parts.epoch)},
        )
        return name, Path(folder, name).read_bytes()


def write_tree(root: Path, tree: Tree, epoch: int) -> None:
    """On disk, with these modes and times whatever the umask is."""
    for path in sorted(tree):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(tree[path].data)
        target.chmod(tree[path].mode)
    for target in [root, *root.rglob("*")]:
        if target.is_dir():
            target.chmod(0o755)
        os.utime(target, (epoch, epoch))


# --- Python

WHEEL_INIT = b'"""leanbridge: a Lean 4 proof session for AI agents, over MCP. The program is native; this package only carries it."""\n'
WHEEL_MAIN = b'''\
"""python -m leanbridge: becomes the program that this package installed."""

import os
import sys
import sysconfig


def program():
    beside = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", os.name + "_user"), os.path.join(beside, "bin")]
    for folder in folders:
        path = os.path.join(folder, "leanbridge")
        if os.access(path, os.X_OK):
            return path
    sys.exit("leanbridge: the program is in none of " + ", ".join(folders) + ": install the package again.")


if __name__ == "__main__":
    path = program()
    os.execv(path, [path, *sys.argv[1:]])
'''


WHEEL_SYSTEMS = {"linux": "POSIX :: Linux", "macos": "MacOS"}


def wheel_tag(machine: Machine) -> str:
    if machine.system == "macos":
        return f"py3-none-macosx_{MACOS[0]}_{MACOS[1]}_{machine.arch}"
    return f"py3-none-manylinux_{GLIBC[0]}_{GLIBC[1]}_{machine.arch}"


def wheel(parts: Parts) -> tuple[str, bytes]:
    """pip puts what is in data/scripts into bin and data/data below the prefix, so that starting it starts no Python."""
    stem, tag = f"leanbridge-{parts.version}", wheel_tag(parts.machine)
    metadata = (
        f"Metadata-Version: 2.1\nName: leanbridge\nVersion: {parts.version}\nSummary: {SUMMARY}\nLicense: MIT\nKeywords: lean,mcp,theorem proving\n"
        f"Classifier: Environment :: Console\nClassifier: Operating System :: {WHEEL_SYSTEMS[parts.machine.system]}\nRequires-Python: >=3.8\n"
        + (f"Maintainer: {parts.maintainer}\nProject-URL: Home, {parts.home}\n" if parts.home else "")
        + "Description-Content-Type: text/markdown\n\n"
    ).encode() + parts.documents["README.md"]
    if parts.registry_name:
        metadata += f"\n<!-- mcp-name: {parts.registry_name} -->\n".encode()
    tree = {
        "leanbridge/__init__.py": File(WHEEL_INIT),
        "leanbridge/__main__.py": File(WHEEL_MAIN),
        f"{stem}.data/scripts/leanbridge": File(parts.program, program=True),
        **beneath(f"{stem}.data/data/share", shared_files(parts)),
        **beneath(f"{stem}.data/data/share/doc/leanbridge", documents(parts)),
        f"{stem}.dist-info/METADATA": File(metadata),
        f"{stem}.dist-info/WHEEL": File(f"Wheel-Version: 1.0\nGenerator: leanbridge ({parts.version})\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()),
        f"{stem}.dist-info/LICENSE": File(parts.documents["LICENSE"]),
        f"{stem}.dist-info/leanbridge.spdx.json": File(parts.bill),
        **beneath(f"{stem}.dist-info/licences", parts.licences),
    }
    record = f"{stem}.dist-info/RECORD"
    lines = [f"{path},sha256={record_hash(tree[path].data)},{len(tree[path].data)}" for path in sorted(tree)]
    tree[record] = File("".join(f"{line}\n" for line in [*lines, f"{record},,"]).encode())
    return f"{stem}-{tag}.whl", zipped(tree, parts.epoch, last=record)


def record_hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


# --- npm, MCPB


# Of each package behind the one name.
NPM_PLATFORMS = ("linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64")


def npm_manifest(parts: Parts, name: str) -> dict:
    manifest = {
        "name": name,
        "version": parts.version,
        "description": SUMMARY,
        "keywords": ["lean", "lean4", "mcp", "theorem-proving"],
        "license": "MIT",
    }
    if parts.home:
        manifest |= {"homepage": parts.home, "repository": {"type": "git", "url": f"git+{parts.home}.git"}, "author": parts.maintainer}
    return manifest


def npm_file(parts: Parts, name: str) -> str:
    return f"{name}-{parts.version}.npm.tgz"


def npm(parts: Parts) -> tuple[str, bytes]:
    """The package of one platform. It can be installed by itself, from its file."""
    machine = parts.machine
    name = f"leanbridge-{machine.node_system}-{machine.npm}"
    manifest = npm_manifest(parts, name) | {
        "os": [machine.node_system],
        "cpu": [machine.npm],
        **({"libc": ["glibc"]} if machine.system == "linux" else {}),
        "bin": {"leanbridge": "bin/leanbridge"},
    }
    tree = {
        "package.json": File((json.dumps(manifest, indent=2) + "\n").encode()),
        **program_files(parts),
        "man/leanbridge.1": File(parts.manual),
        "leanbridge.spdx.json": File(parts.bill),
        **documents(parts),
    }
    # npm packs no folders.
    return npm_file(parts, name), tar_gz(beneath("package", tree), parts.epoch, with_folders=False)


def npm_front(parts: Parts) -> tuple[str, bytes]:
    """The package with the name, of which npm installs the platform that fits. It asks the registry for those names, so it is only made once
    they are ours there."""
    manifest = npm_manifest(parts, "leanbridge") | {
        # MCP's registry looks for its name in the package.
        "mcpName": parts.registry_name,
        "bin": {"leanbridge": "bin/leanbridge"},
        "optionalDependencies": {f"leanbridge-{platform}": parts.version for platform in NPM_PLATFORMS},
    }
    tree = {
        "package.json": File((json.dumps(manifest, indent=2) + "\n").encode()),
        "bin/leanbridge": File((HERE / "npm-launcher.sh").read_bytes(), program=True),
        "README.md": File(parts.documents["README.md"]),
        "LICENSE": File(parts.documents["LICENSE"]),
    }
    return npm_file(parts, "leanbridge"), tar_gz(beneath("package", tree), parts.epoch, with_folders=False)


def mcpb(parts: Parts) -> tuple[str, bytes]:
    """deploy/mcpb with the program, for its system alone."""
    manifest = json.loads((MCPB / "manifest.json").read_text()) | {"version": parts.version}
    manifest["compatibility"] |= {"platforms": [parts.machine.node_system]}
    tree = {
        "manifest.json": File((json.dumps(manifest, indent=2) + "\n").encode()),
        manifest["icon"]: File((MCPB / manifest["icon"]).read_bytes()),
        manifest["server"]["entry_point"]: File(parts.program, program=True),
        "leanbridge.spdx.json": File(parts.bill),
        **documents(parts),
    }
    return f"{parts.base}.mcpb", zipped(tree, parts.epoch)


def bill(parts: Parts) -> tuple[str, bytes]:
    return f"{parts.base}.spdx.json", parts.bill


FORMS = {"linux": (tarball, debian, wheel, npm, mcpb, bill), "macos": (tarball, wheel, npm, mcpb, bill)}


def image(layout: Path, version: str, arch: str, epoch: int) -> tuple[str, bytes]:
    """An OCI archive of what buildah or podman has built and laid out: its blobs are named by their contents."""
    tree = {str(file.relative_to(layout)): File(file.read_bytes()) for file in layout.rglob("*") if file.is_file()}
    return f"leanbridge-{version}-linux-{arch}.oci.tar", tar(tree, epoch)


def date_of(epoch: int) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(epoch))
