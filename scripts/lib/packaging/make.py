"""Packs a built program in every form (scripts/package). Needs Python and dpkg-deb, nothing else.

    make.py --program FILE --version V --arch x86_64 --out FOLDER [--run COMMAND] [--tools FOLDER]
    make.py --layout FOLDER --version V --arch x86_64 --out FOLDER

SOURCE_DATE_EPOCH is the time of everything. --run starts the program (default: itself), for a program of another machine: of the same
version, it answers the same. --arch x86_64-macos and aarch64-macos take from --tools what scripts/package fetches for them. --layout packs
an OCI image instead.
"""

import argparse
import hashlib
import os
import posixpath
import re
import shlex
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import components
import forms
import help_pages

ROOT = Path(__file__).resolve().parents[3]


def write_sums(folder: Path, version: str) -> None:
    """SHA256SUMS of this version's files, for sha256sum -c."""
    files = sorted(file for file in folder.iterdir() if version in file.name)
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (folder / "SHA256SUMS").write_text("".join(lines))


def setting(name: str) -> str:
    """A variable of CMakeLists.txt; the environment may say another for a trial."""
    found = re.search(rf'^set\({name} "(.*)"\)$', (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    if found is None:
        raise components.Missing(f"CMakeLists.txt does not set {name}.")
    return os.environ.get(name, found.group(1))


def registry_name(home: str) -> str:
    """By which MCP's registry knows a repository on GitHub, whose owner proves it by logging in there."""
    found = re.fullmatch(r"https://github\.com/([\w-]+)/([\w.-]+)", home)
    return f"io.github.{found.group(1)}/{found.group(2)}" if found else ""


def with_whole_links(name: str, text: str, packed: set[str], address: str) -> str:
    """A document whose links to files of the repository that are not packed have its address."""

    def whole(link: re.Match) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), link[1]))
        is_packed = any(each == path or each.startswith(f"{path}/") for each in packed)
        return link[0] if is_packed or not (ROOT / path).exists() else f"]({address}/{path}{link[2] or ''})"

    return re.sub(r"\]\(([^()\s#:]+)(#[^()\s]*)?\)", whole, text)


def read_documents(home: str, version: str) -> dict[str, bytes]:
    names = ["README.md", "LICENSE", "CHANGELOG.md", *(str(file.relative_to(ROOT)) for file in (ROOT / "docs").rglob("*") if file.is_file())]
    documents = {name: (ROOT / name).read_bytes() for name in names}
    for name in [each for each in names if home and each.endswith(".md")]:
        documents[name] = with_whole_links(name, documents[name].decode(), set(names), f"{home}/blob/v{version}").encode()
    return documents


def parts_of(arguments: argparse.Namespace, epoch: int) -> forms.Parts:
    program = Path(arguments.program).read_bytes()
    home = setting("LEANBRIDGE_HOME")
    top = help_pages.read_commands(shlex.split(arguments.run) or [arguments.program])
    machine = forms.MACHINES[arguments.arch]
    linked = components.linked(machine.system, arguments.arch, Path(arguments.tools))
    base = f"leanbridge-{arguments.version}-{machine.system}-{machine.arch}"
    return forms.Parts(
        version=arguments.version,
        epoch=epoch,
        machine=machine,
        program=program,
        manual=help_pages.manual_page(top, arguments.version, forms.date_of(epoch), home).encode(),
        completions={shell: make(top).encode() for shell, make in help_pages.COMPLETIONS.items()},
        licences=components.licences(linked),
        bill=components.bill_of_materials(base, arguments.version, linked, epoch, program),
        documents=read_documents(home, arguments.version),
        home=home,
        maintainer=setting("LEANBRIDGE_MAINTAINER"),
        registry_name=registry_name(home),
    )


def main() -> None:
    reader = argparse.ArgumentParser()
    for name in ("--version", "--arch", "--out"):
        reader.add_argument(name, required=True)
    what = reader.add_mutually_exclusive_group(required=True)
    what.add_argument("--program")
    what.add_argument("--layout")
    reader.add_argument("--run", default="")
    reader.add_argument("--tools", default=str(ROOT / "build/macos"))
    arguments = reader.parse_args()
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    if arguments.layout:
        made = [forms.image(Path(arguments.layout), arguments.version, arguments.arch, epoch)]
    else:
        parts = parts_of(arguments, epoch)
        made = [make(parts) for make in forms.FORMS[parts.machine.system]]
        if "npm" in setting("LEANBRIDGE_PUBLISHED").split():
            made.append(forms.npm_front(parts))
    for name, data in made:
        (out / name).write_bytes(data)
        print(f"{len(data):>10}  {name}")
    write_sums(out, arguments.version)


if __name__ == "__main__":
    try:
        main()
    except (components.Missing, help_pages.HelpError, OSError, subprocess.CalledProcessError) as problem:
        sys.exit(f"package: {problem}")
