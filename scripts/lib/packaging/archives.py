"""Archives that depend on nothing but their contents: sorted names, fixed owners, modes and times."""

import gzip
import io
import tarfile
import time
import zipfile
from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    data: bytes
    program: bool = False

    @property
    def mode(self) -> int:
        return 0o755 if self.program else 0o644


Tree = dict[str, File]  # by path, with slashes


def folders_of(tree: Tree) -> list[str]:
    found = set()
    for path in tree:
        parts = path.split("/")[:-1]
        found |= {"/".join(parts[: i + 1]) for i in range(len(parts))}
    return sorted(found)


def gzipped(data: bytes) -> bytes:
    # Neither name nor time, as gzip -n.
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=packed, mtime=0) as out:
        out.write(data)
    return packed.getvalue()


def tar(tree: Tree, epoch: int, *, with_folders: bool = True) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as out:
        for path in sorted([*tree, *(folders_of(tree) if with_folders else [])]):
            entry = tarfile.TarInfo(path)
            entry.mtime = epoch
            entry.uname = entry.gname = "root"
            if file := tree.get(path):
                entry.size, entry.mode = len(file.data), file.mode
                out.addfile(entry, io.BytesIO(file.data))
            else:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                out.addfile(entry)
    return packed.getvalue()


def tar_gz(tree: Tree, epoch: int, *, with_folders: bool = True) -> bytes:
    return gzipped(tar(tree, epoch, with_folders=with_folders))


def zipped(tree: Tree, epoch: int, *, last: str = "") -> bytes:
    """`last`: a file that comes after all others, as RECORD does in a wheel."""
    packed = io.BytesIO()
    moment = time.gmtime(max(epoch, 315_532_800))[:6]  # a zip file knows no time before 1980
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path in sorted(tree, key=lambda path: (path == last, path)):
            entry = zipfile.ZipInfo(path, moment)
            entry.create_system = 3  # Unix: what follows is a mode
            entry.external_attr = (0o100000 | tree[path].mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, tree[path].data)
    return packed.getvalue()
