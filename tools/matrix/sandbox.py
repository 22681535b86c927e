"""Runs commands in an environment: in namespaces of their own, in a chroot, as another user.

What a command mounts or starts there ends with it, however it ends: nothing is left to unmount or to stop.
"""

import asyncio
import os
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from shlex import join, quote

import attrs
from platformdirs import user_cache_path

from tools.matrix.environments import Environment, for_all

CACHE = Path(os.environ.get("PARLOUR_MATRIX_CACHE") or user_cache_path("parlour-matrix")).absolute()
"""Where chroots and downloaded packages stay. A chroot that is deleted is made again, of newer packages."""
MIRROR = "http://deb.debian.org/debian"
PACKAGES = ("ca-certificates", "make", "python3", "python3-venv")
MORE_PACKAGES = {"sid": ("python3.15-venv",)}
USER = 54321
"""The user and group id of ordinary users."""
LEARNERS_DISK = 4 << 30
"""Bytes of disk that must be free for the libraries for learning agents: twice what they take, with their cache."""
_BUILT_WITHIN = 900.0
"""Seconds that debootstrap may take."""
_OURS = ("PARLOUR_", "PIP_FIND_LINKS", "PYTHON", "VIRTUAL_ENV", "XDG_")
"""How the names of variables begin that environments do not get."""
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
_DIES_WITH_US = ("setpriv", "--pdeathsig", "KILL")
NAMESPACES = (*_DIES_WITH_US, "unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
_HOSTS = r"127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n127.0.1.1 %s\n"


class Skipped(Exception):
    """This machine cannot provide an environment."""


class Failed(Exception):
    """A command failed. The text is what it wrote last."""


async def run(
    *words: str,
    within: float,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    told: Callable[[str], None] | None = None,
) -> str:
    """Run a command and return what it writes; ``told`` gets each line when it is written.

    Raises Failed if its exit code is not 0, or after ``within`` seconds. The command, and what it started, is killed if
    it has not ended when this returns or is cancelled.
    """
    process = await asyncio.create_subprocess_exec(
        *words, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, env=env, cwd=cwd, start_new_session=True, limit=2**24
    )
    assert process.stdout is not None
    lines: list[str] = []
    try:
        async with asyncio.timeout(within):
            while line := await process.stdout.readline():
                lines.append(line.decode(errors="replace").rstrip())
                if told:
                    told(lines[-1])
            await process.wait()
    except TimeoutError:
        lines.append(f"killed after {within:.0f} seconds")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.communicate()  # also closes the pipe, before the loop ends
    if process.returncode != 0:
        raise Failed("\n".join((f"{join(words[-3:])}: exit code {process.returncode}", *lines[-200:])))
    return "\n".join(lines)


@attrs.frozen
class Sandbox:
    """An environment, and the folder in which its commands write."""

    environment: Environment
    work: Path
    """What all environments read."""
    folder: Path
    """Its own folder, in ``work``."""

    async def prepare(self) -> None:
        """Make its folder, and its chroot unless that is in the cache. Raises Skipped if this machine cannot."""
        here = self.environment
        if here.isolated:
            if os.getuid() != 0:
                raise Skipped("needs root")
            try:
                await run(*NAMESPACES, "true", within=60.0)
            except (Failed, OSError) as error:
                raise Skipped(f"cannot make namespaces: {error}") from error
        if here.learners and shutil.disk_usage(self.work).free < LEARNERS_DISK:
            raise Skipped(f"needs {LEARNERS_DISK >> 30} GiB of disk")
        if not here.ipv6 and shutil.which("ip") is None:
            raise Skipped("needs iproute2")
        if here.suite is not None:
            await _build_chroot(here.suite)
        elif here.ordinary and not for_all(here.python):
            raise Skipped("needs a Python that all users may run")
        for folder in (CACHE / "uv", *(self.folder / name for name in ("home", "layer", "tmp"))):
            folder.mkdir(parents=True, exist_ok=True)

    async def run(
        self, *words: str, within: float, cwd: Path, told: Callable[[str], None] | None = None, installing: bool = False
    ) -> str:
        """Run a command in the environment, like ``run``; what installs has the network, and rights to write."""
        env = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        env |= {"HOME": f"{self.folder}/home", "TMPDIR": f"{self.folder}/tmp"}
        env |= {"UV_CACHE_DIR": f"{CACHE}/uv", "UV_LINK_MODE": "copy", "UV_PYTHON_DOWNLOADS": "never"}
        if not self.environment.isolated:
            return await run(*words, within=within, env=env, cwd=cwd, told=told)
        net = () if self.environment.ipv6 or installing else ("--net",)
        script = "\n".join(self._script(cwd, installing))
        return await run(*NAMESPACES, *net, "sh", "-c", script, "sh", *words, within=within, env=env, told=told)

    def _script(self, cwd: Path, installing: bool) -> Iterator[str]:
        """Yield the shell script that makes the environment in new namespaces and runs its arguments there."""
        here = self.environment
        yield f"set -e; work={quote(str(self.work))} folder={quote(str(self.folder))} cache={quote(str(CACHE))}"
        yield 'mount -t tmpfs tmpfs "$folder/layer"; cd "$folder/layer"; mkdir upper work root'
        overlay = "mount -t overlay overlay -o upperdir=upper,workdir=work,lowerdir"
        if here.suite is None:
            yield f"root=/; {overlay}=/etc /etc"
        else:
            yield f'root=$PWD/root; {overlay}="$cache/{here.suite}" root; mount -t proc proc root/proc'
            yield 'for it in /dev "$work" "$cache/uv"; do mkdir -p "root$it"; mount --rbind "$it" "root$it"; done'
            yield f'for it in /etc/resolv.conf {CERTIFICATES}; do [ ! -e "$it" ] || cp "$it" "root$it"; done'
        if here.dual_stack:
            yield f'printf "{_HOSTS}" $(uname -n) >"$root/etc/hosts"'
        user, clean = 0, ""
        if not installing:
            if not here.ipv6:
                yield "ip link set lo up; echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6"
            if here.ordinary:
                user = USER
                yield f'echo "player:x:{USER}:{USER}::$folder/home:/bin/sh" >>"$root/etc/passwd"'
                yield f'echo "player:x:{USER}:" >>"$root/etc/group"'
                yield f'chown -R {USER}:{USER} "$folder/home" "$folder/tmp"'
            if here.bare:
                clean = '-i HOME="$HOME" TMPDIR="$TMPDIR" LANG=C PATH="$folder/venv/bin"'
                yield 'mount --bind "$HOME" "$HOME"; mount -o remount,bind,ro "$HOME"'
        # Not by exec: the shell stays, as the process that all others descend from, and waits for orphans.
        yield f'chroot --userspec={user}:{user} --groups= "$root" /usr/bin/env {clean} --chdir={quote(str(cwd))} "$@"'
        yield "exit"


async def _build_chroot(suite: str) -> None:
    """Make the chroot of a Debian release with debootstrap, unless it is in the cache. Raises Skipped if it fails."""
    if shutil.which("debootstrap") is None:
        raise Skipped("needs debootstrap")
    CACHE.mkdir(parents=True, exist_ok=True)
    packages = ",".join((*PACKAGES, *MORE_PACKAGES.get(suite, ())))
    build = f"debootstrap --variant=minbase --include={packages} {suite} {suite}.new {MIRROR} && mv {suite}.new {suite}"
    script = f"[ -d {suite} ] || {{ rm -rf {suite}.new; {build}; }}"
    try:
        await run("flock", f"{suite}.lock", *NAMESPACES, "sh", "-c", script, within=_BUILT_WITHIN, cwd=CACHE)
    except Failed as error:
        raise Skipped(f"debootstrap: {str(error).splitlines()[-1]}") from error
